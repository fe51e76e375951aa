package fetch

import (
	"fmt"
	"sync"
	"testing"

	"dogear/internal/testenv"
)

// What a proxy breaks costs a task nothing and is kept nowhere. Who counts the exchanges hears of it all the same.
func TestAnExchangeThatAProxyBrokeIsObserved(t *testing.T) {
	good := testenv.TinyProxy(t, testenv.Login{})
	o := through("http://"+testenv.Refusing(t), "http://"+good.Address())
	var mu sync.Mutex
	seen := map[string]int{}
	o.Observe = func(x Exchange) {
		mu.Lock()
		defer mu.Unlock()
		seen[fmt.Sprint(x.Kind, " ", x.Status)]++
	}
	c := newClient(t, o)
	for range 2 { // one of them begins with the proxy that refuses
		if result := do(c, Request{URL: answering(t, "200").URL}); result.Page == nil || len(result.Failed) > 0 {
			t.Fatalf("%+v, %v", result, result.Failure)
		}
	}
	if seen["network 0"] == 0 || len(seen) != 1 { // a page is told by who reads it
		t.Errorf("observed %v", seen)
	}
}
