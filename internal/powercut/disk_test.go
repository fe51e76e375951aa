package powercut

// disk is what is known of the files at a moment: what is there for certain, and what may be.
type disk struct {
	names map[string]*directoryEntry
}

// directoryEntry is what a name stands for. A nil inode is no file.
type directoryEntry struct {
	certain *inode
	pending []naming // in order; the last is what the processes see
}

type naming struct {
	to *inode
	by *op
}

// inode is a file's content: what was synced, and the writes and truncations since, in order.
type inode struct {
	certain []byte
	pending []*op
}

// diskAt replays the history up to a moment: what started before it may have happened, a sync that ended before it
// has.
func (h *history) diskAt(cut int) *disk {
	d := &disk{names: map[string]*directoryEntry{}}
	for _, name := range h.names {
		d.names[name] = &directoryEntry{}
	}
	var syncs []*op // begun, and not yet ended
	for _, o := range h.ops {
		if o.start >= cut {
			break
		}
		syncs = d.settle(syncs, o.start)
		if o.kind == syncFile || o.kind == syncFolder {
			syncs = append(syncs, o)
		} else {
			d.begin(o)
		}
	}
	d.settle(syncs, cut)
	return d
}

// settle lets the syncs take effect that ended before a moment and returns the others.
func (d *disk) settle(syncs []*op, before int) (still []*op) {
	for _, s := range syncs {
		switch {
		case s.end >= before:
			still = append(still, s)
		case s.kind == syncFolder:
			for _, e := range d.names {
				e.sync(s)
			}
		default:
			if f := d.names[s.name].current(); f != nil {
				f.sync(s)
			}
		}
	}
	return still
}

func (d *disk) begin(o *op) {
	e := d.names[o.name]
	switch f := e.current(); o.kind {
	case makeName:
		e.pending = append(e.pending, naming{&inode{}, o})
	case removeName:
		e.pending = append(e.pending, naming{nil, o})
	default:
		if f != nil {
			f.pending = append(f.pending, o)
		}
	}
}

// current is the file that the processes see.
func (e *directoryEntry) current() *inode {
	if n := len(e.pending); n > 0 {
		return e.pending[n-1].to
	}
	return e.certain
}

// sync makes certain what ended before the sync started.
func (e *directoryEntry) sync(s *op) {
	for len(e.pending) > 0 && e.pending[0].by.end < s.start {
		e.certain, e.pending = e.pending[0].to, e.pending[1:]
	}
}

func (f *inode) sync(s *op) {
	var still []*op
	for _, o := range f.pending {
		if o.end < s.start {
			f.certain = o.whole(f.certain)
		} else {
			still = append(still, o)
		}
	}
	f.pending = still
}

// whole applies all of a write or truncation to a content, which it may change.
func (o *op) whole(content []byte) []byte {
	if o.kind == truncate {
		if int(o.size) <= len(content) {
			return content[:o.size]
		}
		return grown(content, int(o.size), nil)
	}
	content = grown(content, int(o.at)+len(o.data), nil)
	copy(content[o.at:], o.data)
	return content
}

// grown makes a content at least so long, with zeros, or with junk where there is any.
func grown(content []byte, size int, junk func([]byte)) []byte {
	old := len(content)
	if size <= old {
		return content
	}
	if size <= cap(content) {
		content = content[:size]
	} else {
		longer := make([]byte, size, size+size/2)
		copy(longer, content)
		content = longer
	}
	clear(content[old:])
	if junk != nil {
		junk(content[old:])
	}
	return content
}
