package state

import "dogear/schema"

// Queries are those whose cost must not grow with the file, for the test of their plans.
func Queries(t *schema.Table) map[string]string {
	failed := func(f Filter) string {
		where, _ := f.where()
		return failedSQL(where)
	}
	retry := func(f Filter) string {
		where, _ := f.where()
		return retrySQL(where)
	}
	return map[string]string{
		"put back": putBackSQL, "claim": claimSQL, "next due": nextDueSQL, "what is open": openSQL,
		"done": doneSQL, "fail": failSQL, "put off": putOffSQL, "count a field": fieldSQL, "add": addSQL(2),
		"drop old rejects": dropRejectsSQL, "drop old ticks": oldTicksSQL,
		"failed tasks":                      failed(Filter{}),
		"failed tasks of a kind":            failed(Filter{Kind: "server"}),
		"failed tasks of a kind and status": failed(Filter{Kind: "server", Status: 500}),
		"retry":                             retry(Filter{}),
		"retry of a status":                 retry(Filter{Status: 500}),
		"retry of a kind":                   retry(Filter{Kind: "server"}),
		"records since":                     recordsSQL(t),
		"upsert":                            t.UpsertSQL(2),
		"urls of pending tasks":             urlsPendingSQL,
		"urls of tasks in flight":           urlsInFlightSQL,
		"urls of failed tasks":              urlsFailedSQL,
		"done tasks":                        doneSinceSQL, "changes": changesSQL, "drop changes": trimSQL,

		"kept pages": rereadNextSQL, "drop a kept page": dropBodySQL, "rejects of a task": rereadRejectsSQL,
		"is it known": knownSQL, "ticks": ticksSQL, "last failures": lastFailuresSQL,
		"failures counted": failureCountsSQL, "recent": recentSQL, "latest records": latestSQL(t),
	}
}
