// Package testenv gives tests what they need beside Go: command-line tools, a real MariaDB and a real Redis. Start with
// Tool, MySQL and Redis.
//
// A tool is looked for on PATH. Where it is absent, the test runs as root and apt-get is there, its Debian package is
// installed, which is said on stderr; DOGEAR_TEST_INSTALL=0 forbids that. Test packages that run at once install one after
// another, under a lock file in the temporary folder. A tool that can't be had skips the test that asks for it, with CI=true
// it fails the test.
//
// A server is started at its first use in a test process, in a temporary folder of its own and on a free port of 127.0.0.1,
// so any number of test packages may run at once. A package that uses one calls Main in its TestMain, which stops it at the
// end; on Linux the kernel stops it even when the test process is killed. DOGEAR_TEST_MYSQL_DSN and DOGEAR_TEST_REDIS_URL
// name servers to use instead: tests make databases named dogear_test_… there, and in Redis write to the database of the
// URL.
//
// The package imports nothing of ours and is imported by tests alone.
package testenv
