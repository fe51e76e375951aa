package crawl

// severalHosts says whether the starts of the job are of more than one host. What braces in the middle of a host hide
// is seen when the second one comes.
func (p *plan) severalHosts() bool {
	first := ""
	for i := range p.options.Job.Starts {
		s := &p.options.Job.Starts[i]
		for _, at := range []int64{0, s.Total() - 1} {
			if at < 0 || at >= s.Total() {
				continue
			}
			host := hostOf(s.Request(at).URL)
			if first != "" && host != first {
				return true
			}
			first = host
		}
	}
	return false
}
