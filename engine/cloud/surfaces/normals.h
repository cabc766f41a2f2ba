/* Surface normals at the points of a cloud. */
#ifndef BRIO_CLOUD_SURFACES_NORMALS_H
#define BRIO_CLOUD_SURFACES_NORMALS_H

#include "cloud/cloud.h"

/* Write the unit normal of the surface at each place, towards the sensor, into `normals` (cloud->count);
** NAN where there is no point or too few neighbors.  Neighbors are those within `radius` m; 0: of an
** organized cloud the points in 7 by 7 pixels without a jump in depth, of any other the points
** within the edge of cubes that hold 8 on the mean.  At most some 50 neighbors are used.  Costs
** about 1 microsecond a point. Errors: misuse (a radius that is NaN or below 0), unreachable (no
** points), limit, no_memory. */
bool brio_cloud_normals(float (*normals)[3], const brio_cloud *cloud, double radius, brio_error *err);

#endif
