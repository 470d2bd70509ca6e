package main

import (
	"context"
	"slices"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/natstest"
)

// TestSetup makes everything on a server, and changes nothing the second time.
func TestSetup(t *testing.T) {
	t.Parallel()
	s := natstest.Server(t)
	_, js := natstest.Connect(t, s)
	args := []string{"setup", "--nats", s.ClientURL()}
	hopstream(t, "", args...).Exits(0).Prints("streams, consumers and buckets of hop are there")
	names := messages.DefaultNames()
	made := streams(t, js)
	for _, k := range messages.Kinds() {
		if !slices.Contains(made, names.Stream(k)) {
			t.Errorf("there is no stream of %s", k)
		}
	}
	for _, b := range []string{names.DeliveriesBucket(), names.RepliesBucket(), names.PauseBucket(), names.TenantsBucket()} {
		if !slices.Contains(made, "KV_"+b) {
			t.Errorf("there is no bucket %s", b)
		}
	}
	if slices.Contains(made, "KV_"+names.WorkBucket()) {
		t.Error("the builtin engine shares no work, and has a bucket for it")
	}
	for _, row := range stages.Pipeline() {
		if _, err := js.Consumer(t.Context(), names.Stream(row.Input), row.Name); err != nil {
			t.Errorf("consumer %s: %v", row.Name, err)
		}
	}
	before := created(t, js)
	hopstream(t, "", args...).Exits(0)
	if after := created(t, js); !slices.Equal(before, after) {
		t.Errorf("the second time changed %v into %v", before, after)
	}
	hopstream(t, "", append(args, "--engine", "ollama")...).Exits(0)
	if !slices.Contains(streams(t, js), "KV_"+names.WorkBucket()) {
		t.Error("with a model there is no bucket for shared work")
	}
	hopstream(t, "", "setup", "all").Complains(2, "hopstream setup wants no arguments")
}

func streams(t *testing.T, js jetstream.JetStream) (all []string) {
	t.Helper()
	names := js.StreamNames(t.Context())
	for name := range names.Name() {
		all = append(all, name)
	}
	if err := names.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// created is when each stream was made.
func created(t *testing.T, js jetstream.JetStream) (all []string) {
	t.Helper()
	for _, name := range streams(t, js) {
		s, err := js.Stream(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, name+" "+s.CachedInfo().Created.String())
	}
	return all
}
