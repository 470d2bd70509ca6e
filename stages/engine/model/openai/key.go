package openai

import (
	"fmt"
	"net/http"
	"sync/atomic"
)

// bear sets the key of a request.
func bear(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

// signEach has every request carry the key that there is then. The last one is
// taken out of what a server says.
func (c *Client) signEach(key func() (string, error)) {
	var last atomic.Pointer[func(string) string]
	c.sign = func(h http.Header) error {
		k, err := key()
		if err != nil {
			return fmt.Errorf("the key of %s: %w", c.server, err)
		}
		bear(h, k)
		scrub := scrubber(k)
		last.Store(&scrub)
		return nil
	}
	c.scrub = func(s string) string {
		if scrub := last.Load(); scrub != nil {
			return (*scrub)(s)
		}
		return s
	}
}
