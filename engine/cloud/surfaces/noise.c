/* The noise of a cloud, measured in the cloud.
**
** The noise of a depth camera grows with the square of the distance (Khoshelham and Elberink, "Accuracy and
** resolution of Kinect depth data", 2012), that of a laser hardly. So no model is assumed: cells are sorted
** by their distance into bins of about equal numbers. In each bin the lower quartile of the cells' thickness
** (with their neighbors) is the noise, as everything that is not flat only adds to it. O(cells log cells) */
#include "cloud/surfaces/noise.h"

#include <assert.h>
#include <stdlib.h>

enum { MIN_POINTS = 12, BIN_CELLS = 40 };

/* The distance of a cell from the sensor, and the deviation of its points across their plane, m. */
typedef struct thickness {
  double range, sigma;
} thickness;

/* Order by distance, for qsort. */
static int by_range(const void *a, const void *b) {
  double x = ((const thickness *)a)->range, y = ((const thickness *)b)->range;
  return (x > y) - (x < y);
}

/* Order by thickness, for qsort. */
static int by_sigma(const void *a, const void *b) {
  double x = ((const thickness *)a)->sigma, y = ((const thickness *)b)->sigma;
  return (x > y) - (x < y);
}

bool brio_cloud_noise_measure(brio_cloud_noise *noise, const brio_cloud *cloud, const brio_cloud_cells *cells,
                              brio_error *err) {
  *noise = (brio_cloud_noise){
      .sensor = brio_vec3_sub(cloud->viewpoint.p, cells->origin), .floor = 0.03 * cells->size, .warp = 0.001};
  thickness *list = malloc(((size_t)cells->count + 1) * sizeof *list);
  if (!list) return brio_fail(err, BRIO_NO_MEMORY, "no memory to measure a cloud's noise");
  int count = 0;
  /* The thickness is the deviation across the plane through a cell and its neighbors. */
  for (int c = 0; c < cells->count; c++) {
    brio_cloud_spread spread;
    /* Cells with few points have no reliable thickness. */
    if (!brio_cloud_spread_of(&cells->wide[c], MIN_POINTS, &spread)) continue;
    double range = brio_vec3_norm(brio_vec3_sub(spread.center, noise->sensor));
    list[count++] = (thickness){range, sqrt(spread.variance[0])};
  }
  qsort(list, (size_t)count, sizeof *list, by_range);
  /* As many bins as there are cells to fill them, up to BRIO_CLOUD_NOISE_BINS. */
  int bins = count / BIN_CELLS;
  bins = bins < 1 ? count > 0 : bins > BRIO_CLOUD_NOISE_BINS ? BRIO_CLOUD_NOISE_BINS : bins;
  for (int b = 0; b < bins; b++) {
    int from = (int)((long)count * b / bins), to = (int)((long)count * (b + 1) / bins);
    /* The distance of a bin is its median. */
    noise->range[b] = list[(from + to) / 2].range;
    qsort(list + from, (size_t)(to - from), sizeof *list, by_sigma);
    noise->sigma[b] = list[from + (to - from) / 4].sigma;
  }
  assert(bins <= BRIO_CLOUD_NOISE_BINS);
  noise->count = bins;
  free(list);
  return true;
}

/* The tolerance is given: the noise is `sigma` at every distance. */
void brio_cloud_noise_told(brio_cloud_noise *noise, double sigma) {
  noise->count = 1;
  noise->range[0] = 0;
  noise->sigma[0] = sigma;
  noise->floor = noise->warp = 0;
}

/* The measured noise at a distance, m: linear between the distances of bins, constant outside. */
static double measured(const brio_cloud_noise *noise, double range) {
  assert(noise->count > 0);
  int last = noise->count - 1, b = 0;
  if (!(range > noise->range[0])) return noise->sigma[0];
  if (range >= noise->range[last]) return noise->sigma[last];
  while (range >= noise->range[b + 1]) b++;
  double u = (range - noise->range[b]) / fmax(noise->range[b + 1] - noise->range[b], 1e-9);
  return noise->sigma[b] + u * (noise->sigma[b + 1] - noise->sigma[b]);
}

double brio_cloud_noise_at(const brio_cloud_noise *noise, brio_vec3 point) {
  if (noise->count == 0) return 0;
  double range = brio_vec3_norm(brio_vec3_sub(point, noise->sensor));
  /* Calibration errors grow with the distance, and are independent of the noise. */
  return hypot(measured(noise, range), noise->warp * range);
}
