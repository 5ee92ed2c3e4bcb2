package children

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// web is a Deployment as an operator describes it: by what it cares for.
func web(image string, env ...string) *appsv1.Deployment {
	replicas, selector := int32(2), words{"app": "greet"}
	container := corev1.Container{
		Name: "web", Image: image, Ports: []corev1.ContainerPort{{ContainerPort: 80}},
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1000m")}},
	}
	for _, name := range env {
		container.Env = append(container.Env, corev1.EnvVar{Name: name, Value: "x"})
	}
	return &appsv1.Deployment{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: selector},
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{container}}},
		},
	}
}

func TestApply(t *testing.T) {
	s := newStage(t)
	child := web("greet:1", "A", "B")
	given := child.DeepCopy()
	template := Nested("spec.template")

	first, changed := apply(s, child, template)
	if !changed {
		t.Error("making it is no change")
	}
	if diff := cmp.Diff(given, child); diff != "" {
		t.Errorf("the child was touched (-given +now):\n%s", diff)
	}
	// It is adopted, and the answer is what the server made of it.
	if first.Name != "world" || first.Namespace != s.namespace || !metav1.IsControlledBy(first, s.owner) || first.Labels["app"] != "greet" {
		t.Errorf("metadata: %+v", first.ObjectMeta)
	}
	if first.UID == "" || first.Spec.Strategy.Type != appsv1.RollingUpdateDeploymentStrategyType || first.Spec.Template.Labels["app"] != "greet" {
		t.Errorf("answer: uid %q, strategy %q, labels %v", first.UID, first.Spec.Strategy.Type, first.Spec.Template.Labels)
	}

	// Defaults are no difference.
	second, changed := apply(s, child, template)
	if changed || second.ResourceVersion != first.ResourceVersion {
		t.Errorf("applied again: changed %v, version %s after %s", changed, second.ResourceVersion, first.ResourceVersion)
	}

	// What others set stays, and is no change; so is the status.
	others := `{"metadata":{"annotations":{"deployment.kubernetes.io/revision":"1"}},"spec":{"paused":true}}`
	s.merge(child, others)
	s.merge(child, `{"status":{"replicas":2}}`, "status")
	third, changed := apply(s, child, template)
	if changed || !third.Spec.Paused || third.Annotations["deployment.kubernetes.io/revision"] != "1" || third.Status.Replicas != 2 {
		t.Errorf("after others: changed %v, paused %v, %v, %d replicas", changed, third.Spec.Paused, third.Annotations, third.Status.Replicas)
	}

	// What others set of ours is taken back.
	s.merge(child, `{"spec":{"replicas":7}}`)
	if is, changed := apply(s, child, template); !changed || *is.Spec.Replicas != 2 {
		t.Errorf("after a meddler: changed %v, %d replicas", changed, *is.Spec.Replicas)
	}

	// What is no longer wanted goes; what is new comes.
	fifth, changed := apply(s, web("greet:2", "B"), template)
	container := fifth.Spec.Template.Spec.Containers[0]
	if !changed || container.Image != "greet:2" || len(container.Env) != 1 || container.Env[0].Name != "B" || !fifth.Spec.Paused {
		t.Errorf("another one: changed %v, image %s, %v, paused %v", changed, container.Image, container.Env, fifth.Spec.Paused)
	}
}

// merge has somebody else patch a child.
func (s *stage) merge(child Object, patch string, subresource ...string) {
	s.Helper()
	name := child.GetName()
	if name == "" {
		name = s.owner.GetName()
	}
	_, err := s.collection(child).Patch(s.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "others"}, subresource...)
	if err != nil {
		s.Fatal(err)
	}
}

