-- What was said when: a row a text, with its words and marks as they came. `words` and `marks` are JSON lists
-- of {"t", "word"} and {"t", "name", "value"}; why: over, hushed, replaced, stopped; null while it is being
-- said.
CREATE VIEW speech AS
WITH told AS NOT MATERIALIZED (
  SELECT run, id, t, name, data, json_extract(data, '$.number') AS number FROM events WHERE source = 'speech'
)
SELECT
  b.run, b.number, b.t AS started, e.t AS ended,
  json_extract(b.data, '$.text') AS text,
  json_extract(b.data, '$.voice') AS voice,
  json_extract(b.data, '$.program') AS program,
  json_extract(b.data, '$.by') AS by,
  json_extract(e.data, '$.why') AS why,
  (SELECT json_group_array(json_object('t', w.t, 'word', json_extract(w.data, '$.word')))
   FROM told w WHERE w.run = b.run AND w.number = b.number AND w.name = 'word') AS words,
  (SELECT json_group_array(json_object('t', m.t, 'name', m.name, 'value', json_extract(m.data, '$.value')))
   FROM told m WHERE m.run = b.run AND m.number = b.number
     AND m.name NOT IN ('word', 'speaking', 'said')) AS marks
FROM told b
LEFT JOIN told e ON e.run = b.run AND e.number = b.number AND e.name = 'said'
WHERE b.name = 'speaking';
