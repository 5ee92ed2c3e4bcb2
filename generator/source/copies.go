package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/kopfgen/kopfgen/generator/model"
)

// copies declares the deep copy methods that are yet to be generated. Without them, a call of DeepCopy on a kind would find the method of
// its embedded metadata, and correct code of the author would not compile.
//
// The declarations are added to the first file of each package while it is parsed, and removed once the types are
// checked. DeepCopyObject is not among them: the type of its result is in a package that the author's may not import.
type copies struct {
	mu   sync.Mutex
	dirs map[string]carrier
}

// carrier is the file of a directory that the declarations are added to.
type carrier struct {
	path  string
	decls string
}

// addTo adds the declarations to a parsed file, if it is the one that carries them.
func (l *loading) addTo(f *ast.File, path string) {
	c := l.carrier(filepath.Dir(path))
	if c.path != path || c.decls == "" {
		return
	}
	stub, err := parser.ParseFile(l.fset, filepath.Join(filepath.Dir(path), model.DeepCopyFile), "package "+f.Name.Name+"\n"+c.decls, parser.SkipObjectResolution)
	if err != nil {
		return // every name in it was taken from a file that parsed
	}
	f.Decls = append(f.Decls, stub.Decls...)
}

// takeOff removes the declarations again.
func takeOff(f *ast.File) {
	for len(f.Decls) > 0 && f.Decls[len(f.Decls)-1].Pos() >= f.FileEnd {
		f.Decls = f.Decls[:len(f.Decls)-1]
	}
}

func (l *loading) carrier(dir string) carrier {
	l.copies.mu.Lock()
	defer l.copies.mu.Unlock()
	if c, ok := l.copies.dirs[dir]; ok {
		return c
	}
	c := l.findCarrier(dir)
	l.copies.dirs[dir] = c
	return c
}

// findCarrier looks at all files of a package.
func (l *loading) findCarrier(dir string) carrier {
	var c carrier
	var b strings.Builder
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	var files []*ast.File
	for _, path := range names {
		if strings.HasSuffix(path, "_test.go") || model.Generated(path) {
			continue
		}
		if match, err := l.build.MatchFile(dir, filepath.Base(path)); err != nil || !match {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, data, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		if c.path == "" {
			c.path = path
		}
		files = append(files, f)
	}
	byHand := methodsByHand(files)
	for _, f := range files {
		for _, decl := range f.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				spec := spec.(*ast.TypeSpec)
				if !byHand[spec.Name.Name] && spec.Name.Name != "_" && !spec.Assign.IsValid() && spec.TypeParams == nil {
					b.WriteString(copyOf(spec))
				}
			}
		}
	}
	c.decls = b.String()
	return c
}

// copyOf declares the methods that controller-tools makes for a type of that form.
func copyOf(spec *ast.TypeSpec) string {
	name := spec.Name.Name
	switch t := spec.Type.(type) {
	case *ast.StructType:
		for _, field := range t.Fields.List {
			for _, n := range field.Names {
				if strings.HasPrefix(n.Name, "DeepCopy") {
					return ""
				}
			}
		}
		return fmt.Sprintf("func (*%[1]s) DeepCopyInto(*%[1]s) {}\nfunc (*%[1]s) DeepCopy() *%[1]s { panic(0) }\n", name)
	case *ast.MapType:
		return fmt.Sprintf("func (%[1]s) DeepCopyInto(*%[1]s) {}\nfunc (%[1]s) DeepCopy() %[1]s { panic(0) }\n", name)
	case *ast.ArrayType:
		if t.Len == nil {
			return fmt.Sprintf("func (%[1]s) DeepCopyInto(*%[1]s) {}\nfunc (%[1]s) DeepCopy() %[1]s { panic(0) }\n", name)
		}
	}
	return ""
}

// methodsByHand lists the types that have a method DeepCopy… of the author's own.
func methodsByHand(files []*ast.File) map[string]bool {
	found := map[string]bool{}
	for _, f := range files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || len(fn.Recv.List) == 0 || !strings.HasPrefix(fn.Name.Name, "DeepCopy") || fn.Name.Name == "DeepCopyObject" {
				continue
			}
			recv := fn.Recv.List[0].Type
			if star, ok := recv.(*ast.StarExpr); ok {
				recv = star.X
			}
			if id, ok := recv.(*ast.Ident); ok {
				found[id.Name] = true
			}
		}
	}
	return found
}
