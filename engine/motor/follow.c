/* The commands that an axis may still be on its way to: see follow.h. */
#include "motor/follow.h"

#include <math.h>

void brio_follow_begin(brio_follow *follow, double command) {
  for (int i = 0; i < BRIO_FOLLOW_PIECES; i++) follow->low[i] = follow->high[i] = command;
  follow->in_piece = 0;
  follow->newest = 0;
  follow->off = 0;
}

void brio_follow_step(brio_follow *follow, double command, double h) {
  follow->in_piece += h;
  if (follow->in_piece >= BRIO_FOLLOW_PIECE) {
    follow->newest = (follow->newest + 1) % BRIO_FOLLOW_PIECES;
    follow->low[follow->newest] = follow->high[follow->newest] = command;
    follow->in_piece = 0;
  }
  follow->low[follow->newest] = fmin(follow->low[follow->newest], command);
  follow->high[follow->newest] = fmax(follow->high[follow->newest], command);
}

double brio_follow_report(brio_follow *follow, double measured) {
  double low = INFINITY, high = -INFINITY, last = follow->off;
  for (int i = 0; i < BRIO_FOLLOW_PIECES; i++) {
    low = fmin(low, follow->low[i]);
    high = fmax(high, follow->high[i]);
  }
  follow->off = fmax(0, fmax(low - measured, measured - high));
  return fmin(last, follow->off);
}
