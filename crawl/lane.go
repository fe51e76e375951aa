package crawl

import (
	"time"

	"dogear/state"
)

// lane is one host's part of the queue, guarded by its lock.
type lane struct {
	host  string
	tasks []state.Task // those from first on wait, in the order they were claimed
	first int
	out   int       // tasks that workers have
	turn  int64     // when it last had one taken, by queue.taken
	left  time.Time // when its last task was finished; only kept among several
	at    int       // in readyLanes; -1: nothing waits
}

func (l *lane) empty() bool { return l.first == len(l.tasks) }

func (l *lane) push(t state.Task) {
	if l.first > len(l.tasks)/2 {
		n := copy(l.tasks, l.tasks[l.first:])
		clear(l.tasks[n:])
		l.tasks, l.first = l.tasks[:n], 0
	}
	l.tasks = append(l.tasks, t)
}

func (l *lane) pop() state.Task {
	t := l.tasks[l.first]
	l.tasks[l.first] = state.Task{}
	l.first++
	return t
}

// readyLanes is a heap: the lane that the fewest workers are on comes first, among equals the one that waited longest.
type readyLanes []*lane

func (r readyLanes) Len() int { return len(r) }

func (r readyLanes) Less(i, j int) bool {
	if r[i].out != r[j].out {
		return r[i].out < r[j].out
	}
	return r[i].turn < r[j].turn
}

func (r readyLanes) Swap(i, j int) {
	r[i], r[j] = r[j], r[i]
	r[i].at, r[j].at = i, j
}

// Push is for package heap.
func (r *readyLanes) Push(x any) {
	l := x.(*lane)
	l.at = len(*r)
	*r = append(*r, l)
}

// Pop is for package heap.
func (r *readyLanes) Pop() any {
	last := len(*r) - 1
	l := (*r)[last]
	(*r)[last] = nil
	*r = (*r)[:last]
	l.at = -1
	return l
}
