package practice

import "fmt"

const productsJob = `name: products
start: {url: "%s/v1/product/{id}", id: 1..%d, order: shuffle}
request: {headers: {Authorization: "Bearer ${API_KEY:-none}"}, timeout: 30s}
rate: none
concurrency: %d
retry: {attempts: 4, delay: 20ms, max_delay: 1s}
records:
  table: products
  key: product_id
  fields:
    product_id:  {json: $.id, type: int, required: true}
    name:        {json: $.name, type: text, max: 255, remove: "[<>]", required: true}
    price:       {json: $.price, type: "decimal(10,2)", default: 0}
    stock:       {json: $.stock, type: int, default: 0}
    category:    {json: $.category, max: 100}
    rating:      {json: $.rating, type: "decimal(3,2)", min: 0, max: 5, clamp: true, default: 0}
    update_time: {meta: fetched_at, type: datetime}
`

// ProductsJob is the text of a job file that brings home the products 1..products of the site at this URL, as fast as it
// answers: what the crash tests kill and the benchmarks measure.
func ProductsJob(url string, products int64, concurrency int) string {
	return fmt.Sprintf(productsJob, url, products, concurrency)
}
