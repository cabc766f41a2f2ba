/* A cubic spline through points of several joints: positions q(s) of a parameter s, twice continuously
** differentiable.
**
** Source: de Boor, "A Practical Guide to Splines", 1978, chapter IV.
**
** Points are `joints` numbers each, one after another. */
#ifndef BRIO_PLAN_TIMING_SPLINE_H
#define BRIO_PLAN_TIMING_SPLINE_H

#include "base/arena.h"
#include "base/error.h"

/* Largest number of a point, and of a parameter; shortest piece, as a share of the path. */
#define BRIO_SPLINE_MAX_POSITION 1e6
#define BRIO_SPLINE_MAX_PARAMETER 1e9
#define BRIO_SPLINE_MIN_PIECE 1e-9

typedef enum brio_spline_ends {
  BRIO_SPLINE_NATURAL, /* second derivatives are 0 at both ends */
  BRIO_SPLINE_CLAMPED, /* first derivatives are 0 at both ends */
  BRIO_SPLINE_NENDS
} brio_spline_ends;

/* Their names: "natural", "clamped". */
extern const char *const brio_spline_ends_names[BRIO_SPLINE_NENDS];

typedef struct brio_spline {
  int joints, most;         /* numbers of a point; points that there is memory for */
  int count;                /* points; 0: no path yet */
  const char *const *names; /* joints: for errors; NULL: numbers */
  double *at;               /* most: parameter of each point, rising */
  double *points;           /* most x joints */
  double *curves;           /* most x joints: second derivatives */
  double *factors;          /* most: scratch */
} brio_spline;

/* Take the memory.  `names` (joints; or NULL) must outlive the spline.  Errors: no_memory. */
bool brio_spline_start(brio_spline *spline, brio_arena *arena, int joints, int most, const char *const *names,
                       brio_error *err);

/* Lay the spline through `count` points (count x joints) at the parameters `at` (count, rising; NULL: the
** length of the straight lines up to each point; points that repeat the one before are then left out).  After
** an error there is no path.  Errors: misuse: no point or too many, a number that is not finite or too large,
** parameters that do not rise; each named.
** O(count x joints) */
bool brio_spline_fit(brio_spline *spline, const double *points, const double *at, int count,
                     brio_spline_ends ends, brio_error *err);

/* Write position, first and second derivative (joints each; or NULL) at parameter `s` of piece `piece`, which
** is between points `piece` and `piece` + 1. */
void brio_spline_piece(const brio_spline *spline, int piece, double s, double *q, double *slope,
                       double *curve);

/* Write the name of a joint for an error: "elbow", or "joint 3" (counted from 1). */
const char *brio_spline_name(const brio_spline *spline, int joint, char *text, int size);

#endif
