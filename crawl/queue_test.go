package crawl

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dogear/state"
)

// some makes n tasks of a host.
func some(host string, n int) []state.Task {
	tasks := make([]state.Task, n)
	for i := range tasks {
		tasks[i] = state.Task{ID: int64(i + 1), URL: fmt.Sprintf("http://%s/%d", host, i+1)}
	}
	return tasks
}

// takeAll takes what the limits allow and returns how many of each host that is.
func takeAll(q *queue) map[string]int {
	got := map[string]int{}
	for q.next() != nil {
		_, l, _ := q.take(nil)
		got[l.host]++
	}
	return got
}

func TestOneHostHasAllWorkersAndSeveralShareThem(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit int
		tasks map[string]int
		want  map[string]int
	}{
		{"one host", 8, map[string]int{"a": 20}, map[string]int{"a": 8}},
		{"two with much to do", 8, map[string]int{"a": 20, "b": 20}, map[string]int{"a": 4, "b": 4}},
		{"one of two with little", 8, map[string]int{"a": 20, "b": 1}, map[string]int{"a": 6, "b": 1}},
		{"three", 9, map[string]int{"a": 20, "b": 20, "c": 1}, map[string]int{"a": 4, "b": 4, "c": 1}},
		{"more hosts than workers", 2, map[string]int{"a": 5, "b": 5, "c": 5}, nil},
		{"two workers", 2, map[string]int{"a": 20, "b": 20}, map[string]int{"a": 1, "b": 1}},
		{"one worker", 1, map[string]int{"a": 20}, map[string]int{"a": 1}},
	} {
		q := newQueue(c.limit)
		for host, n := range c.tasks {
			q.put(some(host, n), time.Now())
		}
		got := takeAll(q)
		if c.want == nil {
			for host, n := range got {
				if n != 1 {
					t.Errorf("%s: %s has %d workers", c.name, host, n)
				}
			}
			continue
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The one that finishes takes the place of a worker of the other host only until both have as many.
func TestAWorkerGoesToTheHostThatHasTheFewest(t *testing.T) {
	q := newQueue(8)
	q.put(some("slow", 20), time.Now())
	takeAll(q) // alone, it has all
	q.put(some("fast", 20), time.Now())
	slow, fast := q.lanes["slow"], q.lanes["fast"]
	for range 4 {
		if _, l, _ := q.take(slow); l != fast {
			t.Fatalf("%s came next: slow has %d, fast %d", l.host, slow.out, fast.out)
		}
	}
	for range 10 {
		if _, l, _ := q.take(fast); l != fast {
			t.Fatalf("%s came next: slow has %d, fast %d", l.host, slow.out, fast.out)
		}
	}
}

func TestAHostThatIsAloneAgainHasAllWorkersAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(8)
		q.put(append(some("a", 20), some("b", 1)...), time.Now())
		got := takeAll(q)
		if got["a"] != 6 || got["b"] != 1 {
			t.Fatalf("%v", got)
		}
		taken := make(chan string)
		for range 2 { // one that is idle, and the one that finishes the last of b
			go func() {
				_, l, _ := q.take(nil)
				taken <- l.host
			}()
		}
		synctest.Wait()
		q.mu.Lock()
		q.finish(q.lanes["b"])
		q.mu.Unlock()
		q.put(nil, time.Now().Add(inPlay/2))
		synctest.Wait()
		if len(q.lanes) != 2 {
			t.Error("b is forgotten at once: it has none for a while between two pages of a listing")
		}
		q.put(nil, time.Now().Add(inPlay+time.Second))
		if a, b := <-taken, <-taken; a != "a" || b != "a" || q.lanes["a"].out != 8 {
			t.Errorf("the idle workers got tasks of %s and %s", a, b)
		}
	})
}

