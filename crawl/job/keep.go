package job

import "strings"

// keep returns the URL of a start with the variables filled in that are part of what is asked for (scheme, host, port,
// path), and the others as written, masked, so that their braces do not count. names are those of the filled ones, values
// what they brought in.
func (l *loader) keep(url *node) (text string, names []string, values string) {
	if url.parts == nil {
		return url.text, nil, ""
	}
	var way []stretch
	for _, p := range url.parts {
		way = append(way, stretch{p.text, p.ref != ""})
	}
	secret := private(way)
	var out, filledIn strings.Builder
	depth := 0
	for i, p := range url.parts {
		switch {
		case p.ref == "":
			out.WriteString(p.text)
			depth += strings.Count(p.text, "{") - strings.Count(p.text, "}")
		case secret[i] && !(depth > 0 && endOfRange(url.parts, i)):
			out.WriteString(mask(p.ref))
			l.kept[p.ref] = p
		default:
			out.WriteString(p.text)
			filledIn.WriteString(p.text)
			names = append(names, p.name)
		}
	}
	return out.String(), names, filledIn.String()
}

// endOfRange says whether a variable stands beside the dots of a range, as in {1..${LAST}}: it says how many requests there
// are, so it has to be filled in. A variable always has texts on both sides, if only empty ones.
func endOfRange(parts []part, i int) bool {
	return strings.HasSuffix(parts[i-1].text, "..") || strings.HasPrefix(parts[i+1].text, "..")
}

// keepValue returns a parameter's value with its variables as written.
func (l *loader) keepValue(n *node) string {
	var out strings.Builder
	for _, p := range n.parts {
		if p.ref == "" {
			out.WriteString(p.text)
			continue
		}
		out.WriteString(p.ref)
		l.kept[p.ref] = p
	}
	return out.String()
}

// privateParameters returns the names of the parameters that stand only where secrets do.
func (t *template) privateParameters() map[string]bool {
	var way []stretch
	for _, p := range t.pieces {
		switch {
		case p.dim < 0:
			way = append(way, stretch{text: p.text})
		case t.dims[p.dim].name == "":
			way = append(way, stretch{text: t.dims[p.dim].values.String()})
		default:
			way = append(way, stretch{hole: true})
		}
	}
	found := map[string]bool{}
	for i, secret := range private(way) {
		if !way[i].hole {
			continue
		}
		name := t.dims[t.pieces[i].dim].name
		before, known := found[name]
		found[name] = secret && (before || !known)
	}
	return t.bodyNames(found)
}
