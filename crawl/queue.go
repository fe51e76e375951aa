package crawl

import (
	"container/heap"
	"strings"
	"sync"
	"time"

	"dogear/state"
)

const (
	// inPlay is how long a host counts as one of several after its last task: between two pages of a listing it has
	// none.
	inPlay = 10 * time.Second
	// lookAhead is how many tasks are claimed ahead in a job of several hosts, so that those of one that is slow do not
	// hide those of the others. A claimed task takes a few hundred bytes; one that is handed back loses nothing.
	lookAhead = 4096
)

// queue holds the tasks that are claimed and not finished, by host. The committer puts them in, workers take them out.
//
// A worker gets a task of the host that has the fewest workers. While several hosts are in play, none may hold more
// than three quarters of them: what a host that answers slowly, or that has a long wait for its turn, does not hold
// is there for whoever comes next. A task of a full host waits here, in memory, and no worker with it; it goes
// neither through the database nor does it lose an attempt. A job of one host has all workers, and one heap of one
// lane.
//
// What it can't see is further away than lookAhead tasks: of two long starts one after the other, the second host's
// come when the first one's get near their end.
type queue struct {
	mu      sync.Mutex
	some    sync.Cond        // there may be a task for one more worker, or the queue is closed
	idle    int              // workers that wait for that
	limit   int              // tasks that workers may have at a time
	out     int              // tasks that they have
	lanes   map[string]*lane // of the hosts in play
	ready   readyLanes       // those with tasks that wait
	taken   int64
	several bool // there is or was more than one host in play
	closed  bool
}

func newQueue(limit int) *queue {
	q := &queue{limit: limit, lanes: map[string]*lane{}}
	q.some.L = &q.mu
	return q
}

// put adds tasks that were claimed at this time.
func (q *queue) put(tasks []state.Task, now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.forget(now)
	for _, t := range tasks {
		l := q.lane(hostOf(t.URL))
		l.push(t)
		if l.at < 0 {
			heap.Push(&q.ready, l)
		}
	}
	q.wake(len(tasks))
}

// recarry gives tasks that wait what they carry now, by their ids: who has one already fetches it for nothing.
func (q *queue) recarry(carry map[int64]string) {
	if len(carry) == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range q.lanes {
		for i := l.first; i < len(l.tasks); i++ {
			if now, ok := carry[l.tasks[i].ID]; ok {
				l.tasks[i].Carry = now
			}
		}
	}
}

// lane returns the lane of a host, a new one for a host that comes into play.
func (q *queue) lane(host string) *lane {
	l := q.lanes[host]
	if l == nil {
		l = &lane{host: strings.Clone(host), at: -1}
		q.lanes[l.host] = l
		q.several = q.several || len(q.lanes) > 1
	}
	return l
}

// forget takes hosts out of play that had no task for a while.
func (q *queue) forget(now time.Time) {
	if len(q.lanes) < 2 {
		return
	}
	for host, l := range q.lanes {
		if l.out == 0 && l.at < 0 && now.Sub(l.left) > inPlay {
			delete(q.lanes, host)
		}
	}
	if len(q.lanes) < 2 {
		q.wake(q.idle) // the one that is left may have all workers
	}
}

// wake lets up to n of the workers that wait look again.
func (q *queue) wake(n int) {
	for range min(n, q.idle) {
		q.some.Signal()
	}
}

// take gives the worker that has finished a task of a lane (nil: none yet) the next one, and the lane it is from. It
// waits until there is one that the limits allow; false: the queue is closed.
func (q *queue) take(finished *lane) (state.Task, *lane, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if finished != nil {
		q.finish(finished)
	}
	for !q.closed {
		if l := q.next(); l != nil {
			return q.pop(l), l, true
		}
		q.idle++
		q.some.Wait()
		q.idle--
	}
	return state.Task{}, nil, false
}

func (q *queue) finish(l *lane) {
	q.out--
	l.out--
	if l.at >= 0 {
		heap.Fix(&q.ready, l.at)
	} else if l.out == 0 && len(q.lanes) > 1 {
		l.left = time.Now()
	}
}

// next returns the lane whose turn it is, nil when the limits allow none.
func (q *queue) next() *lane {
	if q.out >= q.limit || len(q.ready) == 0 {
		return nil
	}
	l := q.ready[0] // the others have no fewer workers
	if len(q.lanes) > 1 && l.out >= q.share() {
		return nil
	}
	return l
}

// share is how many workers one host may hold while others are in play.
func (q *queue) share() int { return max(1, q.limit-max(1, q.limit/4)) }

func (q *queue) pop(l *lane) state.Task {
	t := l.pop()
	q.taken++
	q.out++
	l.out++
	l.turn = q.taken
	if l.empty() {
		heap.Remove(&q.ready, l.at)
	} else {
		heap.Fix(&q.ready, l.at)
	}
	return t
}

// resize changes how many tasks workers may have at a time. Those over a lower limit finish the one they have.
func (q *queue) resize(limit int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	more := limit - q.limit
	q.limit = limit
	q.wake(max(more, 0))
}

// close ends all that wait, and whoever asks later. What is still in it goes back when the run closes.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.some.Broadcast()
}

// load is what the committer asks about the queue.
type load struct {
	busy    int  // tasks that workers have
	several bool // hosts
	hungry  bool // a host has tasks and no worker, because the limit is reached
}

func (q *queue) load() load {
	q.mu.Lock()
	defer q.mu.Unlock()
	return load{q.out, q.several, q.out >= q.limit && len(q.ready) > 0 && q.ready[0].out == 0}
}

// hostOf returns what stands for the host in a URL: cheap, and good enough to tell hosts apart.
func hostOf(url string) string {
	_, host, _ := strings.Cut(url, "://")
	if end := strings.IndexAny(host, "/?#"); end >= 0 {
		host = host[:end]
	}
	return host[strings.LastIndexByte(host, '@')+1:]
}
