// Command controllerruntime is the operator that is measured, as it is written with controller-runtime.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	v1 "github.com/kopfgen/kopfgen/bench/peers/controllerruntime/v1"
)

// workers is the number of objects that are reconciled at once; with the default of one the comparison would be unfair.
const workers = 16

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	ctrl.SetLogger(logr.FromSlogHandler(slog.NewTextHandler(os.Stderr, nil)))
	scheme := runtime.NewScheme()
	if err := v1.AddToScheme(scheme); err != nil {
		return err
	}
	cfg, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	cfg.QPS = -1 // no limit of the client's own
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{Scheme: scheme, Metrics: metrics.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(mgr).
		For(&v1.Sample{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(&reconciler{mgr.GetClient()})
	if err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

type reconciler struct{ client.Client }

// Reconcile counts the items of a new Sample, in one write of its status.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var sample v1.Sample
	if err := r.Get(ctx, request.NamespacedName, &sample); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if sample.Status.Make != nil {
		return ctrl.Result{}, nil
	}
	before := sample.DeepCopy()
	sample.Status.Make = &v1.Made{Text: strconv.Itoa(len(sample.Spec.Items)) + " items"}
	ctrl.LoggerFrom(ctx).Info("made", "sample", sample.Name)
	return ctrl.Result{}, client.IgnoreNotFound(r.Status().Patch(ctx, &sample, client.MergeFrom(before)))
}
