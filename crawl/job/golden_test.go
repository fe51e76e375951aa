package job

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// secrets is the environment of the golden files; none of the values may show up in a message.
var secrets = map[string]string{
	"SECRET": "hunter2,x y", "BIG": "99999999999999999999", "BRACES": "pass{word}", "LINES": "first\nsecond", "THREE": "-3141",
}

func secretEnv(name string) (string, bool) {
	value, ok := secrets[name]
	return value, ok
}

func TestEveryBrokenJobFileSaysWhereAndWhat(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("broken job files: found %d, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Parse(filepath.Base(file), text, secretEnv)
			if err == nil {
				t.Fatal("it loads")
			}
			checkProblems(t, err, text)
			compareGolden(t, strings.TrimSuffix(file, ".yaml")+".golden", err.Error()+"\n")
		})
	}
}

func compareGolden(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("messages differ (-want +got):\n%s", diff)
	}
}
