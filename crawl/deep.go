package crawl

import "sync"

// Deep is what limits.depth left out: the links of pages that lie that deep.
type Deep struct {
	URL   string // of the first such page
	Links int64  // of all of them; a link on several pages counts several times
}

// deep gathers it from the workers.
type deep struct {
	mu sync.Mutex
	Deep
}

func (d *deep) add(url string, links int) {
	if links == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.Links == 0 {
		d.URL = url
	}
	d.Links += int64(links)
}

func (d *deep) sum() Deep {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.Deep
}
