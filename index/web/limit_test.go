package web_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/index/web"
	"hopstream/messages/fault"
)

// transport answers without a network, so that time can be made up.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func canned(body []byte) transport {
	return func(r *http.Request) (*http.Response, error) {
		rec := httptest.NewRecorder()
		_, _ = rec.Write(body)
		res := rec.Result()
		res.Request = r
		return res, nil
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	body := recorded(t, "nothing")
	synctest.Test(t, func(t *testing.T) {
		c, err := web.New(web.Options{URL: "http://searxng", PerSecond: 2, Burst: 3, HTTP: &http.Client{Transport: canned(body)}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var group sync.WaitGroup
		for range 9 {
			group.Go(func() {
				if _, err := c.Search(t.Context(), "x", 3); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if took := time.Since(start); took != 3*time.Second { // three at once, six at two a second
			t.Errorf("nine searches took %v", took)
		}
		// Who cannot wait that long is told at once.
		for range 20 {
			group.Go(func() { _, _ = c.Search(t.Context(), "x", 3) })
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start = time.Now()
		_, err = c.Search(ctx, "x", 3)
		if class, _ := fault.Of(err); class != fault.Unavailable || time.Since(start) != 0 || !strings.Contains(err.Error(), "more than 2 searches per second") {
			t.Errorf("after %v: %v is %v", time.Since(start), err, class)
		}
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := c.Search(ctx, "x", 3); !errors.Is(err, context.Canceled) {
			t.Errorf("the caller is gone: %v", err)
		}
		group.Wait()
	})
}

func TestNoRateLimit(t *testing.T) {
	t.Parallel()
	body := recorded(t, "nothing")
	synctest.Test(t, func(t *testing.T) {
		c, err := web.New(web.Options{URL: "http://searxng", PerSecond: -1, HTTP: &http.Client{Transport: canned(body)}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for range 1000 {
			if _, err := c.Search(t.Context(), "x", 3); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v", took)
		}
	})
}

// TestUnresponsiveEnginesAreLogged holds that the log is told once a minute,
// and the hook every time.
func TestUnresponsiveEnginesAreLogged(t *testing.T) {
	t.Parallel()
	body := recorded(t, "results")
	synctest.Test(t, func(t *testing.T) {
		var logged bytes.Buffer
		told := 0
		c, err := web.New(web.Options{URL: "http://me:secret@searxng", PerSecond: -1, HTTP: &http.Client{Transport: canned(body)},
			Logger: slog.New(slog.NewTextHandler(&logged, nil)), OnUnresponsive: func(string, string) { told++ }})
		if err != nil {
			t.Fatal(err)
		}
		for range 9 {
			if _, err := c.Search(t.Context(), "x", 3); err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Second)
		}
		if lines := strings.Count(logged.String(), "\n"); lines != 3 || told != 18 {
			t.Errorf("%d lines, told %d times:\n%s", lines, told, logged.String())
		}
		if !strings.Contains(logged.String(), "google (Suspended: CAPTCHA), qwant (timeout)") || strings.Contains(logged.String(), "secret") {
			t.Error(logged.String())
		}
	})
}
