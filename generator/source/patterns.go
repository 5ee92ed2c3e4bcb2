package source

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// pattern is an element of packages=, resolved against the operator's directory.
type pattern struct {
	// list is what the go command takes: an absolute directory or an import path, optionally with "...".
	list string
	dirs bool
	re   *regexp.Regexp
}

// newPattern parses a pattern of an operator in dir. It also returns why the pattern is not acceptable, or "".
func (s *scan) newPattern(dir, text string) (pattern, string) {
	p := pattern{list: text}
	clean := filepath.ToSlash(text)
	switch {
	case filepath.IsAbs(text):
		return p, "an absolute directory"
	case clean == "." || clean == ".." || strings.HasPrefix(clean, "./") || strings.HasPrefix(clean, "../"):
		p.dirs = true
		p.list = filepath.Join(dir, filepath.FromSlash(clean))
		if rel, err := filepath.Rel(s.moduleDir, p.list); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return p, "outside the module"
		}
	case clean == s.modulePath || strings.HasPrefix(clean, s.modulePath+"/"):
	default:
		return p, "outside the module " + s.modulePath
	}
	expr := regexp.QuoteMeta(filepath.ToSlash(p.list))
	if base, ok := strings.CutSuffix(expr, `/\.\.\.`); ok {
		expr = base + `(/\.\.\.)?`
	}
	p.re = regexp.MustCompile("^" + strings.ReplaceAll(expr, `\.\.\.`, ".*") + "$")
	return p, ""
}

func (p pattern) matches(pkg *Package) bool {
	if p.dirs {
		return p.re.MatchString(filepath.ToSlash(pkg.Dir))
	}
	return p.re.MatchString(pkg.Path)
}

// wild reports whether the pattern may match several packages.
func (p pattern) wild() bool { return strings.Contains(p.list, "...") }

// exists reports whether the directory that the pattern begins with exists. The go command would fail as a whole because of a missing one.
func (p pattern) exists() bool {
	if !p.dirs {
		return true
	}
	base, _, wild := strings.Cut(p.list, "...")
	if wild {
		base = filepath.Dir(base + "x")
	}
	info, err := os.Stat(base)
	return err == nil && info.IsDir()
}