// Applying twice writes once, for each kind with defaults, conversions and values that the server spells differently.
func TestApplyingAgainWritesNothing(t *testing.T) {
	s := newStage(t)
	for _, manifest := range []string{
		"{apiVersion: v1, kind: ConfigMap, data: {a: b}, binaryData: {c: ZA==}}",
		"{apiVersion: v1, kind: Secret, data: {a: Yg==}}",
		"{apiVersion: v1, kind: Secret, metadata: {name: plain}, stringData: {a: b}}",
		"{apiVersion: v1, kind: ServiceAccount, imagePullSecrets: [{name: a}]}",
		"{apiVersion: v1, kind: Service, spec: {selector: {a: b}, ports: [{name: a, port: 80}, {port: 81, name: b, protocol: UDP, targetPort: x}]}}",
		"{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: b, resources: {limits: {cpu: '0.50', memory: 0.5Gi}}, ports: [{containerPort: 80}]}]}}",
		"{apiVersion: v1, kind: PersistentVolumeClaim, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}}",
		"{apiVersion: batch/v1, kind: Job, spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}}",
		"{apiVersion: batch/v1, kind: CronJob, spec: {schedule: '* * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}}}}",
		"{apiVersion: apps/v1, kind: StatefulSet, spec: {serviceName: x, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}, volumeClaimTemplates: [{metadata: {name: v}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1000Mi}}}}]}}",
		"{apiVersion: networking.k8s.io/v1, kind: Ingress, spec: {rules: [{host: a.b, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]}}",
		"{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {podSelector: {}, ingress: [{ports: [{port: 80}]}]}}",
		"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3, scaleTargetRef: {kind: Deployment, name: a, apiVersion: apps/v1}}}",
		"{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]}",
		"{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {minAvailable: 50%, selector: {matchLabels: {a: b}}}}",
		"{apiVersion: children.kopf.dev/v1, kind: Greeter, metadata: {name: child}, spec: {who: me, voices: [{name: a}, {name: b, pitch: 1}]}}",
	} {
		child := s.parse(manifest)
		t.Run(child.GetKind(), func(t *testing.T) {
			s := *s
			s.T = t
			first, changed := apply(&s, child)
			if !changed {
				t.Error("making it is no change")
			}
			if child.GetKind() == "PersistentVolumeClaim" {
				first, _ = apply(&s, child) // the server itself rewrites a claim once
			}
			again, changed := apply(&s, child)
			if changed || again.GetResourceVersion() != first.GetResourceVersion() {
				t.Errorf("applied again: changed %v, version %s after %s (-first +again):\n%s",
					changed, again.GetResourceVersion(), first.GetResourceVersion(), cmp.Diff(first.Object, again.Object))
			}
		})
	}
}

// Those who build objects in Go do as they are used to: no TypeMeta, an int where JSON has an int64, several kinds in one loop.
func TestObjectsAsTheyAreMadeInGo(t *testing.T) {
	s := newStage(t)
	s.Scheme = runtime.NewScheme()
	if err := corev1.AddToScheme(s.Scheme); err != nil {
		t.Fatal(err)
	}
	plain := &corev1.ConfigMap{Data: words{"a": "b"}}
	if _, changed := apply(s, plain); !changed || plain.Kind != "" {
		t.Errorf("changed %v, kind %q", changed, plain.Kind)
	}
	untyped := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "children.kopf.dev/v1", "kind": "Greeter", "metadata": map[string]any{"name": "child", "labels": words{"mine": "yes"}},
		"spec": map[string]any{"voices": []map[string]any{{"pitch": 5}}}, "status": map[string]any{"not": "mine"},
	}}
	is, _ := apply(s, untyped)
	if _, status := is.Object["status"]; status || is.GetLabels()["mine"] != "yes" || is.GetLabels()["app"] != "greet" {
		t.Errorf("status %v, labels %v", status, is.GetLabels())
	}
	for _, child := range []Object{plain, untyped} {
		live, changed := apply(s, child)
		if changed || live.GetUID() == "" {
			t.Errorf("%T: changed %v, uid %q", live, changed, live.GetUID())
		}
	}
	if _, _, err := Apply(t.Context(), s.Client, s.owner, &appsv1.Deployment{}); err == nil {
		t.Error("a kind that the scheme does not know is no error")
	}
}

