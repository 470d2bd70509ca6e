package links

import "math"

// node of a decision tree, which is an array of them; a leaf has feature -1.
type node struct {
	feature     int16
	left, right int16
	cut         float32
	value       float64
}

// trees are a model of boosted decision trees (Friedman's gradient boosting):
// the sum of what they say is a logit.
type trees struct {
	bias float64
	all  [][]node
}

func (t *trees) predict(f []float32) float64 {
	s := t.bias
	for _, tree := range t.all {
		n := &tree[0]
		for n.feature >= 0 {
			if f[n.feature] <= n.cut {
				n = &tree[n.left]
			} else {
				n = &tree[n.right]
			}
		}
		s += n.value
	}
	return s
}

func sigmoid(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// vector is a candidate's features. Only when names are wanted are they kept.
type vector struct {
	values []float32
	names  *[]string
}

func (v *vector) add(group, name string, x float64) {
	if v.names != nil {
		*v.names = append(*v.names, group+"/"+name)
	}
	v.values = append(v.values, float32(x))
}

func (v *vector) flag(group, name string, b bool) {
	x := 0.0
	if b {
		x = 1
	}
	v.add(group, name, x)
}
