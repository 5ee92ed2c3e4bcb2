package children_test

import (
	"context"
	"crypto/rand"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/children"
	"github.com/kopfgen/kopfgen/runtime/conditions"
)

// Connect makes the client that all handlers share. Its name owns the fields that they apply.
//
// +kopf:on=startup
func Connect(cfg *rest.Config) (*children.Client, error) {
	return children.NewForConfig(cfg, "sites")
}

// Serve keeps the web server of a site: created, changed, or found at start, it comes to the same.
//
// +kopf:on=create;update;resume
func Serve(ctx context.Context, site *Site, client *children.Client) error {
	// Made once: the password survives every later call.
	if _, _, err := children.Create(ctx, client, site, &corev1.Secret{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		Data:     map[string][]byte{"password": []byte(rand.Text())},
	}); err != nil {
		return err
	}

	// One per page, and none for pages that have gone.
	pages := pagesOf(site)
	for _, page := range pages {
		if _, _, err := children.Apply(ctx, client, site, page); err != nil {
			return err
		}
	}
	if _, err := children.Prune(ctx, client, site, corev1.SchemeGroupVersion.WithKind("ConfigMap"), "page", pages); err != nil {
		return err
	}

	// The answer is the Deployment as it is, with its defaults and its status.
	server, _, err := children.Apply(ctx, client, site, serverOf(site))
	if err != nil {
		return err
	}
	if server.Status.ReadyReplicas > 0 {
		_, err := conditions.Set(&site.Status.Conditions, site.Generation, conditions.Ready.True("Serving", ""))
		return err
	}
	if _, err := conditions.Set(&site.Status.Conditions, site.Generation, conditions.Ready.False("Starting", "no replica is ready")); err != nil {
		return err
	}
	return kopf.Wait(5 * time.Second)
}

// serverOf describes the Deployment as it should be, and nothing that is left to others. It gets the name of the site.
func serverOf(site *Site) *appsv1.Deployment {
	labels := map[string]string{"site": site.Name}
	return &appsv1.Deployment{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: site.Spec.Image}}},
			},
		},
	}
}

// pagesOf describes a ConfigMap for each page.
func pagesOf(site *Site) []*corev1.ConfigMap {
	var pages []*corev1.ConfigMap
	for name, text := range site.Spec.Pages {
		pages = append(pages, &corev1.ConfigMap{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
			ObjectMeta: metav1.ObjectMeta{Name: site.Name + "-" + name, Labels: map[string]string{"page": name}},
			Data:       map[string]string{"text": text},
		})
	}
	return pages
}
