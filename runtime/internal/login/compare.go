package login

import (
	"bytes"
	"reflect"
	"slices"

	"k8s.io/client-go/rest"
)

// remembered is how many refused credentials are told from new ones, as in Kopf.
const remembered = 3

// contains tells whether credentials are among those that were refused.
func contains(refused []*rest.Config, cfg *rest.Config) bool {
	return slices.ContainsFunc(refused, func(other *rest.Config) bool { return same(other, cfg) })
}

// same tells whether two configurations are the same credentials for sure. Those that client-go renews by itself, from a file or by a
// plugin, may have changed.
func same(a, b *rest.Config) bool {
	if renews(a) || renews(b) {
		return false
	}
	return a.Host == b.Host && a.APIPath == b.APIPath &&
		a.BearerToken == b.BearerToken && a.Username == b.Username && a.Password == b.Password &&
		reflect.DeepEqual(a.Impersonate, b.Impersonate) &&
		bytes.Equal(a.CertData, b.CertData) && bytes.Equal(a.KeyData, b.KeyData) &&
		bytes.Equal(a.CAData, b.CAData) && a.CAFile == b.CAFile
}

func renews(cfg *rest.Config) bool {
	return cfg.BearerTokenFile != "" || cfg.CertFile != "" || cfg.KeyFile != "" || cfg.ExecProvider != nil || cfg.AuthProvider != nil ||
		cfg.WrapTransport != nil || cfg.Transport != nil
}
