//go:build unix

package bench

import "syscall"

// cpuMS is the processor time this process has used, in milliseconds. It
// tells two programs apart even while others use the machine.
func cpuMS() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec)*1e3 + float64(u.Utime.Usec+u.Stime.Usec)/1e3
}
