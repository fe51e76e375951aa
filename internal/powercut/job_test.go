package powercut

import (
	"fmt"

	"dogear/internal/practice"
)

// jobText is a job with ids, links, records, retries and failures. Fat records fill the WAL with fewer rows.
const jobText = `name: shop
start:
  - {url: "%[1]s/v1/product/{id}", id: 1..%[2]d, order: shuffle, as: product}
  - {url: "%[1]s/page/1", as: listing}
rate: none
concurrency: 8
retry: {attempts: 3, delay: 20ms, max_delay: 1s}
pages:
  listing:
    follow:
      - {css: a.name@href, as: detail}
      - {css: a.next@href, as: listing}
  detail:
    records:
      table: details
      key: url
      fields:
        url:   {meta: url, type: url}
        title: {css: h1, required: true}
        price: {css: .price, type: "decimal(10,2)"}
  product:
    records:
      table: products
      key: product_id
      fields:
        product_id: {json: $.id, type: int, required: true}
        name:       {json: $.name, type: text, max: 255, remove: "[<>]", required: true}
        whole:      {json: $, type: json, required: true}
        again:      {json: $, type: json}
        and_again:  {json: $, type: json}
        once_more:  {json: $, type: json}
        fat:        {json: $, type: json}
        fattest:    {json: $, type: json}
`

// exitSomeFailed is dogear's exit code of that job: the site has faults that stay.
const exitSomeFailed = 3

const listingPages = 20

// faults are what the site does to each crawl: some products need a second request, some have none, some fail to the
// end.
var faults = []practice.Fault{
	{Path: "/v1/product/*", Script: "500", Every: 40},
	{Path: "/v1/product/*", Script: "404*", Every: 101},
	{Path: "/v1/product/*", Script: "503*", Every: 701},
}

func jobFor(site string, products int) string { return fmt.Sprintf(jobText, site, products) }
