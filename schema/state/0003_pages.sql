-- Starts that are read (a file, the standard input), values that a link carries to its page, kept pages, and how well
-- the fields of records are filled.

-- How far a start that is read has been read: bytes, and the xxHash64 of them in hex, by which a file that was changed
-- is told from one that grew. Both stay as they are for a start that is computed.
ALTER TABLE starts ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE starts ADD COLUMN print TEXT;

-- What the list or the page that a task came from says about it, as a JSON object of texts by name: a line of a CSV
-- file, or the values that follow: {carry: …} names. Null for all others. It is no part of the key.
ALTER TABLE tasks ADD COLUMN carry TEXT;

-- Pages of a kind with keep: body, as the rules saw them: decoded to UTF-8. One per task, the last answer.
CREATE TABLE page_bodies (
  task         INTEGER PRIMARY KEY,
  url          TEXT NOT NULL,            -- where it came from in the end, as it may be shown
  status       INTEGER NOT NULL,
  content_type TEXT NOT NULL,            -- as in the header, '' when there was none
  charset      TEXT NOT NULL,            -- what it was decoded from, as the WHATWG names it; '' is UTF-8
  at           INTEGER NOT NULL,
  size         INTEGER NOT NULL,         -- bytes of the body before it was compressed
  body         BLOB NOT NULL             -- zstd (RFC 8878)
) STRICT;

-- What became of each field of the records read so far, a record that was read again counted again.
CREATE TABLE field_counts (
  "table"   TEXT NOT NULL,
  field     TEXT NOT NULL,
  filled    INTEGER NOT NULL DEFAULT 0,  -- with a value from the page
  defaulted INTEGER NOT NULL DEFAULT 0,  -- nothing usable on the page: the default
  empty     INTEGER NOT NULL DEFAULT 0,  -- the same without a default: NULL
  rejected  INTEGER NOT NULL DEFAULT 0,  -- records that were rejected because of it
  PRIMARY KEY ("table", field)
) STRICT;
