package servertest

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the server and what it starts into a group of processes. A test
// program that dies before its cleanup, as at go test's time limit, takes the
// server along: asked to end, it ends what it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
