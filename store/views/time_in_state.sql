-- How often and how long a run was in each state of each machine.
CREATE VIEW time_in_state AS
SELECT
  run,
  machine,
  state,
  count(*) AS visits,
  sum(seconds) AS seconds,
  sum(seconds) / (SELECT duration FROM run_summary r WHERE r.run = t.run) AS share,
  max(seconds) AS longest
FROM states_timeline t
GROUP BY run, machine, state;
