/* Interpolation of a track between two keys.
**
** A key's value is a + b u, with u the value below on that DOF (keyframe.h), so an interval between two keys
** interpolates a and b. A curve does so by a share that is the same for both, or for a by the surrounding
** keys, as splines do.  To add one: write curves/<name>.c and add X(<name>) to curves.def. */
#ifndef BRIO_MOTION_CURVE_H
#define BRIO_MOTION_CURVE_H

#include <stdbool.h>

/* An interval between two keys, as the argument of a curve. */
typedef struct brio_stretch {
  double width;       /* s, above 0: from its first key to its second */
  double from, to;    /* a of these keys */
  double slope_from, slope_to; /* per s: of a at the keys, if the curve needs them */
  double out[2], into[2]; /* handles, s and value: from the first key onwards, and from the second back */
} brio_stretch;

typedef struct brio_curve {
  const char *name;    /* as sequences spell it: "cubic" */
  const char *doc;     /* one sentence for docs/ */

  /* Write the share of the way at `x` from 0 to 1, and its slope by x.  From 0 to 1; in between it may be
  ** beyond. */
  void (*share)(const brio_stretch *stretch, double x, double *share, double *slope);

  /* Write a at `x`, and its slope per s; NULL: from + share * (to - from). */
  void (*value)(const brio_stretch *stretch, double x, double *value, double *slope);

  /* Return the slope (per s) at a key between two others of its kind, from the widths (s) and slopes of the
  ** straight lines on either side; NULL: not needed.  It is 0 at a track's ends, and where keys that do and
  ** do not depend on u meet. */
  double (*tangent)(const double width[2], const double slope[2]);

  bool handles;        /* keys' handles count */
} brio_curve;

/* All curves, ended by NULL; their count. */
extern const brio_curve *const brio_curves[];
extern const int brio_curve_count;

/* Return the number of the curve of that name in brio_curves, or -1. */
int brio_curve_find(const char *name);

/* Shared by several curves: share and value of the cubic with given slopes at its ends, 3x^2 - 2x^3 between
** kinds. */
void brio_curve_smooth(const brio_stretch *stretch, double x, double *share, double *slope);
void brio_curve_hermite(const brio_stretch *stretch, double x, double *value, double *slope);

#endif
