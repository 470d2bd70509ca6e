package index

import (
	"math"
	"testing"
)

func TestBM25Values(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ p, want BM25 }{
		{BM25{}, BM25{K1: DefaultK1, B: DefaultB}},
		{BM25{K1: -1, B: -1}, BM25{}},
		{BM25{K1: 2, B: 0.5}, BM25{K1: 2, B: 0.5}},
		{BM25{K1: math.NaN(), B: 3}, BM25{K1: DefaultK1, B: 1}},
	} {
		if k1, b := test.p.Values(); k1 != test.want.K1 || b != test.want.B {
			t.Errorf("%+v means %v, %v, want %+v", test.p, k1, b, test.want)
		}
	}
}
