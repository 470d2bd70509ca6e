package drain

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Worker answers requests for this process until Ended.
type Worker struct {
	// Asked is closed when the process is to finish what it has, and end.
	Asked <-chan struct{}

	nc       *nats.Conn
	sub      *nats.Subscription
	inFlight func() int

	mu        sync.Mutex // guards all below
	report    Report
	begin     func()   // closes Asked
	followers []string // who asked for the end, and waits for it
}

// Instance is this process's name: its host and its number there.
func Instance() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "localhost"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

// NewWorker answers on subject for a worker whose name, stages and version are r's.
// It fails where the connection is closed.
func NewWorker(nc *nats.Conn, subject string, r Report, inFlight func() int) (*Worker, error) {
	asked := make(chan struct{})
	w := &Worker{Asked: asked, nc: nc, inFlight: inFlight, report: r, begin: sync.OnceFunc(func() { close(asked) })}
	w.report.State = Running
	var err error
	if w.sub, err = nc.Subscribe(subject, w.answer); err != nil {
		return nil, fmt.Errorf("listen for requests to drain: %w", err)
	}
	return w, nil
}

// answer reports to whoever asks, and begins to drain where it is asked to.
func (w *Worker) answer(m *nats.Msg) {
	var q Request
	if json.Unmarshal(m.Data, &q) != nil {
		return // not for workers of this build
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !q.chooses(w.report) {
		return
	}
	if q.Begin {
		if w.report.State == Running {
			w.report.State = Draining
		}
		if m.Reply != "" {
			w.followers = append(w.followers, m.Reply)
		}
		w.begin()
	}
	w.send(m.Reply)
}

// send sends a report; w.mu is held.
func (w *Worker) send(to string) {
	if to == "" {
		return
	}
	w.report.InFlight = w.inFlight()
	if b, err := json.Marshal(w.report); err == nil {
		_ = w.nc.Publish(to, b) // whoever asks asks again
	}
}

// Ended tells those who wait that everything is finished or handed back, and stops
// answering. It is called once the process's stages have ended, while the connection
// is still open.
func (w *Worker) Ended() {
	_ = w.sub.Unsubscribe()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.followers) == 0 {
		return
	}
	w.report.State = Drained
	for _, to := range w.followers {
		w.send(to)
	}
	_ = w.nc.FlushTimeout(time.Second)
}
