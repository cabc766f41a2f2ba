/* Clusters of a cloud: connected points, on a table or anywhere. */
#ifndef BRIO_CLOUD_OBJECTS_CLUSTERS_H
#define BRIO_CLOUD_OBJECTS_CLUSTERS_H

#include "cloud/surfaces/planes.h"

/* Settings.  0: the default of each field; lengths in m. */
typedef struct brio_cloud_clusters_how {
  double distance; /* points nearer than this belong together; those more than twice as far apart with nothing
                   ** between do not: 0.02, or 2.5 times the distance between points */
  int least, most; /* points of a thing: 100, or one in 2000 of the cloud's when that is less, but 10;
                   ** any number */
  const brio_cloud_plane *above; /* only points above the hull of this plane; NULL: anywhere */
  double low, high;              /* height above it: four times its noise, but 0.01; 0.6 */
  brio_vec3 up;                  /* unit: vertical axis of boxes: the plane's normal, or (0, 0, 1) */
} brio_cloud_clusters_how;

typedef struct brio_cloud_cluster {
  brio_pose pose;   /* middle of the least upright box around it: z up, x along the longer side */
  double size[3];   /* m: its sides */
  brio_vec3 center; /* mean of its points */
  double color[3];  /* mean, 0 to 1; NAN: the cloud has none */
  int count;        /* points */
} brio_cloud_cluster;

typedef struct brio_cloud_clusters {
  int count;
  brio_cloud_cluster *clusters; /* by number of points, descending */
  int *labels;                  /* of each place of the cloud: its cluster, -1: none */
} brio_cloud_clusters;

/* Find the clusters of a judged cloud; none found is no error.  End it in either case.  Costs time in
** proportion to the candidate points (20 to 60 ms for 300,000). Errors: misuse, limit (a distance so short
** that its cubes are too many), no_memory, unreachable (no points). */
bool brio_cloud_clusters_find(brio_cloud_clusters *found, const brio_cloud *cloud,
                              const brio_cloud_clusters_how *how, brio_error *err);

/* Free the memory. */
void brio_cloud_clusters_end(brio_cloud_clusters *found);

#endif
