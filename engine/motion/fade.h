/* Bridging of jumps: where a source changes at a jump, the difference is added as an offset that goes to 0,
** so that value and rate are continuous at any start, stop or exchange. */
#ifndef BRIO_MOTION_FADE_H
#define BRIO_MOTION_FADE_H

typedef struct brio_fade {
  double value, rate;      /* of the offset when it began */
  double length, gone;     /* s: until it is 0; since it began.  length 0: no fade */
} brio_fade;

/* Write the offset now and its rate: 0 after the end. */
void brio_fade_at(const brio_fade *fade, double *value, double *rate);

/* Go on by dt s. */
void brio_fade_advance(brio_fade *fade, double dt);

/* Add a jump of `value` (and `rate` per s) to the current offset, and let the sum go to 0 in `length` s, or
** longer if `velocity` and `acceleration` (INFINITY: no limit) require it. */
void brio_fade_add(brio_fade *fade, double value, double rate, double length, double velocity,
                   double acceleration);

#endif
