-- Studies: what was planned, who takes part in which condition, and what became of each session.  A participant is a
-- code, never a name; nothing of a participant is kept before consent is.
CREATE TABLE studies(
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  title      TEXT,
  source     TEXT NOT NULL, -- the study's file as it was registered first: see study_versions
  hash       TEXT NOT NULL, -- SHA-256 of source
  late_after REAL,          -- s from cue to action, after which the action is late; null: none is
  made_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) -- [measured] UTC
) STRICT;

-- Every text of the study's file that sessions were held with: 1 is what was registered.
CREATE TABLE study_versions(
  study   INTEGER NOT NULL REFERENCES studies(id),
  id      INTEGER NOT NULL, -- 1, 2, ... in the order they were registered
  hash    TEXT NOT NULL,
  source  TEXT NOT NULL,
  why     TEXT,             -- what was said about the change
  made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- [measured] UTC
  PRIMARY KEY(study, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE conditions(
  study    INTEGER NOT NULL REFERENCES studies(id),
  name     TEXT NOT NULL,
  place    INTEGER NOT NULL, -- in the file, from 1
  settings TEXT,             -- JSON: what the condition sets
  PRIMARY KEY(study, name)
) STRICT, WITHOUT ROWID;

-- Which participant meets which condition in which place, before anybody comes.
CREATE TABLE assignments(
  study       INTEGER NOT NULL REFERENCES studies(id),
  participant TEXT NOT NULL,    -- a code
  place       INTEGER NOT NULL, -- 1, 2, ...: the participant's first session, second, ...
  condition   TEXT NOT NULL,
  sequence    INTEGER NOT NULL, -- which row of the design it is, from 1
  block       INTEGER,          -- block of the randomization
  instead_of  TEXT,             -- the participant whose place in the design this one takes
  PRIMARY KEY(study, participant, place),
  FOREIGN KEY(study, condition) REFERENCES conditions(study, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE participants(
  study        INTEGER NOT NULL REFERENCES studies(id),
  code         TEXT NOT NULL,
  consent      INTEGER NOT NULL CHECK (consent IN (0, 1)),
  consented_at TEXT,          -- [measured] UTC; null: none, or given elsewhere (imported)
  withdrawn_at TEXT,          -- [measured] UTC: since then nothing else is kept of this participant
  facts        TEXT,          -- JSON: only what the study's file declares
  PRIMARY KEY(study, code)
) STRICT, WITHOUT ROWID;

CREATE TABLE wizards(
  study            INTEGER NOT NULL REFERENCES studies(id),
  code             TEXT NOT NULL, -- as the wizard attaches
  training_minutes REAL,          -- as the study's file says; training sessions are rows of sessions besides
  facts            TEXT,          -- JSON: part, experience, ...
  PRIMARY KEY(study, code)
) STRICT, WITHOUT ROWID;

-- One participant in one condition once; a rehearsal or training has no participant.
CREATE TABLE sessions(
  id          INTEGER PRIMARY KEY,
  study       INTEGER NOT NULL REFERENCES studies(id),
  participant TEXT,
  condition   TEXT,
  ordinal     INTEGER, -- the participant's first session, second, ...: assignments.place
  wizard      TEXT,    -- who drives
  script      TEXT,    -- versions.hash of the session script
  rehearsal   INTEGER NOT NULL DEFAULT 0 CHECK (rehearsal IN (0, 1)),
  training    INTEGER NOT NULL DEFAULT 0 CHECK (training IN (0, 1)), -- of a wizard; neither: it counts
  version     INTEGER, -- study_versions.id of the study's file
  began       TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- [measured] UTC
  ended       TEXT,    -- [measured] UTC; null: not ended yet, or it crashed
  outcome     TEXT,    -- 'finished', 'aborted'; null: not ended yet
  notes       TEXT,
  FOREIGN KEY(study, condition) REFERENCES conditions(study, name),
  FOREIGN KEY(study, participant) REFERENCES participants(study, code)
) STRICT;
CREATE INDEX sessions_of ON sessions(study, participant, ordinal);
CREATE UNIQUE INDEX session_once ON sessions(study, participant, ordinal) WHERE rehearsal = 0 AND training = 0
  AND outcome IS NOT 'aborted';

CREATE TRIGGER session_needs_consent BEFORE INSERT ON sessions
WHEN NEW.participant IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM participants p WHERE p.study = NEW.study AND p.code = NEW.participant AND p.consent = 1)
BEGIN SELECT raise(ABORT, 'a participant''s consent comes before the session'); END;

CREATE TRIGGER session_counts_with_a_participant BEFORE INSERT ON sessions
WHEN NEW.rehearsal = 0 AND NEW.training = 0 AND NEW.participant IS NULL
BEGIN SELECT raise(ABORT, 'a session that counts has a participant'); END;

-- A session that crashed goes on in another run.
CREATE TABLE session_runs(
  run     INTEGER PRIMARY KEY REFERENCES runs(id),
  session INTEGER NOT NULL REFERENCES sessions(id)
) STRICT;
CREATE INDEX session_runs_of ON session_runs(session);

-- The steps of a session script as they were gone through; session null: of a run outside any study.
CREATE TABLE session_steps(
  run        INTEGER NOT NULL REFERENCES runs(id),
  id         INTEGER NOT NULL,
  session    INTEGER REFERENCES sessions(id),
  step       TEXT NOT NULL,
  expected   TEXT,    -- what the wizard was to do: as actions.expected; null: nothing
  late_after REAL,    -- s; null: studies.late_after holds
  t_cue      REAL,    -- when the wizard was to act
  t_begun    REAL,
  t_ended    REAL,    -- null: it was still on when the run ended
  outcome    TEXT,    -- 'done', 'omitted', 'skipped', ...
  branch     TEXT,    -- which way it went on
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_steps_of ON session_steps(session);
