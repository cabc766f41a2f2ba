-- What every row belongs to is declared, so that other programs, `brio merge` and `brio prune` can follow it.  No constraint
-- of this kind changes how rows lie in the file: only the declarations are written anew, as SQLite's documentation describes
-- ("Making Other Kinds Of Table Schema Changes", https://sqlite.org/lang_altertable.html), in no time however large the store is.
PRAGMA writable_schema = ON;
WITH keys(name, clause) AS (VALUES
  ('run_versions', ', FOREIGN KEY(run) REFERENCES runs(id), FOREIGN KEY(hash) REFERENCES versions(hash)'),
  ('activations', ', FOREIGN KEY(run) REFERENCES runs(id), FOREIGN KEY(run, parent) REFERENCES activations(run, id)'
    || ', FOREIGN KEY(version) REFERENCES versions(hash)'),
  ('states', ', FOREIGN KEY(run) REFERENCES runs(id), FOREIGN KEY(run, activation) REFERENCES activations(run, id)'
    || ', FOREIGN KEY(version) REFERENCES versions(hash)'),
  ('events', ', FOREIGN KEY(run) REFERENCES runs(id), FOREIGN KEY(version) REFERENCES versions(hash)'),
  ('operator', ', FOREIGN KEY(run) REFERENCES runs(id)'),
  ('solves', ', FOREIGN KEY(run) REFERENCES runs(id)'),
  ('faults', ', FOREIGN KEY(run) REFERENCES runs(id), FOREIGN KEY(version) REFERENCES versions(hash)'),
  ('logs', ', FOREIGN KEY(version) REFERENCES versions(hash)'),
  ('notes', ', FOREIGN KEY(run) REFERENCES runs(id)'),
  ('dofs', ', FOREIGN KEY(run) REFERENCES runs(id)'),
  ('sample_chunks', ', FOREIGN KEY(run) REFERENCES runs(id)'),
  ('sample_values', ', FOREIGN KEY(run, tick) REFERENCES sample_chunks(run, tick), FOREIGN KEY(run, dof) REFERENCES dofs(run, dof)'),
  ('inputs', ', FOREIGN KEY(run) REFERENCES runs(id)'),
  ('sources', ', FOREIGN KEY(run) REFERENCES runs(id), FOREIGN KEY(sequence) REFERENCES versions(hash)'),
  ('contributions', ', FOREIGN KEY(run, source) REFERENCES sources(run, id)'),
  ('moves', ', FOREIGN KEY(run, source) REFERENCES sources(run, id)'),
  ('emotions', ', FOREIGN KEY(run) REFERENCES runs(id)'),
  ('items', ', FOREIGN KEY(questionnaire) REFERENCES questionnaires(hash)'),
  ('sittings', ', FOREIGN KEY(questionnaire) REFERENCES questionnaires(hash), FOREIGN KEY(run) REFERENCES runs(id)'),
  ('responses', ', FOREIGN KEY(sitting) REFERENCES sittings(id)'),
  ('tree_shapes', ', FOREIGN KEY(run) REFERENCES runs(id)'),
  ('trees', ', FOREIGN KEY(run) REFERENCES runs(id), FOREIGN KEY(run, shape) REFERENCES tree_shapes(run, id)'
    || ', FOREIGN KEY(run, state) REFERENCES states(run, id)'),
  ('tree_records', ', FOREIGN KEY(run, tree) REFERENCES trees(run, id), FOREIGN KEY(run, shape) REFERENCES tree_shapes(run, id)'),
  ('tree_words', ', FOREIGN KEY(run, tree) REFERENCES trees(run, id), FOREIGN KEY(run, record) REFERENCES tree_records(run, id)'),
  ('repeat_runs', ', FOREIGN KEY(repeat) REFERENCES repeats(id)'),
  ('repeat_executions', ', FOREIGN KEY(repeat, run) REFERENCES repeat_runs(repeat, run)'),
  ('scene_objects', ', FOREIGN KEY(run) REFERENCES runs(id)'),
  ('detector_requests', ', FOREIGN KEY(run, detector) REFERENCES detectors(run, id)'),
  ('detections', ', FOREIGN KEY(run, detector) REFERENCES detectors(run, id)'),
  ('actions', ', FOREIGN KEY(run, operator_row) REFERENCES operator(run, id)'))
UPDATE sqlite_schema AS s
SET sql = substr(s.sql, 1, length(s.sql) - length(ending.text)) || keys.clause || ending.text
FROM keys, (SELECT ') STRICT, WITHOUT ROWID' AS text UNION ALL SELECT ') STRICT') AS ending
WHERE s.type = 'table' AND s.name = keys.name
  AND substr(s.sql, -length(ending.text)) = ending.text;
PRAGMA writable_schema = RESET;

-- An index of what refers to a run without beginning with its number; it also tells other connections of the change.
CREATE INDEX sittings_by_run ON sittings(run) WHERE run IS NOT NULL;
