-- Every sample of every DOF: goal, command and measured position, in the DOF's unit.
-- Fast when `run` and `name` are given; ask for an order if you need one.
CREATE VIEW samples AS
SELECT
  c.run,
  c.tick + s.key * c.step AS tick,
  s.value / 1e6 AS t,
  d.dof,
  d.name,
  CASE typeof(v.goal) WHEN 'text' THEN json_extract(v.goal, '$[' || s.key || ']')
    ELSE v.goal END / 1e6 AS goal,
  CASE typeof(v.command) WHEN 'text' THEN json_extract(v.command, '$[' || s.key || ']')
    ELSE v.command END / 1e6 AS command,
  CASE typeof(v.measured) WHEN 'text' THEN json_extract(v.measured, '$[' || s.key || ']')
    ELSE v.measured END / 1e6 AS measured
FROM dofs d
CROSS JOIN sample_chunks c ON c.run = d.run
CROSS JOIN sample_values v ON v.run = c.run AND v.tick = c.tick AND v.dof = d.dof
CROSS JOIN json_each(c.times) s;
