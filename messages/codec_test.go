package messages_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
)

var update = flag.Bool("update", false, "write testdata that does not exist yet")

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	seen := map[messages.Kind]bool{}
	for _, m := range slices.Concat(samples(), withRoles(), withSearch(), withPlanState(), withDocs(), withEvidence()) {
		seen[m.Kind()] = true
		data, err := messages.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		back, err := messages.Decode(m.Kind(), data)
		if err != nil {
			t.Fatalf("%s: %v", m.Kind(), err)
		}
		if !reflect.DeepEqual(m, back) {
			t.Errorf("%s: wrote %+v, read %+v", m.Kind(), m, back)
		}
	}
	for _, k := range messages.Kinds() {
		if !seen[k] {
			t.Errorf("no sample of kind %s", k)
		}
	}
}

// TestOldBytes reads what earlier builds wrote. A file in testdata never
// changes; a new field gets a new file.
func TestOldBytes(t *testing.T) {
	t.Parallel()
	if *update {
		for _, m := range samples() {
			writeNew(t, string(m.Kind()), m)
		}
		for _, m := range withRoles() {
			writeNew(t, string(m.Kind())+"-roles", m)
		}
		for _, m := range withSearch() {
			writeNew(t, string(m.Kind())+"-search", m)
		}
		for _, m := range withPlanState() {
			writeNew(t, string(m.Kind())+"-course", m)
		}
		for _, m := range withDocs() {
			writeNew(t, string(m.Kind())+"-docs", m)
		}
		for _, m := range withEvidence() {
			writeNew(t, string(m.Kind())+"-evidence", m)
		}
	}
	files, err := filepath.Glob("testdata/v*/*.json")
	if err != nil || len(files) < len(messages.Kinds()) {
		t.Fatalf("found %d files of old bytes (%v), want one per kind", len(files), err)
	}
	for _, file := range files {
		old, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".json"), "-")
		m, err := messages.Decode(messages.Kind(kind), old)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		again, err := messages.Encode(m)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if !sameJSON(t, old, again) {
			t.Errorf("%s: read and written again it is\n%s", file, again)
		}
	}
}

func writeNew(t *testing.T, name string, m messages.Message) {
	t.Helper()
	file := filepath.Join("testdata", "v1", name+".json")
	data, err := messages.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, data, "", "  "); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(pretty.Bytes(), '\n')); err != nil {
		t.Fatal(err)
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	const q = messages.KindQuestion
	for name, c := range map[string]struct {
		kind messages.Kind
		data string
		want string
	}{
		"newer version":     {q, `{"v":2,"question":"x"}`, "version 2 is newer than this build reads (1): upgrade"},
		"newer, other form": {q, `{"v":2,"question":{"text":"x"}}`, "version 2 is newer than this build reads (1): upgrade"},
		"other kind":        {q, `{"kind":"plan","question":"x"}`, `kind is "plan"`},
		"unknown kind":      {"nonsense", `{}`, `unknown message kind "nonsense"`},
		"invalid UTF-8":     {q, "{\"question\":\"x\xff\"}", "not valid UTF-8 at byte 14"},
		"empty":             {q, " \n", "empty"},
		"not JSON":          {q, "what?", "invalid character"},
		"cut":               {q, `{"question":"x`, "unexpected end"},
		"two values":        {q, `{"question":"x"}{}`, "after top-level value"},
		"null":              {q, `null`, `"question" is empty`},
		"wrong type":        {q, `{"question":7}`, "cannot unmarshal number"},
		"blank question":    {q, `{"question":" \t"}`, `"question" is empty`},
		"long question":     {q, `{"question":"` + strings.Repeat("x", messages.MaxQuestion+1) + `"}`, "the limit is 8192"},
		"negative budget":   {q, `{"question":"x","budget":{"rounds":-1}}`, "must not be negative"},
		"bad ID":            {q, `{"id":"a.b","question":"x"}`, "cannot be part of a NATS subject"},
		"bad deadline":      {q, `{"question":"x","deadline":"soon"}`, "want a time"},
		"no round":          {messages.KindDecompose, inner(`"class":"complex"`), "round is missing"},
		"no queries":        {messages.KindPlan, inner(`"round":1`), "plan has no queries"},
		"empty query":       {messages.KindPlan, inner(`"round":1,"queries":["a",""]`), "query 2: query is empty"},
		"branch too high":   {messages.KindRetrieve, inner(`"round":1,"branch":3,"branches":2,"query":"a"`), "branch 3 of 2"},
		"too many":          {messages.KindSubanswer, inner(`"round":1,"branch":1,"branches":1000000000`), "the limit is 512"},
		"unknown class":     {messages.KindJudge, inner(`"round":1,"class":"hard"`), `unknown class "hard"`},
		"no deadline":       {messages.KindJudge, `{"id":"a","question":"x","round":1}`, "deadline is missing"},
		"unknown status":    {messages.KindAnswer, `{"id":"a","status":"open"}`, `unknown status "open"`},
		"letter of nobody":  {messages.KindDead, `{"id":"a"}`, "names no stage"},
		"document, no ID":   {messages.KindDocument, `{"text":"a"}`, "document ID is empty"},
	} {
		_, err := messages.Decode(c.kind, []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", name, err, c.want)
		}
		if newer := strings.HasPrefix(name, "newer"); newer != errors.Is(err, messages.ErrNewer) {
			t.Errorf("%s: is it newer? %v", name, err)
		}
	}
}

