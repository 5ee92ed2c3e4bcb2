package markers

import (
	"go/token"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// reporter turns offsets of a marker's text into positions.
type reporter struct {
	fset   *token.FileSet
	base   token.Pos // of the text's first byte
	diags  *diagnostic.List
	faulty bool
}

func (r *reporter) pos(offset int) token.Pos { return r.base + token.Pos(offset) }

func (r *reporter) errorf(offset int, code, hint, format string, args ...any) {
	r.faulty = true
	r.diags.Addf(r.fset.Position(r.pos(offset)), code, hint, format, args...)
}
