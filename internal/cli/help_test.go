package cli_test

import (
	"regexp"
	"strings"
	"testing"

	"dogear/internal/cli"
)

// helpOf is what --help shows of a command: "", "run", "export csv".
func helpOf(t *testing.T, command string) string {
	t.Helper()
	var out, errors strings.Builder
	args := append(append([]string{"dogear"}, strings.Fields(command)...), "--help")
	if code := cli.Main(args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errors}); code != 0 || errors.Len() > 0 {
		t.Errorf("%q: exit %d: %s", args, code, errors.String())
	}
	return out.String()
}

// section is what stands under a heading of a help.
func section(help, heading string) string {
	_, after, _ := strings.Cut(help, "\n"+heading+":\n")
	if end := regexp.MustCompile(`(?m)^[A-Z]`).FindStringIndex(after); end != nil {
		return after[:end[0]]
	}
	return after
}

var (
	commandLine = regexp.MustCompile(`(?m)^   ([a-z]+)  `)
	flagName    = regexp.MustCompile(`--[a-z-]+`)
)

func TestEveryCommandHasAnExampleWithItsOwnFlags(t *testing.T) {
	seen := 0
	var look func(command string)
	look = func(command string) {
		seen++
		help := helpOf(t, command)
		below := commandLine.FindAllStringSubmatch(section(help, "COMMANDS"), -1)
		examples := 0
		for line := range strings.Lines(section(help, "DESCRIPTION")) {
			_, example, ok := strings.Cut(line, "dogear "+command)
			if !ok {
				continue
			}
			examples++
			for _, f := range flagName.FindAllString(example, -1) {
				if below == nil && !strings.Contains(section(help, "OPTIONS"), f) {
					t.Errorf("dogear %s has no %s: %s", command, f, line)
				}
			}
		}
		if command != "" && examples == 0 {
			t.Errorf("dogear %s --help has no example", command)
		}
		for _, m := range below {
			look(strings.TrimSpace(command + " " + m[1]))
		}
	}
	look("")
	if seen < 20 {
		t.Errorf("looked at %d commands only", seen)
	}
}
