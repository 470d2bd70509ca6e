package grafana

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// haste is how many times faster than in earnest the rules go over injected
// faults: five minutes become five seconds.
const haste = 60

// quicker is how many times less a question may take than in earnest: less haste,
// lest a busy machine is what is late. Every bound becomes another bucket's.
const quicker = 12

// waits are the metrics that tell how long something has waited: what a rule
// compares them with is made short too.
var waits = []string{"hopstream_stage_lag_age_seconds"}

// hasten divides every duration of an expression by haste: ranges, offsets, bounds
// of histograms, and what a metric of waits is compared with.
func hasten(t *testing.T, text string) string {
	t.Helper()
	expr, err := promqlParser().ParseExpr(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
		switch n := n.(type) {
		case *parser.MatrixSelector:
			n.Range /= haste
		case *parser.VectorSelector:
			n.OriginalOffset /= haste
			for i, m := range n.LabelMatchers {
				if m.Name == "le" {
					n.LabelMatchers[i] = labels.MustNewMatcher(m.Type, m.Name, hastenBound(t, m.Value))
				}
			}
		case *parser.BinaryExpr:
			if limit, ok := n.RHS.(*parser.NumberLiteral); ok && slices.ContainsFunc(waits, func(w string) bool { return regexp.MustCompile(`\b` + w + `\b`).MatchString(n.LHS.String()) }) {
				limit.Val /= haste
			}
		}
		return nil
	})
	return expr.String()
}

// hastenBound divides a bucket's bound by quicker; a bound of whole seconds is
// written with .0 or without, as Prometheus' versions do.
func hastenBound(t *testing.T, le string) string {
	t.Helper()
	m := regexp.MustCompile(`^(\d+)\(\\\.0\)\?$`).FindStringSubmatch(le)
	if m == nil {
		t.Fatalf("le=~%q: want it as 60(\\.0)?, which finds the bound of every version of Prometheus", le)
	}
	whole, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	bound := float64(whole) / quicker
	text := regexp.QuoteMeta(strconv.FormatFloat(bound, 'g', -1, 64))
	if bound == math.Trunc(bound) {
		text += `(\.0)?`
	}
	return text
}

func TestHasten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`rate(a{b="c"}[5m]) > 300`:                                                  `rate(a{b="c"}[5s]) > 300`,
		`max by (job) (hopstream_stage_lag_age_seconds) > 120`:                      `max by (job) (hopstream_stage_lag_age_seconds) > 2`,
		`rate(d_bucket{le=~"60(\\.0)?"}[1h]) / rate(d_bucket{le=~"30(\\.0)?"}[3d])`: `rate(d_bucket{le=~"5(\\.0)?"}[1m]) / rate(d_bucket{le=~"2\\.5"}[1h12m])`,
	} {
		if got := hasten(t, text); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", text, got, want)
		}
	}
}
