package job

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

const keptStart = `start: "https://a.example/?k=${KEY}"
request: {headers: {Authorization: "Bearer ${TOKEN}", X-Name: plain}, form: {p: "${PASS}"}}
keep: body
`

// keptJob loads a job with secrets in the URL, the body and a header.
func keptJob(t *testing.T, text string, env map[string]string) *Job {
	t.Helper()
	j, err := Parse("x.yaml", []byte(text), func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestAPageIsKeptWithoutTheSecretsThatItWasAskedWith(t *testing.T) {
	env := map[string]string{"KEY": `hun"ter 2`, "TOKEN": "12345678", "PASS": "swordfish", "abc": "abc"}
	j := keptJob(t, keptStart, env)
	for name, page := range map[string]string{
		"nothing in it":             "<h1>plain</h1> \uFFFD",
		"as it is":                  `<p>hun"ter 2</p> swordfish`,
		"in a link":                 `<a href="/?k=hun%22ter%202&p=2"> <a href="/?k=hun%22ter+2">`,
		"in JSON":                   `{"key": "hun\"ter 2", "token": 12345678}`,
		"a ${KEY} of the page":      `<a href="https://evil.example/?${KEY}">${TOKEN}</a> hun"ter 2`,
		"twice, and beside another": `swordfishswordfish12345678`,
	} {
		kept := j.HidePage([]byte(page))
		for _, secret := range []string{"hun", "ter", "12345678", "sword"} {
			if bytes.Contains(kept, []byte(secret)) {
				t.Errorf("%s: %q is in %q", name, secret, kept)
			}
		}
		if back := j.FillPage(kept); string(back) != page {
			t.Errorf("%s: %q came back as %q", name, page, back)
		}
	}
}

func TestAPageCannotAskForASecret(t *testing.T) {
	env := map[string]string{"KEY": "hunter2", "TOKEN": "12345678", "PASS": "swordfish"}
	j := keptJob(t, keptStart, env)
	for _, page := range []string{"${KEY}", "\xff0${KEY}\xff", "\xff${KEY}\xff hunter2", "\xff\xff0${TOKEN}"} {
		back := string(j.FillPage(j.HidePage([]byte(page))))
		if strings.Count(back, "hunter2") != strings.Count(page, "hunter2") || strings.Contains(back, "12345678") {
			t.Errorf("%q came back as %q", page, back)
		}
	}
}

func TestAKeptPageIsFilledWithWhatTheSecretsAreNow(t *testing.T) {
	env := map[string]string{"KEY": "hunter 2", "TOKEN": "12345678", "PASS": "swordfish"}
	kept := keptJob(t, keptStart, env).HidePage([]byte(`<a href="?k=hunter+2"> 12345678`))
	env["KEY"] = "a b"
	if got := string(keptJob(t, keptStart, env).FillPage(kept)); got != `<a href="?k=${KEY}"> 12345678` {
		t.Errorf("one that is too short to be hidden: %q", got)
	}
	env["KEY"] = "other key"
	if got := string(keptJob(t, keptStart, env).FillPage(kept)); got != `<a href="?k=other+key"> 12345678` {
		t.Error(got)
	}
	without := keptJob(t, "start: https://a.example/\nkeep: body\n", nil)
	if got := string(without.FillPage(kept)); got != `<a href="?k=${KEY}"> ${TOKEN}` {
		t.Error(got)
	}
}

func TestPagesMayBeKeptForRulesOfLater(t *testing.T) {
	j := keptJob(t, "start: https://a.example/\nkeep: body\n", nil)
	if !j.Pages[0].Keep {
		t.Error("the page is not kept")
	}
	other := keptJob(t, "start: {url: https://a.example/, as: a}\n"+
		"pages: {a: {keep: body}, b: {records: {fields: {t: h1}}}}\n", nil)
	if a, _ := other.Page("a"); !a.Keep {
		t.Error("page a is not kept")
	}
	if b, _ := other.Page("b"); b.Keep {
		t.Error("page b is kept")
	}
	for text, want := range map[string]string{
		"start: https://a.example/\nkeep: html\n":                             `keep is body, not "html"`,
		"start: https://a.example/\nkeep: [body]\n":                           "keep",
		"start: https://a.example/\nkeep: body\npages: {a: {keep: body}}\n":   "stands under the page that it is for",
		"start: https://a.example/\nrecords: {keep: body, fields: {t: h1}}\n": "it belongs into the job file",
	} {
		if got := problems(t, text); !strings.Contains(got, want) {
			t.Errorf("%s\n  %s", text, got)
		}
	}
}

// Whether pages are kept says nothing about what records mean.
func TestKeepIsNoPartOfTheMeaning(t *testing.T) {
	with := keptJob(t, "start: https://a.example/\nrecords: {fields: {t: h1}}\nkeep: body\n", nil)
	without := keptJob(t, "start: https://a.example/\nrecords: {fields: {t: h1}}\n", nil)
	if strings.Join(with.Meaning(), "\n") != strings.Join(without.Meaning(), "\n") {
		t.Errorf("%q", with.Meaning())
	}
}

func FuzzAPageThatIsKeptComesBackAndHoldsNoSecret(f *testing.F) {
	for _, page := range []string{
		"hunter2 swordfish", "${KEY} hunter2", "\xff0${KEY}\xff",
		"\xff\xff1${TOKEN}\xffhunter2", "a\xffb", "hunter2swordfishhunter2", "",
	} {
		f.Add(page)
	}
	env := map[string]string{"KEY": "hunter2", "TOKEN": "12 34/5678", "PASS": "swordfish"}
	j, err := Parse("x.yaml", []byte(keptStart), func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, page string) {
		kept := j.HidePage([]byte(page))
		for _, secret := range env {
			if bytes.Contains(kept, []byte(secret)) {
				t.Errorf("%q is in %q", secret, kept)
			}
		}
		if back := j.FillPage(kept); string(back) != page && utf8.ValidString(page) {
			t.Errorf("%q came back as %q", page, back)
		}
		j.FillPage([]byte(page)) // as if it had been kept, and damaged
	})
}

func BenchmarkHidingNothingInAPage(b *testing.B) {
	j, err := Parse("x.yaml", []byte(keptStart), func(string) (string, bool) { return `hun"ter 2`, true })
	if err != nil {
		b.Fatal(err)
	}
	page := bytes.Repeat([]byte("<li class=\"item\">nothing to hide</li>\n"), 330)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		j.HidePage(page)
	}
}
