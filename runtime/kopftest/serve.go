package kopftest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest/typed"
	"github.com/kopfgen/kopfgen/runtime/internal/diff"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// bookmarks is how often Kubernetes tells watches the newest version.
const bookmarks = time.Minute

// namespaces are those that every cluster has.
var namespaces = []string{defaultNamespace, "kube-node-lease", "kube-public", "kube-system"}

// serve makes the server, with all resources that the operator can meet.
func (s *Stage) serve() error {
	s.server = apitest.NewServer()
	s.server.AddBuiltIn()
	s.server.GiveNamespaces(namespaces...)
	s.server.Types, s.server.Controlled = typed.New(), true
	s.server.Bookmarks = bookmarks
	s.server.Happened = func(e apitest.Event) {
		s.timeline.add("event", "%s", describe(e))
		s.explored.happened(e)
	}
	s.server.Late = func() time.Duration {
		s.late.Lock()
		defer s.late.Unlock()
		return s.lateness
	}
	pattern := s.options.CRDs
	if pattern == "" {
		pattern = filepath.Join("config", "crd", "*.yaml")
	}
	files, err := filepath.Glob(pattern)
	if err != nil {
		return fmt.Errorf("definitions %s: %w", pattern, err)
	}
	if len(files) == 0 && s.options.CRDs != "" {
		return fmt.Errorf("definitions %s: there are none", pattern)
	}
	for _, file := range files {
		if err := define(s.server, file); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	for _, definition := range s.definitions {
		d := definition()
		if d.Defaults.Prefix != "" {
			s.prefix = d.Defaults.Prefix
		}
		s.declared = append(s.declared, d.Resources...)
		for _, r := range d.Resources {
			if _, known := s.server.Resource(r.Group, r.Version, r.Kind); known {
				continue
			}
			s.timeline.add("test", "there is no definition of %s.%s; it has no schema", r.Plural, r.Group)
			s.server.Add(api.Resource{Group: r.Group, Version: r.Version, Plural: r.Plural, Kind: r.Kind, Namespaced: r.Namespaced, HasStatus: true})
		}
	}
	return nil
}

// define tells the server the definitions of a file.
func define(server *apitest.Server, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data))); ; {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = server.Define(text)
		}
		if err != nil {
			return err
		}
	}
}

// describe tells what happened to an object, and what changed.
func describe(e apitest.Event) string {
	before, now := e.States()
	text := fmt.Sprintf("%s %s @%s", e.Type, named(now), tree.String(now, "metadata", "resourceVersion"))
	if e.Type != apitest.Modified {
		return text
	}
	separator := ": "
	for _, change := range diff.Of(before, now) {
		if len(change.Path) > 1 && change.Path[0] == "metadata" && (change.Path[1] == "resourceVersion" || change.Path[1] == "managedFields") {
			continue
		}
		text += separator + change.String()
		separator = "; "
	}
	return text
}

// named names an object: Backup default/orders.
func named(object map[string]any) string {
	name := tree.String(object, "metadata", "name")
	if namespace := tree.String(object, "metadata", "namespace"); namespace != "" {
		name = namespace + "/" + name
	}
	return tree.String(object, "kind") + " " + name
}
