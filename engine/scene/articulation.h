/* Estimates how an observed thing moves: not at all, along a line (a drawer) or about an axis (a door, a lid,
** a knob).
**
** From a track of positions and, if known, orientations, each kind is fitted robustly, so that outliers do
** not count.  The kinds are compared by the Bayesian information criterion: a kind with more freedom must
** explain more. Source: Sturm, Stachniss and Burgard, "A probabilistic framework for learning kinematic
** models of articulated objects", 2011. */
#ifndef BRIO_SCENE_ARTICULATION_H
#define BRIO_SCENE_ARTICULATION_H

#include "base/error.h"
#include "math/pose.h"

enum { BRIO_ARTICULATION_MOST = 4096, BRIO_ARTICULATION_LEAST = 6 };

typedef enum brio_articulation_kind {
  BRIO_ARTICULATION_FIXED,
  BRIO_ARTICULATION_SLIDER,
  BRIO_ARTICULATION_HINGE,
  BRIO_ARTICULATION_NKIND
} brio_articulation_kind;

/* Prior knowledge of the track.  0: the default of each field. */
typedef struct brio_articulation_how {
  double noise;   /* m: standard deviation of positions; 0: estimated from the track */
  double turning; /* rad: standard deviation of orientations; 0: 0.03; below 0: orientations are unknown */
  int only;       /* 1 + the kind, if it is known; 0: any */
} brio_articulation_how;

typedef struct brio_articulation {
  brio_articulation_kind kind;
  brio_vec3 axis; /* unit: direction of the slide, or of the axis (right-handed) */
  brio_vec3 point;  /* origin at value 0: the first position, on the line; of a hinge: the point of the axis
                    ** next to it */
  double radius;    /* m from the axis; 0: no hinge */
  double low, high; /* range of the values in the track without the outermost 1 of 40 at either end, m or rad;
                    ** value 0 is that of the first inlier */
  brio_pose start;  /* the pose at value 0; the orientation is valid if the track's orientations are */
  double error;     /* m: root of the mean squared distance of the inliers from the fit */
  double noise;     /* m: as given, or estimated */
  double probability[BRIO_ARTICULATION_NKIND]; /* of each kind, their sum is 1 */
  int count, used;                             /* positions; inliers */
} brio_articulation;

/* Estimate it from a track of 6 to 4096 poses, oldest first.  Takes some ms; allocates.
** Errors: misuse (NaN or infinity), unreachable (too few places), limit (too many), no_memory. */
bool brio_articulation_estimate(brio_articulation *out, const brio_pose *track, int count,
                                const brio_articulation_how *how, brio_error *err);

/* Return the pose at a value (m or rad). */
brio_pose brio_articulation_pose(const brio_articulation *a, double value);

/* Return the value whose pose is nearest to a position; of a hinge within half a turn of `near`. */
double brio_articulation_value(const brio_articulation *a, brio_vec3 place, double near);

/* Return the word for a kind: "fixed", "slider", "hinge". */
const char *brio_articulation_name(brio_articulation_kind kind);

#endif
