package schema

// The tables of an export that are not record tables. A record table can't have their names there.
const (
	MySQLExports    = "dogear_exports"
	MySQLTasks      = "crawl_tasks"
	MySQLBreakpoint = "crawl_breakpoint"
)

// MySQLOwnTables returns the tables that tell how a job stands: one row per task, and one per job in the form in which
// scripts keep a checkpoint. finished_urls and fail_urls are lists with commas.
func MySQLOwnTables() (tasks, breakpoint MySQLTable) {
	tasks = MySQLTable{Name: MySQLTasks, Key: []string{"task_name", "id"}, Columns: []MySQLColumn{
		other("task_name", mysqlName, Text, true), other("id", "BIGINT", Int, true),
		other("url", "LONGTEXT", Text, true), other("page", "VARCHAR(255)", Text, false),
		other("method", "VARCHAR(32)", Text, false), other("state", "VARCHAR(16)", Text, true),
		other("attempts", "BIGINT", Int, false), other("status", "INT", Int, false),
		other("error_kind", "VARCHAR(32)", Text, false), other("error", "LONGTEXT", Text, false),
		other("final_url", "LONGTEXT", Text, false), other("bytes", "BIGINT", Int, false),
		other("took_ms", "BIGINT", Int, false), other("created_at", mysqlMoment, Datetime, false),
		other("started_at", mysqlMoment, Datetime, false), other("finished_at", mysqlMoment, Datetime, false),
	}, indexes: []string{"INDEX `by_state` (`task_name`, `state`)"}}
	breakpoint = MySQLTable{Name: MySQLBreakpoint, Key: []string{"task_name"}, Columns: []MySQLColumn{
		other("task_name", mysqlName, Text, true), other("current_page", "BIGINT", Int, false),
		other("finished_urls", "LONGTEXT", Text, false), other("fail_urls", "LONGTEXT", Text, false), other("update_time", mysqlMoment, Datetime, false),
	}}
	return tasks, breakpoint
}

// MySQLExportsTable returns the table that says how far each export is. state is the created_at of the state file's job, in
// Unix ms: a file that was reset or started over has another one, and is sent from its beginning.
func MySQLExportsTable() MySQLTable {
	return MySQLTable{Name: MySQLExports, Key: []string{"task_name", "table_name"}, Columns: []MySQLColumn{
		other("task_name", mysqlName, Text, true), other("table_name", mysqlName, Text, true),
		other("state", "BIGINT", Int, true), other("seq", "BIGINT", Int, true), other("updated_at", mysqlMoment, Datetime, true),
	}}
}

func other(name, typ string, kind Kind, notNull bool) MySQLColumn {
	return MySQLColumn{Name: name, Type: typ, NotNull: notNull, Field: mysqlOther, holds: Type{Kind: kind}}
}
