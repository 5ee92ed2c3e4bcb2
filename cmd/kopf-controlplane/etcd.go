package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// database is the etcd that runs in this process. It listens on Unix sockets in a directory of its owner, so that nobody
// else reaches it and no port can be taken.
type database struct {
	*embed.Etcd
	// endpoint is where clients find it, in the form of kube-apiserver's --etcd-servers.
	endpoint string
}

// startDatabase starts etcd and returns when it serves. Without fsync, data are lost when the machine fails, and writes are
// many times faster: right for data that nobody wants tomorrow.
func startDatabase(ctx context.Context, dataDir, socketDir string, fsync bool, logger *zap.Logger) (*database, error) {
	clients := url.URL{Scheme: "unix", Path: filepath.Join(socketDir, "etcd.sock")}
	peers := url.URL{Scheme: "unix", Path: filepath.Join(socketDir, "peer.sock")}

	cfg := embed.NewConfig()
	cfg.Name = clusterName
	cfg.Dir = dataDir
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = []url.URL{clients}, []url.URL{clients}
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{peers}, []url.URL{peers}
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	cfg.UnsafeNoFsync = !fsync
	cfg.EnableGRPCGateway = false
	cfg.ZapLoggerBuilder = embed.NewZapLoggerBuilder(logger)

	etcd, err := embed.StartEtcd(cfg)
	if err != nil {
		return nil, fmt.Errorf("start etcd: %w", err)
	}
	db := &database{Etcd: etcd, endpoint: clients.String()}
	select {
	case <-etcd.Server.ReadyNotify():
		return db, nil
	case err := <-etcd.Err():
		db.Close()
		return nil, fmt.Errorf("start etcd: %w", err)
	case <-ctx.Done():
		db.Close()
		return nil, context.Cause(ctx)
	}
}
