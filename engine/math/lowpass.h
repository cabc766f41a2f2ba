/* A cascade of first-order low-pass filters, each y += alpha (x - y) with
**   alpha = 1 - exp(-dt / tau),
** which is the exact solution over dt for a constant input, so it filters alike at any rate.
** Unit gain at rest, no overshoot, delay about stages x tau, and -3 dB at
**   f = sqrt(2^(1/stages) - 1) / (2 pi tau). */
#ifndef BRIO_MATH_LOWPASS_H
#define BRIO_MATH_LOWPASS_H

#include <stdbool.h>

enum { BRIO_LOWPASS_STAGES = 4 };

typedef struct brio_lowpass {
  int stages;                       /* 0: passes everything; at most BRIO_LOWPASS_STAGES */
  double tau;                       /* s, of each stage; 0: passes everything */
  double state[BRIO_LOWPASS_STAGES];
} brio_lowpass;

/* Start at rest at `value`.  Return false, and pass everything, when stages or tau are out of range. */
bool brio_lowpass_start(brio_lowpass *filter, int stages, double tau, double value);

/* Reset to rest at `value`. */
void brio_lowpass_place(brio_lowpass *filter, double value);

/* Filter an input that holds for `dt` seconds; return the output.  An input that is not finite
** changes nothing. */
double brio_lowpass_step(brio_lowpass *filter, double input, double dt);

/* The -3 dB frequency in Hz for a tau in s, and the tau for a frequency; 0 for one that is not valid. */
double brio_lowpass_cutoff(int stages, double tau);
double brio_lowpass_tau(int stages, double cutoff);

#endif
