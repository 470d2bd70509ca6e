package messages_test

import (
	"strings"
	"testing"

	"hopstream/messages"
)

func TestSubjects(t *testing.T) {
	t.Parallel()
	n := messages.DefaultNames()
	for _, c := range []struct {
		kind messages.Kind
		key  messages.Key
		want string
	}{
		{messages.KindQuestion, messages.Key{ID: "q"}, "hop.v1.question.q"},
		{messages.KindQuestion, messages.Key{ID: "q", Lane: messages.NewLane("acme", "")}, "hop.v1.question.acme.normal.q"},
		{messages.KindQuestion, messages.Key{ID: "q", Lane: messages.NewLane("", messages.Bulk)}, "hop.v1.question.default.bulk.q"},
		{messages.KindPlan, messages.Key{ID: "q", Round: 2}, "hop.v1.plan.q.2"},
		{messages.KindAlign, messages.Key{ID: "q", Round: 2, Branch: 13}, "hop.v1.align.q.2.13"},
		{messages.KindGenerate, messages.Key{ID: "q"}, "hop.v1.generate.q"},
		{messages.KindDead, messages.Key{Stage: "filter", ID: "a.b*", Seq: 9}, "hop.v1.dead.filter.a%2Eb%2A.9"},
		{messages.KindDead, messages.Key{Stage: "filter", ID: "*", Seq: 9}, "hop.v1.dead.filter.%2A.9"},
		{messages.KindDead, messages.Key{Stage: "*", ID: "q"}, "hop.v1.dead.*.q"},
		{messages.KindDocument, messages.Key{ID: "a/ö c.txt#1"}, "hop.v1.document.a%2F%C3%B6%20c%2Etxt%231"},
	} {
		if got := n.Subject(c.kind, c.key); got != c.want {
			t.Errorf("Subject(%s, %+v) = %s, want %s", c.kind, c.key, got, c.want)
		}
		kind, key, err := n.Parse(c.want)
		if err != nil || kind != c.kind || key != c.key {
			t.Errorf("Parse(%s) = %s, %+v, %v", c.want, kind, key, err)
		}
	}
	if got := n.Stream(messages.KindPlan); got != "hop-v1-plan" {
		t.Errorf("stream is %s", got)
	}
	if got := n.Filter(messages.KindPlan); got != "hop.v1.plan.>" {
		t.Errorf("filter is %s", got)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	n := messages.DefaultNames()
	for _, s := range []string{
		"", "hop", "hop.v1", "other.v1.plan.q.1", "hop.v2.plan.q.1", "hop.v1.plan", "hop.v1.plan.q.1.2.3",
		"hop.v1.plan.q.x", "hop.v1.plan.q.0", "hop.v1.plan.q.-1", "hop.v1.plan.q.+1", "hop.v1.plan.q.01",
		"hop.v1.plan.q.99999999999999999999", "hop.v1.document.%4", "hop.v1.document.%zz", "hop.v1.dead.filter.q.x", "hop.v1.dead.filter.q.0",
		"hop.v1.question.a.b", "hop.v1.question.a.urgent.q", "hop.v1.question.A.bulk.q", "hop.v1.question.-.bulk.q", "hop.v1.question.a.bulk.q.1",
	} {
		if kind, key, err := n.Parse(s); err == nil {
			t.Errorf("Parse(%q) = %s, %+v", s, kind, key)
		}
	}
	if _, key, err := n.Parse("hop.v1.plan.q.1.2.3"); err == nil || key.ID != "q" {
		t.Errorf("what could be read is %+v, %v", key, err)
	}
}

func TestPrefix(t *testing.T) {
	t.Parallel()
	n, err := messages.NewNames("team_A-1")
	if err != nil || n.Stream(messages.KindPlan) != "team_A-1-v1-plan" || n.Ask() != "team_A-1.ask" || n.Search() != "team_A-1.search" {
		t.Errorf("%v, %v", n, err)
	}
	for _, bad := range []string{"a.b", "a b", "*", ">", "ö", "a$"} {
		if _, err := messages.NewNames(bad); err == nil {
			t.Errorf("prefix %q was taken", bad)
		}
	}
}

func TestCheckID(t *testing.T) {
	t.Parallel()
	for _, ok := range []string{"a", "2hop__1_2", `"quoted"`, `back\slash`, "$a", "a/b:c", strings.Repeat("x", messages.MaxID)} {
		if err := messages.CheckID(ok); err != nil {
			t.Errorf("%q: %v", ok, err)
		}
	}
	for _, bad := range []string{"", "a.b", "a b", "*", "a*", ">", "a>", "ö", "a\n", "a\x7f", "\xff", strings.Repeat("x", messages.MaxID+1)} {
		if messages.CheckID(bad) == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if messages.CheckDocID("") == nil || messages.CheckDocID(strings.Repeat("x", messages.MaxDocID+1)) == nil || messages.CheckDocID("any ö.*>") != nil {
		t.Error("document IDs are checked wrongly")
	}
}

// FuzzSubject holds that every key is read back from its subject, whatever
// its document ID, and that a subject token it remains.
func FuzzSubject(f *testing.F) {
	f.Add("a.b c*>%", uint64(3), 1, 2)
	f.Add("\xff%41ö", uint64(0), 0, 0)
	f.Fuzz(func(t *testing.T, id string, seq uint64, round, branch int) {
		if id == "" {
			return
		}
		n := messages.DefaultNames()
		keys := map[messages.Kind]messages.Key{messages.KindDocument: {ID: id}}
		if seq > 0 {
			keys[messages.KindDead] = messages.Key{Stage: "judge", ID: id, Seq: seq}
		}
		if messages.CheckID(id) == nil && round > 0 && branch > 0 {
			keys[messages.KindAlign] = messages.Key{ID: id, Round: round, Branch: branch}
			keys[messages.KindPlan] = messages.Key{ID: id, Round: round}
			keys[messages.KindAnswer] = messages.Key{ID: id}
		}
		for kind, key := range keys {
			s := n.Subject(kind, key)
			if strings.ContainsAny(s, " *>\t\r\n") && kind != messages.KindAlign {
				t.Fatalf("%q is no literal subject", s)
			}
			gotKind, gotKey, err := n.Parse(s)
			if err != nil || gotKind != kind || gotKey != key {
				t.Fatalf("Parse(%q) = %s, %+v, %v; want %+v", s, gotKind, gotKey, err, key)
			}
		}
	})
}

// FuzzParse holds that what is read of an inner subject is the whole of it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"hop.v1.align.q.1.2", "hop.v1.plan.q.01", "hop.v1.dead.x.y.1", "hop.v1.document.%2e", "hop.v1..", "hop.v1.a.>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := messages.DefaultNames()
		kind, key, err := n.Parse(s)
		if err != nil || kind == messages.KindDocument || kind == messages.KindDead {
			return
		}
		if got := n.Subject(kind, key); got != s {
			t.Fatalf("%q is read as %s %+v, which is %q", s, kind, key, got)
		}
	})
}
