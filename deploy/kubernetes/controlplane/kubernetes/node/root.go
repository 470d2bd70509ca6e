package node

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// command makes the pod's root and returns its process, not started.
func (p *pod) command(ctx context.Context) (*exec.Cmd, error) {
	bin, err := p.host.binary(p.container().Image)
	if err != nil {
		return nil, err
	}
	if err := p.makeRoot(bin); err != nil {
		return nil, err
	}
	if err := p.mount(ctx); err != nil {
		return nil, err
	}
	env, err := p.environment(ctx)
	if err != nil {
		return nil, err
	}
	var list []string
	for k, v := range env {
		list = append(list, k+"="+v)
	}
	var args []string
	for _, a := range p.container().Args {
		args = append(args, p.local(expand(a, env)))
	}
	return p.process(list, filepath.Base(bin), args)
}

// process returns a process of the pod's root, as the pod's user.
func (p *pod) process(env []string, name string, args []string) (*exec.Cmd, error) {
	out, err := os.OpenFile(filepath.Join(p.host.dir, p.Name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Path: "/" + name, Args: append([]string{name}, args...), Env: env, Dir: "/", Stdout: out, Stderr: out}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: p.root(), Pdeathsig: syscall.SIGKILL}
	uid, gid := p.user()
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	} else { // a user may change its root in a namespace of its own
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	return cmd, nil
}

// user returns the ids that the pod runs as; -1 where that cannot be had.
func (p *pod) user() (uid, gid int) {
	s := p.Spec.SecurityContext
	if os.Geteuid() != 0 || s == nil || s.RunAsUser == nil || s.RunAsGroup == nil {
		return -1, -1
	}
	return int(*s.RunAsUser), int(*s.RunAsGroup)
}

// local replaces the address that means every interface by the pod's own.
func (p *pod) local(s string) string { return strings.ReplaceAll(s, "0.0.0.0", p.ip) }

var library = regexp.MustCompile(`(/\S+) \(0x`)

// makeRoot makes the root folder: the binary, the libraries that it is linked
// with, and the hosts file.
func (p *pod) makeRoot(bin string) error {
	files := []string{}
	if out, err := exec.Command("ldd", bin).Output(); err == nil { // fails for a static one
		for _, m := range library.FindAllSubmatch(out, -1) {
			files = append(files, string(m[1]))
		}
	}
	for _, f := range files {
		if err := place(f, filepath.Join(p.root(), f)); err != nil {
			return err
		}
	}
	if err := place(bin, filepath.Join(p.root(), filepath.Base(bin))); err != nil {
		return err
	}
	p.setHosts()
	return nil
}

// place links or copies a file.
func place(from, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	from, err := filepath.EvalSymlinks(from)
	if err != nil {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
}

// setHosts writes the names that there are now into the pod's hosts file.
func (p *pod) setHosts() {
	file := filepath.Join(p.root(), "etc", "hosts")
	now := p.host.names.hosts(p.Namespace)
	if old, err := os.ReadFile(file); err == nil && string(old) == now {
		return
	}
	if os.MkdirAll(filepath.Dir(file), 0o755) == nil && os.WriteFile(file+".new", []byte(now), 0o644) == nil {
		_ = os.Rename(file+".new", file)
	}
}
