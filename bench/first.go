package main

import (
	"context"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// firstRequest measures the time from exec to the first request that lists or watches objects. A proxy, with TLS as the server has,
// waits for that request; in all other measures there is no proxy.
func (b *bench) firstRequest(ctx context.Context, p peer, _ *tracker) error {
	seen := make(chan time.Time, 1)
	server, err := b.cluster.proxy(func(r *http.Request) {
		if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, api+"/") && strings.HasSuffix(r.URL.Path, "/"+sample.plural) {
			select {
			case seen <- time.Now():
			default: // not the first
			}
		}
	})
	if err != nil {
		return err
	}
	defer func() {
		server.CloseClientConnections()
		server.Close()
	}()
	kubeconfig := filepath.Join(b.temp, "proxy.kubeconfig")
	if err := writeKubeconfig(kubeconfig, server); err != nil {
		return err
	}
	begin := time.Now()
	r, err := b.start(p, sample, kubeconfig)
	if err != nil {
		return err
	}
	defer r.stop()
	select {
	case at := <-seen:
		b.results.add(start, p, milliseconds(at.Sub(begin)))
		return nil
	case <-r.done:
		return r.ended()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// proxy starts a proxy on the loopback that shows each request to see.
func (c *cluster) proxy(see func(*http.Request)) (*httptest.Server, error) {
	transport, err := rest.TransportFor(c.config)
	if err != nil {
		return nil, err
	}
	target, _, err := rest.DefaultServerUrlFor(c.config)
	if err != nil {
		return nil, err
	}
	silent := log.New(io.Discard, "", 0) // operators break their connections when they stop
	reverse := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			see(r.In)
			r.SetURL(target)
			r.Out.Host = target.Host
			r.Out.Header.Del("Authorization") // the transport has its own
		},
		Transport: transport, FlushInterval: -1, ErrorLog: silent,
	}
	server := httptest.NewUnstartedServer(reverse)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = silent
	server.StartTLS()
	return server, nil
}

// writeKubeconfig writes a kubeconfig that leads to a proxy.
func writeKubeconfig(path string, server *httptest.Server) error {
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"proxy": {Server: server.URL, CertificateAuthorityData: ca}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"proxy": {Token: "unused"}},
		Contexts:       map[string]*clientcmdapi.Context{"proxy": {Cluster: "proxy", AuthInfo: "proxy"}},
		CurrentContext: "proxy",
	}, path)
}
