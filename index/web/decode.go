package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Bounds of what is taken over.
const (
	maxTitle        = 300  // bytes
	maxText         = 2000 // bytes
	maxUnresponsive = 32
)

// page is what is read of an answer.
type page struct {
	Results   []json.RawMessage `json:"results"`
	Infoboxes []json.RawMessage `json:"infoboxes"`
	Away      []json.RawMessage `json:"unresponsive_engines"`

	unresponsive []unresponsive
}

// result is one page as engines show it.
type result struct {
	URL     text   `json:"url"`
	Title   text   `json:"title"`
	Content text   `json:"content"`
	Score   number `json:"score"`
}

// infobox is what an engine knows of a thing: an abstract and where it stands.
type infobox struct {
	Name    text `json:"infobox"`
	ID      text `json:"id"`
	Content text `json:"content"`
	URLs    []struct {
		URL text `json:"url"`
	} `json:"urls"`
}

// unresponsive is an engine that did not answer, and why.
type unresponsive struct{ engine, reason string }

// text is a string, or nothing: engines fill in null, numbers and lists.
type text string

// UnmarshalJSON never fails.
func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	_ = json.Unmarshal(b, &s)
	*t = text(s)
	return nil
}

// number is a number, or 0.
type number float64

// UnmarshalJSON never fails.
func (n *number) UnmarshalJSON(b []byte) error {
	var f float64
	if json.Unmarshal(b, &f) == nil {
		*n = number(f)
	}
	return nil
}

// decode reads an answer. What is wrong with one of its results concerns that
// one only; it fails if the answer as a whole is not SearXNG's.
func decode(body []byte) (*page, error) {
	p := new(page)
	if err := json.Unmarshal(body, p); err != nil {
		return nil, fmt.Errorf("its answer cannot be read: %w: %s", short(err), excerpt(string(body[:min(len(body), 1024)])))
	}
	if p.Results == nil && p.Infoboxes == nil && p.Away == nil {
		return nil, fault.Permanentf("its answer has no results: is this SearXNG's address? %s", excerpt(string(body[:min(len(body), 1024)])))
	}
	for _, raw := range p.Away {
		if len(p.unresponsive) == maxUnresponsive {
			break
		}
		var pair []text // [engine, reason, …]
		if json.Unmarshal(raw, &pair) != nil || len(pair) == 0 {
			var name text // of some versions
			if json.Unmarshal(raw, &name) != nil || name == "" {
				continue
			}
			pair = []text{name}
		}
		u := unresponsive{engine: plain(string(pair[0]), 64), reason: "no reason given"}
		if len(pair) > 1 && pair[1] != "" {
			u.reason = plain(string(pair[1]), 100)
		}
		if u.engine != "" {
			p.unresponsive = append(p.unresponsive, u)
		}
	}
	return p, nil
}

// passages returns at most k of the page's: infoboxes first, which are about
// the very thing that was asked for, then the results in the server's order.
// Of those with one address the first stays, with the longest text.
func (p *page) passages(k int) []messages.Passage {
	var out []messages.Passage
	at := map[string]int{}
	add := func(address, title, content text, score number) {
		url, ok := clean(string(address))
		body := plain(string(content), maxText)
		if !ok || body == "" {
			return
		}
		if i, known := at[url]; known {
			if len(body) > len(out[i].Text) {
				out[i].Text = body
			}
			out[i].Score = max(out[i].Score, float64(score))
			return
		}
		if len(out) == k {
			return // but what follows may be more of a page that is there
		}
		at[url] = len(out)
		name := plain(string(title), maxTitle)
		if name == "" {
			name = url
		}
		out = append(out, messages.Passage{ID: url, Title: name, Text: body, URL: url, Score: float64(score), Rank: len(out) + 1})
	}
	results := make([]result, 0, len(p.Results))
	best := number(0)
	for _, raw := range p.Results {
		var r result
		if json.Unmarshal(raw, &r) == nil {
			results = append(results, r)
			best = max(best, r.Score)
		}
	}
	for _, raw := range p.Infoboxes {
		var b infobox
		if json.Unmarshal(raw, &b) != nil {
			continue
		}
		addresses := []text{b.ID}
		for _, u := range b.URLs {
			addresses = append(addresses, u.URL)
		}
		if i := slices.IndexFunc(addresses, func(u text) bool { _, ok := clean(string(u)); return ok }); i >= 0 {
			add(addresses[i], b.Name, b.Content, best)
		}
	}
	for _, r := range results {
		add(r.URL, r.Title, r.Content, r.Score)
	}
	return out
}

// list names engines and their reasons.
func list(away []unresponsive) string {
	var out []string
	for _, u := range away {
		out = append(out, u.engine+" ("+u.reason+")")
	}
	return strings.Join(out, ", ")
}
