package config

import (
	"time"

	"hopstream/stages/log"
)

// StorageConfig says how much is kept beside pipeline.retention, which is how long
// traces are.
type StorageConfig struct {
	TraceBytes      uint64        `koanf:"trace_bytes" about:"Bytes of traces, which are the inner messages of questions; 0: a quarter of the store."`
	TraceMessages   uint64        `koanf:"trace_messages" about:"Messages of traces; 0: as many as fit an eighth of the memory of the process with the embedded server, else 5,000,000."`
	Answers         time.Duration `koanf:"answers" about:"How long answers are kept; 0: for good. An ID whose answer is gone can be asked again."`
	AnswersBytes    uint64        `koanf:"answers_bytes" about:"Bytes of answers; 0: a quarter of the store."`
	AnswersMessages uint64        `koanf:"answers_messages" about:"Answers; 0: as many as fit an eighth of the memory of the process with the embedded server, else 5,000,000."`
	Dead            time.Duration `koanf:"dead" about:"How long dead letters are kept; 0: for good."`
	DeadBytes       uint64        `koanf:"dead_bytes" about:"Bytes of dead letters; 0: a twentieth of the store."`
}

// ArchiveConfig says where answers are archived, by one of the processes of
// hopstream up that have a router.
type ArchiveConfig struct {
	Dir    string        `koanf:"dir" about:"Folder of the files; empty: nothing is archived."`
	Every  time.Duration `koanf:"every" about:"Time between two looks for answers to archive."`
	Traces bool          `koanf:"traces" about:"Archive the trace of each answer too."`
	Gzip   bool          `koanf:"gzip" about:"Compress the files."`
}

// MemoryConfig bounds the memory of a process.
type MemoryConfig struct {
	Limit uint64 `koanf:"limit" about:"Bytes that the process tries to stay below; 0: nine tenths of what its container or its machine has. GOMEMLIMIT in the environment wins."`
}

// storageDefaults keep answers and dead letters for a month: as long as anybody
// looks into what went wrong. Traces are kept for pipeline.retention, an hour,
// which is as long as somebody watches.
func storageDefaults() StorageConfig {
	const month = 30 * 24 * time.Hour
	return StorageConfig{Answers: month, Dead: month}
}

func archiveDefaults() ArchiveConfig { return ArchiveConfig{Every: 10 * time.Minute, Gzip: true} }

// LeastKept is the least age that a limit on answers may have: no message of a
// question may outlive its answer, since it could lead to another one.
func (c *Config) LeastKept() time.Duration { return c.Pipeline.Retention + time.Minute }

// validateStorage says what is wrong with how long things are kept: a question
// must end while its messages are there, and its answer outlive both.
func (c *Config) validateStorage(bad func(string, ...any)) {
	p, s := &c.Pipeline, &c.Storage
	if most := (log.Config{Retention: p.Retention}).MaxDeadline(); p.Retention >= time.Second && p.Deadline > most {
		bad("pipeline.deadline %v: at most %v, which is five sixths of pipeline.retention: a question's messages must outlive it", p.Deadline, most)
	}
	for key, kept := range map[string]time.Duration{"storage.answers": s.Answers, "storage.dead": s.Dead} {
		if kept != 0 && kept < c.LeastKept() {
			bad("%s %v: 0 (for good), or at least %v, which is a minute more than pipeline.retention", key, kept, c.LeastKept())
		}
	}
}

// validateArchive says what is wrong with the archive: what it writes must still be
// there when it looks.
func (c *Config) validateArchive(bad func(string, ...any)) {
	a := &c.Archive
	if a.Every < time.Second {
		bad("archive.every %v: at least a second", a.Every)
	}
	if a.Dir != "" && a.Traces && a.Every > c.Pipeline.Retention/2 {
		bad("archive.every %v: at most half of pipeline.retention (%v) where archive.traces is set, or traces age out before they are archived", a.Every, c.Pipeline.Retention)
	}
}
