package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// maxBody bounds a request, in bytes.
const maxBody = 8 << 20

// Ollama's words.
const (
	saidTooLong = "the input length exceeds the context length"
	saidDied    = "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details"
)

// exchange is a request that is worked on in a slot, and its answer.
type exchange struct {
	s        *Server
	w        http.ResponseWriter
	r        *http.Request
	endpoint string
	arrived  time.Time
	// problem makes the body of an error in the protocol's form.
	problem func(status int, text string) any
}

func (s *Server) exchange(w http.ResponseWriter, r *http.Request, problem func(int, string) any) *exchange {
	return &exchange{s: s, w: w, r: r, endpoint: r.URL.Path, arrived: time.Now(), problem: problem}
}

func ollamaProblem(_ int, text string) any { return map[string]string{"error": text} }

// end counts the request.
func (x *exchange) end(outcome string) { x.s.counts.outcome(x.endpoint, outcome) }

// fail ends the exchange with an error.
func (x *exchange) fail(status int, text, outcome string) {
	x.end(outcome)
	writeJSON(x.w, status, x.problem(status, text))
}

// body reads the request into v; it reports false where that failed and is
// answered.
func (x *exchange) body(v any) bool {
	status, err := readBody(x.w, x.r, v)
	if err != nil {
		x.fail(status, err.Error(), "refused")
	}
	return err == nil
}

func readBody(w http.ResponseWriter, r *http.Request, v any) (status int, err error) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge, err
	}
	if err != nil {
		return http.StatusBadRequest, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return http.StatusBadRequest, errors.New("missing request body")
	}
	return http.StatusBadRequest, json.Unmarshal(data, v)
}

// known reports whether the server has the model, and says so where not.
func (x *exchange) known(model string, numCtx int) bool {
	if !x.s.has(model) {
		x.fail(http.StatusNotFound, notFound(model), "refused")
		return false
	}
	x.s.loaded.note(model, numCtx)
	return true
}

// enter waits for a slot. It returns nil where the exchange has ended instead.
func (x *exchange) enter(t *throw) *turn {
	if t.fault == "busy" {
		x.fail(http.StatusServiceUnavailable, errBusy.Error(), "fault-busy")
		return nil
	}
	turn, err := x.s.slots.enter(x.r.Context())
	switch {
	case errors.Is(err, errBusy):
		x.fail(http.StatusServiceUnavailable, err.Error(), "busy")
		return nil
	case err != nil:
		x.end("gone")
		return nil
	}
	return turn
}

// broken ends an exchange whose engine failed.
func (x *exchange) broken(err error) {
	if x.r.Context().Err() != nil {
		x.end("gone")
		return
	}
	x.fail(http.StatusInternalServerError, err.Error(), "engine")
}

// wait lets the time of a turn pass. It reports false where the exchange has
// ended: the client left, or the fault was one that leaves no answer.
func (x *exchange) wait(t *turn, fault string) bool {
	select {
	case <-t.done:
	case <-x.r.Context().Done():
		t.leave()
		x.end("gone")
		return false
	}
	switch fault {
	case "error":
		x.fail(http.StatusInternalServerError, saidDied, fault)
		return false
	case "drop":
		x.end(fault)
		panic(http.ErrAbortHandler) // closes the connection
	}
	return true
}

// whole ends an exchange with one body, or half of it.
func (x *exchange) whole(v any, fault string) {
	if fault != "cut" {
		x.end(outcome(fault))
		writeJSON(x.w, http.StatusOK, v)
		return
	}
	x.end(fault)
	b := encode(v)
	x.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	x.w.Write(b[:len(b)/2])
}

func outcome(fault string) string {
	if fault == "" {
		return "ok"
	}
	return fault
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	w.Write(encode(v))
}

// encode writes JSON with < and > as they are, and a newline.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("sim: " + err.Error()) // of our own types, all of which have a form
	}
	return b.Bytes()
}
