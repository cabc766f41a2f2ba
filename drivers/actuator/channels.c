/* What a driver sees of its axes: limits in motors' units, through couplings, then mappings. */
#include <math.h>

#include "drivers/actuator/device.h"

enum { SLOPES = 32 }; /* samples of a mapping's slope over its range */

/* Bound each motor's range, speed and acceleration by those of all axes that it takes part in: the
** interval of a sum of products.  O(n^2) for n motors. */
static void couple_limits(const brio_device *device, const brio_device_coupling *c) {
  int n = c->coupling.count;
  /* All motors start from the axes' limits, so keep these before writing. */
  brio_axis before[BRIO_COUPLING_MOST];
  for (int k = 0; k < n; k++) before[k] = device->channels[c->channels[k]];
  /* Interval arithmetic: sum m x [lower, upper], where m < 0 exchanges the ends. */
  for (int i = 0; i < n; i++) {
    brio_axis *motor = &device->channels[c->channels[i]];
    motor->lower = motor->upper = motor->velocity = motor->acceleration = motor->start = 0;
    for (int k = 0; k < n; k++) {
      double m = c->coupling.matrix[i * n + k];
      if (m == 0) continue; /* 0 x infinity is NaN */
      motor->lower += m > 0 ? m * before[k].lower : m * before[k].upper;
      motor->upper += m > 0 ? m * before[k].upper : m * before[k].lower;
      /* Speeds and accelerations add up in the worst case: sum |m| x limit. */
      motor->velocity += fabs(m) * before[k].velocity;
      motor->acceleration += fabs(m) * before[k].acceleration;
      motor->start += m * before[k].start;
    }
  }
}

/* Return the steepest slope of a mapping within a range, by samples; of an endless range, the slope
** at 0. */
static double steepest(const brio_mapping *mapping, double lower, double upper) {
  double most = fabs(brio_mapping_slope(mapping, 0));
  if (isfinite(lower) && isfinite(upper)) most = 0;
  /* SLOPES + 1 samples from end to end. */
  for (int i = 0; i <= SLOPES && isfinite(lower) && isfinite(upper); i++)
    most = fmax(most, fabs(brio_mapping_slope(mapping, lower + (upper - lower) * i / SLOPES)));
  return most;
}

/* Convert limits to motors' units.  A mapping that falls exchanges the ends; speeds use the
** steepest slope. */
static void map_limits(brio_axis *axis, const brio_mapping *mapping) {
  double slope = steepest(mapping, axis->lower, axis->upper);
  double a = brio_mapping_forward(mapping, axis->lower), b = brio_mapping_forward(mapping, axis->upper);
  axis->lower = fmin(a, b);
  axis->upper = fmax(a, b);
  axis->velocity *= slope;
  axis->acceleration *= slope;
  axis->start = brio_mapping_forward(mapping, axis->start);
}

/* Whether each motor counts as its axis does. */
static bool is_plain(const brio_device *device) {
  for (int i = 0; i < device->count; i++)
    if (!brio_mapping_is_identity(&device->mappings[i])) return false;
  return device->ncoupling == 0;
}

void brio_device_make_channels(brio_device *device) {
  device->plain = is_plain(device);
  for (int i = 0; i < device->count; i++) device->channels[i] = device->limits[i];
  for (int k = 0; k < device->ncoupling; k++) couple_limits(device, &device->couplings[k]);
  for (int i = 0; i < device->count; i++) map_limits(&device->channels[i], &device->mappings[i]);
  brio_device_map_impedances(device);
}
