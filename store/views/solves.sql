-- What the solver said of each tick, unpacked: give `run`, and `t` or `tick` where you can.
CREATE VIEW solves AS
SELECT run, tick, t, status, cost, iterations, evaluations, active, distance, solve_us, tick_us, late_us
FROM solver_ticks;
