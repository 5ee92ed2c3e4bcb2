package api

import (
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
)

// freshTokens has the file of a token read again as soon as the server has refused what it held. Left to itself, client-go would send the old
// token for most of a minute, since it looks at the file so often only.
func freshTokens(cfg *rest.Config) {
	if cfg.BearerTokenFile == "" {
		return
	}
	cfg.Wrap(transport.ResettableTokenSourceWrapTransport(transport.NewCachedFileTokenSource(cfg.BearerTokenFile)))
	cfg.BearerToken, cfg.BearerTokenFile = "", ""
}
