//go:build !linux

package servertest

import "os/exec"

// Elsewhere the server alone is ended, and it outlives a test program that
// dies before its cleanup.
func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
