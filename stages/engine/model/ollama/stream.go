package ollama

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"hopstream/stages/engine/model"
)

// The bounds of a reply. A piece of three letters is a line of 130 bytes, so
// that a reply's stream is far longer than the reply.
const (
	replyLimit  = 1 << 20
	streamLimit = 64 << 20
	lineLimit   = 4 << 20
)

// errCutOff says that a reply's stream ended before the reply did.
var errCutOff = errors.New("the reply was cut off")

// streamError is an error that the server reports in a stream or in place of
// one.
type streamError string

func (e streamError) Error() string { return string(e) }

// strangeError says that what came is not Ollama's protocol, such as a proxy's
// page. It holds the beginning.
type strangeError string

func (e strangeError) Error() string {
	return fmt.Sprintf("the answer is not Ollama's: %q", string(e))
}

// piece is a line of a reply's stream: what is read of api.ChatResponse.
// Reading the rest takes twice the time (8.7 µs a line against 3.7), and would
// refuse the reply of a server that speaks the protocol with, say, another
// notion of created_at.
type piece struct {
	Message struct {
		Content  string `json:"content"`
		Thinking string `json:"thinking"`
	} `json:"message"`
	Done             bool            `json:"done"`
	DoneReason       string          `json:"done_reason"`
	PromptTokens     int             `json:"prompt_eval_count"`
	CompletionTokens int             `json:"eval_count"`
	Error            json.RawMessage `json:"error"`
	Logprobs         []struct {
		Token   string  `json:"token"`
		Logprob float64 `json:"logprob"`
	} `json:"logprobs"`
}

// readReply puts a reply together from its stream, up to the piece that says
// it is done. A stream that ends without one is errCutOff, unless the model is
// caught in a loop. The text of each piece goes to heard, unless that is nil.
func readReply(r io.Reader, heard func(string)) (*model.Reply, error) {
	lines := newLineReader(r)
	defer lines.release()
	reply := &model.Reply{}
	var text strings.Builder
	var loop repeats
	for {
		line, err := lines.next()
		if err == io.EOF {
			if loop.endless() {
				reply.Text, reply.Cut = text.String(), true
				return reply, nil
			}
			return nil, errCutOff
		}
		if errors.Is(err, errTooLarge) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errCutOff, err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var p piece
		if err := json.Unmarshal(line, &p); err != nil {
			if s, ok := errors.AsType[*json.SyntaxError](err); ok && lines.ended && s.Offset >= int64(len(line)) {
				return nil, errCutOff
			}
			return nil, strangeError(excerpt(string(line) + " " + string(lines.buffered())))
		}
		if s := errorValue(p.Error); s != "" {
			return nil, streamError(excerpt(s))
		}
		if text.Len()+len(p.Message.Content) > replyLimit {
			return nil, fmt.Errorf("the reply: %w", errTooLarge)
		}
		text.WriteString(p.Message.Content)
		if heard != nil && p.Message.Content != "" {
			heard(p.Message.Content)
		}
		loop.add(p.Message.Thinking + p.Message.Content)
		reply.Thinking += len(p.Message.Thinking)
		addTokens(reply, &p, text.Len() > 0)
		if p.Done {
			reply.Text = text.String()
			reply.Cut = p.DoneReason == "length"
			reply.PromptTokens = max(p.PromptTokens, 0)
			reply.CompletionTokens = max(p.CompletionTokens, 0)
			return reply, nil
		}
	}
}

// repeats counts how often the last piece has come in a row, spaces aside.
// Ollama gives up on a model that says the same token 31 times over, most
// often a line break in JSON, and then ends the stream as if it had broken:
// HTTP 200, no done, no error. The same prompt would end so again, so that this
// is no fault to try again after but a reply, cut.
type repeats struct {
	last string
	n    int
}

func (r *repeats) add(piece string) {
	piece = strings.TrimSpace(piece)
	if r.n > 0 && piece == r.last {
		r.n++
		return
	}
	r.last, r.n = piece, 1
}

func (r *repeats) endless() bool { return r.n >= 30 }

// addTokens keeps p's tokens if they are the reply's and not those of the
// thinking before it. The piece that ends the thinking has tokens and no text.
func addTokens(reply *model.Reply, p *piece, begun bool) {
	if reply.Thinking > 0 && !begun {
		return
	}
	for _, t := range p.Logprobs {
		reply.Tokens = append(reply.Tokens, model.Token{Text: t.Token, Logprob: t.Logprob})
	}
}

// lineReader gives a stream's lines, from a small buffer that goes from call
// to call; only a line that is longer than the buffer costs memory.
type lineReader struct {
	r     *bufio.Reader
	long  []byte
	ended bool // the line given last had no end of line
}

var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 8<<10) }}

func newLineReader(r io.Reader) *lineReader {
	b := buffers.Get().(*bufio.Reader)
	b.Reset(r)
	return &lineReader{r: b}
}

// next returns the next line, valid until the next call. An end of the stream
// with no line before it is io.EOF.
func (l *lineReader) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull {
			if l.long = append(l.long, line...); len(l.long) > lineLimit {
				return nil, fmt.Errorf("a line of the reply: %w", errTooLarge)
			}
			line, err = l.r.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	if err == io.EOF && len(line) > 0 {
		l.ended = true
		return line, nil
	}
	return line, err
}

// buffered returns what is there after the line without waiting for more.
func (l *lineReader) buffered() []byte {
	b, _ := l.r.Peek(min(l.r.Buffered(), maxExcerpt))
	return b
}

func (l *lineReader) release() {
	l.r.Reset(nil)
	buffers.Put(l.r)
}
