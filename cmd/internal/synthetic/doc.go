// Package synthetic invents a corpus of any size, with questions about it, where
// no public one is at hand or none is large enough.
package synthetic
