package main

import (
	"errors"
	"fmt"
	"io/fs"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// clusterName is the name of the one cluster in the kubeconfig.
const clusterName = "kopf-controlplane"

// writeKubeconfig writes a kubeconfig with one context per user, each named like its user; the first user's is current.
func writeKubeconfig(path, server string, authority []byte, all []user) error {
	kubeconfig := api.NewConfig()
	kubeconfig.Clusters[clusterName] = &api.Cluster{Server: server, CertificateAuthorityData: authority}
	for _, one := range all {
		kubeconfig.AuthInfos[one.name] = &api.AuthInfo{Token: one.token}
		kubeconfig.Contexts[one.name] = &api.Context{Cluster: clusterName, AuthInfo: one.name}
	}
	kubeconfig.CurrentContext = all[0].name
	if err := clientcmd.WriteToFile(*kubeconfig, path); err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	return nil
}

// checkOverwrite refuses to replace a kubeconfig that is not one of ours: it will be overwritten now and removed at the end.
func checkOverwrite(path string) error {
	if path == "" {
		return nil
	}
	present, err := clientcmd.LoadFromFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s exists and is no kubeconfig: %w", path, err)
	case len(present.Clusters) != 1 || present.Clusters[clusterName] == nil:
		return fmt.Errorf("%s is the kubeconfig of something else: choose another name", path)
	}
	return nil
}

// clientFor returns how one user reaches the server, without limits on the client's side: what we run ourselves next to the
// server need not be gentle with it.
func clientFor(server string, authority []byte, one user) *rest.Config {
	return &rest.Config{
		Host:            server,
		BearerToken:     one.token,
		TLSClientConfig: rest.TLSClientConfig{CAData: authority},
		QPS:             -1,
		WarningHandler:  rest.NoWarnings{},
	}
}
