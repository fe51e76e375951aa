package crawl

// watchProxies says what happened to proxies since the last commit: each one that stopped working for the first time,
// and when none works or one is back.
func (e *engine) watchProxies() {
	for _, p := range e.client.ProxyEvents() {
		switch {
		case p.Why == "":
			e.warn("proxy %s works again: going on", p.Proxy)
		case p.All:
			e.warn("no proxy works any more (%s): the tasks wait, and none of them loses an attempt", p.Why)
		default:
			e.warn("%s: it is left out until it works again", p.Why)
		}
	}
}
