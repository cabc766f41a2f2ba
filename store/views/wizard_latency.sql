-- How quickly each wizard and the robot acted in each session, s: medians and worst; `late` of those that had a cue and a limit.
CREATE VIEW wizard_latency AS
WITH ranked AS (
  SELECT *, row_number() OVER (PARTITION BY run, wizard ORDER BY person_s IS NULL, person_s) AS person_rank,
    count(person_s) OVER (PARTITION BY run, wizard) AS persons,
    row_number() OVER (PARTITION BY run, wizard ORDER BY robot_s IS NULL, robot_s) AS robot_rank,
    count(robot_s) OVER (PARTITION BY run, wizard) AS robots
  FROM session_actions)
SELECT run, session, study, participant, condition, rehearsal, training, wizard, count(*) AS actions, persons AS with_cue,
  avg(CASE WHEN person_rank IN ((persons + 1) / 2, (persons + 2) / 2) THEN person_s END) AS person_median,
  max(person_s) AS person_most,
  avg(CASE WHEN robot_rank IN ((robots + 1) / 2, (robots + 2) / 2) THEN robot_s END) AS robot_median,
  max(robot_s) AS robot_most, total(late) AS late
FROM ranked GROUP BY run, wizard;
