package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// product has the fields of practice.ProductsJob, as encoding/json reads them.
type product struct {
	ID         int64   `json:"id"`
	Name       string  `json:"name"`
	Price      float64 `json:"price"`
	Stock      int64   `json:"stock"`
	Category   string  `json:"category"`
	Rating     float64 `json:"rating"`
	UpdateTime int64   `json:"-"` // when it was fetched, Unix milliseconds
}

// fetchAll is the bare loop: it fetches the products 1 to tasks and keeps none.
func fetchAll(url string, tasks int64, workers int) error {
	client := &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: workers},
	}
	var last, fetched atomic.Int64
	var group errgroup.Group
	for range workers {
		group.Go(func() error {
			for id := last.Add(1); id <= tasks; id = last.Add(1) {
				if _, err := fetchOne(client, url, id); err != nil {
					return err
				}
				fetched.Add(1)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if fetched.Load() != tasks {
		return fmt.Errorf("fetched %d products, not %d", fetched.Load(), tasks)
	}
	return nil
}

func fetchOne(client *http.Client, url string, id int64) (*product, error) {
	resp, err := client.Get(fmt.Sprintf("%s/v1/product/%d", url, id))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("product %d: %s", id, resp.Status)
	}
	var p product
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, fmt.Errorf("product %d: %w", id, err)
	}
	p.UpdateTime = time.Now().UnixMilli()
	if p.ID != id {
		return nil, fmt.Errorf("product %d says that it is %d", id, p.ID)
	}
	return &p, nil
}
