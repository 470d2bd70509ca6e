package model

import (
	"context"
	"strings"

	"hopstream/stages/preview"
)

// written hands on the text of one field of a reply while the reply is being
// written. It reads all that has come again with every piece, as ReadObject reads
// the whole, so that both read the same.
type written struct {
	key string
	to  preview.Sink

	reply strings.Builder
	read  int    // how long the reply was when it was read last
	told  string // the text handed on since the last restart
}

// writing returns what is to get a reply piece by piece, so that the text of its
// field key goes to where ctx shows it: nil where it shows nothing. What was
// shown of a reply before does not count any more.
func writing(ctx context.Context, key string) func(piece string) {
	to := preview.To(ctx)
	if to == nil {
		return nil
	}
	to.Restart()
	w := &written{key: key, to: to}
	return w.add
}

// grain is how much a reply grows before it is read again: by one part of so
// many. Reading each of n pieces anew would take n² steps, which a model that
// thinks aloud for pages would make felt.
const grain = 256

// maxWritten is how much of a reply is read while it comes, in bytes.
const maxWritten = 256 << 10

// add takes the next piece of the reply.
func (w *written) add(piece string) {
	if w.reply.Len()+len(piece) > maxWritten {
		return
	}
	w.reply.WriteString(piece)
	if w.reply.Len()-w.read < w.reply.Len()/grain && !strings.ContainsAny(piece, `"'}>`) { // the text may end here
		return
	}
	w.read = w.reply.Len()
	text, ok := soFar(w.reply.String(), w.key)
	if !ok {
		return
	}
	more, ok := strings.CutPrefix(text, w.told)
	if !ok { // it was a thought, or an example
		w.to.Restart()
		more = text
	}
	w.told = text
	if more != "" {
		w.to.Write(more)
	}
}

// soFar returns what a reply that is still being written has of the text of its
// field key. An object within another counts once the outer one is there, and
// has no such field.
func soFar(reply, key string) (text string, ok bool) {
	reply = withoutThinking(reply)
	at := 0
	for range maxStarts {
		i := strings.IndexByte(reply[at:], '{')
		if i < 0 {
			break
		}
		p := lenient{s: reply, i: at + i}
		at += i + 1
		v, _ := p.value(0)
		o, ok := v.(object)
		if !ok {
			continue
		}
		switch v := o.fields[key].(type) {
		case string:
			return strings.ToValidUTF8(v, ""), true
		case cutText:
			return string(v), true
		}
		if _, ok := o.fields[key]; ok || o.cut {
			break
		}
	}
	return "", false
}
