//go:build k8s

package kubernetes

import (
	"io"
	"net"
	"testing"
)

// forward stands in for `kubectl port-forward`, for which pods would need a kubelet:
// it returns the port of localhost that leads to addr until the test ends.
func forward(t *testing.T, addr string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() { // ends with Close
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", addr)
			if err != nil {
				_ = from.Close()
				continue
			}
			join := func(a, b net.Conn) { // ends with either side
				_, _ = io.Copy(a, b)
				_ = a.Close()
				_ = b.Close()
			}
			go join(from, to)
			go join(to, from)
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
