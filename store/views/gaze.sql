-- What a character looked at, from when to when, and why: its events `gaze`.
CREATE VIEW gaze AS
SELECT
  run, t AS started,
  coalesce(lead(t) OVER (PARTITION BY run ORDER BY id),
    (SELECT r.duration FROM runs r WHERE r.id = e.run)) AS ended,
  json_extract(data, '$.target') AS target, json_extract(data, '$.kind') AS kind,
    json_extract(data, '$.why') AS why,
  json_extract(data, '$.salience') AS salience, coalesce(json_extract(data, '$.away'), 0) AS away,
  json_extract(data, '$.by') AS "by"
FROM events e WHERE name = 'gaze' AND source = 'gaze';
