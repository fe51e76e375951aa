# Every recipe is one go command; nothing here is needed to build, test or use dogear.

# list the recipes
default:
    @just --list

# the whole test suite
test:
    go test ./...

# the race detector, in shuffled order
race:
    go test -race -shuffle=on ./...

# gofmt, go vet and staticcheck
lint:
    test -z "$(gofmt -l .)" && go vet ./... && go tool staticcheck ./...

# everything that must pass before a change lands
ci:
    bash .ci/run

# a practice site and two jobs against it
demo:
    go run . demo

# 50,000 products, and 500 listing pages with their details, in a run that is killed a hundred times
crash:
    go test ./internal/cli -run Killed -count=1 -v -timeout 30m -crash.products 50000 -crash.pages 500 -crash.kills 100 -crash.concurrency 1000

# 1,000 power cuts, rebuilt from the system calls of real runs, 60 of them run to the end
powercut:
    go test ./internal/powercut -run EveryPowerCut -count=1 -v -timeout 30m -powercut.cuts 1000 -powercut.runs 60 -powercut.products 16000

# 5,000 tasks against a site with every fault there is, and what each of them must come to (a minute and a half)
manners:
    go test ./internal/cli -run Manners -count=1 -v -timeout 30m -manners.tasks 5000

# the client and whole crawls against httpbin, nginx, tinyproxy and dante, installed where they are absent
real:
    DOGEAR_REAL=1 go test ./internal/real -count=1 -v -timeout 15m

# speed against a bare loop that keeps nothing, as ratios measured side by side
bench:
    go test ./internal/bench -run '^$' -bench . -benchtime 1x -timeout 60m -v

# 10,000,000 tasks: first request, resume, memory, speed and bytes from the first tenth to the last (about ten minutes, 5 GB)
scale:
    go test ./internal/bench -run '^$' -bench Scale -benchtime 1x -timeout 120m -v -scale.tasks 10000000

# a minute of each fuzz target: just fuzz ./schema FuzzNumbersAreNeverGuessed
fuzz package target time="60s":
    go test {{package}} -run '^$' -fuzz '^{{target}}$' -fuzztime {{time}}
