package messages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"
	"unicode/utf8"
)

// The wire format is what encoding/json makes of the types. The library that
// encodes and decodes must not be told from it: not by the bytes it writes,
// not by what it accepts, and not by the values it reads. A new version of
// the library that differs fails here.

// TestEncodeIsEncodingJSON fills messages of every kind at random.
func TestEncodeIsEncodingJSON(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	for _, k := range Kinds() {
		for range 300 {
			m := random(t, rng, k)
			got, err := Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Fatalf("%s:\ngot  %s\nwant %s", k, got, want)
			}
			sameDecode(t, k, want)
		}
	}
}

// TestDecodeIsEncodingJSON damages the JSON of messages at random: what
// encoding/json refuses is refused, and what it reads is read alike.
func TestDecodeIsEncodingJSON(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 9))
	bits := []string{`"`, `\`, `\u00`, `\ud83d`, "{", "}", "[", "]", ",", ":", "0", "-", "1e5", ".5", "\x00", "\n", " ", "null", "true", `"v":1,`, `"ID":"a",`}
	rounds := 15_000
	if testing.Short() {
		rounds = 2_000
	}
	for range rounds {
		k := Kinds()[rng.IntN(len(Kinds()))]
		data, err := json.Marshal(random(t, rng, k))
		if err != nil {
			t.Fatal(err)
		}
		if rng.IntN(4) == 0 {
			data = data[:rng.IntN(len(data))]
		}
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(data) + 1)
			skip := min(rng.IntN(2), len(data)-at)
			data = fmt.Appendf(nil, "%s%s%s", data[:at], bits[rng.IntN(len(bits))], data[at+skip:])
		}
		sameDecode(t, k, data)
	}
}

// TestOddJSON is of what JSON parsers disagree about.
func TestOddJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data string
		want string // the question, if it is read
	}{
		{`{"question":"x","question":"y"}`, "y"},
		{`{"QUESTION":"x"}`, "x"},
		{`{"question":"x","Question":"y"}`, "y"},
		{`{"\u0071uestion":"x"}`, "x"},
		{`{"question":"x","mood":{"good":[1,{"a":null}]},"budget":null}`, "x"},
		{`{"question":"x","budget":{"rounds":2},"budget":{"branches":3}}`, "x"},
		{" {\"question\" :\t\"x\"\r\n} ", "x"},
		{`{"question":"\ud83d\ude42\/\u00e9"}`, "🙂/é"},
		{`{"question":"\ud83d!"}`, "\ufffd!"},
		{`{"question":"x","mood":` + nested(9_000) + `}`, "x"},
		{`{"question":"x","mood":` + nested(11_000) + `}`, ""},
		{nested(1_000_000), ""},
		{strings.Repeat(`{"budget":`, 1_000_000), ""},
		{"\ufeff" + `{"question":"x"}`, ""},
		{"{\"question\":\"x\ny\"}", ""},
		{"{\"question\":\"x\x00y\"}", ""},
		{"{\"question\":\"x\"}\x00", ""},
		{"{\"question\":\"x\",\"mood\":\"a\nb\"}", ""},
		{"{\"question\":\"x\",\"a\nb\":1}", ""},
		{`{"question":"x","mood":"\q"}`, ""},
		{`{"question":"\u12g4"}`, ""},
		{`{"question":"x","\`, ""},
		{`{"question":"x",}`, ""},
		{`{"question":"x","mood":[1,]}`, ""},
		{`{"question":"x","mood":01}`, ""},
		{`{"question":"x","mood":-}`, ""},
		{`{"question":"x","mood":NaN}`, ""},
		{`{"question":"x","mood":nul}`, ""},
		{`{"question":"x"}//`, ""},
		{`{'question':'x'}`, ""},
		{`["question","x"]`, ""},
		{`{"question":"x","budget":{"rounds":+1}}`, ""},
		{`{"question":"x","budget":{"rounds":1.0}}`, ""},
		{`{"question":"x","budget":{"rounds":1e1}}`, ""},
		{`{"question":"x","budget":{"rounds":9223372036854775808}}`, ""},
	} {
		sameDecode(t, KindQuestion, []byte(c.data))
		m, err := Decode(KindQuestion, []byte(c.data))
		switch {
		case err != nil && c.want != "":
			t.Errorf("%.80s: %v", c.data, err)
		case err == nil && m.(*Question).Question != c.want:
			t.Errorf("%.80s is read as %q, want %q", c.data, m.(*Question).Question, c.want)
		}
	}
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// TestDecodeKeepsNoData holds that a message does not change with the bytes it
// was read from.
func TestDecodeKeepsNoData(t *testing.T) {
	t.Parallel()
	data := []byte(`{"id":"a","question":"Who wrote it?"}`)
	m, err := Decode(KindQuestion, data)
	if err != nil {
		t.Fatal(err)
	}
	clear(data)
	if q := m.(*Question); q.ID != "a" || q.Question != "Who wrote it?" {
		t.Errorf("with its bytes the message became %+v", q)
	}
}

// FuzzParity compares both ways of reading, and of writing what was read.
func FuzzParity(f *testing.F) {
	rng := rand.New(rand.NewPCG(8, 8))
	for i, k := range Kinds() {
		if b, err := json.Marshal(random(f, rng, k)); err == nil {
			f.Add(i, b)
		}
	}
	f.Add(4, []byte(`{"pairs":[{"round":1,"by":["a"]},{"round":2}],"pairs":[{"branch":1}],"PAIRS":null}`))
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		kinds := Kinds()
		if utf8.Valid(data) { // Decode looks at that first
			sameDecode(t, kinds[((i%len(kinds))+len(kinds))%len(kinds)], data)
		}
	})
}

