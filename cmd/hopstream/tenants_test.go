package main

import (
	"strings"
	"testing"
)

// TestTenants changes what is set for tenants beside running workers, and asks as
// one of them.
func TestTenants(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir())
	run := func(args ...string) string {
		t.Helper()
		return hopstream(t, "", append(append([]string{"tenants"}, args...), "--nats", w.URL)...).Exits(0).Out
	}
	if got := run("ls", "--json"); got != "" {
		t.Errorf("nothing is set: %s", got)
	}
	run("set", "acme", "--weight", "4", "--max-open", "500")
	run("set", "acme", "--weight", "2.5")
	run("pause", "zoo")
	if got, want := run("ls", "--json"), `{"tenant":"acme","weight":2.5,"max_open":500,"paused":false,"open":0}
{"tenant":"zoo","weight":1,"max_open":0,"paused":true,"open":0}
`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	run("resume", "zoo")
	run("reset", "acme")
	if got := run("ls"); strings.Contains(got, "acme") || strings.Contains(got, "paused") || !strings.Contains(got, "zoo") {
		t.Errorf("%s", got)
	}
	for args, says := range map[string]string{
		"set acme": "wants --weight or --max-open", "set acme --weight 0": "hopstream tenants pause", "set acme --weight -1": "between",
		"set acme --max-open -1": "at least 0", "set Acme --weight 1": "small letters", "pause": "one NAME", "ls x": "no arguments",
	} {
		hopstream(t, "", append(append([]string{"tenants"}, strings.Fields(args)...), "--nats", w.URL)...).Complains(2, says)
	}
	hopstream(t, "", "ask", "--nats", w.URL, "--tenant", "A b", "Who?").Complains(2, "small letters")
	hopstream(t, "", "stream", "--nats", w.URL, "--tenant", "A b").Complains(2, "small letters")
}
