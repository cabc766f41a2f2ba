-- How every kind of activation ended, how often, and how long it took.
CREATE VIEW action_results AS
SELECT
  run,
  behavior,
  name,
  coalesce(result, 'active') AS result,
  count(*) AS times,
  avg(ended - started) AS mean_seconds,
  min(ended - started) AS least_seconds,
  max(ended - started) AS most_seconds
FROM activations
GROUP BY run, behavior, name, coalesce(result, 'active');
