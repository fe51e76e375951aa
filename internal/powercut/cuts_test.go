package powercut

import "math/rand/v2"

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// cut is a power cut: when, and how what was not synced comes through it.
type cut struct {
	moment int
	survival
}

// cuts chooses moments from all kinds in turn and any moments between, and survivals in turn, so that few of them are
// of many kinds too; the survivals of a kind change from round to round.
func (h *history) cuts(n int, random *rand.Rand) (all []cut) {
	kinds := h.moments()
	for _, moments := range kinds {
		random.Shuffle(len(moments), func(i, j int) { moments[i], moments[j] = moments[j], moments[i] })
	}
	styles := random.Perm(survivals)
	for i := 0; len(all) < n; i++ {
		moment := random.IntN(h.clock + 1)
		if k := i % (len(kinds) + 2); k < len(kinds) && len(kinds[k]) > 0 {
			moment, kinds[k] = kinds[k][0], kinds[k][1:]
		}
		all = append(all, cut{moment, survival(styles[(i+i/survivals)%survivals])})
	}
	return all
}

// moments are those of interest, by kind: before, within and after the syncs of each file and of the folder, around
// names made and removed, within checkpoints, and when a WAL is begun anew over the old one.
func (h *history) moments() [][]int {
	const folder = "/"
	kinds := map[string][]int{}
	order := append([]string{folder, "name", "checkpoint", "anew"}, h.names...)
	for _, o := range h.ops {
		kind := ""
		switch o.kind {
		case syncFile:
			kind = o.name
		case syncFolder:
			kind = folder
		case makeName, removeName:
			kind = "name"
		default:
			kind = h.momentOfWrite(o)
		}
		if kind != "" {
			kinds[kind] = append(kinds[kind], o.start, o.start+1)
			if o.end != never {
				kinds[kind] = append(kinds[kind], o.end+1)
			}
		}
	}
	var all [][]int
	for _, kind := range order {
		all = append(all, kinds[kind])
	}
	return all
}

func (h *history) momentOfWrite(o *op) string {
	switch {
	case o.name == h.names[0]:
		return "checkpoint"
	case o.name == walOf(h.names) && o.at <= walHeader:
		return "anew"
	}
	return ""
}
