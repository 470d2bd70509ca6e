package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
)

// Confirm asks a question on standard error and reads y or n from standard input.
// asked is false where one of the two is no terminal: then nobody was asked. It
// fails when ctx ends.
func (a *App) Confirm(ctx context.Context, question string) (yes, asked bool, err error) {
	if !Terminal(a.In) || !Terminal(a.Err) {
		return false, false, nil
	}
	fmt.Fprintf(a.Err, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() { // which may wait for ever: nothing ends a read from a terminal
		line, _ := bufio.NewReader(a.In).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(a.Err)
		return false, true, ctx.Err()
	case line := <-answer:
		return line == "y" || line == "yes", true, nil
	}
}
