package schema

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// identifier is what a table or a column may be called: 63 characters at most, so that it fits MySQL (64) as well.
var identifier = regexp.MustCompile(`^[A-Za-z_\p{L}][\w\p{L}]{0,62}$`)

// stateNames are the tables, indexes and views of the state file, where record tables live beside them. SQLite has
// one name space for all three.
var stateNames = []string{
	"job", "starts", "tasks", "attempts", "runs", "hosts", "rejects", "counters", "ticks",
	"mirror_cursors", "mirror_changes", "page_bodies", "field_counts", "progress", "failures", "recent",
	"tasks_pending", "tasks_in_flight", "tasks_failed", "attempts_task", "rejects_task",
}

// keyIndexSuffix ends the name of a table's unique index.
const keyIndexSuffix = "__key"

var errIdentifier = errors.New("use 1 to 63 letters, digits and _, not starting with a digit")

func checkTableName(name string) error {
	lower := strings.ToLower(name)
	switch {
	case !identifier.MatchString(name):
		return errIdentifier
	case strings.HasPrefix(lower, "sqlite_"):
		return errors.New("names that start with sqlite_ belong to SQLite")
	case strings.HasSuffix(lower, keyIndexSuffix):
		return fmt.Errorf("names that end with %s belong to the indexes of record tables", keyIndexSuffix)
	}
	for _, taken := range stateNames {
		if lower == taken {
			return fmt.Errorf("%s is one of the state file's own names, choose another", taken)
		}
	}
	return nil
}

func checkColumnName(name string) error {
	switch {
	case strings.HasPrefix(name, "_"):
		return errors.New("names that start with _ are the state file's own columns")
	case !identifier.MatchString(name):
		return errIdentifier
	}
	return nil
}

// quote writes an identifier for SQL, whatever is in it.
func quote(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
