// Package testenv finds what a test needs beside Go. Start with Tool.
//
// A tool is looked for on PATH. Where it is absent, the test runs as root and apt-get is there, its Debian package is
// installed, which is said on stderr; DOGEAR_TEST_INSTALL=0 forbids that. Test packages that run at once install one after
// another, under a lock file in the temporary folder. A tool that can't be had skips the test that asks for it, with CI=true
// it fails the test.
//
// The package imports nothing of ours and is imported by tests alone.
package testenv
