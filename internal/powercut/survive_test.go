package powercut

import (
	"math/rand/v2"
	"slices"
)

// sector is how much a disk writes at once.
const sector = 512

// survival is how what was not synced comes through a power cut.
type survival int

const (
	nothing survival = iota
	everything
	prefix        // the first writes of each file
	subset        // some
	allButOne     // all but one of each file
	torn          // some, and some of them torn
	sizes         // some, and of others only the size they would have made, with zeros
	junk          // the same with junk
	survivals int = iota
)

func (s survival) String() string {
	return [...]string{"nothing", "everything", "prefix", "subset", "all but one", "torn", "sizes", "junk"}[s]
}

// after returns the files as they are after the power cut; a file that is not there is not in the map.
func (d *disk) after(s survival, names []string, random *rand.Rand) map[string][]byte {
	files := map[string][]byte{}
	for _, name := range names { // in order, so that a seed means the same each time
		if f := d.names[name].after(s, random); f != nil {
			files[name] = f.after(s, random)
		}
	}
	return files
}

func (e *directoryEntry) after(s survival, random *rand.Rand) *inode {
	switch {
	case s == nothing:
		return e.certain
	case s == everything:
		return e.current()
	}
	if i := random.IntN(len(e.pending) + 1); i > 0 {
		return e.pending[i-1].to
	}
	return e.certain
}

func (f *inode) after(s survival, random *rand.Rand) []byte {
	content := append(make([]byte, 0, len(f.certain)+1<<16), f.certain...)
	which := random.IntN(len(f.pending) + 1)
	likely := random.Float64()
	for i, o := range f.pending {
		keep := random.Float64() < likely
		switch s {
		case nothing:
			keep = false
		case everything:
			keep = true
		case prefix:
			keep = i < which
		case allButOne:
			keep = i != which
		}
		content = o.survive(content, s, keep, random)
	}
	return content
}

// survive applies what is left of a write or truncation.
func (o *op) survive(content []byte, s survival, keep bool, random *rand.Rand) []byte {
	switch {
	case keep && (o.kind == truncate || s != torn || random.IntN(2) == 0):
		return o.whole(content)
	case o.kind == truncate:
		return content
	case keep && random.IntN(2) == 0:
		part := op{kind: write, at: o.at, data: o.data[:random.IntN(len(o.data)+1)]}
		return part.whole(content)
	case keep:
		return o.someSectors(content, random)
	case s >= sizes && random.IntN(2) == 0:
		return grown(content, int(o.at)+len(o.data), filler(s, random))
	}
	return content
}

func filler(s survival, random *rand.Rand) func([]byte) {
	if s != junk {
		return nil
	}
	return func(b []byte) {
		for i := range b {
			b[i] = byte(random.Uint32())
		}
	}
}

// someSectors applies a write in those sectors of the disk that got through.
func (o *op) someSectors(content []byte, random *rand.Rand) []byte {
	content = grown(content, int(o.at)+len(o.data), nil)
	for from := int(o.at); from < int(o.at)+len(o.data); {
		to := min(from/sector*sector+sector, int(o.at)+len(o.data))
		if random.IntN(2) == 0 {
			copy(content[from:to], o.data[from-int(o.at):to-int(o.at)])
		}
		from = to
	}
	return content
}

// unsynced counts the writes and truncations that may be lost.
func (d *disk) unsynced() (n int) {
	var seen []*inode
	for _, e := range d.names {
		for _, f := range append([]*inode{e.certain}, inodes(e.pending)...) {
			if f != nil && !slices.Contains(seen, f) {
				seen = append(seen, f)
				n += len(f.pending)
			}
		}
	}
	return n
}

func inodes(names []naming) (files []*inode) {
	for _, n := range names {
		files = append(files, n.to)
	}
	return files
}
