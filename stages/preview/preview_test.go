package preview_test

import (
	"testing"

	"hopstream/stages/preview"
)

type sink struct{}

func (sink) Restart()     {}
func (sink) Write(string) {}

func TestOnlyFinalRepliesAreShown(t *testing.T) {
	t.Parallel()
	bare := t.Context()
	carried := preview.With(bare, sink{})
	if preview.To(bare) != nil || preview.To(preview.Final(bare)) != nil || preview.To(carried) != nil {
		t.Error("a reply is shown that is nobody's answer, or to nobody")
	}
	if preview.Final(bare) != bare {
		t.Error("a context without a sink grew")
	}
	if final := preview.Final(carried); preview.To(final) != (sink{}) || preview.Final(final) != final {
		t.Error("the final reply is not shown")
	}
}
