/* Planes in a cloud: tables, walls, floors, doors.
**
** Grown from flat cells over their neighbors, parted where they meet, and fitted to all their points.
** The tolerance of a point is measured in the cloud itself (a depth camera's noise grows with the
** distance), unless it is given.  The same cloud gives the same planes.
**
** Cost: in proportion to the points; a cloud of 300,000 takes some 30 to 60 ms of one core, so use a thread
** other than the tick's, or a smaller cloud. */
#ifndef BRIO_CLOUD_SURFACES_PLANES_H
#define BRIO_CLOUD_SURFACES_PLANES_H

#include "cloud/surfaces/cells.h"
#include "cloud/surfaces/noise.h"

enum { BRIO_CLOUD_PLANES = 128, BRIO_CLOUD_HULL = 48 };

/* Settings.  All 0: all planes, with defaults. */
typedef struct brio_cloud_planes_how {
  double tolerance; /* m: tolerance of a point; 0: three times the noise measured in the cloud */
  double gap;       /* m: largest gap between parts of one plane; below 0: parts must touch; 0: 0.25 */
  int least;        /* points of a plane; 0: one in 200 of the cloud's, but 50 */
  int most;         /* planes; 0: BRIO_CLOUD_PLANES */
  brio_vec3 up;     /* unit; with `tilt` or `lean` */
  double tilt;      /* rad: only planes whose normal is within this of `up` (tables, floors); 0: any */
  double lean;      /* rad: only planes whose normal is within this of level (walls, doors); 0: any */
} brio_cloud_planes_how;

typedef struct brio_cloud_plane {
  brio_vec3 normal; /* unit, towards the sensor */
  double offset;    /* m: normal . p = offset */
  brio_pose
      pose; /* middle of the least rectangle around its points; z is the normal, x along the longer side */
  double size[2]; /* m: the sides of that rectangle along x and y */
  double area;    /* m^2 within the hull */
  double error;   /* m: root of the mean squared distance of its points */
  double noise;   /* m: noise of the cloud at its distance, as measured */
  int count;      /* points */
  int corners;    /* of the hull, in order around the normal */
  brio_vec3 hull[BRIO_CLOUD_HULL];
} brio_cloud_plane;

typedef struct brio_cloud_planes {
  int count;
  brio_cloud_plane *planes; /* by number of points, descending */
  int *labels;              /* of each place of the cloud: its plane, -1: none */
  brio_cloud_cells cells;   /* the cells of the cloud, and its noise */
  brio_cloud_noise noise;
} brio_cloud_planes;

/* Find the planes of a judged cloud; none found is no error (count 0).  End it in either case.
** Errors: misuse (a setting that is NaN or below 0), unreachable (no points), limit, no_memory. */
bool brio_cloud_planes_find(brio_cloud_planes *found, const brio_cloud *cloud,
                            const brio_cloud_planes_how *how, brio_error *err);

/* Free the memory. */
void brio_cloud_planes_end(brio_cloud_planes *found);

/* Return how far a point is from the plane's hull: 0 over it, else along the plane, m; and its height
** over the plane along the normal into `height` unless that is NULL. */
double brio_cloud_plane_beside(const brio_cloud_plane *plane, brio_vec3 point, double *height);

#endif
