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
// the sum of the values at the leaves reached is a logit.
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

// forest is trees in the form that is fast to walk: nodes of eight bytes, with
// the two branches of a node next to each other.
type forest struct {
	bias  float64
	roots []uint16
	nodes []branch
	leafs []float64
}

// branch is a node: the walk goes on at next if the feature is at most cut, and at
// next+1 otherwise. At a leaf, next is the index of its value.
type branch struct {
	cut     float32
	next    uint16
	feature uint16
}

const ending = math.MaxUint16

// ranked is the fitted model of each stage.
var ranked = compile(fitted)

func compile(stages []trees) []forest {
	out := make([]forest, len(stages))
	for i, t := range stages {
		f := forest{bias: t.bias}
		for _, tree := range t.all {
			at := len(f.nodes)
			f.roots = append(f.roots, uint16(at))
			f.nodes = append(f.nodes, branch{})
			f.place(tree, 0, at)
		}
		if len(f.nodes) > math.MaxUint16 {
			panic("links: a forest of more nodes than have numbers") // the model was fitted with too many nodes for the index type
		}
		out[i] = f
	}
	return out
}

// place writes node n of a tree to position at, and the nodes below it to the
// end.
func (f *forest) place(tree []node, n, at int) {
	if tree[n].feature < 0 {
		f.nodes[at] = branch{next: uint16(len(f.leafs)), feature: ending}
		f.leafs = append(f.leafs, tree[n].value)
		return
	}
	next := len(f.nodes)
	f.nodes[at] = branch{cut: tree[n].cut, next: uint16(next), feature: uint16(tree[n].feature)}
	f.nodes = append(f.nodes, branch{}, branch{})
	f.place(tree, int(tree[n].left), next)
	f.place(tree, int(tree[n].right), next+1)
}

func (f *forest) predict(features []float32) float64 {
	s := f.bias
	for _, root := range f.roots {
		n := f.nodes[root]
		for n.feature != ending {
			// A conditional jump, which the CPU predicts, is faster here than
			// computing the index, which waits for the comparison.
			if features[n.feature] <= n.cut {
				n = f.nodes[n.next]
			} else {
				n = f.nodes[n.next+1]
			}
		}
		s += f.leafs[n.next]
	}
	return s
}

func sigmoid(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// vector collects a candidate's features. Their names are kept for training
// only.
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
