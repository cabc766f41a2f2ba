/* Interpolation: how a track goes from one key to the next.
**
** A key's value is  a + b u, u being what is below on that DOF (keyframe.h), so a stretch between two keys
** interpolates a and b.  A curve says how: as a share of the way that is the same for both, or for a by the
** keys around, as splines do.  To add one: write curves/<name>.c and add X(<name>) to curves.def. */
#ifndef BRIO_MOTION_CURVE_H
#define BRIO_MOTION_CURVE_H

#include <stdbool.h>

/* A stretch between two keys, as a curve sees it. */
typedef struct brio_stretch {
  double width;       /* s, above 0: from its first key to its second */
  double from, to;    /* a of these keys */
  double slope_from, slope_to; /* per s: of a at the keys, where the curve has asked for them */
  double out[2], into[2]; /* handles, s and value: from the first key onwards, and from the second back */
} brio_stretch;

typedef struct brio_curve {
  const char *name;    /* as sequences spell it: "cubic" */
  const char *doc;     /* one sentence for docs/ */

  /* Write which share of the way is gone at `x` from 0 to 1, and its slope by x.  From 0 to 1; in between
  ** it may be beyond. */
  void (*share)(const brio_stretch *stretch, double x, double *share, double *slope);

  /* Write a at `x`, and its slope per s; NULL: from + share * (to - from). */
  void (*value)(const brio_stretch *stretch, double x, double *value, double *slope);

  /* The slope (per s) at a key between two others of its kind, given the widths (s) and slopes of the
  ** straight lines on either side; NULL: none is needed.  At a track's ends, and where keys that do and do
  ** not follow what is below meet, it is 0. */
  double (*tangent)(const double width[2], const double slope[2]);

  bool handles;        /* keys' handles count */
} brio_curve;

/* All curves, ended by NULL; their count. */
extern const brio_curve *const brio_curves[];
extern const int brio_curve_count;

/* Return the number of the curve of that name in brio_curves, or -1. */
int brio_curve_find(const char *name);

/* What several curves are made of: share and value of the cubic with given slopes at its ends, 3x^2 - 2x^3
** between kinds. */
void brio_curve_smooth(const brio_stretch *stretch, double x, double *share, double *slope);
void brio_curve_hermite(const brio_stretch *stretch, double x, double *value, double *slope);

#endif
