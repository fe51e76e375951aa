package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// How far the heap may grow between two collections, in percent of what lives. Most of the garbage of a run is
// short-lived: collecting it half as often as Go does costs 7 MB at 64 workers and saves a tenth of the CPU. A page of
// 10 MB is 150 MB of elements, and three times that is more than a small machine has: from roomyHeap on it is collected
// more often.
const (
	mostGrowth  = 200
	leastGrowth = 50
	roomyHeap   = 200 << 20 // bytes
)

// growth is the percentage for so many bytes that live.
func growth(live uint64) int {
	if live == 0 {
		return mostGrowth
	}
	return int(max(leastGrowth, min(mostGrowth, (roomyHeap-int64(live))*100/int64(live))))
}

// collectLess sets how often memory is collected until the returned function is called. Whoever set GOGC knows better.
func collectLess() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(mostGrowth)
	var over atomic.Bool
	afterEachCollection(func() bool {
		if over.Load() {
			return false
		}
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(growth(live[0].Value.Uint64()))
		return true
	})
	return func() {
		over.Store(true)
		debug.SetGCPercent(before)
	}
}

// afterEachCollection calls f after every collection of memory until it says false.
func afterEachCollection(f func() bool) {
	marker := new([16]byte) // dies with the collection that comes next
	runtime.AddCleanup(marker, func(f func() bool) {
		if f() {
			afterEachCollection(f)
		}
	}, f)
}
