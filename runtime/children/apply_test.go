package children

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
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
