package generator

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"runtime/debug"

	"github.com/kopfgen/kopfgen/generator/emit"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

var words = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.]*|[*\[\]{}(),=;"]`)

func TestZZ(t *testing.T) {
	seed := int64(1)
	if s := os.Getenv("SEED"); s != "" {
		fmt.Sscan(s, &seed)
	}
	rng := rand.New(rand.NewSource(seed))
	files, _ := filepath.Glob("../testdata/generator/errors/*/main.go")
	more, _ := filepath.Glob("../testdata/generator/ok/*/*.go")
	for _, m := range more {
		if !source.Generated(m) {
			files = append(files, m)
		}
	}
	root, _ := filepath.Abs("../testdata/zzfuzz")
	os.RemoveAll(root)
	if os.Getenv("KEEP") == "" { defer os.RemoveAll(root) }
	var pool []string
	var texts []string
	for _, f := range files {
		b, _ := os.ReadFile(f)
		texts = append(texts, string(b))
		pool = append(pool, words.FindAllString(string(b), -1)...)
	}
	for i := range 250 {
		text := texts[rng.Intn(len(texts))]
		for range 1 + rng.Intn(2) {
			locs := words.FindAllStringIndex(text, -1)
			if len(locs) < 30 {
				continue
			}
			l := locs[rng.Intn(len(locs))]
			for {
				start := strings.LastIndex(text[:l[0]], "\n") + 1
				line := text[start:]
				if strings.HasPrefix(line, "// +kopf") || strings.HasPrefix(line, "func ") || strings.HasPrefix(line, "\t") { break }
				l = locs[rng.Intn(len(locs))]
			}
			w := text[l[0]:l[1]]
			var r string
			switch rng.Intn(5) {
			case 0:
				r = ""
			case 1, 2, 3:
				r = pool[rng.Intn(len(pool))]
				for (len(r) > 1) != (len(w) > 1) { r = pool[rng.Intn(len(pool))] }
			case 4:
				r = "*" + w
			}
			text = text[:l[0]] + r + text[l[1]:]
		}
		dir := filepath.Join(root, fmt.Sprint("c", i))
		os.MkdirAll(dir, 0o755)
		os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644)
	}
	var diags diagnostic.List
	program, err := load(context.Background(), Config{Dir: root, Patterns: []string{"./..."}}, &diags)
	if err != nil {
		t.Fatal(err)
	}
	clean := 0
	for _, p := range program.Packages {
		func() {
			defer func() {
				if r := recover(); r != nil {
					b, _ := os.ReadFile(filepath.Join(p.Dir, "main.go"))
					os.WriteFile("/tmp/zz/"+filepath.Base(p.Dir)+".go", b, 0o644)
					t.Errorf("%s: %v\n%s", p.Dir, r, debug.Stack())
				}
			}()
			alone := *program
			alone.Packages = []*source.Package{p}
			of := diagnostic.List{}
			ops := understand(&alone, &of)
			bad := false
			for _, d := range append(diags.Sorted(), of.Sorted()...) {
				if strings.HasPrefix(d.Pos.Filename, p.Dir+"/") && !d.Warning {
					bad = true
				}
				if d.Pos.Line == 0 && strings.HasPrefix(d.Pos.Filename, p.Dir) { t.Errorf("no line: %v", d) }
			}
			if !bad {
				clean++
				for _, op := range ops {
					code, err := emit.File(op)
					if err != nil {
						t.Errorf("%s emit: %v", p.Dir, err)
					}
					os.WriteFile(filepath.Join("/tmp/zz/ov", filepath.Base(p.Dir)+".go"), code, 0o644)
				}
			}
		}()
	}
	fmt.Println("packages", len(program.Packages), "clean", clean)
}