// sameDecode fails unless data is read as encoding/json reads it, and what was
// read is written as encoding/json writes it.
func sameDecode(t *testing.T, k Kind, data []byte) {
	t.Helper()
	want, _ := New(k)
	got, _ := New(k)
	wantErr, gotErr := json.Unmarshal(data, want), unmarshal(data, got)
	if (wantErr == nil) != (gotErr == nil) {
		t.Fatalf("%s: %.2000q\nencoding/json says %v, here %v", k, data, wantErr, gotErr)
	}
	if wantErr != nil {
		return
	}
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%s: %.2000q\ngot  %+v\nwant %+v", k, data, got, want)
	}
	b, err := Encode(got)
	if err != nil {
		t.Fatal(err)
	}
	want.stamp(Version, k)
	if a, err := json.Marshal(want); err != nil || !bytes.Equal(a, b) {
		t.Fatalf("%s: %.2000q\ngot  %s\nwant %s (%v)", k, data, b, a, err)
	}
}

func TestFloats(t *testing.T) {
	t.Parallel()
	same := func(f float64) bool {
		m := &Filter{Passages: []Passage{{Score: f}}}
		got, gotErr := Encode(m)
		want, wantErr := json.Marshal(m)
		return (gotErr == nil) == (wantErr == nil) && string(got) == string(want)
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 20_000}); err != nil {
		t.Error(err)
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1, 1e-6, 1e-7, 1e21, 1e20, 1.5e-9, 123456789.125, math.MaxFloat64, math.SmallestNonzeroFloat64, math.NaN(), math.Inf(1)} {
		if !same(f) {
			t.Errorf("%g is written in another way", f)
		}
	}
}

// random returns a message of kind k with every field filled at random.
func random(t testing.TB, rng *rand.Rand, k Kind) Message {
	t.Helper()
	m, err := New(k)
	if err != nil {
		t.Fatal(err)
	}
	fill(rng, reflect.ValueOf(m).Elem())
	return m
}

var sampleTexts = []string{"", "plain", `quote " and \ slash`, "line\nbreak\ttab\x01", "Zoë 世界 🙂", "<b>&amp;</b>", "\u2028", "bad \xff byte"}

// fill sets every exported field, deeply, and leaves some empty.
func fill(rng *rand.Rand, v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(rng.Int64N(4e9), rng.Int64N(1e9)).UTC()))
		return
	case Deadline:
		if rng.IntN(2) == 0 {
			v.Set(reflect.ValueOf(Deadline{After: time.Duration(1 + rng.Int64N(1e12))}))
		}
		return
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
