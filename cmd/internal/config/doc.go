// Package config is the configuration of both programs: defaults, the YAML file,
// the environment and flags become one Config, which is checked before anything
// starts.
//
//	config.go     Config and its defaults; what is wrong with it; the stages as configured
//	load.go       the sources and their order; the global flags
//	preset.go     presets, and the short forms of settings
//	models.go     models: which one a role has, on which server
//	roles.go      which roles a stage asks as it is configured, and of which engine
//	reach.go      which of those questions get to at all
//	sharing.go    whether questions share work, and which can
//	lookup.go     a setting by its key
//	searchers.go  searchers and how they search
//	weaviate.go   where passages are kept
//	storage.go    how much is kept, archived, and held in memory
//	identity.go   as which user a connection to the NATS server comes, and its certificates
//	http.go       what guards the HTTP address
//	limits.go     numbers that nothing could be done with
//	about.go      every key, and what it means
//	yaml.go       the configuration as a file, with comments
//	unknown.go    keys that there are not, and which were meant
//	values.go     spans of time, which have a unit; numbers without a sign
//	redact.go     URLs without passwords
package config
