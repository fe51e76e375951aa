package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestAToolOnPathIsFoundThere(t *testing.T) {
	name := "there"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	folder := t.TempDir()
	want := filepath.Join(folder, name)
	if err := os.WriteFile(want, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder)
	if got := Tool(t, "there", "there"); got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

func TestAnAbsentToolIsAnErrorThatSaysWhyItIsNotInstalled(t *testing.T) {
	t.Setenv(installVariable, "0")
	_, err := find(t.Context(), "dogear-no-such-tool", "dogear-no-such-package")
	if err == nil || !strings.Contains(err.Error(), installVariable+"=0 forbids it") {
		t.Errorf("error %v", err)
	}
}

func TestAPackageThatDoesNotExistIsAnErrorWithWhatAptGetSaid(t *testing.T) {
	if err := installable(); err != nil {
		t.Skipf("nothing can be installed here: %v", err)
	}
	if _, err := exec.LookPath("dpkg"); err != nil {
		t.Skip(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	err := install(t.Context(), "dogear-no-such-tool", "dogear-no-such-package")
	if err == nil || !strings.Contains(err.Error(), "dogear-no-such-package") {
		t.Errorf("error %v", err)
	}
}
