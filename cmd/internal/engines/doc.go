// Package engines puts together who answers the stages' questions: the builtin
// engine, and a model for each role that has one. Roles of one model share it, and
// models of one server share its slots.
package engines
