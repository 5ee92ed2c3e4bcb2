// Package controlplane gives tests and the demo a real Kubernetes API server of their own.
//
// The server is cmd/kopf-controlplane. The first use on a machine compiles it, which takes minutes; the binary is then kept in the
// user's cache directory under a key of its sources and the Go version, for all tests and demos of all checkouts. Starting it takes
// seconds. Every server has its own port, data, certificates and tokens, so that any number run side by side, and ends with the
// process that started it, even when that process is killed.
//
// A test that needs a server of its own calls Start. Tests that are content with a namespace of their own share one:
//
//	func TestMain(m *testing.M) { os.Exit(controlplane.Main(m)) }
//
//	func TestGreeter(t *testing.T) {
//		cp := controlplane.Shared(t)
//		cp.ApplyFile(t, "config/crd/demo.kopf.dev_greeters.yaml")
//		namespace := cp.Namespace(t)
//		...
//	}
package controlplane
