package crawl

import "time"

// regulateEvery is the longest time between two looks at how the requests go, when the concurrency follows them.
const regulateEvery = 100 * time.Millisecond

// regulate sets how many tasks may be worked on from now on.
func (e *engine) regulate(now time.Time) {
	limit := e.limit
	if e.measure != nil {
		if r := e.measure.Read(); e.window.full(r, limit) {
			limit = e.window.next(r, limit, e.queue.load().hungry)
			e.measure.Reset()
		}
	}
	if e.noFiles.Swap(false) {
		limit = e.spare(now, limit)
	}
	if limit != e.limit {
		e.resize(limit)
	}
}

// resize has as many workers as the limit asks for. Those over a lower one stay, and wait.
func (e *engine) resize(limit int) {
	e.limit = limit
	e.queue.resize(limit)
	for ; e.started < limit; e.started++ {
		e.hire()
	}
}

// dismiss waits until the workers have ended. What they bring now nobody commits.
func (e *engine) dismiss() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		e.workers.Wait()
	}()
	for {
		select {
		case <-e.outcomes:
		case <-ended:
			return
		}
	}
}
