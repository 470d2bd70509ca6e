package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
)

// terminal returns the two ends of a pseudo-terminal.
func terminal(t *testing.T) (outer, inner *os.File) {
	t.Helper()
	outer, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	t.Cleanup(func() { _ = outer.Close() })
	var n, unlock uint32
	for request, arg := range map[uintptr]*uint32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &n} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, outer.Fd(), request, uintptr(unsafe.Pointer(arg))); errno != 0 {
			t.Skip("no terminals here:", errno)
		}
	}
	inner, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	t.Cleanup(func() { _ = inner.Close() })
	return outer, inner
}

// TestRemovalIsAskedFor answers the question on a terminal: first no, then yes.
func TestRemovalIsAskedFor(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"f/a.md": "a", "f/b.md": "b", "f/c.md": "c"})
	from, data := filepath.Join(dir, "f"), filepath.Join(dir, "data")
	hopstream(t, "", "index", "--data", data, from).Exits(0)
	for _, name := range []string{"a.md", "b.md"} {
		if err := os.Remove(filepath.Join(from, name)); err != nil {
			t.Fatal(err)
		}
	}
	base := " from f"
	for _, c := range []struct {
		answer string
		code   int
		left   []string
	}{
		{"\n", 1, []string{"a.md" + base, "b.md" + base, "c.md" + base}},
		{"y\n", 0, []string{"c.md" + base}},
	} {
		outer, inner := terminal(t)
		asked := make(chan string, 1)
		go func() {
			var said strings.Builder
			r := bufio.NewReader(outer)
			for !strings.Contains(said.String(), "[y/N]") {
				b, err := r.ReadByte()
				if err != nil {
					break
				}
				said.WriteByte(b)
			}
			asked <- said.String()
			_, _ = outer.WriteString(c.answer)
		}()
		var out cmdtest.Buffer
		code := program.Run(t.Context(), func() {}, []string{"index", "--data", data, "--sync", from}, cli.Stdio{In: inner, Out: &out, Err: inner})
		if code != c.code {
			t.Fatalf("exits %d, want %d: %s", code, c.code, out.String())
		}
		if said := <-asked; !strings.Contains(said, `Remove 2 documents whose files are gone: "a.md", "b.md"? [y/N]`) {
			t.Errorf("asks %q", said)
		}
		holds(t, data, c.left...)
	}
}
