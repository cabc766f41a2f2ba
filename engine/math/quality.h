/* Measures of the quality of a motion: for tests, benchmarks and analysis of recordings.  Off the tick: not
** fast. */
#ifndef BRIO_MATH_QUALITY_H
#define BRIO_MATH_QUALITY_H

#include <stdbool.h>

/* Smoothness of a movement by the arc length of its speed's spectrum (SPARC; Balasubramanian,
** Melendez-Calderon, Roby-Brami and Burdet 2015, with their default settings: up to 10 Hz, above 5 % of the
** greatest amplitude, padded to sixteen times the length).  `speed`: count samples at `rate` Hz, at least 0,
** in any unit; the movement from its beginning to its end.  Nearer to 0 is smoother: minimum jerk has -1.406.
** NaN: fewer than 2 samples or more than 2^22, a rate that is not above 0, a speed below 0 or
** NaN, no movement, or no memory. */
double brio_quality_sparc(const double *speed, int count, double rate);

/* Dimensionless jerk of a speed profile (the same authors): -(T^3 / peak^2) times the integral of the squared
** second derivative of speed; its logarithm, -ln|DLJ|, is LDLJ: -5.32 for minimum jerk, lower for rougher.
** It is sensitive to noise: for commands, not for sensors.  NaN: fewer than 3 samples, no movement. */
double brio_quality_jerk(const double *speed, int count, double rate);

/* Curvature of a path: mean curvature |r''(s)|, 1/unit, and its rate of change along the path, 1/unit^2.
** `points`: count points of `dimensions` numbers; they are resampled first at equal distances along the path,
** to the same count. */
typedef struct brio_quality_path {
  double length, chord;    /* length along the path, and straight from end to end */
  double curvature, change; /* NaN: fewer than 5 points, or no length */
} brio_quality_path;

/* Measure a path; return false: bad sizes, NaN or infinity, no memory. */
bool brio_quality_bend(const double *points, int count, int dimensions, brio_quality_path *out);

/* The cost of the cheapest alignment of two series by dynamic time warping: Euclidean distances of aligned
** points summed, divided by the number of pairs (so that length does not count).  Indices may differ by
** `band` (below 0: any) beyond the straight alignment.  NaN: bad sizes, NaN or infinity, no memory. */
double brio_quality_warp(const double *a, int na, const double *b, int nb, int dimensions, int band);

/* A move from one value to another: `amplitude`; as shares of it, the motion in the opposite direction at
** first (anticipation) and beyond the end (overshoot); the greatest speed over the mean (slow in, slow out: 1
** for linear, 1.875 for minimum jerk). */
typedef struct brio_quality_move {
  double amplitude, anticipation, overshoot, peak_to_mean;
} brio_quality_move;

/* Measure a move; return false when it begins where it ends, or has fewer than 3 or no finite samples. */
bool brio_quality_measure_move(const double *values, int count, double rate, brio_quality_move *out);

/* The delay of b after a, s: where their correlation is greatest within +- `most` s (of the overlap, between
** samples by a parabola).  NaN: one of them does not move, or bad sizes. */
double brio_quality_lag(const double *a, const double *b, int count, double rate, double most);

#endif
