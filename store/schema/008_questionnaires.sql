-- What people were asked about a robot, and what they answered.  A participant is a code, never a name.

-- Every questionnaire that was asked, known by the content of its file.
CREATE TABLE questionnaires(
  hash       TEXT PRIMARY KEY, -- SHA-256 of source
  name       TEXT NOT NULL,    -- 'godspeed', ...
  title      TEXT,
  source     TEXT NOT NULL,    -- the whole file: all items in all languages, and how they are scored
  first_seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) -- [measured] UTC
) STRICT;

CREATE TABLE items(
  questionnaire TEXT NOT NULL,    -- hash
  item          TEXT NOT NULL,    -- 'friendly', ...
  place         INTEGER NOT NULL, -- in the file, from 1
  subscale      TEXT NOT NULL,    -- 'III', 'S1', ...
  reverse       INTEGER NOT NULL, -- 1: a low answer counts as a high one
  lowest        INTEGER NOT NULL, -- the least and the greatest answer
  highest       INTEGER NOT NULL,
  PRIMARY KEY(questionnaire, item)
) STRICT, WITHOUT ROWID;

-- One participant goes through one questionnaire once.
CREATE TABLE sittings(
  id            INTEGER PRIMARY KEY,
  questionnaire TEXT NOT NULL, -- hash
  participant   TEXT NOT NULL, -- a code
  condition     TEXT,          -- of the study
  run           INTEGER,       -- runs.id of what the participant saw
  language      TEXT NOT NULL, -- in which it was asked: 'en', ...
  variant       TEXT,          -- of the questionnaire; null: the whole of it
  items         TEXT NOT NULL, -- JSON: the items that were asked, in this order
  seed          INTEGER,       -- of the order; null: as in the file
  process       TEXT,          -- [measured] which process asks
  begun_at      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- [measured] UTC
  ended_at      TEXT,          -- [measured] UTC; null: not finished yet
  outcome       TEXT           -- 'finished', 'abandoned' (begun anew); null: not finished yet
) STRICT;
CREATE UNIQUE INDEX sitting_open ON sittings(participant, questionnaire, coalesce(condition, ''), coalesce(run, 0),
  coalesce(variant, ''), items) WHERE ended_at IS NULL;

-- Every answer that was given; of several to one item the last counts (see the view answers).
CREATE TABLE responses(
  sitting INTEGER NOT NULL,
  id      INTEGER NOT NULL, -- 1, 2, ... in the order they were given
  item    TEXT NOT NULL,
  value   INTEGER,          -- as given, nothing turned round; null: skipped
  at      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- [measured] UTC
  seconds REAL,             -- [measured] since the item was shown; null: from a file
  PRIMARY KEY(sitting, id)
) STRICT, WITHOUT ROWID;
