package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/client"
)

// load asks questions of several tenants, and counts what becomes of them.
type load struct {
	session *session.Session
	profile string
	follow  *client.Follower

	mu       sync.Mutex // guards the below
	answered map[string]int
	failed   error
}

// newLoad begins to count answers.
func newLoad(ctx context.Context, s *session.Session, profile string) (*load, error) {
	l := &load{session: s, profile: profile, answered: map[string]int{}}
	var err error
	l.follow, err = s.Follow(ctx, func(an *messages.Answer) {
		tenant, _, _ := strings.Cut(an.ID, "/")
		l.mu.Lock()
		defer l.mu.Unlock()
		l.answered[tenant]++
		if an.Status != messages.Answered && l.failed == nil {
			l.failed = fmt.Errorf("question %s ended as %s: %s", an.ID, an.Status, an.Error)
		}
	})
	return l, err
}

func (l *load) close() { l.follow.Close() }

// counts returns how many questions of each tenant were answered so far.
func (l *load) counts() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make(map[string]int, len(l.answered))
	for t, n := range l.answered {
		out[t] = n
	}
	return out
}

// counted returns the counts after d, or once a tenant has had so many answers.
func (l *load) counted(ctx context.Context, d time.Duration, most int) (map[string]int, error) {
	over, tick := time.After(d), time.NewTicker(20*time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return l.counts(), nil
		case <-tick.C:
			counts := l.counts()
			for _, n := range counts {
				if n >= most {
					return counts, nil
				}
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (l *load) question(tenant string, text messages.Question, n int) *messages.Question {
	return &messages.Question{ID: fmt.Sprintf("%s/%d", tenant, n), Question: text.Question, Tenant: tenant,
		Deadline: messages.Deadline{After: 45 * time.Minute}}
}

// store stores n questions of every tenant in turn, without waiting for answers.
func (l *load) store(ctx context.Context, n int, tenants ...string) error {
	texts := nullQuestions(l.profile, 64)
	slots, fail := make(chan struct{}, 256), make(chan error, 1)
	for i := range n {
		for _, tenant := range tenants {
			q := l.question(tenant, texts[i%len(texts)], i)
			if i == 0 { // which tells the routers
				if _, err := l.session.Submit(ctx, q); err != nil {
					return err
				}
				continue
			}
			slots <- struct{}{}
			l.session.Log.PutAsync(q, func(err error) {
				if err != nil {
					select {
					case fail <- err:
					default:
					}
				}
				<-slots
			})
		}
	}
	for range cap(slots) {
		slots <- struct{}{}
	}
	select {
	case err := <-fail:
		return err
	default:
		return ctx.Err()
	}
}

// loop has each tenant ask, so many at a time, for a while, and returns their
// sorted latencies in milliseconds, without those of questions from the first
// quarter of it. A question that is still open in the end counts
// with the time that it has been.
func (l *load) loop(ctx context.Context, tenants []string, open int, d time.Duration) ([]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	texts, counted := nullQuestions(l.profile, 64), time.Now().Add(d/4)
	var mu sync.Mutex
	var latency []float64
	var failed error
	var wg sync.WaitGroup
	for _, tenant := range tenants {
		for k := range open {
			wg.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					started, warm := nowMS(), time.Now().After(counted)
					_, err := l.follow.Ask(ctx, l.session.Client, l.question(tenant, texts[i%len(texts)], i*open+k))
					ms := nowMS() - started
					mu.Lock()
					if long := ms > float64(d.Milliseconds())/2; err == nil && warm || long { // one of the warm-up that lasts counts
						latency = append(latency, ms)
					}
					if err != nil && ctx.Err() == nil && failed == nil {
						failed = err
					}
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	slices.Sort(latency)
	if len(latency) == 0 {
		failed = errors.Join(failed, errors.New("no question was answered"))
	}
	return latency, failed
}

// spread returns the median and the 95th percentile.
func spread(latency []float64) (p50, p95 float64) {
	return score.Quantile(latency, .5), score.Quantile(latency, .95)
}
