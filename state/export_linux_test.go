package state

// ReadLocks is for the test of what is understood of /proc/locks.
var ReadLocks = readLocks
