package state_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"dogear/state"
)

func TestUnfinishedIsWhatIsPendingPutOffOrInFlight(t *testing.T) {
	f := newFile(t)
	run := f.open(f.with(productStart(6)))
	tasks := f.commit(run, 4)
	f.commit(run, 0, done(tasks[0]), failed(tasks[1], "client", 404), putOff(tasks[2], epoch.Add(time.Hour)))
	var got []string
	err := f.store().EachUnfinished(f.ctx, func(url, _ string) error {
		got = append(got, url[strings.LastIndex(url, "/")+1:])
		return nil
	})
	if slices.Sort(got); err != nil || !slices.Equal(got, []string{"3", "4", "5", "6"}) {
		t.Errorf("unfinished are %q, %v", got, err)
	}
	stop, calls := errors.New("enough"), 0
	err = f.store().EachUnfinished(f.ctx, func(string, string) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("after %d calls: %v", calls, err)
	}
}

func TestCursorsTellHowFarEachStartIs(t *testing.T) {
	f := newFile(t)
	other := starting("other", get("http://127.0.0.1:8080/a"))
	run := f.open(f.with(productStart(5), other))
	f.commit(run, 1)
	got, err := f.store().Cursors(f.ctx)
	if err != nil || len(got) != 2 || got["other"] != 1 || got[productStart(5).Entry] != 5 {
		t.Errorf("cursors are %v, %v", got, err)
	}
}

func TestARequestIsKnownByItsKey(t *testing.T) {
	f := newFile(t)
	f.commit(f.open(f.with(starting("one", get("http://127.0.0.1:8080/a")))), 1)
	s := f.store()
	for url, want := range map[string]bool{
		"http://127.0.0.1:8080/a": true, "HTTP://127.0.0.1:8080/a#top": true, "http://127.0.0.1:8080/A": false,
	} {
		if known, err := s.Known(f.ctx, get(url)); known != want || err != nil {
			t.Errorf("%s: %t, %v", url, known, err)
		}
	}
	if err := s.Snapshot(f.ctx, func(s *state.Store) error {
		_, err := s.Known(f.ctx, get("http://127.0.0.1:8080/a"))
		return err
	}); err != nil {
		t.Error(err)
	}
}
