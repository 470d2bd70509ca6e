package main

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/drain"
	"hopstream/cmd/internal/inspect"
	"hopstream/stages"
	"hopstream/stages/natstest"
)

// reports reads the workers of a result.
func reports(t *testing.T, out string) (all []drain.Report) {
	t.Helper()
	for line := range strings.Lines(out) {
		var r drain.Report
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, r)
	}
	return all
}

// TestDrainEndsWorkers holds that workers that are asked to end do, by stage and by
// name, with exit code 0, and that the others go on.
func TestDrainEndsWorkers(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	others := strings.Join(stages.Names()[1:], ",")
	router, said := upProcess(t, "--nats", url, "--stages", "router", "--http", "", "--data", t.TempDir())
	rest, _ := upProcess(t, "--nats", url, "--stages", others, "--http", "", "--data", t.TempDir())
	indexSomething(t, "--nats", url)
	hopstream(t, "", "ask", "--nats", url, "What is 17 times 23?").Exits(0).Prints("391")
	if all := reports(t, hopstream(t, "", "drain", "--nats", url, "--list", "--json").Exits(0).Out); len(all) != 2 || all[0].State != drain.Running || all[0].Version == "" {
		t.Errorf("workers: %+v", all)
	}

	// A worker that also runs other stages is left alone.
	o := hopstream(t, "", "drain", "--nats", url, "--stages", "router,retriever", "--json").Exits(0).Says(" drained, 0 in flight")
	all := reports(t, o.Out)
	if len(all) != 1 || all[0].State != drain.Drained || all[0].List() != "router" {
		t.Fatalf("drained: %+v", all)
	}
	if err := router.Wait(); err != nil || !strings.Contains(said.String(), "asked to drain") {
		t.Errorf("the router: %v\n%s", err, said)
	}
	left := reports(t, hopstream(t, "", "drain", "--nats", url, "--list", "--json").Exits(0).Out)
	if len(left) != 1 || left[0].List() != others {
		t.Fatalf("left: %+v", left)
	}
	hopstream(t, "", "drain", "--nats", url, "--instance", "nobody").Complains(1, "no such worker answers")
	hopstream(t, "", "drain", "--nats", url, "--instance", left[0].Instance).Exits(0).Prints(left[0].Instance, "drained")
	if err := rest.Wait(); err != nil {
		t.Errorf("the others: %v", err)
	}
}

// TestDrainOfTheServersProcess holds that a worker which runs the server tells that
// it is drained before the server ends with it.
func TestDrainOfTheServersProcess(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	cmd, errs := upProcess(t, "--data", data, "--listen", "127.0.0.1:0", "--http", "")
	hopstream(t, "", "drain", "--data", data).Exits(0).Prints("drained")
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, errs)
	}
	if _, err := os.Stat(data + "/server.json"); !os.IsNotExist(err) {
		t.Errorf("server.json stays: %v", err)
	}
}

// TestDrainQuestions holds that questions wait while an operator says so, over a
// restart of the workers, and are answered afterwards.
func TestDrainQuestions(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	w := up(t, t.TempDir(), "--nats", url)
	indexSomething(t, "--nats", url)
	hopstream(t, "", "drain", "--nats", url, "--questions", "--reason", "a new wire").Exits(0).
		Says("no questions are taken since", "(a new wire)").Prints("empty: nothing is under way; 0 questions")
	publish(t, url, "hop.v1.question.held", `{"question":"What is 17 times 23?"}`)
	paused := func() {
		t.Helper()
		var now struct {
			Paused bool `json:"paused"`
			drain.Left
		}
		o := hopstream(t, "", "drain", "--nats", url, "--questions", "--json").Exits(0)
		if err := json.Unmarshal([]byte(o.Out), &now); err != nil || !now.Paused || now.Left != (drain.Left{Waiting: 1}) {
			t.Errorf("%v in %s", err, o.Out)
		}
	}
	paused()
	hopstream(t, "", "status", "--nats", url, "--over", "1ms").Exits(0).Prints("no questions are taken since")
	if code, body := cmdtest.Get(t, w.HTTP+"/readyz"); code != http.StatusOK || !strings.HasPrefix(body, "ready\nno questions are taken since") {
		t.Errorf("/readyz: %d %q", code, body)
	}
	w.End()
	w = up(t, t.TempDir(), "--nats", url)
	paused()

	hopstream(t, "", "drain", "--nats", url, "--resume").Exits(0).Prints("questions are taken again")
	cmdtest.Eventually(t, "the question to be answered", func() bool {
		return strings.Contains(hopstream(t, "", "trace", "held", "--nats", url).Out, "391")
	})
	var now inspect.Status
	if err := json.Unmarshal([]byte(hopstream(t, "", "status", "--nats", url, "--over", "1ms", "--json").Exits(0).Out), &now); err != nil || now.Paused.Paused || now.Answers != 1 {
		t.Errorf("%v, %+v", err, now)
	}
	if code, body := cmdtest.Get(t, w.HTTP+"/readyz"); code != http.StatusOK || body != "ready\n" {
		t.Errorf("/readyz: %d %q", code, body)
	}
}

// TestDrainWrongUse holds that flags which contradict each other are refused.
func TestDrainWrongUse(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--list --questions":         "choose one of",
		"--questions --resume":       "choose one of",
		"--stages router --resume":   "choose workers",
		"--instance a-1 --questions": "choose workers",
		"--reason x":                 "--reason goes with --questions",
		"--stages rooter":            "unknown stage",
		"--timeout 0s":               "want more than 0",
		"everything":                 "no arguments",
	} {
		hopstream(t, "", append([]string{"drain"}, strings.Fields(args)...)...).Complains(2, want)
	}
}
