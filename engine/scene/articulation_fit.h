/* Fits of the kinds of articulation to a track.  Private to articulation.c. */
#ifndef BRIO_SCENE_ARTICULATION_FIT_H
#define BRIO_SCENE_ARTICULATION_FIT_H

#include "scene/articulation.h"

/* A track and room to work in. */
typedef struct brio_articulation_track {
  const brio_pose *poses;
  brio_vec3 *turns; /* of each pose: the rotation vector from the mean orientation, world axes */
  brio_quat mean;   /* orientation */
  double *errors;   /* room for one number a pose */
  double *sorted;   /* again */
  bool *used;       /* the inliers */
  int count;
  double turning; /* rad; below 0: orientations are unknown */
  double noise;   /* m: the current estimate; 0: none yet */
} brio_articulation_track;

/* A kind's numbers: a place for `fixed`, a line for `slider`, an axis and a radius for `hinge`. */
typedef struct brio_articulation_fit {
  brio_vec3 point, axis;
  double radius;
  double ahead; /* rad: of a hinge, how far the angle of a place is ahead of its turn from the mean
                ** orientation */
} brio_articulation_fit;

/* Fit a kind so that up to half of the poses may be outliers; sets track->used. */
void brio_articulation_fit_kind(brio_articulation_track *track, brio_articulation_kind kind,
                                brio_articulation_fit *fit);

/* Return the squared error of pose i in a fit, m^2, with the weighted error of the orientation. */
double brio_articulation_off(const brio_articulation_track *track, brio_articulation_kind kind,
                             const brio_articulation_fit *fit, int i);

/* Return the value of pose i in a fit: m, or of a hinge rad, within half a turn of `near`. */
double brio_articulation_along(const brio_articulation_track *track, brio_articulation_kind kind,
                               const brio_articulation_fit *fit, int i, double near);

#endif
