-- How often a repeated tree succeeded, beside what its leaves predict.
CREATE VIEW repeat_summary AS
SELECT r.id AS repeat, r.made_at, r.behavior, r.robot, r.state, r.seed, r.varied, count(x.run) AS runs,
  sum(x.outcome = 'success') AS successes, sum(x.outcome = 'failure') AS failures,
  sum(x.outcome NOT IN ('success', 'failure')) AS others,
  1.0 * sum(x.outcome = 'success') / count(x.run) AS rate, r.predicted,
  avg(iif(x.outcome = 'success', x.seconds, NULL)) AS mean_s,
  (SELECT min(f.run) FROM repeat_runs f WHERE f.repeat = r.id AND f.outcome <> 'success') AS first_failure
FROM repeats r LEFT JOIN repeat_runs x ON x.repeat = r.id GROUP BY r.id;
