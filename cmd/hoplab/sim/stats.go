package sim

import (
	"maps"
	"net/http"
	"sync"
	"time"
)

// Stats is what the server did since it started or was reset.
type Stats struct {
	Since  time.Time     `json:"since"`
	Window time.Duration `json:"window_ns"` // from Since to now
	// Requests are those with a body, whatever became of them; Endpoints has
	// them by path and outcome: "ok", "refused" (400, 404), "busy" (a full
	// queue), "gone" (the client left), "engine" (it failed), or the name of
	// the fault that was drawn, "fault-busy" for busy.
	Requests  int                       `json:"requests"`
	Endpoints map[string]map[string]int `json:"endpoints"`
	// Prompts counts replies by the prompt they answer; "other" is none of
	// ours.
	Prompts          map[string]int `json:"prompts"`
	PromptTokens     int            `json:"prompt_tokens"`
	CompletionTokens int            `json:"completion_tokens"`
	// PrefixTokens are those of PromptTokens that a server's cache of prefixes
	// would have held: what a prompt has in common with the beginning of one of
	// the 64 before it. PrefixShare is their part of the prompts' tokens, those
	// of texts to be embedded left out.
	PrefixTokens int     `json:"prefix_tokens"`
	PrefixShare  float64 `json:"prefix_share"`
	// Busy is the time slots were occupied, summed over the slots;
	// Utilisation its share of what Parallel slots had.
	Parallel    int           `json:"parallel"`
	Busy        time.Duration `json:"busy_ns"`
	Utilisation float64       `json:"utilisation"`
	Working     int           `json:"working"` // now
	Waiting     int           `json:"waiting"` // now
	MaxWaiting  int           `json:"max_waiting"`
}

// counts are the figures that the slots do not keep.
type counts struct {
	mu         sync.Mutex
	requests   int
	endpoints  map[string]map[string]int
	prompts    map[string]int
	prompt     int
	completion int
	chat       int // of prompt, those of requests for a reply
	prefix     int // of chat
}

// outcome counts a request. Every request has one.
func (c *counts) outcome(endpoint, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	if c.endpoints == nil {
		c.endpoints = map[string]map[string]int{}
	}
	if c.endpoints[endpoint] == nil {
		c.endpoints[endpoint] = map[string]int{}
	}
	c.endpoints[endpoint][what]++
}

// reply counts what a request consumed.
func (c *counts) reply(role string, prompt, completion int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if role != "" {
		if c.prompts == nil {
			c.prompts = map[string]int{}
		}
		c.prompts[role]++
	}
	c.prompt += prompt
	c.completion += completion
}

// prompted counts the tokens of a prompt of which a share was known.
func (c *counts) prompted(tokens int, known float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chat += tokens
	c.prefix += int(known * float64(tokens))
}

// Stats returns the figures so far.
func (s *Server) Stats() Stats {
	u := s.slots.usage()
	out := Stats{Since: u.since, Window: u.window, Parallel: s.opts.Parallel, Busy: u.busy,
		Working: u.working, Waiting: u.waiting, MaxWaiting: u.maxWaiting,
		Endpoints: map[string]map[string]int{}, Prompts: map[string]int{}}
	if u.window > 0 {
		out.Utilisation = float64(u.busy) / float64(u.window) / float64(s.opts.Parallel)
	}
	c := &s.counts
	c.mu.Lock()
	defer c.mu.Unlock()
	out.Requests, out.PromptTokens, out.CompletionTokens = c.requests, c.prompt, c.completion
	out.PrefixTokens, out.PrefixShare = c.prefix, float64(c.prefix)/float64(max(1, c.chat))
	for k, v := range c.endpoints {
		out.Endpoints[k] = maps.Clone(v)
	}
	maps.Copy(out.Prompts, c.prompts)
	return out
}

// Reset begins a new measurement. What is drawn goes on where it was.
func (s *Server) Reset() {
	c := &s.counts
	c.mu.Lock()
	c.requests, c.prompt, c.completion, c.chat, c.prefix = 0, 0, 0, 0, 0
	clear(c.endpoints)
	clear(c.prompts)
	c.mu.Unlock()
	s.prefixes.reset()
	s.slots.reset()
}

func (s *Server) serveStats(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.Stats())
}

func (s *Server) serveReset(w http.ResponseWriter, _ *http.Request) {
	s.Reset()
	w.WriteHeader(http.StatusNoContent)
}
