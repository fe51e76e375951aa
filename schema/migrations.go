package schema

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed state/*.sql
var stateSQL embed.FS

// ApplicationID marks a SQLite file as dogear's (PRAGMA application_id): "doge" in ASCII.
const ApplicationID = 0x646f6765

// Migrations returns the state file's DDL, one text per version: the text at index i brings a file of
// user_version i to i+1.
func Migrations() []string {
	names, err := fs.Glob(stateSQL, "state/*.sql")
	if err != nil || len(names) == 0 {
		panic(fmt.Sprintf("no embedded state schema: %v", err))
	}
	texts := make([]string, len(names))
	for i, name := range names {
		text, err := stateSQL.ReadFile(name)
		if err != nil {
			panic(err)
		}
		if want := fmt.Sprintf("state/%04d", i+1); name[:len(want)] != want {
			panic(fmt.Sprintf("state schema %s is out of order, want %s_*.sql", name, want))
		}
		texts[i] = string(text)
	}
	return texts
}
