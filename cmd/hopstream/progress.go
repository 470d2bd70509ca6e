package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress returns a bar on standard error, which draws nothing where that is
// no terminal. total is -1 where it is not known.
func (a *app) progress(total int64, what string, bytes bool) *progressbar.ProgressBar {
	w := io.Discard
	if terminal(a.err) {
		w = a.err
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionShowBytes(bytes), progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(30), progressbar.OptionShowIts(),
	)
}
