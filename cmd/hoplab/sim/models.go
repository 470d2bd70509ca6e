package sim

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// version is what the server says it is: that of the protocol's types.
const version = "0.17.4"

// modified is when its models changed.
var modified = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var details = api.ModelDetails{Format: "gguf", Family: "sim", Families: []string{"sim"}, ParameterSize: "0B", QuantizationLevel: "none"}

func digest(name string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(name))) }

func (s *Server) serveVersion(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"version": version})
}

// serveTags is GET /api/tags. A server that has any model lists none.
func (s *Server) serveTags(w http.ResponseWriter, _ *http.Request) {
	out := api.ListResponse{Models: []api.ListModelResponse{}}
	for _, name := range s.opts.Models {
		out.Models = append(out.Models, api.ListModelResponse{Name: name, Model: name, ModifiedAt: modified, Size: 1, Digest: digest(name), Details: details})
	}
	writeJSON(w, http.StatusOK, out)
}

// servePs is GET /api/ps: the models asked for so far.
func (s *Server) servePs(w http.ResponseWriter, _ *http.Request) {
	s.loaded.mu.Lock()
	models := maps.Clone(s.loaded.models)
	s.loaded.mu.Unlock()
	out := api.ProcessResponse{Models: []api.ProcessModelResponse{}}
	for _, name := range slices.Sorted(maps.Keys(models)) {
		out.Models = append(out.Models, api.ProcessModelResponse{Name: name, Model: name, Size: 1, Digest: digest(name), Details: details,
			ExpiresAt: time.Now().UTC().Add(5 * time.Minute), ContextLength: models[name]})
	}
	writeJSON(w, http.StatusOK, out)
}

// serveShow is POST /api/show.
func (s *Server) serveShow(w http.ResponseWriter, r *http.Request) {
	x := s.exchange(w, r, ollamaProblem)
	var req api.ShowRequest
	if !x.body(&req) {
		return
	}
	name := cmp.Or(req.Model, req.Name) //lint:ignore SA1019 older clients send it
	if !s.has(name) {
		x.fail(http.StatusNotFound, notFound(name), "refused")
		return
	}
	info := map[string]any{"general.architecture": "sim"}
	if s.opts.NumCtx > 0 {
		info["sim.context_length"] = s.opts.NumCtx
	}
	x.whole(api.ShowResponse{Details: details, ModelInfo: info, ModifiedAt: modified,
		Capabilities: []model.Capability{model.CapabilityCompletion, model.CapabilityEmbedding}}, "")
}

// servePull is POST /api/pull, which finds what the server has.
func (s *Server) servePull(w http.ResponseWriter, r *http.Request) {
	x := s.exchange(w, r, ollamaProblem)
	var req api.PullRequest
	if !x.body(&req) {
		return
	}
	name := cmp.Or(req.Model, req.Name) //lint:ignore SA1019 older clients send it
	if !s.has(name) {
		x.fail(http.StatusInternalServerError, "pull model manifest: file does not exist", "refused")
		return
	}
	if req.Stream != nil && !*req.Stream {
		x.whole(api.ProgressResponse{Status: "success"}, "")
		return
	}
	x.end("ok")
	w.Header().Set("Content-Type", "application/x-ndjson")
	for _, status := range []string{"pulling manifest", "verifying sha256 digest", "writing manifest", "success"} {
		w.Write(encode(api.ProgressResponse{Status: status}))
	}
}
