package memory

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// lookEvery is the time between two looks at what the process does.
const lookEvery = time.Minute

// spare is what is not worth looking at: that much is allocated by an idle process
// in a minute, and held beside what is in use.
const spare = 32 << 20

// GiveBack returns memory to the system whenever the process has had little to do
// for a minute, until ctx ends. The runtime by itself keeps what it needed last:
// twice what is in use, until it is next collected, and a tenth more.
func GiveBack(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for was := look(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		is := look()
		if is.idleSince(was) {
			debug.FreeOSMemory()
		}
		was = is
	}
}

// state is what the runtime counts.
type state struct {
	allocated uint64 // bytes, since the start
	live      uint64 // bytes of objects, reachable or not yet collected
	held      uint64 // bytes that the system has given and not had back
}

// idleSince reports whether little was allocated since an earlier look, and there
// is memory to give back.
func (s state) idleSince(was state) bool {
	return s.allocated-was.allocated < s.live/4+spare && s.held > s.live/2*3+spare
}

func look() state {
	all := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(all)
	return state{allocated: all[0].Value.Uint64(), live: all[1].Value.Uint64(), held: all[2].Value.Uint64() - all[3].Value.Uint64()}
}
