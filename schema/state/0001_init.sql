-- The state file of one job. Times are INTEGER Unix milliseconds UTC; the views show them as readable text.
-- Every statement here must also be understood by the sqlite3 shell of Debian 12 (3.40), with which users look in.

CREATE TABLE job (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  name       TEXT NOT NULL,
  text       TEXT NOT NULL,              -- as given, before ${NAME} is filled in: no secret is stored
  hash       TEXT NOT NULL,              -- sha256 of text, hex
  created_at INTEGER NOT NULL
) STRICT;

-- One row per start entry. A range is a cursor, not a list: tasks exist for the values below it.
CREATE TABLE starts (
  id     INTEGER PRIMARY KEY,
  entry  TEXT NOT NULL UNIQUE,           -- what it yields, in canonical words: its identity across edits of the job
  cursor INTEGER NOT NULL DEFAULT 0 CHECK (cursor >= 0),
  total  INTEGER NOT NULL CHECK (total >= 0),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))  -- 0: no longer in the job file
) STRICT;

-- pending -> in-flight -> done | failed; in-flight -> pending (put off, released, or its run died);
-- done | failed -> pending (refresh, retry). finished_at stays on a row that is to be fetched again.
CREATE TABLE tasks (
  id          INTEGER PRIMARY KEY,
  url         TEXT NOT NULL,             -- fetched as given
  page        TEXT NOT NULL,
  method      TEXT NOT NULL DEFAULT 'GET',
  body        TEXT,
  key_given   TEXT,                      -- null when the key is just method and url, which saves the row a second copy
  key         TEXT GENERATED ALWAYS AS (coalesce(key_given, method || ' ' || url)) VIRTUAL UNIQUE,
  depth       INTEGER NOT NULL DEFAULT 0,
  parent      INTEGER,                   -- the task on whose page it was found; null for a start
  state       TEXT NOT NULL DEFAULT 'pending',
  attempts    INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  not_before  INTEGER NOT NULL DEFAULT 0,
  run         INTEGER,                   -- the run that claimed it last
  status      INTEGER,                   -- of the last answer
  error_kind  TEXT,
  error       TEXT,
  final_url   TEXT,                      -- where redirects led; null when the answer came from url itself
  bytes       INTEGER,
  took_ms     INTEGER,
  created_at  INTEGER NOT NULL,
  started_at  INTEGER,
  finished_at INTEGER,
  -- One CHECK, and = instead of IN: a list of more than two makes SQLite build a table of it at every update.
  CHECK (state = 'pending'
      OR state = 'in-flight' AND run IS NOT NULL
      OR state = 'done'      AND finished_at IS NOT NULL
      OR state = 'failed'    AND finished_at IS NOT NULL AND error_kind IS NOT NULL)
) STRICT;

-- Every index ends with the id (the rowid) by itself. A partial one is used only where the query has the literal state.
CREATE INDEX tasks_pending   ON tasks (not_before)         WHERE state = 'pending';
CREATE INDEX tasks_in_flight ON tasks (run)                WHERE state = 'in-flight';
CREATE INDEX tasks_failed    ON tasks (error_kind, status) WHERE state = 'failed';

-- One row per FAILED attempt.
CREATE TABLE attempts (
  id      INTEGER PRIMARY KEY,
  task    INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  status  INTEGER,
  kind    TEXT NOT NULL,
  error   TEXT,
  took_ms INTEGER
) STRICT;
CREATE INDEX attempts_task ON attempts (task);

CREATE TABLE runs (
  id           INTEGER PRIMARY KEY,
  host         TEXT NOT NULL,
  pid          INTEGER NOT NULL,
  version      TEXT NOT NULL,
  started_at   INTEGER NOT NULL,
  heartbeat_at INTEGER NOT NULL,
  ended_at     INTEGER,
  ended        TEXT CHECK (ended IN ('finished', 'interrupted', 'stopped')),  -- null with no process left: it died
  done         INTEGER NOT NULL DEFAULT 0,
  failed       INTEGER NOT NULL DEFAULT 0,
  retried      INTEGER NOT NULL DEFAULT 0,  -- failed attempts that were, or will be, made again
  put_off      INTEGER NOT NULL DEFAULT 0,
  records      INTEGER NOT NULL DEFAULT 0,
  rejects      INTEGER NOT NULL DEFAULT 0,
  links        INTEGER NOT NULL DEFAULT 0,  -- new tasks found on pages
  bytes        INTEGER NOT NULL DEFAULT 0,
  CHECK ((ended IS NULL) = (ended_at IS NULL))
) STRICT;

