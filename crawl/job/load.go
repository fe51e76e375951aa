package job

import (
	"bytes"
	"path/filepath"
	"strings"
	"time"
)

// What a job file leaves out.
const (
	defaultTimeout  = 30 * time.Second
	defaultRate     = 10         // requests per second and host
	defaultBody     = 10_000_000 // bytes
	defaultFailures = 0.5        // of the tasks that finished last
	defaultPage     = "page"
)

var defaultConcurrency = Concurrency{16, 16}

var defaultRetry = Retry{Attempts: 4, Delay: time.Second, MaxDelay: time.Minute, MaxWait: 10 * time.Minute}

// Load reads and checks the job file at path, with ${NAME} from the environment and then from a file .env beside it.
// Its errors are *Error; one for a file that can't be read unwraps to the reason, such as fs.ErrNotExist.
func Load(path string) (*Job, error) {
	text, err := readText(path)
	if err != nil {
		return nil, &Error{Path: path, Problems: []Problem{{Message: "read the job file: " + reason(err)}}, Err: err}
	}
	env, dotenv := environment(path)
	job, err := Parse(path, text, env)
	if bad := dotenv(); bad != nil { // then what Parse says of variables that are not set is only a consequence
		return nil, bad
	}
	if err == nil {
		job.dotenv = dotenv
	}
	return job, err
}

// Parse checks the text of a job file; path is for messages and for the default name, env looks ${NAME} up (nil: nothing
// is set). Its errors are *Error, with every problem that could be found. It never panics and takes no longer than text
// of the largest allowed size (10 MB) needs.
func Parse(path string, text []byte, env func(string) (string, bool)) (*Job, error) {
	if env == nil {
		env = func(string) (string, bool) { return "", false }
	}
	l := newLoader(path, text)
	l.job.env = env
	plain := plainText(text)
	l.lines = strings.Split(plain, "\n")
	if checkText(l.report, text, plain) {
		if root := readYAML(l.report, plain, env); root != nil {
			l.read(root)
		}
	}
	if problems := l.sorted(); len(problems) > 0 {
		return nil, &Error{Path: path, Problems: problems}
	}
	return l.job, nil
}

// loader turns the tree of a job file into a Job. Problems are collected, not returned: whoever meets one reports it and
// goes on with what it has.
type loader struct {
	*report
	job *Job

	secretName bool // the job's name has ${NAME} in it

	kept    map[string]part // ${NAME}s that stay as written in the URLs of this start, by their text
	secrets map[string]part // those of all starts

	asks        asking          // what a start brings along that does not say so itself
	bodySecrets map[string]part // ${NAME}s that stay as written in bodies

	params       map[string]bool // {NAME}s of all starts, for meta: param.NAME
	sitemapRules [][]string      // of Job.Sitemaps, as written
	limitedBody  bool            // the job says how large a body may be

	columns bool             // a start reads a CSV, which may have other columns
	given   carried          // for meta: carry.NAME
	kind    string           // of the page whose rules are read
	tables  map[string]table // by lower-cased name, as SQLite compares them
}

func newLoader(path string, text []byte) *loader {
	return &loader{
		report: &report{},
		job: &Job{
			Path: path, Text: bytes.Clone(text), Timeout: defaultTimeout,
			Rate:        Rate{Limit: defaultRate, Burst: 1, Limiter: Smooth, Per: time.Second},
			Concurrency: defaultConcurrency, Retry: defaultRetry, Robots: Obey,
			Limits: Limits{Body: defaultBody, Failures: defaultFailures},
		},
		secrets: map[string]part{}, bodySecrets: map[string]part{},
		params: map[string]bool{},
		tables: map[string]table{},
	}
}

// read reads the whole file. The kinds of page come first by name, then the starts with their parameters: rules refer to both.
func (l *loader) read(root *node) {
	mark := l.mark()
	m := jobKeys.read(l.report, root)
	sound := l.quietSince(mark)
	l.name(m["name"])
	l.settings(m)
	kinds := l.kinds(root, m, sound)
	for _, kind := range kinds {
		l.job.Pages = append(l.job.Pages, Page{Name: kind.name})
	}
	if start := m["start"]; start != nil {
		l.starts(start)
	} else if sound {
		l.at(root, "no start: say what to fetch, such as start: https://host/page/{1..20}")
	}
	l.given = l.carriers(kinds)
	l.job.shrouds = newShrouds(l.secrets, l.bodySecrets, headerSecrets(m["request"], anyHeader))
	for i, kind := range kinds {
		l.page(&l.job.Pages[i], kind)
	}
	l.job.disguise = newDisguise(l.secrets, l.bodySecrets, headerSecrets(m["request"], tellsWho))
	l.job.askLastMod()
	if len(l.problems) == 0 {
		l.job.meaning = l.meaning(m["name"], kinds)
	}
}

// name reads the job's name; the file's stem when there is none.
func (l *loader) name(n *node) {
	base := filepath.Base(l.job.Path)
	l.job.Name = strings.TrimSuffix(base, filepath.Ext(base))
	if n == nil {
		return
	}
	l.secretName = len(n.filled) > 0
	text, ok := l.text(n, "name")
	if !ok {
		return
	}
	if strings.TrimSpace(text) == "" || strings.ContainsAny(text, "\n\t") {
		l.at(n, "name is one line of text, not %s", n.quote())
		return
	}
	l.job.Name = text
}
