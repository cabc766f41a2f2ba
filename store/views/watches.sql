-- What each watched variable was, from when to when.
CREATE VIEW watches AS
SELECT
  w.run, w.name, w.unit, v.t AS started,
  coalesce(lead(v.t) OVER (PARTITION BY v.run, v.variable ORDER BY v.t),
    (SELECT r.duration FROM runs r WHERE r.id = v.run)) AS ended,
  v.value
FROM watched w JOIN watched_values v ON v.run = w.run AND v.variable = w.id;
