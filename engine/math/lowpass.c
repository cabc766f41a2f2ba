/* The cascade of lowpass.h: the filter of the motor thread in Saldien et al., "A Motion System
** for Social and Animated Robots" (2014), with the rate-independent alpha. */
#include "math/lowpass.h"

#include <math.h>

#define TWO_PI 6.28318530717958647692

static bool has_sense(int stages, double tau) {
  return stages >= 1 && stages <= BRIO_LOWPASS_STAGES && tau > 0 && tau < INFINITY;
}

bool brio_lowpass_start(brio_lowpass *filter, int stages, double tau, double value) {
  bool good = (stages == 0 && tau >= 0) || has_sense(stages, tau);
  *filter = (brio_lowpass){.stages = good ? stages : 0, .tau = good ? tau : 0};
  brio_lowpass_place(filter, value);
  return good;
}

void brio_lowpass_place(brio_lowpass *filter, double value) {
  for (int k = 0; k < BRIO_LOWPASS_STAGES; k++) filter->state[k] = value;
}

double brio_lowpass_step(brio_lowpass *filter, double input, double dt) {
  if (filter->stages == 0) {
    if (isfinite(input)) filter->state[0] = input;
    return filter->state[0];
  }
  double *last = &filter->state[filter->stages - 1];
  if (!isfinite(input) || !(dt > 0)) return *last;
  double alpha = -expm1(-dt / filter->tau);
  for (int k = 0; k < filter->stages; k++) input = filter->state[k] += alpha * (input - filter->state[k]);
  return *last;
}

/* 2 pi f tau at -3 dB. */
static double corner(int stages) { return sqrt(exp2(1.0 / stages) - 1); }

double brio_lowpass_cutoff(int stages, double tau) {
  return has_sense(stages, tau) ? corner(stages) / (TWO_PI * tau) : 0;
}

double brio_lowpass_tau(int stages, double cutoff) {
  return has_sense(stages, cutoff) ? corner(stages) / (TWO_PI * cutoff) : 0;
}
