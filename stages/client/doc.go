// Package client asks questions and receives their answers.
//
// Submit stores a question, telling apart a new one, one that is being worked
// on or answered already, and a clash of IDs. Follow hears of every answer
// stored from now on. Ask does both for one question; Run for a stream of
// them, with a bounded number open at once.
package client
