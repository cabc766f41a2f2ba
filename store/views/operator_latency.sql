-- How long each action took on its way, ms: `person` from cue to key press, `accepted` and `applied` from the
-- key press, `moved` to the first motion, which was earlier by `moved_error` at most, `lasted` in s.
CREATE VIEW operator_latency AS
SELECT run, id, who, name, outcome,
  1000 * (t_input - t_cue) AS person_ms,
  1000 * (t_accept - t_input) AS accepted_ms,
  1000 * (t_dispatch - t_input) AS applied_ms,
  1000 * (t_first_motion - t_input) AS moved_ms,
  t_done - t_dispatch AS lasted_s,
  1000 * t_first_motion_error AS moved_error_ms
FROM actions;
