// Package main keeps a greeting on every Greeter: the smallest operator that does something.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package main

import (
	"fmt"
	"log/slog"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

// Greeter greets somebody.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GreeterSpec   `json:"spec"`
	Status GreeterStatus `json:"status,omitempty"`
}

// GreeterSpec is what somebody wants.
type GreeterSpec struct {
	// Who is greeted.
	Who string `json:"who"`
	// Language of the greeting: en or la.
	//
	// +kubebuilder:validation:Enum=en;la
	// +kubebuilder:default=en
	Language string `json:"language"`
}

// GreeterStatus is what there is. What Greet returns is added below it, as status.greet.
type GreeterStatus struct{}

// Greeting is what Greet has made.
type Greeting struct {
	Text string `json:"text"`
}

// Greet runs once for every new Greeter; what it returns is written to status.greet. An error is retried after ten seconds, five times in
// all, across restarts of the operator.
//
// +kopf:on=create,retries=5,backoff=10s
func Greet(spec GreeterSpec, name string, log *slog.Logger) (Greeting, error) {
	text, err := greeting(spec)
	if err != nil {
		return Greeting{}, kopf.Permanent(err)
	}
	log.Info(text, "greeter", name)
	return Greeting{Text: text}, nil
}

// Regreet runs when a Greeter has changed, and says what. It returns a new greeting, in place of Greet's.
//
// +kopf:on=update,result=greet
func Regreet(spec GreeterSpec, diff kopf.Diff, log *slog.Logger) (Greeting, error) {
	for _, change := range diff {
		log.Info("changed: " + change.String())
	}
	text, err := greeting(spec)
	if err != nil {
		return Greeting{}, kopf.Permanent(err)
	}
	return Greeting{Text: text}, nil
}

// Farewell runs before a Greeter goes; until it has succeeded, the object stays.
//
// +kopf:on=delete
func Farewell(spec GreeterSpec, log *slog.Logger) {
	log.Info("farewell, " + spec.Who)
}

func greeting(spec GreeterSpec) (string, error) {
	switch spec.Language {
	case "en":
		return "hello, " + spec.Who, nil
	case "la":
		return "salve, " + spec.Who, nil
	}
	return "", fmt.Errorf("no words of the language %q", spec.Language)
}