func inner(fields string) string {
	return `{"id":"a","question":"x","deadline":"2026-01-02T15:04:05Z",` + fields + `}`
}

// TestUnknownFieldsArePassedOver holds that a field which a later release adds
// anywhere in a message changes nothing of what is read.
func TestUnknownFieldsArePassedOver(t *testing.T) {
	t.Parallel()
	for _, m := range slices.Concat(samples(), withRoles(), withSearch(), withPlanState(), withDocs(), withEvidence()) {
		data, err := messages.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		added := 0
		later, err := json.Marshal(addFields(tree, &added))
		if err != nil || added == 0 {
			t.Fatalf("%s: %d fields added (%v)", m.Kind(), added, err)
		}
		got, err := messages.Decode(m.Kind(), later)
		if err != nil {
			t.Errorf("%s with %d more fields: %v", m.Kind(), added, err)
			continue
		}
		want, err := messages.Decode(m.Kind(), data)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s with %d more fields is %+v, without them %+v (%v)", m.Kind(), added, got, want, err)
		}
	}
}

// addFields adds a field of every form to each object of a JSON value that has
// fixed fields. A usage's roles are keyed by their names.
func addFields(v any, added *int) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if roles, ok := inner.(map[string]any); ok && name == "roles" {
				for _, one := range roles {
					addFields(one, added)
				}
				continue
			}
			v[name] = addFields(inner, added)
		}
		v["later_number"], v["later_text"], v["later_list"], v["later_object"] = 7, "x", []any{1, "a", nil}, map[string]any{"good": true}
		*added += 4
	case []any:
		for i := range v {
			v[i] = addFields(v[i], added)
		}
	}
	return v
}

func TestEncodeFailsOnWhatJSONCannotSay(t *testing.T) {
	t.Parallel()
	p := messages.Passage{ID: "a", Text: "b"}
	p.Score /= p.Score // not a number
	if _, err := messages.Encode(&messages.Filter{Passages: []messages.Passage{p}}); err == nil || !strings.Contains(err.Error(), "encode filter") {
		t.Errorf("error is %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, m := range slices.Concat(samples(), withRoles(), withSearch(), withPlanState(), withDocs(), withEvidence()) {
		data, err := messages.Encode(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(m.Kind()), data)
	}
	f.Add("question", []byte(`{"question":"x","deadline":1e-12}`))
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		m, err := messages.Decode(messages.Kind(kind), data)
		if err != nil {
			return
		}
		if err := m.Validate(); err != nil {
			t.Fatalf("decoded, but %v", err)
		}
		first, err := messages.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := messages.Decode(m.Kind(), first)
		if err != nil {
			t.Fatalf("%s\n%v", first, err)
		}
		second, err := messages.Encode(again)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%v\n%s\n%s", err, first, second)
		}
		if c, ok := m.(messages.Carrier); ok {
			if left := c.Remaining(); left.ModelCalls < 0 || left.PromptTokens < 0 {
				t.Fatalf("less than nothing remains: %+v", left)
			}
		}
	})
}
