package testenv

import (
	"os/exec"
	"syscall"
)

const politely = syscall.SIGTERM

// dieWithParent lets the kernel end the process when this one is killed. It goes by the thread that starts the process, so
// a server that is started from a test that ends its thread would go too: nothing here does that.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
