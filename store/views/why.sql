-- What each source added to a DOF, ten times a second; order by place to go from the bottom to the top.
CREATE VIEW why AS
SELECT m.run, m.t, j.key AS dof, s.name AS source, s.owner AS whose, s.stage, s.place, s.priority,
  j.value AS moved
FROM moves m
JOIN sources s ON s.run = m.run AND s.id = m.source
JOIN json_each(m.moved) j;
