/* Bridging a jump: where what is played changes at a jump, the difference stays as an offset that goes to 0,
** so that value and rate are continuous whatever starts, stops or is exchanged, and whenever. */
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

/* Add a jump of `value` (and `rate` per s) to what is left, and let the whole go to 0 in `length` s, or
** longer where `velocity` and `acceleration` (INFINITY: no limit) ask for it. */
void brio_fade_add(brio_fade *fade, double value, double rate, double length, double velocity,
                   double acceleration);

#endif
