/* Functions of detections and points without state: checks, filters, distances, directions. */
#ifndef BRIO_SCENE_PERCEPTION_H
#define BRIO_SCENE_PERCEPTION_H

#include <stdbool.h>

#include "base/error.h"
#include "math/detection.h"

/* Normalize a detection: texts end, the quaternion has length 1, confidence and color are
** within 0 to 1 (a color that is unknown in part is unknown).  Return false and an error (misuse) if it has
** no kind, a number is not finite, a length is negative, it is farther than 1e6 m away, or its time is
** infinite (NAN is "now"). */
bool brio_perception_check(brio_detection *detection, brio_error *err);

/* Which detections to keep. */
typedef struct brio_perception_filter {
  const char *kind;        /* NULL: every kind */
  double min_confidence;   /* 0 to 1 */
  double within;           /* m of `of`; INFINITY: everywhere */
  brio_vec3 of;
} brio_perception_filter;

/* Return whether the filter keeps a detection. */
bool brio_perception_keeps(const brio_perception_filter *filter, const brio_detection *detection);

/* Return the distance from a to b, m. */
double brio_perception_distance(brio_vec3 a, brio_vec3 b);

/* Write the direction of `point` from `pose` (x forward, z up): yaw to the left and pitch upwards, rad.  A
** point at the pose itself is straight ahead. */
void brio_perception_bearing(brio_pose pose, brio_vec3 point, double *yaw, double *pitch);

#endif
