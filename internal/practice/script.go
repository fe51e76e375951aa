package practice

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// step is one answer of a script, given times times.
type step struct {
	name   string        // "status" for the numbers and redirect
	status int           // of "status"
	text   string        // Location for 3xx, Retry-After for other statuses; "" for none
	wait   time.Duration // slow: before the answer; drip: between pieces; stall: at most, 0 for Options.Stall
	size   int64         // big: bytes of body
	times  int64
}

// forEver is the times of a step that never ends.
const forEver = -1

const knownAnswers = "ok, a status, redirect:/PATH, captcha, slow:TIME, drip:TIME, stall, cut, short, reset, garbage, big:BYTES"

func parseScript(script string) ([]step, error) {
	var steps []step
	for text := range strings.SplitSeq(script, ",") {
		st, err := parseStep(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("answer %q: %w", text, err)
		}
		steps = append(steps, st)
	}
	return steps, nil
}

// parseStep reads name[:argument][*[times]].
func parseStep(text string) (step, error) {
	times := int64(1)
	if i := strings.LastIndexByte(text, '*'); i >= 0 {
		n, ok := number(text[i+1:])
		switch {
		case ok:
			times = n
		case text[i+1:] == "":
			times = forEver
		default:
			return step{}, fmt.Errorf("%q is not a number of times", text[i+1:])
		}
		text = text[:i]
	}
	name, arg, _ := strings.Cut(text, ":")
	st, err := parseAnswer(name, arg)
	st.times = times
	return st, err
}

func parseAnswer(name, arg string) (step, error) {
	var err error
	st := step{name: name}
	switch name {
	case "ok", "captcha", "cut", "short", "reset", "garbage":
		if arg != "" {
			return st, fmt.Errorf("%s takes no argument", name)
		}
	case "slow", "drip":
		st.wait, err = time.ParseDuration(arg)
	case "stall":
		if arg != "" {
			st.wait, err = time.ParseDuration(arg)
		}
	case "big":
		st.size, err = strconv.ParseInt(arg, 10, 64)
	case "redirect":
		return location(302, arg)
	default:
		return parseStatus(name, arg)
	}
	if err == nil && (st.wait < 0 || st.size < 0) {
		err = fmt.Errorf("%s is negative", arg)
	}
	return st, err
}

// parseStatus reads 503, 429:2 (Retry-After, given as it is), 429:@2
// (Retry-After as the date in 2 seconds) and 308:/path (Location).
func parseStatus(name, arg string) (step, error) {
	status, err := strconv.Atoi(name)
	if err != nil || status < 200 || status > 599 {
		return step{}, fmt.Errorf("unknown; there are %s", knownAnswers)
	}
	if status/100 == 3 && status != 304 {
		return location(status, arg)
	}
	if after, ok := strings.CutPrefix(arg, "@"); ok {
		if _, err := strconv.Atoi(after); err != nil {
			return step{}, fmt.Errorf("seconds after @: %w", err)
		}
	}
	return step{name: "status", status: status, text: arg}, nil
}

func location(status int, to string) (step, error) {
	if to == "" {
		return step{}, fmt.Errorf("a redirect needs :/path")
	}
	return step{name: "status", status: status, text: to}, nil
}
