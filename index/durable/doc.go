// Package durable makes streams and consumers that are still there when the
// server has been started again.
//
// NATS server keeps the configuration of a stream in a file, meta.inf, and the
// checksum of that in another, meta.sum, and writes one after the other. Where
// it was killed in between, it finds no checksum or a wrong one when it starts
// again, passes over the stream, and says that there is none. What the stream
// holds is still on its disk: whoever creates the stream anew has all of it,
// and what is published from then on is stored beside it. But the server
// (2.15.2) then leaves the two files as they are, since there is a meta.inf,
// and at its next start passes over the stream once more. Any update of the
// configuration writes both, even one that changes nothing. Consumers fare
// like streams: one that is created anew goes on where it was, and is passed
// over again unless it is updated. A cluster keeps the configurations
// elsewhere too, and passes over nothing.
//
// So what is created here is updated at once, by which a mark comes into its
// metadata; nothing is ever created with the mark. It says that both files
// were written since the stream or consumer was created. What has the mark
// costs one look; what has not (its maker may have died between the two
// requests, or be another program) is given it. Several processes may do all
// this at once: they agree on the mark, and it does no harm to set it twice.
//
// In reading order: stream.go (Stream, StreamAsItIs), consumer.go (Consumer),
// permission.go (what a user that may not create is told).
//
// What is on disk but not to be read stays away; the errors say what to do.
package durable

import (
	"log/slog"
	"maps"
	"slices"
)

// Mark is the key in the metadata of streams and consumers which says that
// what the server needs to find them again has been written.
const Mark = "hopstream.durable"

// marked returns metadata with the mark; earlier maps win.
func marked(all ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, one := range slices.Backward(all) {
		maps.Copy(out, one)
	}
	out[Mark] = "yes"
	return out
}

func orDiscard(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}
