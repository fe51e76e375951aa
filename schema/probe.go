package schema

import (
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// probe tells cheaply that a regexp has no match (other than an empty one) in a text, from the characters that a match
// can begin with: `[<>]` need not run over a text without < and >. Most texts are clean, so most regexps never run.
// The zero value rules nothing out.
type probe struct {
	known bool
	ascii [2]uint64 // bit set: a match can begin with this character
	other bool      // a match can begin with a character beyond ASCII
}

// newProbe reads the expression's own program. An expression that it can't read is never skipped.
func newProbe(re *regexp.Regexp) probe {
	if re == nil {
		return probe{}
	}
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return probe{}
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return probe{}
	}
	p := probe{known: true}
	p.follow(prog, uint32(prog.Start), make([]bool, len(prog.Inst)))
	return p
}

// follow collects the first characters reachable from pc. Assertions (^, \b) are taken to hold, which at worst makes
// the probe say "perhaps" once too often.
func (p *probe) follow(prog *syntax.Prog, pc uint32, seen []bool) {
	if seen[pc] {
		return
	}
	seen[pc] = true
	inst := &prog.Inst[pc]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		p.follow(prog, inst.Out, seen)
		p.follow(prog, inst.Arg, seen)
	case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
		p.follow(prog, inst.Out, seen)
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		p.add(inst)
	}
}

func (p *probe) add(inst *syntax.Inst) {
	for r := range rune(utf8.RuneSelf) {
		if inst.MatchRune(r) {
			p.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	plain := (inst.Op == syntax.InstRune || inst.Op == syntax.InstRune1) && syntax.Flags(inst.Arg)&syntax.FoldCase == 0
	// Folded letters have relatives beyond ASCII (K and the Kelvin sign), so only a plain class is known to have none.
	if !plain || inst.Rune[len(inst.Rune)-1] >= utf8.RuneSelf {
		p.other = true
	}
}

// rulesOut reports whether the expression surely has nothing but empty matches in s.
func (p *probe) rulesOut(s string) bool {
	if !p.known {
		return false
	}
	for i := range len(s) {
		b := s[i]
		if b >= utf8.RuneSelf {
			if p.other {
				return false
			}
		} else if p.ascii[b>>6]&(1<<(b&63)) != 0 {
			return false
		}
	}
	return true
}
