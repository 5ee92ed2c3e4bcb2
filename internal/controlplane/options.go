package controlplane

import (
	"slices"
	"strconv"
	"strings"
)

// Option changes how a control plane is started.
type Option func(*options)

type options struct {
	flags          []string
	apiserverFlags []string
}

// WithUser adds a user who may do only what RBAC grants to him and to his groups. User returns how to connect as him.
func WithUser(name string, groups ...string) Option {
	return func(o *options) {
		user := name
		if len(groups) > 0 {
			user += ":" + strings.Join(groups, ",")
		}
		o.flags = append(o.flags, "--user="+user)
	}
}

// WithFeatureGate switches a feature gate of kube-apiserver, such as "WatchList".
func WithFeatureGate(name string, enabled bool) Option {
	return func(o *options) {
		o.flags = append(o.flags, "--feature-gates="+name+"="+strconv.FormatBool(enabled))
	}
}

// WithPort makes the API server listen on a certain port of 127.0.0.1 instead of on a free one, so that one that was stopped
// can come back.
func WithPort(port int) Option {
	return func(o *options) { o.flags = append(o.flags, "--port="+strconv.Itoa(port)) }
}

// WithDataIn keeps the data in a directory, where the next start finds it. Certificates and tokens are new all the same.
func WithDataIn(dir string) Option {
	return func(o *options) { o.flags = append(o.flags, "--keep", "--dir="+dir) }
}

// WithAPIServerFlags hands flags to kube-apiserver, such as "--etcd-compaction-interval=2s".
func WithAPIServerFlags(flags ...string) Option {
	return func(o *options) { o.apiserverFlags = append(o.apiserverFlags, flags...) }
}

// commandLine returns the arguments of the server's binary.
func commandLine(opts []Option) []string {
	var o options
	for _, option := range opts {
		option(&o)
	}
	return slices.Concat([]string{"run", "--exit-with-stdin"}, o.flags, []string{"--"}, o.apiserverFlags)
}
