//go:build !unix

package bench

// cpuMS is not measured here.
func cpuMS() float64 { return 0 }
