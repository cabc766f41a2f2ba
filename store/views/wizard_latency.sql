-- How quickly each wizard and the robot acted in each session, s: medians and worst; `late` of those that had
-- a cue and a limit. Every window is within a run, so that a question about one run looks at no other (a
-- GROUP BY would put all together first).
CREATE VIEW wizard_latency AS
WITH ranked AS (
  SELECT *, row_number() OVER (PARTITION BY run, wizard ORDER BY person_s IS NULL, person_s) AS person_rank,
    count(person_s) OVER (PARTITION BY run, wizard) AS persons,
    row_number() OVER (PARTITION BY run, wizard ORDER BY robot_s IS NULL, robot_s) AS robot_rank,
    count(robot_s) OVER (PARTITION BY run, wizard) AS robots
  FROM session_actions),
figures AS (
  SELECT *, row_number() OVER (PARTITION BY run, wizard ORDER BY action) AS place, count(*) OVER w AS actions,
    avg(CASE WHEN person_rank IN ((persons + 1) / 2, (persons + 2) / 2)
      THEN person_s END) OVER w AS person_median,
    max(person_s) OVER w AS person_most,
    avg(CASE WHEN robot_rank IN ((robots + 1) / 2, (robots + 2) / 2) THEN robot_s END) OVER w AS robot_median,
    max(robot_s) OVER w AS robot_most, total(late) OVER w AS lates
  FROM ranked WINDOW w AS (PARTITION BY run, wizard))
SELECT run, session, study, participant, condition, rehearsal, training, wizard, actions, persons AS with_cue,
  person_median, person_most, robot_median, robot_most, lates AS late
FROM figures WHERE place = 1;
