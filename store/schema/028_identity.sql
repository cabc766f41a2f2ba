-- A name for each store that no other has, and numbers that are given once: (store, table, number) names a row among those
-- of all robots.
CREATE TABLE identity(
  uuid    TEXT NOT NULL PRIMARY KEY, -- [measured] a random UUID (RFC 4122, version 4)
  made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) -- [measured] UTC
) STRICT, WITHOUT ROWID;
INSERT INTO identity(uuid) SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
  || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)));
-- A store has one name: another is ignored.
CREATE TRIGGER identity_is_one BEFORE INSERT ON identity WHEN (SELECT count(*) FROM identity) > 0
BEGIN SELECT RAISE(IGNORE); END;

-- Where rows of merged stores came from: the number that a row has there.
CREATE TABLE origins(
  kind   TEXT NOT NULL,    -- the table: 'runs', 'annotations', ...
  id     INTEGER NOT NULL, -- its number here
  other  TEXT NOT NULL,    -- identity.uuid of the other store
  number INTEGER NOT NULL, -- its number there
  PRIMARY KEY(kind, id, other, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX origins_there ON origins(kind, other, number);

-- The number of a removed row is never given again. As in 018, only declarations are written anew: a table of this kind
-- makes the list of the last numbers, which the others then use.
CREATE TABLE first_of_its_kind(id INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
DROP TABLE first_of_its_kind;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'INTEGER PRIMARY KEY,', 'INTEGER PRIMARY KEY AUTOINCREMENT,')
WHERE type = 'table' AND name IN ('runs', 'sittings', 'studies', 'sessions', 'annotations', 'repeats', 'codings');
PRAGMA writable_schema = RESET;
