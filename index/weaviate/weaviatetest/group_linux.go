package weaviatetest

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the server end with the test program, also one that dies
// before its cleanup, as at go test's time limit.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
