//go:build !linux

package testenv

import (
	"os/exec"
	"syscall"
)

const politely = syscall.SIGTERM

func dieWithParent(*exec.Cmd) {}
