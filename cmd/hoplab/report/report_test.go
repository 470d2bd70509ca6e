package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/hoplab/report"
	"hopstream/messages"
)

func p(v float64) *float64 { return &v }

// records are four questions whose figures can be worked out by hand.
func records() []report.Record {
	yes, no := true, false
	return []report.Record{
		{ID: "d", Question: "Who?", Type: "two", Gold: messages.Complex, Routed: messages.Single, Class: messages.Complex, Status: messages.Partial,
			F1: .5, Steps: 2, Queries: 2, GoldRanks: []int{7, 0}, Kept: p(.5), Windowed: p(.5), LatencyMS: 40, Judged: &no, Answer: "<b>Oslo</b>", Wanted: []string{"Bergen"}},
		{ID: "a", Question: "What?", Type: "one", Gold: messages.Single, Routed: messages.Single, Class: messages.Single, Status: messages.Answered,
			EM: 1, F1: 1, Acc: 1, Steps: 1, Queries: 1, GoldRanks: []int{1}, Kept: p(1), Succ: 1, IRR: p(1), Windowed: p(1), LatencyMS: 10, Judged: &yes, Wanted: []string{"x"}},
		{ID: "b", Question: "Which?", Type: "one", Gold: messages.Straightforward, Routed: messages.Straightforward, Class: messages.Single, Status: messages.Answered,
			Steps: 1, Queries: 1, AA: p(.5), AC: p(.25), Acc: .25, LatencyMS: 20, ModelCalls: 4, Tokens: 100, Wanted: []string{"x", "y"}},
		{ID: "c", Question: "When?", Type: "two", Status: messages.Failed, LatencyMS: 30, Wanted: []string{"x"}},
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	f := report.Sum(records())
	for key, want := range map[string]float64{
		"em": 25, "f1": 37.5, "acc": 31.25, "judged": 50, "aa": 50, "ac": 25, "steps": 1, "succ": 25, "irr": 100,
		"recall_at_2": 50, "recall_at_5": 50, "recall_at_10": 75, "model_calls": 1, "tokens": 25,
	} {
		m, ok := f.Means[key]
		if !ok || math.Abs(m.Value-want) > 1e-9 || m.Low > m.Value || m.High < m.Value {
			t.Errorf("%s is %+v, want %v", key, m, want)
		}
	}
	if _, there := f.Means["h_mix"]; there {
		t.Error("a mean of what no question has")
	}
	unanswerable := append(records(), report.Record{ID: "e", Steps: 1})
	if m := report.Sum(unanswerable).Means["acc"]; m.N != 4 || m.Value != f.Means["acc"].Value {
		t.Errorf("Acc is %+v with a question that has no gold answer", m)
	}
	if n := f.Means["recall_at_2"].N; n != 2 {
		t.Errorf("recall is of %d questions, want the 2 with gold passages", n)
	}
	for key, want := range map[string]float64{"retrieved": 75, "kept": 75, "windowed": 75, "extracted": 31.25} {
		if got := f.Funnel[key].Value; got != want {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	if f.P50MS != 30 || f.P95MS != 40 || f.Status[messages.Answered] != 2 || f.Class[messages.Single] != 2 {
		t.Errorf("%+v", f)
	}
	if r := f.Router; math.Abs(r.Accuracy-200.0/3) > 1e-9 || r.Confusion["complex"]["single"] != 1 || r.Precision["single"] != 50 || r.Recall["complex"] != 0 {
		t.Errorf("%+v", r)
	}
	if last := f.Recall[len(f.Recall)-1]; last.K != 50 || last.Recall != 75 {
		t.Errorf("the curve ends with %+v", last)
	}
}

// The keys that have always been there are there, whatever was measured.
func TestFiguresJSON(t *testing.T) {
	t.Parallel()
	for _, recs := range [][]report.Record{records(), nil, {{ID: "x", Status: messages.Failed}}} {
		b, err := json.Marshal(report.Sum(recs))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"questions", "em", "f1", "acc", "steps", "recall_at_2", "recall_at_5", "recall_at_10", "succ",
			"model_calls", "tokens", "latency_p50_ms", "latency_p95_ms", "status", "class", "intervals"} {
			if _, ok := got[key]; !ok {
				t.Errorf("%s is missing in %s", key, b)
			}
		}
	}
}

// The figures do not depend on the order of the answers.
func TestRunOrder(t *testing.T) {
	t.Parallel()
	a := records()
	b := append(append([]report.Record{}, a[2:]...), a[:2]...)
	if one, two := report.NewRun("d", "p", "e", "f", a), report.NewRun("d", "p", "e", "f", b); !reflect.DeepEqual(one, two) {
		t.Errorf("%+v\n%+v", one.Total, two.Total)
	}
}

func runs() []report.Run {
	other := records()
	for i := range other {
		other[i].EM = 1
	}
	return []report.Run{
		report.NewRun("zorblat", "hopstream", "builtin", "hopstream", records()),
		report.NewRun("zorblat", "han|rag", "builtin", "hopstream", other),
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.Table(&b, runs()[:1], report.TableOptions{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if got := strings.Fields(lines[0]); !strings.HasPrefix(strings.Join(got, " "), "data questions EM F1 Acc Steps R@2 R@5 R@10 Succ calls tokens p50 ms p95 ms") {
		t.Errorf("the columns are %q", got)
	}
	if got := strings.Fields(lines[1]); strings.Join(got[:14], " ") != "zorblat 4 25.0 37.5 31.2 1.00 50.0 50.0 75.0 25.0 1.0 25 30 40" {
		t.Errorf("the row is %q", got)
	}
	for _, want := range []string{"engine builtin", "2 answered", "router 66.7 % right: 1 complex as single"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "preset") || strings.Contains(b.String(), "window") {
		t.Errorf("more than was asked for:\n%s", b.String())
	}
	whole := strings.Count(b.String(), "\n")
	b.Reset()
	if err := report.Table(&b, runs()[:1], report.TableOptions{Totals: true}); err != nil || strings.Count(b.String(), "\n") >= whole {
		t.Errorf("%v: the types are still there:\n%s", err, b.String())
	}
	b.Reset()
	if err := report.Table(&b, runs(), report.TableOptions{Funnel: true, Intervals: true, Markdown: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| data | preset | questions |", "| retrieved | kept | window | answer |", `han\|rag`, "| 100.0 (100.0–100.0) |", "| 25.0 (0.0–75.0) |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	width := 0
	for _, line := range strings.Split(b.String(), "\n") {
		if !strings.HasPrefix(line, "|") {
			break
		}
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if width == 0 {
			width = n
		}
		if n != width {
			t.Errorf("%d columns, want %d: %s", n, width, line)
		}
	}
}

// A page is whole, shows every run, and needs nothing from elsewhere.
// Where questions ask for several things, the table says what Acc is of.
func TestTableTellsAccOfSeveral(t *testing.T) {
	t.Parallel()
	const said = "Acc is the share of the things asked for, where a question asks for several (1)"
	for _, r := range records() {
		var b bytes.Buffer
		if err := report.Table(&b, []report.Run{report.NewRun("d", "p", "e", "f", []report.Record{r})}, report.TableOptions{}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), said) != (r.AC != nil) {
			t.Errorf("of %s:\n%s", r.ID, b.String())
		}
	}
}

func TestHTML(t *testing.T) {
	t.Parallel()
	many := []report.Record{}
	for i := range 700 {
		r := records()[i%4]
		r.ID, r.LatencyMS = fmt.Sprint(i), float64(i)*150
		many = append(many, r)
	}
	for name, rs := range map[string][]report.Run{
		"two": runs(), "one": runs()[:1],
		"many":    {report.NewRun("d", "p", "e", "f", many)},
		"nothing": {report.NewRun("d", "p", "e", "f", []report.Record{{ID: "x"}})},
	} {
		var b bytes.Buffer
		if err := report.HTML(&b, rs, time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for i := range rs {
			if !strings.Contains(text, rs[i].Name()) {
				t.Errorf("%s: %s is missing", name, rs[i].Name())
			}
		}
		if m := regexp.MustCompile(`(?i)(src|href)\s*=|https?://|@import|<script|ZgotmplZ|NaN|Inf\b|<b>Oslo`).FindString(text); m != "" {
			t.Errorf("%s: the page has %q", name, m)
		}
		if !strings.Contains(text, "prefers-color-scheme: dark") || !strings.Contains(text, ".mark.s0") {
			t.Errorf("%s: no style", name)
		}
		pictures := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(text, -1)
		if len(pictures) < 3 {
			t.Errorf("%s: %d pictures", name, len(pictures))
		}
		for _, picture := range pictures {
			dec := xml.NewDecoder(strings.NewReader(picture))
			for {
				if _, err := dec.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: a picture is not well formed: %v", name, err)
				}
			}
		}
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	head := report.Head{Data: "d", Preset: "p", Engine: "builtin", Content: "c", Settings: "s"}
	f, err := report.Create(path, head)
	if err != nil {
		t.Fatal(err)
	}
	recs := records()
	for _, r := range recs[:2] {
		if err := f.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	// Killed here: nothing is closed, and the line in the works was cut off.
	cut, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = cut.WriteString(`{"id":"b","quest`)
	_ = cut.Close()
	_ = f.Close()

	if _, err := report.Create(path, head); !errors.Is(err, os.ErrExist) {
		t.Errorf("a file is written over: %v", err)
	}
	f, err = report.Resume(path, head)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(f.Done, recs[:2]) {
		t.Errorf("what was there is\n%+v\nwant\n%+v", f.Done, recs[:2])
	}
	if err := errors.Join(f.Add(recs[2]), f.Close()); err != nil {
		t.Fatal(err)
	}
	f, err = report.Resume(path, head)
	if err != nil || len(f.Done) != 3 {
		t.Fatalf("%+v, %v", f, err)
	}
	_ = f.Close()

	for _, change := range []func(*report.Head){
		func(h *report.Head) { h.Data = "x" }, func(h *report.Head) { h.Preset = "x" }, func(h *report.Head) { h.Engine = "x" },
		func(h *report.Head) { h.Content = "x" }, func(h *report.Head) { h.Settings = "x" },
	} {
		other := head
		change(&other)
		if _, err := report.Resume(path, other); !errors.Is(err, report.ErrOther) {
			t.Errorf("%+v goes on with records of %+v: %v", other, head, err)
		}
	}
	before, _ := os.ReadFile(path)
	for _, text := range []string{"{\"id\":\"answer\"}\n", "no json\n", "no line", string(before) + "{}\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := report.Resume(path, head); err == nil {
			t.Errorf("%q is gone on with", text)
		}
		if after, _ := os.ReadFile(path); string(after) != text {
			t.Errorf("a foreign file was changed: %q became %q", text, after)
		}
	}
	// Killed in its first write, a file begins anew.
	if err := os.WriteFile(path, before[:9], 0o644); err != nil {
		t.Fatal(err)
	}
	fresh, err := report.Resume(path, head)
	if err != nil || len(fresh.Done) != 0 {
		t.Fatal(err)
	}
	_ = fresh.Close()
	fresh, err = report.Resume(filepath.Join(t.TempDir(), "new.jsonl"), head)
	if err != nil || len(fresh.Done) != 0 {
		t.Fatal(err)
	}
	_ = fresh.Close()
}

// Whatever a file holds, it is gone on with or refused; what is refused stays
// as it was, and what is gone on with takes another record.
func FuzzResume(f *testing.F) {
	head := report.Head{Data: "d", Preset: "p", Engine: "e", Content: "c", Settings: "s"}
	whole := filepath.Join(f.TempDir(), "whole")
	file, err := report.Create(whole, head)
	if err == nil {
		err = errors.Join(file.Add(records()[0]), file.Close())
	}
	if err != nil {
		f.Fatal(err)
	}
	text, _ := os.ReadFile(whole)
	f.Add(text)
	f.Add(text[:len(text)-9])
	f.Add([]byte("{\"hopstream_eval\":1}\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		file, err := report.Resume(path, head)
		if err != nil {
			if after, _ := os.ReadFile(path); !bytes.Equal(after, text) {
				t.Errorf("a refused file was changed: %q became %q", text, after)
			}
			return
		}
		n := len(file.Done)
		if err := errors.Join(file.Add(report.Record{ID: "one more"}), file.Close()); err != nil {
			t.Fatal(err)
		}
		again, err := report.Resume(path, head)
		if err != nil || len(again.Done) < n || len(again.Done) > n+1 {
			t.Fatalf("%v after %d records", err, n)
		}
		_ = again.Close()
	})
}
