-- Every stay in a state: from, to, how long, why, and by which version.  A state
-- inside another one has both names, as in 'awake.company'.  A stay that did not end
-- is counted up to the run's end.
CREATE VIEW states_timeline AS
SELECT
  s.run,
  s.id,
  s.machine,
  s.state,
  s.previous,
  s.cause,
  s.detail,
  1 + length(s.state) - length(replace(s.state, '.', '')) AS depth, -- 1: the outermost
  NOT EXISTS (SELECT 1 FROM states i WHERE i.run = s.run AND i.id > s.id AND i.id <= s.id + 8
    AND i.machine IS s.machine
    AND i.state > s.state || '.' AND i.state < s.state || '/') AS leaf,
      -- 1: none inside it is entered with it
  s.entered,
  coalesce(s.left_at, r.duration) AS left_at,
  coalesce(s.left_at, r.duration) - s.entered AS seconds,
  s.left_at IS NULL AS to_the_end,
  a.behavior,
  coalesce(v.name, '') AS file,
  substr(s.version, 1, 12) AS version
FROM states s
LEFT JOIN run_summary r ON r.run = s.run
LEFT JOIN activations a ON a.run = s.run AND a.id = s.activation
LEFT JOIN versions v ON v.hash = s.version;
