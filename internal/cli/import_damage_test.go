package cli_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dogear/internal/practice"
	"dogear/internal/testenv"
)

const (
	rangeJob = "name: products\nstart: {url: 'https://a.example/p/{id}', id: 1..20}\nrecords: {fields: {t: h1}}\n"
	kindsJob = "name: products\nstart: {url: 'https://a.example/list', as: listing}\npages:\n" +
		"  listing: {follow: [{css: a@href, as: detail}]}\n" +
		"  detail: {records: {fields: {t: h1}}}\n"
	downJob   = "name: products\nstart: 'https://a.example/p/{20..1}'\nrecords: {fields: {t: h1}}\n"
	secretJob = "name: products\nstart: 'https://a.example/p/{1..20}?key=${KEY:-s3cr3t}'\nrecords: {fields: {t: h1}}\n"
	fewJob    = "name: products\nlimits: {tasks: 3}\nstart: 'https://a.example/p/{1..20}'\nrecords: {fields: {t: h1}}\n"
)

var damagedCheckpoints = []struct {
	name, job, text string
	done, failed    []string // the last part of the URLs
	says            []string
}{
	{"finished wins over failed", rangeJob, `{"finished_urls": [1, 2], "fail_urls": [2, 3]}`, []string{"1", "2"},
		[]string{"3"},
		[]string{"progress.json:1:41: fail_urls[0]: failed by this list, but it is done, and stays done: 2",
			"imported 2 done, 1 failed; 0 entries skipped"}},
	{"failed wins over the page", rangeJob, `{"current_page": 4, "fail_urls": ["https://a.example/p/2"]}`, []string{
		"1", "3"}, []string{"2"},
		[]string{"2 of the done ones by current_page 4"}},
	{"finished wins over both, in any order", rangeJob,
		`{"fail_urls": [2], "current_page": 4, "finished_urls": [2]}`, []string{"1", "2", "3"}, nil, nil},
	{"twice is once", rangeJob,
		`{"finished_urls": [1, "1", "https://a.example/p/1", "https://A.example:443/p/1#x"]}`, []string{"1"}, nil,
		[]string{"imported 1 done, 0 failed; 0 entries skipped"}},
	{"cut off before the failed ones: the page is not relied on", rangeJob,
		`{"current_page": 9, "finished_urls": [1, 2`, []string{"1"}, nil,
		[]string{"progress.json:1:42: the text is cut off here",
			"current_page: not relied on, because the list of failed ones is not whole"}},
	{"a failed one that can't be read: the page is not relied on", rangeJob,
		`{"current_page": 9, "finished_urls": [1], "fail_urls": [null, 5]}`, []string{"1"}, []string{"5"},
		[]string{"fail_urls[0]: neither text nor a number: null",
			"not relied on, because not all of what failed can be read", "1 entry skipped"}},
	{"numbers out of range", rangeJob, `{"finished_urls": [0, 20, 21, 99999999999999999999], "current_page": 1}`,
		[]string{"20"}, nil,
		[]string{"finished_urls[2]: a number that is not in the job's range: 21",
			"skipped: 2: a number that is not in the job's range"}},
	{"a URL that no start yields is of the only kind of page", rangeJob,
		`{"finished_urls": ["https://b.example/q/9"], "fail_urls": ["javascript:alert(1)", "x"]}`, []string{"9"},
		nil,
		[]string{"1 URL that no start of the job yields",
			"fail_urls[0]: neither a web URL nor a whole number: javascript:alert(1)"}},
	{"one that can be of several kinds is left out", kindsJob,
		`{"finished_urls": ["https://a.example/p/9", "https://a.example/list", 5]}`, []string{"list"}, nil,
		[]string{"finished_urls[0]: a URL that no start of the job yields, so it can be any of its kinds of page",
			"finished_urls[2]: a number, but the job has no start"}},
	{"a page that no range has", kindsJob, `{"finished_urls": ["https://a.example/list"], "current_page": 5}`,
		[]string{"list"}, nil,
		[]string{"current_page: not used: the job has no start with one range of numbers that counts up"}},
	{"a page of a range that counts down", downJob, `{"finished_urls": [20], "current_page": 5}`, []string{"20"},
		nil, []string{"current_page: not used"}},
	{"secrets are not shown, nor kept", secretJob,
		`{"finished_urls": ["https://a.example/p/3?key=s3cr3tvalue", ` +
			`"https://me:hunter2@a.example/p/4?key=s3cr3tvalue", "ftp://me:hunter2@x/s3cr3tvalue"]}`,
		[]string{"3?key=${KEY:-s3cr3t}", "4?key=${KEY:-s3cr3t}"}, nil, []string{
			"neither a web URL nor a whole number: ftp://***@x/${KEY:-s3cr3t}"}},
	{"a ${NAME} of a checkpoint is never filled in", secretJob,
		`{"fail_urls": ["https://evil.example/p/${KEY:-s3cr3t}"]}`, nil, []string{"$%7BKEY:-s3cr3t}"}, nil},
	{"control characters do not reach the terminal", rangeJob, `{"finished_urls": [1, "\u001b[2Jx"]}`, []string{
		"1"}, nil, []string{"with control characters in it: \ufffd[2Jx"}},
	{"no more tasks than the job allows", fewJob, `{"current_page": 9}`, []string{"1", "2", "3"}, nil, []string{
		"skipped: 5: beyond the job's limits.tasks"}},
	{"a great many are counted", rangeJob, `{"finished_urls": [1` + strings.Repeat(", null", 1000) + `]}`, []string{
		"1"}, nil,
		[]string{"finished_urls[20]: neither", "… and 980 more like these", "1,000 entries skipped"}},
}