func TestObjectsThatAreNotOurs(t *testing.T) {
	s := newStage(t)
	s.put("{apiVersion: v1, kind: ConfigMap, metadata: {name: foreign}, data: {mine: x}}")
	child := configMap("foreign", words{"a": "b"})

	_, changed, err := Apply(t.Context(), s.Client, s.owner, child)
	s.wants(err, ErrNotOwned, `apply ConfigMap "foreign" of Greeter "`+s.namespace+`/world": `)
	_, created, err := Create(t.Context(), s.Client, s.owner, child)
	s.wants(err, ErrNotOwned, `create ConfigMap "foreign" of `)
	deleted, err := Delete(t.Context(), s.Client, s.owner, child)
	s.wants(err, ErrNotOwned, `delete ConfigMap "foreign" of `)
	if changed || created || deleted {
		t.Errorf("changed %v, created %v, deleted %v", changed, created, deleted)
	}
	if is := s.get(child); len(is.GetOwnerReferences()) > 0 || is.GetLabels()["app"] != "" {
		t.Errorf("it was touched: %v", is.Object)
	}

	is, changed := apply(s, child, TakeOver)
	if !changed || !metav1.IsControlledBy(is, s.owner) || is.Data["mine"] != "x" || is.Data["a"] != "b" {
		t.Errorf("taken over: changed %v, %v, %v", changed, is.OwnerReferences, is.Data)
	}
	if _, changed := apply(s, child); changed {
		t.Error("it is not ours, once taken over")
	}
}

func TestObjectsThatAreBeingDeleted(t *testing.T) {
	s := newStage(t)
	child := configMap("going", words{"a": "b"})
	apply(s, child)
	s.hold(child)
	_, _, err := Apply(t.Context(), s.Client, s.owner, child)
	s.wants(err, ErrTerminating, "")
	_, _, err = Create(t.Context(), s.Client, s.owner, child)
	s.wants(err, ErrTerminating, "")
	if deleted, err := Delete(t.Context(), s.Client, s.owner, child); deleted || err != nil {
		t.Errorf("deleted %v, error %v", deleted, err)
	}
}

func TestChildrenThatCannotBe(t *testing.T) {
	s := newStage(t)
	choir := s.put("{apiVersion: children.kopf.dev/v1, kind: Choir, metadata: {name: " + s.namespace + "}}")
	elsewhere := configMap("c", nil)
	elsewhere.Namespace = "default"
	generated := configMap("", nil)
	generated.GenerateName = "c-"
	read, _ := apply(s, configMap("read", nil))
	for name, test := range map[string]struct {
		owner, child Object
		is           error
		says         string
	}{
		"in another namespace":                {owner: s.owner, child: elsewhere, is: ErrOtherNamespace},
		"without a namespace":                 {owner: s.owner, child: s.parse("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}"), is: ErrOtherNamespace},
		"without a namespace that it needs":   {owner: choir, child: configMap("c", nil), says: "no namespace, and neither has its owner"},
		"of a generated name":                 {owner: s.owner, child: generated, says: "generateName"},
		"read before":                         {owner: s.owner, child: read, says: "read from a cluster"},
		"without a kind":                      {owner: s.owner, child: &corev1.ConfigMap{}, says: "does not say its kind"},
		"of an unknown kind":                  {owner: s.owner, child: s.parse("{apiVersion: children.kopf.dev/v1, kind: Nobody}"), says: "no matches for kind"},
		"of an unknown version":               {owner: s.owner, child: s.parse("{apiVersion: children.kopf.dev/v2, kind: Greeter}"), says: "no matches for kind"},
		"of a sub-resource":                   {owner: s.owner, child: s.parse("{apiVersion: apps/v1, kind: Scale}"), says: "no matches for kind"},
		"invalid":                             {owner: s.owner, child: configMap("No_Name", nil), says: "Invalid value"},
		"of an owner that is not there (yet)": {owner: &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}}, child: configMap("c", nil), says: "no name or no uid"},
	} {
		t.Run(name, func(t *testing.T) {
			s := *s
			s.T = t
			_, changed, err := Apply(t.Context(), s.Client, test.owner, test.child)
			s.wants(err, test.is, test.says)
			_, created, err := Create(t.Context(), s.Client, test.owner, test.child)
			s.wants(err, test.is, test.says)
			if changed || created {
				t.Errorf("changed %v, created %v", changed, created)
			}
		})
	}
	_, _, err := Apply(t.Context(), s.Client, s.owner, s.parse("{apiVersion: children.kopf.dev/v1, kind: Nobody}"))
	if !meta.IsNoMatchError(err) {
		t.Errorf("a kind that is not there is not recognised: %v", err)
	}
}

