package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// workdir is the directory that a control plane lives in. It is readable by its owner only: it holds keys and tokens.
type workdir struct {
	path string
	// temporary says that the whole directory is ours to remove.
	temporary bool
	// keep says that the data outlives the process.
	keep bool
	// kubeconfig is the file for clients, in the directory or elsewhere.
	kubeconfig string
	// sockets is where etcd listens: the directory itself, or another one where the name of that is too long.
	sockets string
}

// socketSpace is the longest directory in which a Unix socket finds room for its name; the kernel limits the path to 104 bytes
// or a few more.
const socketSpace = 90

// openWorkdir prepares path, or a temporary directory where path is empty. The kubeconfig will be in it if it is to be
// nowhere else.
func openWorkdir(path string, keep bool, kubeconfig string) (*workdir, error) {
	if path == "" && keep {
		return nil, errors.New("--keep needs --dir: a temporary directory is not kept")
	}
	d := &workdir{path: path, temporary: path == "", keep: keep, kubeconfig: kubeconfig}
	var err error
	if d.temporary {
		d.path, err = os.MkdirTemp("", "kopf-controlplane-")
	} else if d.path, err = filepath.Abs(path); err == nil {
		err = os.MkdirAll(d.path, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("create the working directory: %w", err)
	}
	if d.kubeconfig == "" {
		d.kubeconfig = filepath.Join(d.path, "kubeconfig")
	}
	if d.sockets = d.path; len(d.sockets) > socketSpace {
		if d.sockets, err = os.MkdirTemp("", "kcp-"); err != nil {
			return nil, errors.Join(fmt.Errorf("create the directory for sockets: %w", err), d.remove())
		}
	}
	// What a killed predecessor left must not be mistaken for ours.
	if !keep {
		if err := os.RemoveAll(d.data()); err != nil {
			return nil, errors.Join(fmt.Errorf("remove old data: %w", err), d.remove())
		}
	}
	return d, nil
}

func (d *workdir) data() string    { return filepath.Join(d.path, "etcd") }
func (d *workdir) secrets() string { return filepath.Join(d.path, "secrets") }
func (d *workdir) log() string     { return filepath.Join(d.path, "server.log") }

// remove removes everything that was created, less what the caller of the program asked for: the log of a directory that
// has a name, and the data that are to be kept.
func (d *workdir) remove() error {
	errs := []error{d.removeSockets()}
	if err := os.Remove(d.kubeconfig); !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	if d.temporary {
		return errors.Join(append(errs, os.RemoveAll(d.path))...)
	}
	errs = append(errs, os.RemoveAll(d.secrets()))
	if !d.keep {
		errs = append(errs, os.RemoveAll(d.data()))
	}
	return errors.Join(errs...)
}

// removeSockets removes the directory for sockets if it is one of its own; the sockets themselves go when etcd closes them.
func (d *workdir) removeSockets() error {
	if d.sockets == "" || d.sockets == d.path {
		return nil
	}
	return os.RemoveAll(d.sockets)
}
