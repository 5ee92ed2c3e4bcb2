package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/kopfgen/kopfgen/internal/gobuild"
)

// peer is one way to write the operator.
type peer string

const (
	kopf              peer = "Kopf"
	controllerRuntime peer = "controller-runtime"
	kopfgen           peer = "kopfgen"
)

// peers are all of them, in the order of their turns.
var peers = []peer{kopf, controllerRuntime, kopfgen}

// kind is a kind of objects, and how many handlers have something to do for a new one.
type kind struct {
	name, plural string
	handlers     int
}

var (
	sample = kind{name: "Sample", plural: "samples", handlers: 1}
	ten    = kind{name: "Ten", plural: "tens", handlers: 10}
)

// programs are the Go packages of the operators, and the generators, by the names of the binaries.
var programs = map[string]string{
	"kopfgen-operator":            "./peers/kopfgen",
	"kopfgen-operator-ten":        "./peers/kopfgenten",
	"controller-runtime-operator": "./peers/controllerruntime",
	"kopfgen":                     "github.com/kopfgen/kopfgen/cmd/kopfgen",
	"controller-gen":              "sigs.k8s.io/controller-tools/cmd/controller-gen",
}

// build builds all programs as they would be shipped, static and stripped, and notes how big the operators are.
func (b *bench) build(ctx context.Context) error {
	b.say("building the operators")
	progress := gobuild.NewProgress(os.Stderr)
	defer progress.End()
	for name, pkg := range programs {
		program := gobuild.Program{
			Dir: filepath.Join(b.root, "bench"), Package: pkg, Output: b.binary(name),
			Flags: []string{"-trimpath", "-ldflags", "-s -w"}, Env: []string{"GOWORK=off", "CGO_ENABLED=0"},
		}
		if err := program.Build(ctx, progress); err != nil {
			return err
		}
	}
	for p, name := range map[peer]string{kopfgen: "kopfgen-operator", controllerRuntime: "controller-runtime-operator"} {
		info, err := os.Stat(b.binary(name))
		if err != nil {
			return err
		}
		b.results.add(binarySize, p, float64(info.Size())/1e6)
	}
	// Python would leave its compiled form beside the source.
	script, err := os.ReadFile(filepath.Join(b.root, "bench/peers/kopf/sample.py"))
	if err != nil {
		return err
	}
	return os.WriteFile(b.script(), script, 0o600)
}

func (b *bench) binary(name string) string { return filepath.Join(b.temp, "bin", name) }

func (b *bench) script() string { return filepath.Join(b.temp, "operator.py") }

// command returns how the operator of a peer is started, for all namespaces.
func (b *bench) command(p peer, k kind, kubeconfig string) *exec.Cmd {
	var cmd *exec.Cmd
	switch {
	case p == kopf:
		cmd = exec.Command(filepath.Join(b.root, ".cache/kopf/bin/kopf"), "run", "--standalone", "--all-namespaces", b.script())
	case p == controllerRuntime:
		cmd = exec.Command(b.binary("controller-runtime-operator"))
	case k == ten:
		cmd = exec.Command(b.binary("kopfgen-operator-ten"), "run", "--all-namespaces")
	default:
		cmd = exec.Command(b.binary("kopfgen-operator"), "run", "--all-namespaces")
	}
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "BENCH_PLURAL="+k.plural, "BENCH_HANDLERS="+strconv.Itoa(k.handlers))
	return cmd
}
