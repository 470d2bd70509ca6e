//go:build !linux

package weaviatetest

import "os/exec"

// Elsewhere a server outlives a test program that dies before its cleanup.
func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
