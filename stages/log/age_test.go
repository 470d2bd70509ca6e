package log_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

// TestDropBefore finds messages by time, and drops what is older.
func TestDropBefore(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	for i := range 5 {
		put(t, j, &messages.Answer{ID: fmt.Sprint(i), Status: messages.Answered})
	}
	third, err := j.StoredAt(t.Context(), messages.KindAnswer, 3)
	if err != nil {
		t.Fatal(err)
	}
	seq, err := j.FirstSince(t.Context(), messages.KindAnswer, third)
	if err != nil || seq != 3 {
		t.Fatalf("message %d, %v", seq, err)
	}
	if _, err := j.FirstSince(t.Context(), messages.KindAnswer, time.Now().Add(time.Hour)); !errors.Is(err, log.ErrNotFound) {
		t.Errorf("in an hour: %v", err)
	}
	if _, err := j.StoredAt(t.Context(), messages.KindAnswer, 6); !errors.Is(err, log.ErrNotFound) {
		t.Errorf("after the last: %v", err)
	}
	if err := j.DropBefore(t.Context(), messages.KindAnswer, seq); err != nil {
		t.Fatal(err)
	}
	st, err := j.StreamState(t.Context(), messages.KindAnswer)
	if err != nil || st.FirstSeq != 3 || st.Msgs != 3 {
		t.Errorf("%+v, %v", st, err)
	}
	put(t, j, &messages.Answer{ID: "0", Status: messages.Answered}) // its ID is free
}

// TestShorterAge holds that a stream which is to keep its messages for less long
// than before is changed in place, and that it is logged how many go.
func TestShorterAge(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	for i := range 4 {
		put(t, j, &messages.Answer{ID: fmt.Sprint(i), Status: messages.Answered})
	}
	last, err := j.StoredAt(t.Context(), messages.KindAnswer, 4)
	if err != nil {
		t.Fatal(err)
	}
	natstest.Eventually(t, "the answers to be old", func() bool { return time.Since(last) > 1200*time.Millisecond })
	var logged bytes.Buffer
	c := log.Config{Answers: 1200 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(&logged, nil))}
	for range 2 { // the second time it has the limit
		if err := j.Ensure(t.Context(), c, nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := logged.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "stream=hop-v1-answer messages=4 kept_for=1.2s kept_for_before=0s") {
		t.Errorf("logged %s", got)
	}
	natstest.Eventually(t, "the answers to be dropped", func() bool {
		st, err := j.StreamState(t.Context(), messages.KindAnswer)
		return err == nil && st.Msgs == 0
	})
}
