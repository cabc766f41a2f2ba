/* The cascade of lowpass.h: the filter of the motor thread in Saldien et al., "A Motion System
** for Social and Animated Robots" (2014), with the rate-independent alpha. */
#include "math/lowpass.h"

#include <assert.h>
#include <math.h>

#define TWO_PI 6.28318530717958647692

/* Whether a filter of this kind exists; NaN is not a time constant. */
static bool has_sense(int stages, double tau) {
  return stages >= 1 && stages <= BRIO_LOWPASS_STAGES && tau > 0 && tau < INFINITY;
}

bool brio_lowpass_start(brio_lowpass *filter, int stages, double tau, double value) {
  /* Without stages the filter passes its input through. */
  bool good = (stages == 0 && tau >= 0) || has_sense(stages, tau);
  *filter = (brio_lowpass){.stages = good ? stages : 0, .tau = good ? tau : 0};
  brio_lowpass_place(filter, value);
  return good;
}

void brio_lowpass_place(brio_lowpass *filter, double value) {
  for (int k = 0; k < BRIO_LOWPASS_STAGES; k++) filter->state[k] = value;
}

/* Each stage follows the one before: y += (1 - exp(-dt / tau)) (x - y), the same after the same time at any
** rate. */
double brio_lowpass_step(brio_lowpass *filter, double input, double dt) {
  assert(filter->stages >= 0 && filter->stages <= BRIO_LOWPASS_STAGES);
  if (filter->stages == 0) {
    if (isfinite(input)) filter->state[0] = input;
    return filter->state[0];
  }
  double *last = &filter->state[filter->stages - 1];
  /* An input that is not finite is skipped: the output stays. */
  if (!isfinite(input) || !(dt > 0)) return *last;
  double alpha = -expm1(-dt / filter->tau);
  for (int k = 0; k < filter->stages; k++) input = filter->state[k] += alpha * (input - filter->state[k]);
  return *last;
}

/* 2 pi f tau at the -3 dB frequency f: each of n stages attenuates by 2^(-1/(2n)) there. */
static double corner(int stages) { return sqrt(exp2(1.0 / stages) - 1); }

double brio_lowpass_cutoff(int stages, double tau) {
  return has_sense(stages, tau) ? corner(stages) / (TWO_PI * tau) : 0;
}

double brio_lowpass_tau(int stages, double cutoff) {
  return has_sense(stages, cutoff) ? corner(stages) / (TWO_PI * cutoff) : 0;
}
