/* The timing of a path of joints: how fast it can be run through within limits of velocity and acceleration
** of each joint, and other constraints.
**
** Source: Pham and Pham, "A new approach to time-optimal path parameterization based on reachability
** analysis", IEEE Transactions on Robotics 34 (2018), TOPP-RA.
**
** A path is q(s).  With x = (ds/dt)^2 and u = d2s/dt2 = (dx/ds) / 2, a joint moves with
**     velocity  q' sqrt(x)            acceleration  q' u + q'' x
** so limits are linear in u and x.  The path is cut into intervals of constant u, in which x is linear in s.
** From the end back, the range of x from which the end can be reached is computed for each gridpoint; from
** the start on, the largest u that stays in these ranges is taken.  Cuts lie on the points of the path.
**
** Schemes: where between gridpoints limits hold.
**   everywhere     limits of joints hold at any time.  A joint's acceleration over an interval is a
**                  polynomial of degree 2 in s, whose coefficients in Bernstein's basis are linear in u and
**                  x; it stays between the smallest and the largest of them, so these are constrained.
**                  Velocities likewise, with degree 5.
**   interpolation  accelerations hold at both ends of each interval, velocities at gridpoints
**   collocation    both hold at gridpoints, accelerations with the u of the interval that begins there
** The last two are those of the paper; in between they exceed limits, by 3 % (interpolation) to 200 % on
** random paths with 100 intervals, and serve to compare.
**
** A brio_timing is set up once; then nothing here allocates.  It belongs to one thread.  Off the tick:
** 7 joints and 100 intervals take about 30 us.  Units of joints: rad or m; s has any unit. */
#ifndef BRIO_PLAN_TIMING_TIMING_H
#define BRIO_PLAN_TIMING_TIMING_H

#include "plan/timing/spline.h"

enum {
  BRIO_TIMING_JOINTS = 256, /* at most */
  BRIO_TIMING_POINTS = 100000,
  BRIO_TIMING_INTERVALS = 1000000,
  BRIO_TIMING_ROWS = 256,
  BRIO_TIMING_SIZE = 10000000, /* constraints in all; numbers of the points in all */
};

/* The range of limits. */
#define BRIO_TIMING_MIN_LIMIT 1e-9
#define BRIO_TIMING_MAX_LIMIT 1e9

/* Sizes that memory is taken for. */
typedef struct brio_timing_size {
  int joints, points, intervals; /* points: at most; intervals: as many as there are */
  int rows;                      /* further constraints at each gridpoint */
  const char *const *names;      /* joints: for errors, must outlive the timing; NULL: "joint 1" ... */
} brio_timing_size;

typedef enum brio_timing_scheme {
  BRIO_TIMING_EVERYWHERE,
  BRIO_TIMING_INTERPOLATION,
  BRIO_TIMING_COLLOCATION,
  BRIO_TIMING_NSCHEME
} brio_timing_scheme;

/* Their names: "everywhere", ... */
extern const char *const brio_timing_scheme_names[BRIO_TIMING_NSCHEME];

/* A further constraint: a u + b x <= c.  With c infinite it is none. */
typedef struct brio_timing_row {
  double a, b, c;
} brio_timing_row;

/* Write the further constraints (as many as were set up) at parameter `s`, where the path has the position
** `q`, first derivative `slope` and second derivative `curve` (joints each); or return false.  They hold at
** gridpoints (at both ends of an interval, except with collocation), not in between. */
typedef bool (*brio_timing_fill)(void *context, double s, const double *q, const double *slope,
                                 const double *curve, brio_timing_row *rows, brio_error *err);

typedef struct brio_timing_options {
  brio_timing_scheme scheme;
  double start_rate, end_rate; /* ds/dt at the ends, in s per second: 0: at rest; INFINITY: the highest.
                             ** Where a clamped path ends its joints rest at any rate. */
  double duration;             /* s: the requested one; 0: the shortest */
  brio_timing_fill fill;       /* further constraints; NULL: none */
  void *context;               /* of `fill` */
} brio_timing_options;

typedef struct brio_timing {
  brio_timing_size size;
  brio_spline path;
  double *velocity, *acceleration; /* joints */
  int *piece;                      /* intervals: of the path, that it lies in */
  double *s;                       /* intervals + 1: parameter of gridpoints */
  double *slope, *curve;           /* (intervals + 1) x joints: q', q'' there */
  brio_timing_row *extra;          /* (intervals + 1) x rows */
  /* Constraints of each interval, lower <= u + e x <= upper: intervals x stride, and how many are used. */
  int stride, *used;
  double *e, *lower, *upper;
  double *floor, *ceiling;       /* intervals + 1: range of x, at first from limits, then reachable */
  double *weights;               /* intervals x 5: see rows.c */
  double *fastest, *slowest, *x; /* intervals + 1: profiles; the one that was asked for */
  double *times;                 /* intervals + 1: s, when each gridpoint is passed */
  double shortest;               /* s: the shortest duration */
  double duration;               /* s: of the profile */
  bool limited, solved;          /* limits are set; there is a profile */
  brio_arena arena;
} brio_timing;

/* Take the memory.  Errors: misuse: a size that is too small or too large (at least 2 intervals, 0 rows);
** limit: too much in all; no_memory. */
bool brio_timing_start(brio_timing *timing, const brio_timing_size *size, brio_error *err);

/* Free its memory. */
void brio_timing_end(brio_timing *timing);

/* Set the limits of velocity and acceleration (joints each; per s and s^2), in the range above; INFINITY:
** none, but not both of a joint.  Errors: misuse, with joint and value. */
bool brio_timing_set_limits(brio_timing *timing, const double *velocity, const double *acceleration,
                            brio_error *err);

/* Set the path, a spline through `count` points (spline.h); the profile is lost.  Errors: misuse: those of
** the spline, and more pieces than intervals. */
bool brio_timing_set_path(brio_timing *timing, const double *points, const double *at, int count,
                          brio_spline_ends ends, brio_error *err);

/* Compute the profile of the set path within the set limits.  A path of no length takes 0 s, or the requested
** duration.  Errors: misuse: options out of range, no path, no limits, NaN in a row; unreachable: no profile
** is within the constraints, or the requested duration is too short, with the shortest (or too long, where
** the path cannot be that slow); what `fill` said.  O(intervals x (joints + rows)) */
bool brio_timing_solve(brio_timing *timing, const brio_timing_options *options, brio_error *err);

/* Make the solved profile last `duration` s (0: the shortest).  All profiles between the fastest and the
** slowest are within the constraints; where the path may stand still, this is the fastest one slowed down by
** one factor.  Errors: misuse: nothing is solved, a duration below 0 or not finite; unreachable, as above;
** the profile is then unchanged.  O(intervals) */
bool brio_timing_set_duration(brio_timing *timing, double duration, brio_error *err);

/* Write positions, velocities and accelerations (joints each; or NULL) at time `t`, s.  Before 0 and after
** the duration the joints rest at the ends.  A profile must have been computed.  O(joints + log intervals) */
void brio_timing_at(const brio_timing *timing, double t, double *q, double *qd, double *qdd);

/* Return the path's parameter at time `t`, s, and write its rate and acceleration (or NULL). */
double brio_timing_parameter(const brio_timing *timing, double t, double *rate, double *acceleration);

#endif