func TestWorkersFollowTheLimitAndEndWhenTheQueueIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, finish := newQueue(2), make(chan bool)
		var workers sync.WaitGroup
		for range 6 {
			workers.Go(func() {
				for _, l, ok := q.take(nil); ok; _, l, ok = q.take(l) {
					<-finish
				}
			})
		}
		q.put(some("a", 100), time.Now())
		for _, limit := range []int{2, 5, 1, 6} {
			q.resize(limit)
			for range 5 {
				finish <- true
				synctest.Wait()
			}
			if got := q.load().busy; got != limit {
				t.Errorf("%d workers are busy, the limit is %d", got, limit)
			}
		}
		q.close()
		close(finish)
		workers.Wait()
	})
}

// Whatever happens, every task is given to one worker, each host's in their order, and no limit is broken.
func TestAWalkThroughTheQueueLosesNothing(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		q, now := newQueue(1+random.IntN(20)), time.Now()
		given, put := map[string]int64{}, map[string]int64{}
		var held []*lane
		for range 2000 {
			switch random.IntN(5) {
			case 0:
				host := string(rune('a' + random.IntN(1+random.IntN(6))))
				var tasks []state.Task
				for range random.IntN(30) {
					put[host]++
					tasks = append(tasks, state.Task{ID: put[host], URL: "http://" + host + "/"})
				}
				now = now.Add(time.Duration(random.IntN(5)) * time.Second)
				q.put(tasks, now)
			case 1:
				q.resize(1 + random.IntN(20))
			case 2:
				if len(held) > 0 {
					at := random.IntN(len(held))
					q.mu.Lock()
					q.finish(held[at])
					q.mu.Unlock()
					held = append(held[:at], held[at+1:]...)
				}
			default:
				if q.next() == nil {
					continue
				}
				task, l, _ := q.take(nil)
				held = append(held, l)
				if given[l.host]++; task.ID != given[l.host] {
					t.Fatalf("seed %d: task %d of %s came as number %d", seed, task.ID, l.host, given[l.host])
				}
				if q.out > q.limit || len(q.lanes) > 1 && l.out > q.share() {
					t.Fatalf("seed %d: %d out of %d, %s has %d", seed, q.out, q.limit, l.host, l.out)
				}
			}
		}
		q.resize(1000)
		for {
			for _, l := range held {
				q.mu.Lock()
				q.finish(l)
				q.mu.Unlock()
			}
			held = nil
			for q.next() != nil {
				_, l, _ := q.take(nil)
				held = append(held, l)
				given[l.host]++
			}
			if held == nil {
				break
			}
		}
		if fmt.Sprint(given) != fmt.Sprint(put) {
			t.Errorf("seed %d: given %v, put %v", seed, given, put)
		}
	}
}

func TestHostsAreToldApartByTheirURLs(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.example/x?y#z": "a.example", "http://a.example:8080": "a.example:8080",
		"https://u:p@a.example/@b":              "a.example",
		"https://a.example?x=http://b.example/": "a.example", "http://[::1]:80/": "[::1]:80", "nonsense": "", "": "",
	} {
		if got := hostOf(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

func TestWhatWaitsCarriesWhatItsPageSaysNow(t *testing.T) {
	q := newQueue(9)
	q.put(some("a", 3), time.Now())
	q.put([]state.Task{{ID: 9, URL: "http://b/9", Carry: "old"}}, time.Now())
	taken, l, _ := q.take(nil)
	q.recarry(map[int64]string{taken.ID: "late", 2: "two", 3: "three", 9: "", 77: "nobody"})
	q.recarry(nil)
	if taken.Carry != "" {
		t.Errorf("a task that was taken has %q", taken.Carry)
	}
	got := map[int64]string{}
	for q.next() != nil {
		var task state.Task
		task, l, _ = q.take(l)
		got[task.ID] = task.Carry
	}
	if taken.ID != 1 || len(got) != 3 || got[2] != "two" || got[3] != "three" || got[9] != "" {
		t.Errorf("took %d first, and then %v", taken.ID, got)
	}
}
