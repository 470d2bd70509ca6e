package main

import (
	"bytes"
	"strings"
	"testing"

	"hopstream/messages"
)

func modelAnswer() *messages.Answer {
	return &messages.Answer{ID: "q", Status: messages.Answered, Answer: "Goethe", Class: messages.Single, Steps: 1,
		Usage: messages.Usage{ModelCalls: 7, PromptTokens: 2310, CompletionTokens: 118, Roles: []messages.RoleUsage{
			{Role: "answerer", Calls: 3, PromptTokens: 2000, CompletionTokens: 100, QueueMS: 5, ModelMS: 900},
			{Role: "router", Calls: 4, PromptTokens: 310, CompletionTokens: 18, ModelMS: 400},
		}}}
}

func TestTreeTellsModelUse(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	a := modelAnswer()
	if err := renderAnswer(&b, a, true); err != nil || !strings.HasSuffix(b.String(), "\n7 model calls · 2,310 + 118 tokens · answerer 3, router 4\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	a.Usage = messages.Usage{ModelCalls: 1, PromptTokens: 1_234_567}
	if err := renderAnswer(&b, a, true); err != nil || !strings.HasSuffix(b.String(), "\n1 model call · 1,234,567 + 0 tokens\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	a.Usage = messages.Usage{}
	if err := renderAnswer(&b, a, true); err != nil || strings.Contains(b.String(), "model call") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestAnswerLineTellsRoles(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	a := modelAnswer()
	want := `"usage":{"model_calls":7,"prompt_tokens":2310,"completion_tokens":118,"roles":[` +
		`{"role":"answerer","calls":3,"prompt_tokens":2000,"completion_tokens":100,"queue_ms":5,"model_ms":900},` +
		`{"role":"router","calls":4,"prompt_tokens":310,"completion_tokens":18,"queue_ms":0,"model_ms":400}]}`
	if err := writeAnswer(&b, a); err != nil || !strings.Contains(b.String(), want) {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	a.Usage = messages.Usage{}
	if err := writeAnswer(&b, a); err != nil || !strings.Contains(b.String(), `"usage":{"model_calls":0,"prompt_tokens":0,"completion_tokens":0},`) {
		t.Errorf("%v\n%s", err, b.String())
	}
}
