package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"dogear/crawl"
	"dogear/crawl/draft"
	"dogear/crawl/fetch"
	"dogear/crawl/job"
	"dogear/schema"
	"dogear/state"
)

func newInit(s Streams) *cli.Command {
	return command(&cli.Command{
		Name: "init", Usage: "look at one page and write a first job file for it", ArgsUsage: "URL [FILE]",
		Description: "Example: dogear init https://movies.example/page/1\n\n" +
			"Makes one request, finds what repeats on the page, and writes movies.yaml for you to go on with.\n" +
			"A file that is there already is never overwritten; FILE - writes to stdout.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "the job `FILE` to write (default: named after the host; - is stdout)"},
		},
		Action: func(c *cli.Context) error {
			o, err := newInitOptions(c)
			if err != nil {
				return err
			}
			return runInit(c, s, o)
		},
	})
}

// initOptions are what page to look at and where the job file goes.
type initOptions struct{ url, file string }

const toStdout = "-"

func newInitOptions(c *cli.Context) (initOptions, error) {
	args := c.Args().Slice()
	if len(args) < 1 || len(args) > 2 || len(args) == 2 && c.IsSet("out") {
		return initOptions{}, usagef("dogear init URL [FILE]")
	}
	address, err := pageURL(args[0])
	if err != nil {
		return initOptions{}, err
	}
	o := initOptions{url: address, file: c.String("out")}
	if len(args) == 2 {
		o.file = args[1]
	}
	if strings.EqualFold(filepath.Ext(o.file), ".db") {
		return o, usagef("%s would be a state file: the job file is YAML, such as movies.yaml", o.file)
	}
	if o.file == "" {
		o.file = hostName(address) + ".yaml"
	}
	if _, err := os.Lstat(o.file); err == nil && o.file != toStdout {
		return o, taken(o)
	}
	return o, nil
}

func taken(o initOptions) error {
	return usagef("%s is there already, and stays as it is: give the new job another name (dogear init %s FILE), "+
		"or - to see it on stdout", o.file, quoted(o.url))
}

// pageURL is the URL as given, if it can stand in a job file as it is.
func pageURL(given string) (string, error) {
	given, _, _ = strings.Cut(strings.TrimSpace(given), "#") // a fragment is never sent
	normal, err := schema.Resolve("", given)
	if err != nil {
		return "", usagef("that is no URL of a page: give it whole, such as https://movies.example/page/1")
	}
	if strings.ContainsAny(given, "{}") {
		return "", usagef("init looks at one page, so its URL has no braces; the range goes into the job file afterwards")
	}
	if u, err := url.Parse(normal); err == nil && u.User != nil {
		return "", usagef("the URL has a password in it, which would stand in the job file: " +
			"write the file by hand, with ${NAME} for the password")
	}
	if strings.ContainsFunc(given, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return normal, nil
	}
	return given, nil
}

var nameless = []string{"www", "www2", "m", "mobile", "api", "en", "cn", "zh"}

// hostName makes a name for a job of the host of its URL: movies of https://www.movies.example.
func hostName(address string) string {
	u, err := url.Parse(address)
	if err != nil || net.ParseIP(u.Hostname()) != nil {
		return "page"
	}
	labels := strings.Split(strings.ToLower(u.Hostname()), ".")
	for len(labels) > 2 && slices.Contains(nameless, labels[0]) {
		labels = labels[1:]
	}
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`).MatchString(labels[0]) || labels[0] == "localhost" {
		return "page"
	}
	return labels[0]
}

func runInit(c *cli.Context, s Streams, o initOptions) error {
	text := fmt.Sprintf("start: %q\nrecords: {fields: {url: {meta: url}}}\n", o.url)
	asking, err := job.Parse("init.yaml", []byte(text), nil)
	if err != nil {
		return usagef("%q can't be the start of a job: %v", o.url, err)
	}
	page, err := crawl.Fetch(c.Context, crawl.Options{Job: asking, Version: Version})
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(o.file), filepath.Ext(o.file))
	if o.file == toStdout {
		name = hostName(o.url)
	}
	d, err := draft.Write(draft.Page{URL: o.url, Final: page.URL, ContentType: page.ContentType, Body: page.Body}, name)
	if errors.Is(err, draft.ErrNothing) {
		err = fmt.Errorf("%w; where scripts fill a page in, look for the JSON that they ask for and init that", err)
	}
	if err != nil {
		return fmt.Errorf("make a job of %s (%s, %s): %w", visible(o.url), visible(page.ContentType), size(page.Size), err)
	}
	got, err := proof(o, d, page)
	if err != nil {
		return err
	}
	if err := o.write(s, d.Text); err != nil {
		return err
	}
	fmt.Fprint(s.Err, o.report(d, got))
	return nil
}

// proof loads the draft and reads the page by it, so that what is reported is what a run would bring home.
func proof(o initOptions, d *draft.Draft, page *fetch.Page) (*state.Outcome, error) {
	j, err := job.Parse(o.file, d.Text, nil)
	if err != nil {
		return nil, fmt.Errorf("the job file drafted from %s does not load, which is a fault of dogear: %w",
			visible(o.url), err)
	}
	return crawl.Read(crawl.Options{Job: j, Version: Version}, page)
}

// write writes the job file, but not over another.
func (o initOptions) write(s Streams, text []byte) error {
	if o.file == toStdout {
		_, err := s.Out.Write(text)
		return err
	}
	f, err := os.OpenFile(o.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return taken(o)
	}
	if err != nil {
		return fmt.Errorf("write the job file: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(o.file)
		return fmt.Errorf("write the job file: %w", err)
	}
	return nil
}

// report says what was found and what to type next.
func (o initOptions) report(d *draft.Draft, got *state.Outcome) string {
	var b strings.Builder
	found := "nothing repeats on the page, so it is one record"
	if d.Each != "" {
		found = fmt.Sprintf("%s of %s", counted(int64(d.Records), "element"), d.Each)
	}
	fmt.Fprintf(&b, "found   %s\nfields  %s\n", visible(found), strings.Join(d.Fields, ", "))
	if d.Next != "" {
		fmt.Fprintf(&b, "next    %s\n", visible(d.Next))
	}
	fmt.Fprintf(&b, "gives   %s of this page", counted(int64(len(got.Rows)), "record"))
	if n := len(got.Rejects); n > 0 {
		fmt.Fprintf(&b, ", %d rejected (%s)", n, visible(got.Rejects[0].Reason))
	}
	if got.State != state.Done {
		fmt.Fprintf(&b, "; %s: %s", got.Kind, visible(got.Error))
	}
	if o.file == toStdout {
		return b.String() + "\nto keep it: dogear init " + quoted(o.url) + " FILE\n"
	}
	fmt.Fprintf(&b, "\n\n%s is written. Look it over, then: dogear try %s\n", o.file, quoted(o.file))
	return b.String()
}
