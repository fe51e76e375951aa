package job

import "testing"

// from: - is what people write, quoted or not.
func TestADashIsTheStandardInputHoweverItIsWritten(t *testing.T) {
	for _, start := range []string{"{from: -}", "{from: '-'}", "\n  from: -", "\n  from: -\n  url: https://a.example/{id}", "\n  - from: -\n    as: page", "\n  from: - # pipe it in",
		"\n- {from: -, url: 'https://a.example/{id}'}", "{url: 'https://a.example/{id}', from: -}"} {
		if l := startOf(t, start).List(); l == nil || l.From != Stdin {
			t.Errorf("%s: %+v", start, l)
		}
	}
}
