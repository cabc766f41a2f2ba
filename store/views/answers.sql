-- What each participant answered to each item in the end: `value` as given, `scored` with reversed items
-- turned round.
CREATE VIEW answers AS
WITH newest AS (
  SELECT sitting, item, max(id) AS id, count(*) AS given FROM responses GROUP BY sitting, item)
SELECT s.id AS sitting, q.name AS questionnaire, s.participant, s.condition, s.run, s.language, s.variant,
  s.outcome,
       i.subscale, r.item, i.place, r.value,
       CASE WHEN i.reverse THEN i.lowest + i.highest - r.value ELSE r.value END AS scored,
       n.given, r.at, r.seconds
FROM newest n
JOIN responses r ON r.sitting = n.sitting AND r.id = n.id
JOIN sittings s ON s.id = n.sitting
JOIN questionnaires q ON q.hash = s.questionnaire
JOIN items i ON i.questionnaire = s.questionnaire AND i.item = r.item;
