package testenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// installVariable set to 0 forbids installing.
const installVariable = "DOGEAR_TEST_INSTALL"

// installTime is how long the installation of a package may take, another's before it included.
const installTime = 3 * time.Minute

// Tool returns the path of a command, which it installs from Debian's package when it is absent and that may be done.
// Without it the test is skipped, or fails when CI=true.
func Tool(t testing.TB, command, debian string) string {
	t.Helper()
	path, err := find(t.Context(), command, debian)
	switch {
	case err == nil:
		return path
	case os.Getenv("CI") == "true":
		t.Fatalf("this test needs %s: %v", command, err)
	default:
		t.Skipf("this test needs %s: %v", command, err)
	}
	return ""
}

// Package installs a Debian package that has no command of its own. What it needs it for is the test's to find out.
func Package(t testing.TB, debian string) {
	t.Helper()
	err := installable()
	if err == nil {
		err = install(t.Context(), debian, debian)
	}
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("this test needs %s: %v", debian, err)
	default:
		t.Skipf("this test needs %s: %v", debian, err)
	}
}

func find(ctx context.Context, command, debian string) (string, error) {
	path, err := exec.LookPath(command)
	if err == nil {
		return path, nil
	}
	if refused := installable(); refused != nil {
		return "", fmt.Errorf("%w, and it is not installed: %w", err, refused)
	}
	if err := install(ctx, command, debian); err != nil {
		return "", fmt.Errorf("install %s: %w", debian, err)
	}
	return exec.LookPath(command)
}

// installable says why nothing may be installed here.
func installable() error {
	if os.Getenv(installVariable) == "0" {
		return errors.New(installVariable + "=0 forbids it")
	}
	if os.Geteuid() != 0 {
		return errors.New("not root")
	}
	_, err := exec.LookPath("apt-get")
	return err
}

// install installs a Debian package, unless another process has done so by the time it is our turn.
func install(ctx context.Context, command, debian string) error {
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	turn := flock.New(filepath.Join(os.TempDir(), "dogear-testenv.lock"))
	if _, err := turn.TryLockContext(ctx, 100*time.Millisecond); err != nil {
		return fmt.Errorf("wait for another installation: %w", err)
	}
	defer turn.Close() // the kernel would do it too
	if _, err := exec.LookPath(command); err == nil {
		return nil
	}
	fmt.Fprintf(os.Stderr, "testenv: installing Debian's %s (%s=0 forbids it)\n", debian, installVariable)
	for _, args := range [][]string{{"update", "-qq"}, {"install", "-y", "-qq", "--no-install-recommends", debian}} {
		c := exec.CommandContext(ctx, "apt-get", args...)
		c.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}
