package prompts

import (
	"strings"
	"unicode"
)

// ours begin the names of the marks that fence data.
var ours = []string{"question", "passage", "finding", "asked", "found", "answer", "notfound", "keyword", "plan", "problem", "prediction", "entity"}

// foreign are names, without digits and underscores at their end, that mean
// something to a model when they stand in angle brackets: turns and limits of
// chat formats, thoughts and tools. What stands beside a bar, as in
// <|im_start|>, needs no entry.
var foreign = set(`
	s sys bos eos pad unk cls sep mask sop eop eod eot eoh eoa
	bos_token eos_token pad_token unk_token mask_token cls_token sep_token endoftext
	im_start im_end start_of_turn end_of_turn start_of_image end_of_image image_soft_token
	turn system user assistant human bot model developer instruction instructions
	think thinking thought reasoning tool tools tool_call tool_calls tool_response
	tool_responses tool_result tool_results function functions function_call
	function_calls function_result function_results
	reserved special special_token extra_id unused seed`)

// brackets are the names that mean something in square brackets.
var brackets = set(`
	inst sys system system_prompt available_tools tool_calls tool_results tool_content
	args call_id model_settings img img_break img_end audio begin_audio think
	prefix middle suffix control cls sep pad unk mask gmask smask bos eos`)

func set(names string) map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		out[strings.TrimRight(name, "0123456789_")] = true
	}
	return out
}

// opensTag reports whether "<" and rest begin a mark of ours or of a chat
// format, in any case, with blanks, invisible characters or a slash between.
func opensTag(rest string) bool {
	name, next := nameIn(rest)
	if isBar(next) {
		return true
	}
	for _, own := range ours {
		if strings.HasPrefix(name, own) {
			return true
		}
	}
	return foreign[strings.TrimRight(name, "0123456789_")]
}

// opensBracket is opensTag for "[".
func opensBracket(rest string) bool {
	name, next := nameIn(rest)
	return name == "" && isBar(next) || brackets[strings.TrimRight(name, "0123456789_")]
}

// nameIn returns the name at the beginning of s, in lower case, and the
// character behind it; both may be missing.
func nameIn(s string) (name string, next rune) {
	var buf [24]byte // longer than any name of interest; the rest is not kept
	n := 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Cf, r), n == 0 && (r == '/' || unicode.IsSpace(r)):
		case r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			if n < len(buf) {
				buf[n] = byte(unicode.ToLower(r))
				n++
			}
		default:
			return string(buf[:n]), r
		}
	}
	return string(buf[:n]), 0
}

// isBar knows the bar of <|im_start|> and the wide one some models use.
func isBar(r rune) bool { return r == '|' || r == '｜' }
