package fetch

import (
	"errors"
	"net"
	"strings"
	"syscall"
	"time"
)

// filesWait is how long a task goes back for when there were no files left for its connection.
const filesWait = time.Second

// noFiles are the errors of a system that has no files left, for this process or at all.
var noFiles = []syscall.Errno{syscall.EMFILE, syscall.ENFILE, socketsEMFILE}

// outOfFiles tells an exchange that could not be made because too many files are open here: no fault of the host or of
// the task. A net.DNSError keeps the text of its cause, and nothing else.
func outOfFiles(err error) bool {
	if err == nil {
		return false
	}
	var dns *net.DNSError
	lookup := errors.As(err, &dns)
	for _, e := range noFiles {
		if errors.Is(err, e) || lookup && strings.HasSuffix(dns.Err, e.Error()) {
			return true
		}
	}
	return false
}

// errNoFiles is why a robots.txt is not known, when it could not be asked for.
var errNoFiles = errors.New("too many files are open here")

// robotsLater is a robots.txt that could not be asked for, through no fault of its own.
func robotsLater(o *origin, why error, until time.Time) *robotsNews {
	failure := &Failure{Kind: Network, Err: why}
	return &robotsNews{why: &robotsUnknown{origin: o.key.String(), failure: failure, until: until}, until: until}
}

// outOfFiles sends the task back. Connections that are kept for later give their files up.
func (c *call) outOfFiles(now time.Time) {
	c.client.http.CloseIdleConnections()
	c.result.NoFiles, c.result.RetryAt = true, now.Add(filesWait)
}