CREATE TABLE hosts (
  host       TEXT PRIMARY KEY,
  rate       REAL,                       -- requests per second now
  leave_until INTEGER,                   -- asked to be left alone until then
  cookies    TEXT,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE rejects (
  id      INTEGER PRIMARY KEY,
  task    INTEGER NOT NULL,
  "table" TEXT NOT NULL,
  reason  TEXT NOT NULL,
  raw     TEXT NOT NULL CHECK (json_valid(raw)),
  at      INTEGER NOT NULL
) STRICT;
CREATE INDEX rejects_task ON rejects (task);

-- Kept in every commit, so that no view has to count rows.
CREATE TABLE counters (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  pending   INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
  in_flight INTEGER NOT NULL DEFAULT 0 CHECK (in_flight >= 0),
  done      INTEGER NOT NULL DEFAULT 0 CHECK (done >= 0),
  failed    INTEGER NOT NULL DEFAULT 0 CHECK (failed >= 0),
  seq       INTEGER NOT NULL DEFAULT 0,  -- the last _seq given to a record
  recent    TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(recent))  -- ids of the tasks finished last
) STRICT;
INSERT INTO counters (id) VALUES (1);

-- Tasks finished per second, for the last minutes.
CREATE TABLE ticks (
  at       INTEGER PRIMARY KEY,
  finished INTEGER NOT NULL
) STRICT;

-- unixepoch('subsec') is younger than the shells in use, hence julianday. The speed is that of the last minute, or of the
-- last run when it is younger than that.
CREATE VIEW progress AS
WITH clock AS (SELECT CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) AS now),
     ahead AS (SELECT coalesce(sum(total - cursor), 0) AS n FROM starts WHERE active = 1 AND total > cursor),
     span  AS (SELECT now - max(now - 60000, coalesce((SELECT started_at FROM runs ORDER BY id DESC LIMIT 1), 0)) AS ms FROM clock),
     speed AS (SELECT coalesce((SELECT sum(finished) FROM ticks WHERE at >= (now - ms) / 1000 * 1000 AND at <= now), 0)
                      * 1000.0 / max(ms, 1000) AS n FROM clock, span),
     sums  AS (SELECT pending + ahead.n AS pending, in_flight, done, failed,
                      pending + ahead.n + in_flight + done + failed AS total FROM counters, ahead)
SELECT total, pending, in_flight, done, failed,
       min(round(100.0 * (done + failed) / max(total, 1), 1), CASE WHEN pending + in_flight = 0 THEN 100.0 ELSE 99.9 END) AS percent,
       round(speed.n, 1) AS per_second,
       CASE WHEN pending + in_flight = 0 THEN 0
            WHEN speed.n > 0 THEN CAST(round((pending + in_flight) / speed.n) AS INTEGER) END AS eta_s
FROM sums, speed;

CREATE VIEW failures AS
SELECT error_kind AS kind, status, count(*) AS tasks, url AS example_url, error AS example_error,
       strftime('%Y-%m-%d %H:%M:%S', max(finished_at) / 1000, 'unixepoch') AS last_at
FROM tasks WHERE state = 'failed' GROUP BY error_kind, status ORDER BY tasks DESC;

CREATE VIEW recent AS
SELECT strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, task, attempt, outcome, status, took_ms, url, error
FROM (
  SELECT t.finished_at AS at, t.id AS task, t.attempts AS attempt, t.state AS outcome, t.status, t.took_ms, t.url, NULL AS error
  FROM counters CROSS JOIN json_each(counters.recent) AS r CROSS JOIN tasks AS t ON t.id = r.value WHERE t.state = 'done'
  UNION ALL
  SELECT * FROM (
    SELECT a.at, a.task, a.attempt, a.kind, a.status, a.took_ms, t.url, a.error
    FROM attempts AS a JOIN tasks AS t ON t.id = a.task ORDER BY a.id DESC LIMIT 30)
) ORDER BY 1 DESC LIMIT 30;
