package cli

import (
	"fmt"
	"io"

	"dogear/state"
)

// printKept says how many pages are kept and what they take. Beyond some thousands only what one takes is known without
// reading them all.
func printKept(w io.Writer, k state.KeptPages) {
	switch {
	case k.Pages == 0:
	case k.More:
		fmt.Fprintf(w, "kept pages: more than %s; one takes %s of %s\n",
			count(k.Pages), size(k.Disk/k.Pages), size(k.Bytes/k.Pages))
	default:
		fmt.Fprintf(w, "kept pages: %s, which take %s of %s\n", count(k.Pages), size(k.Disk), size(k.Bytes))
	}
}
