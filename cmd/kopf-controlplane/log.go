package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
)

// openLog sends what the API server and the controllers log to the file at path, and nothing but fatal errors to standard
// error. The file is also where etcd logs to, through etcdLogger.
func openLog(path string, verbosity int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{
		"logtostderr":     "false",
		"alsologtostderr": "false",
		"stderrthreshold": "FATAL",
		"one_output":      "true",
		"v":               strconv.Itoa(verbosity),
	} {
		if err := flags.Set(name, value); err != nil {
			return nil, fmt.Errorf("set up logging: %w", err)
		}
	}
	klog.SetOutput(file)
	log.SetOutput(file)
	return file, nil
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
