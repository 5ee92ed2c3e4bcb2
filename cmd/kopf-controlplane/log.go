package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"golang.org/x/sys/unix"
	"k8s.io/klog/v2"
)

// serverLog is the file that everything is logged to, from klog, from etcd, and whatever else libraries print on standard error.
type serverLog struct {
	*os.File
	// stderr is the standard error of the process as it was.
	stderr *os.File
}

// openLog opens the log at path and sends everything there but the report of a crash. Some of the libraries (the client of etcd,
// for one) can be silenced in no other way than by replacing the file behind standard error; Close puts it back.
func openLog(path string, verbosity int) (*serverLog, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	if err := flags.Set("v", strconv.Itoa(verbosity)); err != nil {
		return nil, fmt.Errorf("set up logging: %w", err)
	}
	original, err := unix.FcntlInt(uintptr(unix.Stderr), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("set up logging: %w", err)
	}
	l := &serverLog{File: file, stderr: os.NewFile(uintptr(original), "stderr")}
	if err := debug.SetCrashOutput(l.stderr, debug.CrashOptions{}); err != nil {
		return nil, fmt.Errorf("set up logging: %w", err)
	}
	if err := unix.Dup2(int(file.Fd()), unix.Stderr); err != nil {
		return nil, fmt.Errorf("set up logging: %w", err)
	}
	return l, nil
}

// Close ends logging to the file.
func (l *serverLog) Close() error {
	klog.Flush()
	return errors.Join(unix.Dup2(int(l.stderr.Fd()), unix.Stderr), l.stderr.Close(), l.File.Close())
}

// etcdLogger returns a logger for etcd's warnings and errors.
func etcdLogger(w io.Writer) *zap.Logger {
	layout := zap.NewProductionEncoderConfig()
	layout.EncodeTime = zapcore.ISO8601TimeEncoder
	return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(layout), zapcore.AddSync(w), zapcore.WarnLevel))
}

// tailLines is the number of lines of the log that an error is explained with.
const tailLines = 15

// withLogTail adds the last lines of the log to err: the log may be about to be removed.
func withLogTail(err error, path string) error {
	if err == nil {
		return nil
	}
	text, readErr := os.ReadFile(path)
	if readErr != nil || len(text) == 0 {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	return fmt.Errorf("%w\nthe end of the log:\n%s", err, strings.Join(lines, "\n"))
}
