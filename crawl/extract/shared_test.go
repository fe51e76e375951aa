package extract

import (
	"bytes"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/schema"
)

const sharedJSON = `{"items":[{"name":"one","more":{"a":1}},{"name":"tw\u006f","more":[2]}]}`

var sharedWant = [][]any{{"one", `{"a":1}`}, {"two", `[2]`}}

func sharedRules(t *testing.T) *Rules {
	return compile(t, Options{Records: []Records{rows(t, "$.items[?@.name]", text("name", js("$.name")), typed("more", schema.JSON, js("$.more")))}})
}

func TestAResultOutlivesThePageItCameFrom(t *testing.T) {
	r, p := sharedRules(t), page(sharedJSON)
	res, err := r.Extract(p)
	if err != nil {
		t.Fatal(err)
	}
	copy(p.Body, bytes.Repeat([]byte("#"), len(p.Body)))
	if _, err := r.Extract(page(`{"items":[{"name":"other"}]}`)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sharedWant, values(res)); diff != "" {
		t.Error("records (-want +got):\n" + diff)
	}
}

func TestRulesMayBeSharedByWorkers(t *testing.T) {
	r := sharedRules(t)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for range 200 {
				res, err := r.Extract(page(sharedJSON))
				if err != nil || !cmp.Equal(sharedWant, values(res)) {
					t.Errorf("got %v, %v", res, err)
					return
				}
				if _, err := r.Extract(page(`{"items":[{"name":"on`)); err == nil {
					t.Error("a cut page was read")
				}
			}
		})
	}
	workers.Wait()
}
