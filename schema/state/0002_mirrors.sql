-- Finishing a task no longer splits its page of the table, the speed outlives a clock that is set back, and mirrors have a
-- cursor each.

-- A pending row keeps as much room as its end will need (started_at, finished_at, status, bytes, took_ms), and gives it up
-- as those are written: 13 bytes a task less on the disk. It means nothing; no length of it is relied on.
ALTER TABLE tasks ADD COLUMN spare BLOB DEFAULT x'000000000000000000000000000000';

-- As before, but a run that began in the future, by a clock that was wrong then, is taken to be a minute old.
DROP VIEW progress;
CREATE VIEW progress AS
WITH clock AS (SELECT CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) AS now),
     ahead AS (SELECT coalesce(sum(total - cursor), 0) AS n FROM starts WHERE active = 1 AND total > cursor),
     began AS (SELECT coalesce(max(started_at), 0) AS at FROM clock, (SELECT started_at FROM runs ORDER BY id DESC LIMIT 1)
               WHERE started_at <= now),
     span  AS (SELECT now - max(now - 60000, began.at) AS ms FROM clock, began),
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

-- Live copies of the progress elsewhere that the last run kept up to date, and how far each of them is. A run without a
-- mirror drops its row: it is made from the beginning the next time.
CREATE TABLE mirror_cursors (
  target TEXT PRIMARY KEY,               -- where it is, without a password
  seq    INTEGER NOT NULL                -- it has the changes up to this one
) STRICT;

-- Tasks that finished, in the order of their commits, until all mirrors have them. Empty without a mirror.
CREATE TABLE mirror_changes (
  seq  INTEGER PRIMARY KEY AUTOINCREMENT,
  task INTEGER NOT NULL
) STRICT;
