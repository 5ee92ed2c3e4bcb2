package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// patience is how long the demo waits for anything that the operator or the API server is to do.
const patience = 30 * time.Second

// demo is the demo while it runs.
type demo struct {
	*screen

	// repository is the root of the checkout, example the directory of the example in it, and temp a directory of the demo's own.
	repository, example, temp string
	// fail ends the demo because something went wrong outside of what it is doing.
	fail context.CancelCauseFunc
	// endings undo what was done; the last comes first.
	endings []func(context.Context) error

	cluster  *cluster
	operator *process
	world    *object
}

// run tells the story, and ends everything that was begun, however far it came.
func run(ctx context.Context, s *screen) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	d := &demo{screen: s, fail: fail}
	if err := errors.Join(d.tell(ctx), d.end(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	d.heading(0, 0, "That was all. Everything is stopped and removed.")
	return nil
}

// tell tells the story from the beginning to the end.
func (d *demo) tell(ctx context.Context) error {
	if err := d.prepare(ctx); err != nil {
		return err
	}
	chapters := []struct {
		title string
		tell  func(context.Context) error
	}{
		{"kopfgen makes an operator of three functions", d.build},
		{"There is a Kubernetes API server", d.startCluster},
		{"The operator handles a creation", d.create},
		{"The operator handles a change", d.change},
		{"The operator handles a deletion", d.remove},
	}
	for i, chapter := range chapters {
		d.heading(i+1, len(chapters), chapter.title)
		if err := chapter.tell(ctx); err != nil {
			if cause := context.Cause(ctx); cause != nil {
				err = cause
			}
			return fmt.Errorf("in chapter %d of %d: %w", i+1, len(chapters), err)
		}
	}
	return nil
}

// later remembers what must be undone at the end.
func (d *demo) later(undo func(context.Context) error) { d.endings = append(d.endings, undo) }

// end undoes everything.
func (d *demo) end(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	var errs []error
	for i := len(d.endings) - 1; i >= 0; i-- {
		errs = append(errs, d.endings[i](ctx))
	}
	return errors.Join(errs...)
}

func (d *demo) prepare(ctx context.Context) (err error) {
	if err := checkEnvironment(); err != nil {
		return err
	}
	if d.repository, err = moduleDir(ctx); err != nil {
		return err
	}
	d.example = filepath.Join(d.repository, "examples", "01-minimal")
	if d.temp, err = os.MkdirTemp("", "kopfgen-demo-"); err != nil {
		return err
	}
	d.later(func(context.Context) error { return os.RemoveAll(d.temp) })
	d.note("The demo talks to the API server by itself; where it says kubectl, that is what you would type.")
	return nil
}

// build builds kopfgen, generates the example's code and builds the example.
func (d *demo) build(ctx context.Context) error {
	kopfgen, greeter := filepath.Join(d.temp, "kopfgen"), filepath.Join(d.temp, "greeter")
	d.command("go build ./cmd/kopfgen")
	if err := d.compile(ctx, d.repository, kopfgen, "./cmd/kopfgen"); err != nil {
		return err
	}
	d.command("cd examples/01-minimal; kopfgen --verbose")
	if err := d.execute(ctx, d.example, "kopfgen", kopfgen, "--verbose"); err != nil {
		return err
	}
	d.note("Beside main.go are now zz_generated.kopf.go, zz_generated.deepcopy.go and config/crd, as they are in the repository.")
	d.command("go build -o greeter")
	return d.compile(ctx, d.example, greeter, ".")
}

func (d *demo) startCluster(ctx context.Context) (err error) {
	if os.Getenv("DEMO_CLUSTER") == "current" {
		d.cluster, err = d.currentCluster(ctx)
	} else {
		d.cluster, err = d.privateCluster(ctx)
	}
	return err
}

// create starts the operator and creates an object.
func (d *demo) create(ctx context.Context) (err error) {
	d.command("kubectl apply -f config/crd")
	if err := d.define(ctx); err != nil {
		return err
	}
	d.command("./greeter run --namespace " + d.cluster.namespace + " &")
	if err := d.startOperator(); err != nil {
		return err
	}
	d.command("kubectl apply -f object.yaml")
	manifest, err := os.ReadFile(filepath.Join(d.example, "object.yaml"))
	if err != nil {
		return err
	}
	d.quote("object.yaml", string(manifest))
	if d.world, err = d.apply(ctx, manifest); err != nil {
		return err
	}
	return d.see(ctx, "hello, world", "hello, world")
}

// change changes the object.
func (d *demo) change(ctx context.Context) error {
	const patch = `{"spec":{"language":"la"}}`
	d.command("kubectl patch greeter world --type merge -p '" + patch + "'")
	if err := d.world.patch(ctx, patch); err != nil {
		return err
	}
	return d.see(ctx, "changed:", "salve, world")
}

// see waits until the operator has said something and the object has a greeting that counts as handled, and shows the object.
func (d *demo) see(ctx context.Context, said, greeting string) error {
	if err := d.operator.until(ctx, said); err != nil {
		return err
	}
	state, err := d.world.until(ctx, fmt.Sprintf("has the greeting %q", greeting), func(s view) bool {
		return s.greeting() == greeting && s.handled()
	})
	if err != nil {
		return err
	}
	d.show(state)
	return nil
}

// remove deletes the object, which goes when its handler has run.
func (d *demo) remove(ctx context.Context) error {
	d.command("kubectl delete greeter world")
	if err := d.world.delete(ctx); err != nil {
		return err
	}
	if err := d.operator.until(ctx, "farewell, world"); err != nil {
		return err
	}
	if err := d.world.untilGone(ctx); err != nil {
		return err
	}
	d.note("The operator has taken its finalizer away, and the object is gone.")
	d.command("kill %1")
	return d.operator.stop()
}
