/* How good a motion looks, as numbers: for tests, benchmarks and tools that look at what was
** recorded.  Off the tick: nothing here is quick. */
#ifndef BRIO_MATH_QUALITY_H
#define BRIO_MATH_QUALITY_H

/* Smoothness of a movement by the arc length of its speed's spectrum (SPARC; Balasubramanian,
** Melendez-Calderon, Roby-Brami and Burdet 2015, with their default settings: up to 10 Hz, above 5 % of the
** greatest amplitude, padded to sixteen times the length).  `speed`: count samples at `rate` Hz, at least 0,
** in any unit; the movement from its beginning to its end.  The nearer to 0 the smoother: minimum jerk has -1.406.
** NaN: fewer than 2 samples, a rate that is none, a speed below 0 or none, or no movement. */
double brio_quality_sparc(const double *speed, int count, double rate);

#endif
