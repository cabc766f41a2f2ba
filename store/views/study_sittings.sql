-- Which study, and which session of it that counts, a sitting with a questionnaire belongs to: by the run
-- that the participant saw, else by the condition; one without both (before the first session, say) belongs
-- to the study, and to no session.
CREATE VIEW study_sittings AS
SELECT p.study, q.id AS sitting, p.code AS participant, q.condition,
  (SELECT max(s.id) FROM sessions s WHERE s.study = p.study AND s.participant = p.code
    AND s.condition IS q.condition
     AND s.rehearsal = 0 AND s.training = 0 AND s.outcome IS NOT 'aborted'
     AND (q.run IS NULL OR q.run IN (SELECT run FROM session_runs r WHERE r.session = s.id))) AS session
FROM participants p JOIN sittings q ON q.participant = p.code
WHERE CASE WHEN q.run IS NOT NULL THEN q.run IN (
    SELECT r.run FROM session_runs r JOIN sessions s ON s.id = r.session WHERE s.study = p.study
      AND s.participant = p.code)
  ELSE q.condition IS NULL OR q.condition IN (SELECT name FROM conditions c WHERE c.study = p.study) END;
