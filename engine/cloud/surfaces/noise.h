/* Noise of a cloud as a function of the distance from its sensor, estimated from its flattest places. */
#ifndef BRIO_GEOMETRY_CLOUD_NOISE_H
#define BRIO_GEOMETRY_CLOUD_NOISE_H

#include "cloud/surfaces/cells.h"

enum { BRIO_CLOUD_NOISE_BINS = 12 };

typedef struct brio_cloud_noise {
  int count;                           /* bins */
  double range[BRIO_CLOUD_NOISE_BINS]; /* m from the sensor, ascending: middles of the bins */
  double sigma[BRIO_CLOUD_NOISE_BINS]; /* m: standard deviation off a plane there */
  double floor;     /* m: added to the tolerance, so that a cloud without noise has planes */
  double warp;      /* share of the distance: how much a lens bends planes, in addition to the noise */
  brio_vec3 sensor; /* from the origin of the cells */
} brio_cloud_noise;

/* Estimate it.  Errors: no_memory. */
bool brio_cloud_noise_measure(brio_cloud_noise *noise, const brio_cloud *cloud, const brio_cloud_cells *cells,
                              brio_error *err);

/* Set a given noise, m, for all distances. */
void brio_cloud_noise_told(brio_cloud_noise *noise, double sigma);

/* Return the standard deviation at a point (from the origin of the cells), m. */
double brio_cloud_noise_at(const brio_cloud_noise *noise, brio_vec3 point);

#endif
