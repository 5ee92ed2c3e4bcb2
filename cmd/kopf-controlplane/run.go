package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// config is what the command line of "run" says.
type config struct {
	dir           string
	keep          bool
	port          int
	kubeconfig    string
	featureGates  map[string]string
	users         users
	verbosity     int
	apiserverArgs []string
}

const (
	// startTimeout is many times what a start takes on a slow machine.
	startTimeout = 2 * time.Minute

	// stopTimeout is the time for an orderly stop. After that we remove our files and go.
	stopTimeout = 20 * time.Second
)

// run runs a control plane until ctx ends or a part of it fails, and removes its files.
func run(ctx context.Context, cfg config, out io.Writer) (err error) {
	if err := checkVersion(); err != nil {
		return err
	}
	if err := checkOverwrite(cfg.kubeconfig); err != nil {
		return err
	}
	dir, err := openWorkdir(cfg.dir, cfg.keep, cfg.kubeconfig)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.remove()) }()
	log, err := openLog(dir.log(), cfg.verbosity)
	if err != nil {
		return err
	}
	defer log.Close()
	defer context.AfterFunc(ctx, func() { exitLate(dir, log.stderr) })()

	err = serve(ctx, cfg, dir, log, out)
	if ctx.Err() != nil {
		return nil // whatever could not be completed was given up because somebody asked for it
	}
	return err
}

// serve starts the parts from the inside out (etcd, API server, controllers), announces itself on out, waits, and stops them
// in the opposite order.
func serve(ctx context.Context, cfg config, dir *workdir, log, out io.Writer) (err error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(cfg.port)))
	if err != nil {
		return fmt.Errorf("open the port of the API server: %w", err)
	}
	defer listener.Close()
	server := "https://" + listener.Addr().String()

	certs, err := newCertificates(dir.secrets())
	if err != nil {
		return err
	}
	everybody := cfg.users.withTokens()
	tokenFile := filepath.Join(dir.secrets(), "tokens.csv")
	if err := writeTokenFile(tokenFile, everybody); err != nil {
		return err
	}
	admin := clientFor(server, certs.authority, everybody[0])

	db, err := startDatabase(ctx, dir.data(), dir.sockets, cfg.keep, etcdLogger(log))
	if err != nil {
		return err
	}
	defer db.Close()

	api, err := startAPIServer(ctx, listener, apiserverFlags(cfg, db, certs, tokenFile))
	if err != nil {
		return err
	}
	defer func() {
		if stopErr := api.stop(); err == nil {
			err = stopErr
		}
	}()

	starting, cancel := context.WithTimeoutCause(ctx, startTimeout, errors.New("kube-apiserver did not become ready in time"))
	defer cancel()
	if err := waitReady(starting, admin, api.done); err != nil {
		return withLogTail(errors.Join(err, api.stop()), dir.log())
	}

	stopControllers, err := startControllers(ctx, admin)
	if err != nil {
		return err
	}
	defer stopControllers()

	if err := writeKubeconfig(dir.kubeconfig, server, certs.authority, everybody); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "control plane ready at %s, kubeconfig in %s\n", server, dir.kubeconfig); err != nil {
		return fmt.Errorf("announce the control plane: %w", err)
	}

	select {
	case <-ctx.Done():
		return nil
	case <-api.done:
		return withLogTail(api.stop(), dir.log())
	case err := <-db.Err():
		return fmt.Errorf("etcd: %w", err)
	}
}

// exitLate ends the process if it is still there stopTimeout after it was asked to stop.
func exitLate(dir *workdir, stderr io.Writer) {
	time.Sleep(stopTimeout)
	fmt.Fprintf(stderr, "error: not stopped after %v, giving up\n", stopTimeout)
	_ = dir.remove()
	os.Exit(1)
}
