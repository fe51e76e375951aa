package fetch

import "syscall"

// socketsEMFILE is WSAEMFILE.
const socketsEMFILE = syscall.Errno(10024)
