package main

import (
	"os"
	"strconv"
	"syscall"
)

// Nothing outlives whoever started it: the kernel kills this process when its parent ends, however
// that ends. init runs on the main thread, which Go never ends, so the wish stays in force. A parent
// that was gone before the wish was made is seen by its number, which it gives in the environment.
func init() {
	parent, err := strconv.Atoi(os.Getenv("TENANTRY_PARENT_PID"))
	if err != nil {
		return
	}
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
	if os.Getppid() != parent {
		os.Exit(1)
	}
}
