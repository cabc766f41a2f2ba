/* Spatial index of a point cloud: the number of points in a solid, their color, and which they are.
**
** The index is built once for a cloud and then queried many times.  It copies all it needs, so the cloud may
** change or be freed.  Its memory is kept: built again for a cloud that is no larger, it allocates nothing.
** Queries allocate nothing and change nothing: many threads may call them.
**
** A point is in a solid when brio_cloud_inside returns true; counts are exactly those of calling it for every
** point.  The surface belongs to the solid. */
#ifndef BRIO_CLOUD_INDEX_INDEX_H
#define BRIO_CLOUD_INDEX_INDEX_H

#include "cloud/cloud.h"
#include "math/shape.h"

enum { BRIO_CLOUD_SOLIDS = 256 /* of one union, at most */ };

typedef struct brio_cloud_index brio_cloud_index;

/* A sphere, box, capsule, cylinder or half-space in the cloud's frame. */
typedef struct brio_cloud_solid {
  brio_shape shape;
  brio_pose pose;
} brio_cloud_solid;

/* Points in a solid or in a union of them. */
typedef struct brio_cloud_tally {
  int count;       /* points */
  double color[3]; /* mean color: red, green, blue, 0 to 1 (sRGB); NAN: no points, or no colors */
} brio_cloud_tally;

/* Create an empty index.  Errors: no_memory. */
brio_cloud_index *brio_cloud_index_new(brio_error *err);

/* Free it.  NULL is allowed. */
void brio_cloud_index_free(brio_cloud_index *index);

/* Build the index of `cloud`.  On failure it is empty.  Errors: no_memory. */
bool brio_cloud_index_build(brio_cloud_index *index, const brio_cloud *cloud, brio_error *err);

/* Return the number of points; places without a point do not count. */
int brio_cloud_index_count(const brio_cloud_index *index);

/* Return how often building allocated memory. */
int brio_cloud_index_growths(const brio_cloud_index *index);

/* Return whether a point of the cloud is in a solid, by double-precision arithmetic; NAN is not. */
bool brio_cloud_inside(const brio_cloud_solid *solid, const float point[3]);

/* Check solids: their number, kinds (no hulls), sizes of 0 or more, finite poses.  Errors: misuse, limit. */
bool brio_cloud_solids_check(const brio_cloud_solid *solids, int count, brio_error *err);

/* Count the points that are in at least one of the solids.  Errors: misuse, limit. */
bool brio_cloud_count(const brio_cloud_index *index, const brio_cloud_solid *solids, int count,
                      brio_cloud_tally *tally, brio_error *err);

/* Write the places of these points, at most `room` of them, in the order of the index; return how many there
** are in all, or -1.  Errors: misuse, limit. */
int brio_cloud_list(const brio_cloud_index *index, const brio_cloud_solid *solids, int count, int *places,
                    int room, brio_error *err);

#endif
