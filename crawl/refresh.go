package crawl

import (
	"context"
	"regexp"
	"time"

	"dogear/state"
)

// Refresh says which done tasks are to be fetched again.
type Refresh struct {
	OlderThan time.Duration  // since their answer; counted back from the beginning of the run
	Match     *regexp.Regexp // on the URL; nil: any
}

// refresh puts the done tasks that r picks back; nil picks none.
func (r *Refresh) refresh(ctx context.Context, run *state.Run, now time.Time) (int64, error) {
	if r == nil {
		return 0, nil
	}
	return run.Refresh(ctx, now.Add(-r.OlderThan), r.Match)
}
