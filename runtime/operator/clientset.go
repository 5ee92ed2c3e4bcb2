package operator

import (
	"sync"

	"k8s.io/client-go/rest"
)

// Clientset makes a client of the author's choice once per operator, when a handler first asks for it. Generated code keeps one for each
// client type, so that only operators that use a client link it. The zero value is ready.
type Clientset[C any] struct {
	once   sync.Once
	client C
	err    error
}

// Get returns the client, made by newForConfig on the first call; the error of that call stays.
func (s *Clientset[C]) Get(cfg *rest.Config, newForConfig func(*rest.Config) (C, error)) (C, error) {
	s.once.Do(func() { s.client, s.err = newForConfig(cfg) })
	return s.client, s.err
}
