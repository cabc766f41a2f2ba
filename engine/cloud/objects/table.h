/* The edge of a table in front of the robot: the goal of an approach, and the direction to face.
**
** First two upright capsules, left and right, are swept forward until enough points are in them: this gives a
** rough distance.  Then the top itself is searched among the level planes, and its front is followed strip by
** strip, which is exact to millimeters also with people or things in front of it or on it. */
#ifndef BRIO_CLOUD_OBJECTS_TABLE_H
#define BRIO_CLOUD_OBJECTS_TABLE_H

#include "cloud/surfaces/rim.h"

/* Settings.  Lengths in m; 0: the default of each field. */
typedef struct brio_cloud_table_how {
  brio_pose from;          /* pose of the robot: on the ground, x forward, z up */
  double radius;           /* of the capsules: 0.05 */
  double low, high;        /* their ends over the ground: 0.5, 1.1; the top is searched between */
  double side;             /* their distance to the left and right: 0.3 */
  double start, step, far; /* their first distance, step and last distance: 0.05, 0.01, 3 */
  double reach;            /* distance to either side to which the edge is followed: 0.7 */
  double tilt;             /* rad that the top may lean: 0.2 */
  int least; /* points in a capsule: 300, or one in 1000 of the cloud's when that is less, but 12 */
} brio_cloud_table_how;

typedef struct brio_cloud_table {
  brio_pose pose; /* on the ground below the middle of the edge: x into the table, at right angles to the
                  ** edge, z up */
  brio_vec3 left, right;    /* ends of the visible edge, as seen from the robot */
  brio_vec3 normal;         /* of the top, upwards */
  double height;            /* m of the top over the ground, at the edge */
  double length, error;     /* m: of what was seen; root of the mean squared distance from the line */
  double share;             /* share of the strips before the table that begin on the line */
  int points;               /* of the top */
  double swept[2];          /* m forward where the left and the right capsule had enough points; NAN: never */
  int swept_points[2];      /* points in them there; without enough: the most */
  brio_cloud_beyond beyond; /* what the sensor sees before the edge */
} brio_cloud_table;

/* Find the edge.  The cost is that of finding planes in the points in front of the robot
** (cloud/surfaces/planes.h), and at most about 10 ms more.  Errors: misuse (a setting that is NaN or out of
** order), unreachable (with what is missing), limit, no_memory. */
bool brio_cloud_table_find(brio_cloud_table *table, const brio_cloud *cloud, const brio_cloud_table_how *how,
                           brio_error *err);

#endif
