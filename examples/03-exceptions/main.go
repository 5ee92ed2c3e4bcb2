// Package main makes backups, and shows what the errors of handlers mean.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package main

import (
	"errors"
	"log/slog"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

// Backup asks for a copy of a volume.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BackupSpec `json:"spec"`
}

// BackupSpec says what is wanted.
type BackupSpec struct {
	// Volume is the volume to copy.
	Volume string `json:"volume"`
	// Keep is how many days the copy is kept.
	Keep int `json:"keep"`
}

// Snapshot is what is known of a copy.
type Snapshot struct {
	Volume   string `json:"volume"`
	Attempts int    `json:"attempts"`
}

// Check gives up for good: a bad spec does not get better by trying again. A change of what was bad calls it anew.
//
// +kopf:on=create
// +kopf:on=update,field=spec.keep
func Check(spec BackupSpec, log *slog.Logger) error {
	if spec.Keep < 1 {
		return kopf.Permanent(errors.New("a backup must be kept for at least a day"))
	}
	log.Info("the backup is in order", "days", spec.Keep)
	return nil
}

// Copy asks for another attempt after a second while the volume is busy, which it is for the first two.
//
// +kopf:on=create
func Copy(spec BackupSpec, retry int) (Snapshot, error) {
	if retry < 2 {
		return Snapshot{}, kopf.Temporary(errors.New("the volume is busy"), time.Second)
	}
	return Snapshot{Volume: spec.Volume, Attempts: retry + 1}, nil
}

// Upload returns an ordinary error, which is tried again after the backoff, three times in all.
//
// +kopf:on=create,retries=3,backoff=500ms
func Upload(log *slog.Logger, retry int) error {
	log.Info("uploading", "attempt", retry+1)
	return errors.New("the archive does not answer")
}

// Settle waits, which is not failing: nothing is logged as an error, and though only one attempt is allowed, it is called until it is done.
//
// +kopf:on=create,timeout=1m,retries=1
func Settle(runtime time.Duration) error {
	if runtime < 2*time.Second {
		return kopf.Wait(500 * time.Millisecond)
	}
	return nil
}

// Announce may fail: its errors are logged and count as success.
//
// +kopf:on=create,errors=ignored
func Announce() error {
	return errors.New("nobody listens")
}
