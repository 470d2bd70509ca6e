package sim

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"hopstream/stages/engine/roles"
)

// Server is the simulated server, an http.Handler. Besides Ollama's paths it
// has GET /sim/stats, which returns Stats as JSON, and POST /sim/reset.
type Server struct {
	opts   Options
	engine *roles.Set
	tasks  map[string]*task
	mux    *http.ServeMux
	slots  *slots
	dice   *dice
	counts counts
	loaded loaded

	prefixes prefixes
}

// New returns a server. It panics without an engine, and on Faults that
// Validate refuses.
func New(o Options) *Server {
	if o.Engine == nil {
		panic("sim: no engine")
	}
	if err := o.Faults.Validate(); err != nil {
		panic("sim: " + err.Error())
	}
	o = o.withDefaults()
	o.Models = slices.Clone(o.Models)
	s := &Server{opts: o, engine: classifying(o.Engine), tasks: tasks(), mux: http.NewServeMux(), slots: newSlots(o.Parallel, o.Queue), dice: newDice(&o)}
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET /{$}":                  func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "Ollama is running") },
		"GET /api/version":          s.serveVersion,
		"GET /api/tags":             s.serveTags,
		"GET /api/ps":               s.servePs,
		"POST /api/show":            s.serveShow,
		"POST /api/pull":            s.servePull,
		"POST /api/chat":            s.serveChat,
		"POST /api/generate":        s.serveGenerate,
		"POST /api/embed":           s.serveEmbed,
		"GET /v1/models":            s.serveModels,
		"POST /v1/chat/completions": s.serveCompletions,
		"POST /v1/embeddings":       s.serveEmbeddings,
		"GET /sim/stats":            s.serveStats,
		"POST /sim/reset":           s.serveReset,
	} {
		s.mux.HandleFunc(pattern, handle)
	}
	return s
}

// ServeHTTP answers a request. A request whose client leaves gives its slot, or
// its place in the queue, back at once.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// has reports whether the server has a model, "x" being "x:latest".
func (s *Server) has(model string) bool {
	full := func(name string) string {
		if strings.Contains(name, ":") {
			return name
		}
		return name + ":latest"
	}
	return model != "" && (len(s.opts.Models) == 0 ||
		slices.ContainsFunc(s.opts.Models, func(name string) bool { return full(name) == full(model) }))
}

func notFound(model string) string {
	return fmt.Sprintf("model %q not found, try pulling it first", model)
}

// context is how many tokens a request's context has.
func (s *Server) context(asked int) int {
	if asked <= 0 {
		asked = defaultNumCtx
	}
	if s.opts.NumCtx > 0 {
		asked = min(asked, s.opts.NumCtx)
	}
	return asked
}

// loaded are the models asked for, with the context last asked for.
type loaded struct {
	mu     sync.Mutex
	models map[string]int
}

const maxLoaded = 64

func (l *loaded) note(model string, numCtx int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.models == nil {
		l.models = map[string]int{}
	}
	if _, ok := l.models[model]; ok || len(l.models) < maxLoaded {
		l.models[model] = numCtx
	}
}
