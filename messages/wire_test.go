package messages

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"
	"unicode/utf8"
)

// TestFastEncodeIsEncodingJSON fills every message at random and compares the
// two writers byte for byte, and the two readers value for value. A field
// added to a struct and not to its write or read fails here.
func TestFastEncodeIsEncodingJSON(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	for _, k := range Kinds() {
		fast := 0
		for range 300 {
			m, err := New(k)
			if err != nil {
				t.Fatal(err)
			}
			fill(rng, reflect.ValueOf(m).Elem())
			want, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := fastEncode(m)
			if !ok {
				continue
			}
			fast++
			if string(got) != string(want) {
				t.Fatalf("%s:\nfast %s\njson %s", k, got, want)
			}
			a, _ := New(k)
			b, _ := New(k)
			if err := json.Unmarshal(want, b); err != nil {
				t.Fatal(err)
			}
			if !fastDecode(a, want) {
				t.Fatalf("%s: the fast reader gives up on %s", k, want)
			}
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: %s\nfast %+v\njson %+v", k, want, a, b)
			}
		}
		if want := k != KindDead && k != KindDocument; want != (fast > 0) {
			t.Errorf("%s: %d of 300 took the fast way", k, fast)
		}
	}
}

func FuzzFastDecode(f *testing.F) {
	rng := rand.New(rand.NewPCG(8, 8))
	for i, k := range Kinds() {
		m, _ := New(k)
		fill(rng, reflect.ValueOf(m).Elem())
		if b, err := json.Marshal(m); err == nil {
			f.Add(i, b)
		}
	}
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		kinds := Kinds()
		k := kinds[((i%len(kinds))+len(kinds))%len(kinds)]
		fast, _ := New(k)
		if !utf8.Valid(data) || !fastDecode(fast, data) { // Decode looks at UTF-8 first
			return
		}
		slow, _ := New(k)
		if err := json.Unmarshal(data, slow); err != nil {
			t.Fatalf("%s: the fast reader takes %q, encoding/json says %v", k, data, err)
		}
		a, err1 := json.Marshal(fast)
		b, err2 := json.Marshal(slow)
		if err1 != nil || err2 != nil || string(a) != string(b) {
			t.Fatalf("%s: %q\nfast %s\njson %s", k, data, a, b)
		}
	})
}

func TestFastFloats(t *testing.T) {
	t.Parallel()
	same := func(f float64) bool {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return true
		}
		w := writer{first: true}
		w.float("", f)
		want, err := json.Marshal(f)
		return err == nil && string(w.b) == string(want)
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 20_000}); err != nil {
		t.Error(err)
	}
	for _, f := range []float64{0, 1, -1, 1e-7, 1e21, 1e20, 1.5e-9, 123456789.125, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		if !same(f) {
			t.Errorf("%g is written in another way", f)
		}
	}
	w := writer{first: true}
	if w.float("", math.NaN()); !w.bad {
		t.Error("NaN is written")
	}
}

var sampleTexts = []string{"", "plain", `quote " and \ slash`, "line\nbreak\ttab\x01", "Zoë 世界 🙂", "<b>&amp;</b>", "\u2028", "bad \xff byte"}

// fill sets every exported field, deeply, and leaves some empty.
func fill(rng *rand.Rand, v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(rng.Int64N(4e9), rng.Int64N(1e9)).UTC()))
		return
	case Deadline:
		return // has a form of its own, which the fast way leaves alone
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(rng, v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte("bytes"))
			return
		}
		n := rng.IntN(4)
		if n == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(rng, v.Index(i))
		}
	case reflect.String:
		v.SetString(sampleTexts[rng.IntN(len(sampleTexts))])
	case reflect.Int, reflect.Int64:
		v.SetInt(rng.Int64N(5) * rng.Int64N(1000))
	case reflect.Uint64:
		v.SetUint(rng.Uint64N(1000))
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, .25, 1e-9, 123.456, rng.Float64()}[rng.IntN(6)])
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	}
}

func benchMessage() *Filter {
	m := &Filter{Head: Head{ID: "question-17", Round: 1, Branch: 1, Branches: 1, Class: Single, Question: "Where was Marie Curie born?",
		Asked: time.Now(), Deadline: time.Now().Add(time.Minute), Budget: DefaultBudget()}, Query: "Where was Marie Curie born?"}
	for i := range 10 {
		m.Passages = append(m.Passages, Passage{ID: "p", Title: "Marie Curie", Text: longText, Score: 12.5, Rank: i + 1})
	}
	return m
}

const longText = "Marie Curie was born in Warsaw on 7 November 1867. \"She\" studied in Paris, where she later worked.\nThe rest of the passage goes on about her life and work for some hundred characters more, as passages do."

func BenchmarkEncode(b *testing.B) {
	m := benchMessage()
	b.Run("fast", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Encode(m); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fast, roles", func(b *testing.B) {
		m := benchMessage()
		m.Usage.Roles = benchRoles()
		m.Base.Roles = benchRoles()[:1]
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Encode(m); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fast, found by", func(b *testing.B) {
		m := benchFound()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Encode(m); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(m); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// benchFound is benchMessage, of one searcher.
func benchFound() *Filter {
	m := benchMessage()
	for i := range m.Passages {
		m.Passages[i].By = []string{"bm25"}
	}
	return m
}

func benchRoles() []RoleUsage {
	return []RoleUsage{
		{Role: "answerer", Calls: 1, PromptTokens: 812, CompletionTokens: 34, QueueMS: 12, ModelMS: 1034},
		{Role: "relevance", Calls: 2, PromptTokens: 1630, CompletionTokens: 20, QueueMS: 240, ModelMS: 980},
		{Role: "router", Calls: 1, PromptTokens: 401, CompletionTokens: 5, ModelMS: 310},
	}
}

func BenchmarkUsageAdd(b *testing.B) {
	u, v := Usage{ModelCalls: 4, Roles: benchRoles()}, Usage{ModelCalls: 1, Roles: benchRoles()[:1]}
	b.Run("no roles", func(b *testing.B) {
		u, v := Usage{ModelCalls: 4}, Usage{ModelCalls: 1}
		b.ReportAllocs()
		for b.Loop() {
			u = u.Add(v)
		}
	})
	b.Run("roles", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = u.Add(v)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	data, err := Encode(benchMessage())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.Run("fast", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Decode(KindFilter, data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fast, found by", func(b *testing.B) {
		data, err := Encode(benchFound())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Decode(KindFilter, data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m := new(Filter)
			if err := json.Unmarshal(data, m); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPassages is of ten passages as a corpus has them: 600 bytes each,
// with a quotation and a dash.
func BenchmarkPassages(b *testing.B) {
	m := benchMessage()
	for i := range m.Passages {
		m.Passages[i].Text = strings.Repeat("She studied in Paris, where she later worked for many years on her own. ", 4) + "\"She\" – said he – " +
			strings.Repeat("The rest of the passage goes on about her life and work. ", 5)
	}
	data, err := Encode(m)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("encode", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Encode(m); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Decode(KindFilter, data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
