package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// What a gap shows at the most, of ranges and of URLs, and how many groups of ranges it keeps.
const (
	maxShown  = 20
	maxGroups = 1000
)

// gap is the tasks of one kind that a job lacks, told by the numbers of their start's parameters where there are some. It
// takes the same memory for ten as for a billion.
type gap struct {
	Tasks  int64        `json:"tasks"`
	Ranges []valueRange `json:"ranges"` // at most 20
	URLs   []string     `json:"urls"`   // of tasks without a number; at most 20
	More   int64        `json:"more"`   // tasks that neither shows

	groups map[string]*valueGroup
}

// valueRange is values of a parameter that lie next to each other, both ends included, written as in the URL.
type valueRange struct {
	Parameter string            `json:"parameter"`
	From      string            `json:"from"`
	To        string            `json:"to"`
	With      map[string]string `json:"with,omitempty"` // the values of the other parameters
}

// valueGroup is the values of one parameter while the others stay the same.
type valueGroup struct {
	parameter string
	with      map[string]string
	width     int // of numbers with zeros in front
	values    intervals
}

// add counts a task; params are those of its start, nil when it has none.
func (g *gap) add(url string, params map[string]string) {
	g.Tasks++
	name, number, ok := numeric(params)
	if !ok {
		if len(g.URLs) < maxShown {
			g.URLs = append(g.URLs, url)
		}
		return
	}
	text := params[name]
	delete(params, name)
	key := name + fmt.Sprint(params) // fmt sorts a map's keys
	group := g.groups[key]
	if group == nil {
		if len(g.groups) >= maxGroups {
			return
		}
		if g.groups == nil {
			g.groups = map[string]*valueGroup{}
		}
		group = &valueGroup{parameter: name, with: params}
		g.groups[key] = group
	}
	if len(text) > 1 && (text[0] == '0' || strings.HasPrefix(text, "-0")) {
		group.width = len(text)
	}
	group.values.add(number)
}

// numeric picks the parameter that is a number: the last by name of several.
func numeric(params map[string]string) (name string, number int64, ok bool) {
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(params))) {
		if v, err := strconv.ParseInt(params[n], 10, 64); err == nil {
			return n, v, true
		}
	}
	return "", 0, false
}

// settle makes Ranges and More of what was added.
func (g *gap) settle() {
	g.More = g.Tasks - int64(len(g.URLs))
	g.Ranges = []valueRange{}
	if g.URLs == nil {
		g.URLs = []string{} // [] in JSON
	}
	for _, key := range slices.Sorted(maps.Keys(g.groups)) {
		group := g.groups[key]
		for _, i := range group.values.lowest(maxShown - len(g.Ranges)) {
			g.Ranges = append(g.Ranges, valueRange{group.parameter, group.text(i.from), group.text(i.to), group.with})
			g.More -= i.to - i.from + 1
		}
	}
	g.More = max(0, g.More) // a number can stand for more than one URL, and for less than one task when it is ahead twice
}

func (g *valueGroup) text(v int64) string { return fmt.Sprintf("%0*d", g.width, v) }

// String is the range as in id 1042-1044, or id 7 (lang de).
func (r valueRange) String() string {
	text := r.Parameter + " " + r.From
	if r.To != r.From {
		text += "-" + r.To
	}
	if len(r.With) == 0 {
		return text
	}
	var with []string
	for _, name := range slices.Sorted(maps.Keys(r.With)) {
		with = append(with, name+" "+r.With[name])
	}
	return text + " (" + strings.Join(with, ", ") + ")"
}
