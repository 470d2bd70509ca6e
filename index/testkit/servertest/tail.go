package servertest

import (
	"bytes"
	"sync"
)

// tail keeps the end of what a server writes.
type tail struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *tail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	const keep = 64 << 10
	l.b.Write(p)
	if over := l.b.Len() - keep; over > 0 {
		l.b.Next(over)
	}
	return len(p), nil
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
