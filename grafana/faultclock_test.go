//go:build faults

package grafana

import (
	"io"
	"net"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// skewer stands between a worker and the NATS server and moves the server's clock,
// as the worker sees it in its replies: which is what a worker sees whose own clock
// is off.
type skewer struct {
	addr  string
	shift atomic.Int64 // nanoseconds
}

// startSkewer starts a skewer in front of a server until the test ends.
func startSkewer(t *testing.T, server string) *skewer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &skewer{addr: ln.Addr().String()}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			worker, err := ln.Accept()
			if err != nil {
				return
			}
			up, err := net.Dial("tcp", server)
			if err != nil {
				worker.Close()
				continue
			}
			all.Go(func() {
				_, _ = io.Copy(up, worker)
				up.Close()
			})
			all.Go(func() {
				s.pass(worker, up)
				worker.Close()
			})
		}
	})
	t.Cleanup(func() { // by then the worker is gone: it was started later
		ln.Close()
		all.Wait()
	})
	return s
}

// stamp is the time of a reply about a consumer, to the second.
var stamp = regexp.MustCompile(`"ts":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)`)

// pass copies what the server says. A time that two reads share is not moved.
func (s *skewer) pass(worker io.Writer, server io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := server.Read(buf)
		if shift := time.Duration(s.shift.Load()); shift != 0 {
			for _, at := range stamp.FindAllSubmatchIndex(buf[:n], -1) {
				text := buf[at[2]:at[3]]
				if was, err := time.Parse("2006-01-02T15:04:05", string(text)); err == nil {
					copy(text, was.Add(shift).Format("2006-01-02T15:04:05"))
				}
			}
		}
		if _, werr := worker.Write(buf[:n]); werr != nil || err != nil {
			return
		}
	}
}
