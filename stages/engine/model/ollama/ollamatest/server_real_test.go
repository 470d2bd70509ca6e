//go:build real

package ollamatest

import (
	"net/http"
	"testing"
)

func TestRealServerEndsWithItsTest(t *testing.T) {
	get := func(url string) error {
		h := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := h.Get(url + "/api/version")
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	var url string
	t.Run("with a server", func(t *testing.T) {
		url = Start(t)
		CreateTiny(t, url, "one")
		CreateTiny(t, url, "two") // of the same file
		if err := get(url); err != nil {
			t.Error(err)
		}
	})
	if get(url) == nil {
		t.Error("the server is still there")
	}
}
