// Package real has the client and whole crawls meet servers that nobody here wrote: httpbin under gunicorn, nginx,
// tinyproxy and dante, from Debian's packages. Start with servers_test.go for how they are run.
//
// The other tests' servers do what their tests expect of them. These do what servers do: nginx limits a rate and cuts a
// body when its upstream dies, httpbin codes, drips and redirects, tinyproxy answers a wrong password with 401.
//
// The packages take minutes to install, so the tests run only with DOGEAR_REAL=1, which `just real` sets, and are
// skipped otherwise, saying so; that is the same with CI=true. With DOGEAR_REAL=1 a server that can't be had skips
// its tests, and fails them with CI=true. Everything is on 127.0.0.1 and ends with the test that started it.
package real
