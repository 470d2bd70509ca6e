package servertest

import (
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// Program is a server that tests can run.
type Program struct {
	// Name is what it is called in PATH, or in the folder go install writes to.
	Name string
	// Variable is the environment variable that names another one.
	Variable string
	// Source is the package it is installed from, with its version.
	Source string
	// Ports is how many it listens on. The first is that of its URL.
	Ports int
	// Command returns its arguments, and its environment besides PATH, HOME and
	// TMPDIR, from a folder of the test's own, where it is started, and ports.
	Command func(home string, ports []int) (args, env []string)
	// Ready is the path that is answered with 200 when it is ready.
	Ready string
	// Limit is how long it may take until then on a machine under load.
	Limit time.Duration
}

// find returns the path of the program's binary.
func (p Program) find() (string, error) {
	name := p.Name
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if set := os.Getenv(p.Variable); set != "" {
		path, err := exec.LookPath(set)
		if err != nil {
			return "", fmt.Errorf("%s is %s, which cannot be run", p.Variable, set)
		}
		return path, nil
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	for _, dir := range []string{os.Getenv("GOBIN"), filepath.Join(build.Default.GOPATH, "bin")} {
		if path, err := exec.LookPath(filepath.Join(dir, name)); dir != "" && err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no %s to test against: go install %s, or name one in %s", p.Name, p.Source, p.Variable)
}
