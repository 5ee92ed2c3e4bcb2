package source

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// report adds what the go command and the type checker say about a package and about what it imports.
func (l *loading) report(p *packages.Package) {
	unparsed := slices.ContainsFunc(p.Errors, isParseError)
	for _, e := range p.Errors {
		// What the type checker says about half a file is noise.
		if l.counts(p, e) && (!unparsed || isParseError(e)) && !repeated(p, e) {
			l.reportError(e)
		}
	}
	for _, imported := range p.Imports {
		if l.asked[imported] {
			continue // it is reported on its own
		}
		placed := slices.ContainsFunc(imported.Errors, func(e packages.Error) bool { return e.Kind == packages.TypeError || isParseError(e) })
		for _, e := range imported.Errors {
			// What generated code imports may be missing until the author's next go mod tidy, or go mod vendor.
			if (!placed || e.Kind != packages.ListError) && !inGenerated(e) {
				l.reportError(e)
			}
		}
	}
}

// repeated reports whether an error only says that an import is missing, and the go command has said why.
func repeated(p *packages.Package, e packages.Error) bool {
	path, ok := missingImport(e.Msg)
	if !ok {
		return false
	}
	all := p.Errors
	if imported := p.Imports[path]; imported != nil {
		all = slices.Concat(all, imported.Errors)
	}
	return slices.ContainsFunc(all, func(o packages.Error) bool { return listed(o) && strings.Contains(o.Msg, path) })
}

// listed reports whether an error is the go command's, about a place in the source.
func listed(e packages.Error) bool {
	return e.Kind == packages.ListError && e.Pos != "" && e.Pos != "-"
}

// missingImport returns the path of an import that the type checker misses.
func missingImport(message string) (string, bool) {
	path, ok := strings.CutPrefix(message, noImport)
	path, _, _ = strings.Cut(path, " ")
	return path, ok
}

func isParseError(e packages.Error) bool { return e.Kind == packages.ParseError }

// missing matches the errors that are due to generated files that are not there, or not read.
var missing = regexp.MustCompile(`^undefined: Operator$|\bDeepCopyObject\b|has no field or method DeepCopy`)

// counts reports whether the author has to fix an error.
func (l *loading) counts(p *packages.Package, e packages.Error) bool {
	if inGenerated(e) {
		return false
	}
	switch e.Kind {
	case packages.TypeError:
		// A line that is indented belongs to the error before it.
		return !strings.HasPrefix(e.Msg, "\t") && !missing.MatchString(e.Msg)
	case packages.ParseError:
		return true
	}
	// The go command builds the package as it stands, generated files included, and repeats what the type checker says.
	if strings.HasPrefix(e.Msg, "# ") || strings.Contains(e.Msg, model.OperatorFile) || strings.Contains(e.Msg, model.DeepCopyFile) {
		return false
	}
	return true
}

// inGenerated reports whether an error is about a file that the generator writes.
func inGenerated(e packages.Error) bool {
	return strings.Contains(e.Pos, model.OperatorFile) || strings.Contains(e.Pos, model.DeepCopyFile)
}

var placed = regexp.MustCompile(`^(.+\.go):(\d+)(?::(\d+))?: (.+)$`)

// reportError adds one error, or each line of one that the compiler has written.
func (l *loading) reportError(e packages.Error) {
	code := codeCompile
	if e.Kind == packages.ListError || e.Kind == packages.UnknownError {
		code = codeLoad
	}
	if e.Pos != "" && e.Pos != "-" {
		l.add(l.position(e.Pos), code, e.Msg)
		return
	}
	found := false
	for line := range strings.SplitSeq(e.Msg, "\n") {
		if m := placed.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			l.add(l.position(m[1]+":"+m[2]+":"+m[3]), codeCompile, m[4])
			found = true
		}
	}
	if !found {
		l.add(token.Position{Filename: l.dir}, code, strings.TrimSpace(e.Msg))
	}
}

// later lists what package kopf will declare in future versions, so that nobody looks for a spelling mistake.
var later = map[string]string{
	"Warnings": "admission handlers", "Deny": "admission handlers", "DenyError": "admission handlers",
}

// advice matches errors of the go command that say what to do.
var advice = regexp.MustCompile(`(?s)^(.*); to add(?: it)?:\s+(.*\S)\s*$`)

// noImport is how the type checker's errors about missing imports begin.
const noImport = "could not import "

func (l *loading) add(pos token.Position, code, message string) {
	hint := ""
	if path, ok := missingImport(message); ok {
		message, hint = "the package "+path+" is not there, or does not build", "go build says why"
	}
	if m := advice.FindStringSubmatch(message); m != nil {
		message, hint = m[1], m[2]
	}
	if name, ok := strings.CutPrefix(message, "undefined: kopf."); ok && later[name] != "" {
		hint = "this version does not support " + later[name] + " yet"
	}
	l.diags.Addf(pos, code, hint, "%s", strings.TrimSpace(message))
}

// position parses a position of the go command, whose paths are relative to where it runs.
func (l *loading) position(text string) token.Position {
	pos, _ := diagnostic.ParsePosition(text)
	if !filepath.IsAbs(pos.Filename) {
		pos.Filename = filepath.Join(l.dir, pos.Filename)
	}
	return pos
}

// reportUnbuilt finds markers in files of the package's directory that are not part of it.
func (l *loading) reportUnbuilt(p *packages.Package) {
	tests, _ := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	for _, path := range tests {
		l.eachHandler(path, func(h *markers.Handler) {
			l.diags.Addf(l.fset.Position(h.Pos), codeTestFile, "move the function to a file of the program", "a handler in a test file")
		})
	}
	for _, path := range p.IgnoredFiles {
		if model.Generated(path) || strings.HasSuffix(path, "_test.go") {
			continue
		}
		l.eachHandler(path, func(h *markers.Handler) {
			l.diags.Add(diagnostic.Diagnostic{
				Pos: l.fset.Position(h.Pos), Code: codeNotBuilt, Warning: true,
				Message: "this file is not built here, so the handler is left out",
				Hint:    "generate with the tags and for the platform of the operator",
			})
		})
	}
}

func (l *loading) eachHandler(path string, report func(*markers.Handler)) {
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "+kopf:") {
		return
	}
	file, err := parser.ParseFile(l.fset, path, data, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return
	}
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return // go test reports it
	}
	for _, f := range markers.Collect(l.fset, file, l.diags).Functions {
		for _, h := range f.Handlers {
			report(h)
		}
	}
}
