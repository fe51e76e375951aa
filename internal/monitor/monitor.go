package monitor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"dogear/schema"
	"dogear/state"
)

const (
	// sampleEvery is how often the speed is noted, and how often a listener hears.
	sampleEvery = time.Second
	// lastWord is how long listeners have for the final state, closing how long all else may take after it.
	lastWord, closing = 2 * time.Second, time.Second
)

// Options say where a Monitor listens and for what.
type Options struct {
	Address string // HOST:PORT, :PORT or PORT; port 0 is any that is free
	Job     string // its name
	Version string // of dogear
}

// Run is what a Monitor shows. Its functions may be called by any goroutine, until Close has returned.
type Run struct {
	Path    string // of the state file, which must be there
	Tables  []*schema.Table
	Began   time.Time
	Figures func() Figures
	Hosts   func() []Host
	Status  func(context.Context) (any, error) // what /api/status gives as JSON
}

// Monitor serves the metrics and the page of one run.
type Monitor struct {
	*metrics
	options  Options
	host     string // as given
	private  bool   // only this machine can reach it
	listener net.Listener
	server   *http.Server
	seats    chan struct{} // of listeners

	ctx     context.Context // of what it reads; ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup // what Show started
	run     *Run           // nil until Show
	store   *state.Store
	samples samples
	moments moments
	status  cached[any]

	over chan struct{} // closed when the run has ended and end is set
	end  End
}

// End is how a run ended.
type End struct {
	How     string // state.Finished, state.Interrupted, state.Stopped, or "failed": by an error
	Figures Figures
}

// Listen takes the address, so that what can't be had is known before a run begins; nobody is served before Show.
// Errors: *AddressError, or the system's.
func Listen(ctx context.Context, o Options) (*Monitor, error) {
	host, port, err := parseAddress(o.Address)
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort(host, port)
	var config net.ListenConfig
	l, err := config.Listen(ctx, network(host), address)
	if err != nil {
		return nil, fmt.Errorf("can't listen on %s: %w: name another port, or 0 for any that is free", address, plain(err))
	}
	m := &Monitor{
		metrics: newMetrics(o.Job, o.Version), options: o, host: host, private: isLoopback(l.Addr()), listener: l,
		seats: make(chan struct{}, maxListeners), over: make(chan struct{}),
	}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.server = &http.Server{
		Handler: m.guard(m.routes()), ErrorLog: log.New(io.Discard, "", 0), MaxHeaderBytes: 16 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: writeTime, IdleTimeout: time.Minute,
	}
	return m, nil
}

// network keeps an IPv4 address to IPv4: 0.0.0.0 would be every IPv6 address too.
func network(host string) string {
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		return "tcp4"
	}
	return "tcp"
}

// plain takes the words off that net puts before what the system said.
func plain(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// URL is where the page is, for who sits at this machine.
func (m *Monitor) URL() string {
	address := m.listener.Addr().String()
	if tcp, ok := m.listener.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		address = net.JoinHostPort(loopback, strconv.Itoa(tcp.Port))
	}
	return "http://" + address + "/"
}

// Address is where it listens: HOST:PORT.
func (m *Monitor) Address() string { return m.listener.Addr().String() }

// Private reports whether only this machine can reach it.
func (m *Monitor) Private() bool { return m.private }

// Show begins to serve: the state file is there.
func (m *Monitor) Show(r Run) error {
	store, err := state.Open(m.ctx, r.Path)
	if err != nil {
		return err
	}
	m.run, m.store = &r, store
	m.moments.failures.read = store.FailureGroups
	m.status.read = r.Status
	m.registry.MustRegister(&runCollector{figures: m.figures, hosts: r.Hosts, shown: map[string]bool{}})
	m.samples.add(time.Now(), r.Figures())
	m.running.Go(m.tick)
	m.running.Go(func() { _ = m.server.Serve(m.listener) }) // it ends with Close
	return nil
}

// figures are those of the last commit, or of the end.
func (m *Monitor) figures() Figures {
	select {
	case <-m.over:
		return m.end.Figures
	default:
		return m.run.Figures()
	}
}

// tick notes the speed and lets the listeners look, until the run is over.
func (m *Monitor) tick() {
	ticker := time.NewTicker(sampleEvery)
	defer ticker.Stop()
	for {
		select {
		case <-m.over:
			return
		case now := <-ticker.C:
			m.moments.next(func() { m.samples.add(now, m.run.Figures()) })
		}
	}
}

// Close gives everybody who listens the final state, and ends all that was begun. It takes three seconds at the most.
func (m *Monitor) Close(end End) error {
	if m.run == nil {
		m.cancel()
		return m.listener.Close()
	}
	m.moments.next(func() {
		m.samples.add(time.Now(), end.Figures)
		m.end = end
		close(m.over)
	})
	m.emptySeats()
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	err := m.server.Shutdown(ctx)
	m.cancel()
	if errors.Is(err, context.DeadlineExceeded) {
		err = m.server.Close() // somebody reads too slowly
	}
	m.running.Wait()
	return errors.Join(err, m.store.Close())
}
