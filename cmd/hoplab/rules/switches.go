package rules

// switches are those at the engine's rules: turn switches one off and the last one
// on, came returns those that were come by since it was asked last.
type switches struct {
	turn func(n int)
	came func() []int
}