// A kind that the server did not have is found as soon as it has.
func TestKindsThatComeLater(t *testing.T) {
	s := newStage(t)
	child := s.parse("{apiVersion: later.children.kopf.dev/v1, kind: Late}")
	if _, _, err := Apply(t.Context(), s.Client, s.owner, child); !meta.IsNoMatchError(err) {
		t.Fatalf("before: %v", err)
	}
	s.put(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lates.later.children.kopf.dev}
spec:
  group: later.children.kopf.dev
  scope: Namespaced
  names: {kind: Late, plural: lates, singular: late}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}`)
	s.eventually("the kind is found", func() bool {
		_, _, err := Apply(t.Context(), s.Client, s.owner, child)
		return err == nil
	})
}

func TestClusterScopedOwners(t *testing.T) {
	s := newStage(t)
	s.owner = s.put("{apiVersion: children.kopf.dev/v1, kind: Choir, metadata: {name: " + s.namespace + "}}")
	within := configMap("c", nil)
	within.Namespace = s.namespace
	role := s.parse("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: []}")
	for _, child := range []Object{within, role} {
		is, changed := apply(s, child)
		if !changed || !metav1.IsControlledBy(is, s.owner) {
			t.Errorf("%s: changed %v, %v", describe(child), changed, is.GetOwnerReferences())
		}
		if _, changed := apply(s, child); changed {
			t.Errorf("%s: changed again", describe(child))
		}
		if deleted, err := Delete(t.Context(), s.Client, s.owner, child); !deleted || err != nil {
			t.Errorf("%s: deleted %v, error %v", describe(child), deleted, err)
		}
	}
}

// What was applied goes with its owner.
func TestChildrenGoWithTheirOwner(t *testing.T) {
	s := newStage(t)
	child := configMap("c", nil)
	apply(s, child)
	if err := s.collection(s.owner).Delete(t.Context(), s.owner.GetName(), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	s.eventually("the child has gone", func() bool {
		_, err := s.collection(child).Get(t.Context(), child.Name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

func TestCreate(t *testing.T) {
	s := newStage(t)
	child := configMap("", words{"password": "first"})
	is, created, err := Create(t.Context(), s.Client, s.owner, child)
	if err != nil || !created || is.Name != "world" || !metav1.IsControlledBy(is, s.owner) || is.Labels["app"] != "greet" {
		t.Fatalf("created %v, error %v, %v", created, err, is)
	}
	again, created, err := Create(t.Context(), s.Client, s.owner, configMap("", words{"password": "second"}))
	if err != nil || created || again.Data["password"] != "first" || again.ResourceVersion != is.ResourceVersion {
		t.Errorf("again: created %v, error %v, %v", created, err, again)
	}
}

// However many try at once, one makes it, and all get the same.
func TestOneCreates(t *testing.T) {
	s := newStage(t)
	var made, uids sync.Map
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			is, created, err := Create(t.Context(), s.Client, s.owner, configMap("", nil))
			if err != nil {
				t.Error(err)
				return
			}
			uids.Store(is.UID, true)
			if created {
				made.Store(i, true)
			}
		})
	}
	all.Wait()
	count := func(m *sync.Map) (n int) {
		m.Range(func(any, any) bool { n++; return true })
		return n
	}
	if count(&made) != 1 || count(&uids) != 1 {
		t.Errorf("%d made it, %d objects", count(&made), count(&uids))
	}
}

// The documented rights are enough.
func TestRights(t *testing.T) {
	s := newStage(t)
	for verbs, do := range map[string]func(c *Client) error{
		"get, create, patch": func(c *Client) error {
			for _, data := range []words{{"a": "b"}, {"a": "c"}} {
				if _, _, err := Apply(t.Context(), c, s.owner, configMap("applied", data)); err != nil {
					return err
				}
			}
			return nil
		},
		"create, get": func(c *Client) error {
			for range 2 {
				if _, _, err := Create(t.Context(), c, s.owner, configMap("created", nil)); err != nil {
					return err
				}
			}
			return nil
		},
		"get, delete": func(c *Client) error {
			apply(s, configMap("deleted", nil))
			_, err := Delete(t.Context(), c, s.owner, configMap("deleted", nil))
			return err
		},
		"list, delete": func(c *Client) error {
			apply(s, configMap("pruned", nil))
			_, err := Prune[Object](t.Context(), c, s.owner, corev1.SchemeGroupVersion.WithKind("ConfigMap"), "", nil)
			return err
		},
	} {
		t.Run(verbs, func(t *testing.T) {
			user := s.namespace + "-" + strings.ReplaceAll(verbs, ", ", "-")
			cfg := s.server.Config()
			cfg.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: []string{"system:authenticated"}}
			client, err := NewForConfig(cfg, "greeters")
			if err != nil {
				t.Fatal(err)
			}
			s.put("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: " + user + "}, rules: [{apiGroups: [''], resources: [configmaps], verbs: [" + verbs + "]}]}")
			s.put("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: " + user + "}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: " + user + "}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: " + user + "}]}")
			s.eventually("the rights are there", func() bool { return !apierrors.IsForbidden(do(client)) })
			if err := do(client); err != nil {
				t.Error(err)
			}
		})
	}
}

// An operator within a larger program brings a client and a mapper along.
func TestClientsOfOthers(t *testing.T) {
	s := newStage(t)
	objects, err := dynamic.NewForConfig(s.server.Config())
	if err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(configMaps, meta.RESTScopeNamespace)
	mapper.Add(schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"}, meta.RESTScopeRoot)
	if s.Client, err = New(objects, mapper, "greeters"); err != nil {
		t.Fatal(err)
	}
	if is, changed := apply(s, configMap("c", words{"a": "b"})); !changed || is.Data["a"] != "b" || is.ManagedFields[0].Manager != "greeters" {
		t.Errorf("changed %v, %v", changed, is)
	}
	_, _, err = Apply(t.Context(), s.Client, s.owner, s.parse("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}"))
	s.wants(err, ErrOtherNamespace, "")
	_, _, err = Apply(t.Context(), s.Client, s.owner, web("x"))
	s.wants(err, nil, "no matches for kind")

	for _, broken := range []func() (*Client, error){
		func() (*Client, error) { return New(objects, mapper, "") },
		func() (*Client, error) { return NewForConfig(s.server.Config(), "") },
		func() (*Client, error) { return NewForConfig(&rest.Config{Host: ":bad:"}, "greeters") },
	} {
		if client, err := broken(); err == nil || client != nil {
			t.Errorf("client %v, error %v", client, err)
		}
	}
}

// A server that does not answer is an error, and not a kind that is missing.
func TestServersThatAreAway(t *testing.T) {
	client, err := NewForConfig(&rest.Config{Host: "127.0.0.1:1"}, "greeters")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = Apply(t.Context(), client, parent("ns"), configMap("c", nil))
	if err == nil || meta.IsNoMatchError(err) || !strings.Contains(err.Error(), "find the resource of /v1, Kind=ConfigMap") {
		t.Errorf("got error %v", err)
	}
}