func TestADamagedCheckpointIsTakenOverAsFarAsItGoes(t *testing.T) {
	t.Setenv("KEY", "s3cr3tvalue")
	for _, c := range damagedCheckpoints {
		t.Run(c.name, func(t *testing.T) {
			s := taken{T: t, job: writeJob(t, "products.yaml", c.job)}
			said := dogearRun(t, 0, "import", "json", s.job, "--file", s.write(c.text)).said()
			for state, want := range map[string][]string{"done": c.done, "failed": c.failed} {
				var got []string
				for _, url := range rows(t, stateOf(s.job),
					`SELECT url FROM tasks WHERE state = ? ORDER BY length(url), url`, state) {
					got = append(got, path.Base(url))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", state, diff)
				}
			}
			for _, want := range append(c.says, "carries on") {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q, but\n%s", want, said)
				}
			}
			if strings.Contains(said, "s3cr3tvalue") || strings.Contains(said, "hunter2") || strings.Contains(said,
				"\x1b") {
				t.Errorf("it shows what it should not:\n%s", said)
			}
			if kept := rows(t, stateOf(s.job),
				`SELECT count(*) FROM tasks WHERE instr(url, 's3cr3tvalue')`); kept[0] != "0" {
				t.Error("a secret is in the state file")
			}
		})
	}
}

func TestACheckpointThatCantBeReadIsAnErrorAndMakesNoStateFile(t *testing.T) {
	s := taken{T: t, job: writeJob(t, "products.yaml", rangeJob)}
	for _, c := range []struct {
		name, text, says string
		code             int
	}{
		{"empty", "", "there is nothing of a checkpoint in it", 1},
		{"something else", `{"name": "x"}`, "there is nothing of a checkpoint in it", 1},
		{"a list", `[1, 2]`, `progress.json:1:1: no object, where {"current_page": …} is wanted`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := dogearRun(t, c.code, "import", "json", s.job, "--file", s.write(c.text)).said()
			if !strings.Contains(said, c.says) {
				t.Errorf("it says\n%s", said)
			}
		})
	}
	dogearRun(t, 1, "import", "json", s.job, "--file", s.job+".nowhere")
	dogearRun(t, 1, "import", "json", s.job, "--file", t.TempDir())
	dogearRun(t, 2, "import", "json", s.job)
	dogearRun(t, 2, "import", s.job)
	dogearRun(t, 2, "import", "redis", s.job, "--url", "http://:secret@x")
	if _, err := doneIn(stateOf(s.job)); err == nil {
		t.Error("there is a state file")
	}
}

func TestAnImportIntoARunThatGoesOnIsRefused(t *testing.T) {
	s := newTaken(t)
	if err := s.site.SetFault(practice.Fault{Path: "/v1/product/2", Script: "stall:1h"}); err != nil {
		t.Fatal(err)
	}
	run := start(t, "run", s.job)
	whenDone(t, run, stateOf(s.job), 59)
	said := dogearRun(t, 4, "import", "json", s.job, "--file", s.write(`{"finished_urls": [1]}`)).said()
	if !strings.Contains(said, fmt.Sprint(run.Process.Pid)) {
		t.Errorf("it does not say who holds the file: %s", said)
	}
}

func TestARedisCheckpointOfOtherTypesIsTakenAsFarAsItGoes(t *testing.T) {
	server := testenv.Redis(t)
	client, ctx := server.Client(t), t.Context()
	s := taken{T: t, job: writeJob(t, "products.yaml", rangeJob)}
	said := dogearRun(t, 1, "import", "redis", s.job, "--url", server.URL).said()
	if !strings.Contains(said, "it has no key crawl:break:products:current_page") || strings.Contains(said,
		client.Options().Password) {
		t.Errorf("without keys it says\n%s", said)
	}
	client.HSet(ctx, "crawl:break:products:current_page", "n", 5)
	client.RPush(ctx, "crawl:break:products:finished_urls", "https://a.example/p/1", "", "https://a.example/p/\xff")
	client.HSet(ctx, "crawl:break:products:fail_urls", "https://a.example/p/2", 1)
	client.Set(ctx, "crawler:products:completed_ids", "[3, 4, 5", 0)
	client.SAdd(ctx, "crawler:products:failed_ids", "6", "\x00x")
	said = dogearRun(t, 0, "import", "redis", s.job, "--url", server.URL).said()
	for _, want := range []string{
		"crawl:break:products:current_page: not a text but another type of Redis: hash",
		"crawl:break:products:finished_urls[1]: empty",
		"crawl:break:products:finished_urls[2]: not UTF-8: https://a.example/p/\ufffd",
		"crawler:products:completed_ids[2]: the text is cut off here",
		"crawl:break:products:fail_urls: neither a set nor a list but another type of Redis: hash",
		"crawler:products:failed_ids member: with control characters in it: \ufffdx",
		"imported 3 done, 1 failed; 5 entries skipped",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q, but\n%s", want, said)
		}
	}
	said = dogearRun(t, 1, "import", "redis", s.job, "--url", "redis://:hunter2@127.0.0.1:1/0").said()
	if !strings.Contains(said, "can't be reached") || strings.Contains(said, "hunter2") {
		t.Errorf("without a Redis it says\n%s", said)
	}
}
