package cli

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// Progress returns a bar on standard error, which draws nothing where that is
// no terminal. total is -1 where it is not known.
func (a *App) Progress(total int64, what string, bytes bool) *progressbar.ProgressBar {
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(a.Err), progressbar.OptionSetVisibility(Terminal(a.Err)),
		progressbar.OptionSetSpinnerChangeInterval(0), // its own goroutine would race with ours
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionShowBytes(bytes), progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(30), progressbar.OptionShowIts(),
	)
}
