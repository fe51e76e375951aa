package job

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProxiesAreReadWithWhateverPasswordTheyHave(t *testing.T) {
	env := map[string]string{"PASS": `p@ss/w:o?r#d %zz%41 "中`, "USER": "a:b", "PROXY": "http://u:p%40q@h:1"}
	job, err := Parse("x.yaml", []byte(`
start: https://a.example/
proxies: [http://user:${PASS}@10.0.0.1:8080, "socks5://h:1080", https://${PASS}@h, "${PROXY}", "http://${NO:-h}:3"]
records: {fields: {t: h1}}
`), func(name string) (string, bool) { value, ok := env[name]; return value, ok })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, text := range job.Proxies {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		password, _ := u.User.Password()
		got = append(got, u.Scheme+" "+u.User.Username()+" "+password+" "+u.Host)
	}
	want := []string{`http user p@ss/w:o?r#d %zzA "中 10.0.0.1:8080`, "socks5   h:1080", `https p@ss/w o?r#d %zzA "中 h`,
		"http u p@q h:1", "http   h:3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if one := load(t,
		"start: https://a.example/\nproxies: http://h:1\nrecords: {fields: {t: h1}}\n"); len(one.Proxies) != 1 {
		t.Error(one.Proxies)
	}
}
