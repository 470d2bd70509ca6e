//go:build !linux

package ollamatest

import "os/exec"

// Elsewhere the server alone is ended; its runners end when it is gone.
func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
