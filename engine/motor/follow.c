/* The range of commands that an axis may still be on its way to: see follow.h.  A ring of pieces of
** 25 ms, each with the least and the greatest command in it; O(pieces) per report. */
#include "motor/follow.h"

#include <assert.h>
#include <math.h>

void brio_follow_begin(brio_follow *follow, double command) {
  for (int i = 0; i < BRIO_FOLLOW_PIECES; i++) follow->low[i] = follow->high[i] = command;
  follow->in_piece = 0;
  follow->newest = 0;
  follow->off = 0;
}

void brio_follow_step(brio_follow *follow, double command, double h) {
  assert(follow->newest >= 0 && follow->newest < BRIO_FOLLOW_PIECES);
  follow->in_piece += h;
  /* The piece is full: reuse the oldest one. */
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
  /* The range over all pieces. */
  for (int i = 0; i < BRIO_FOLLOW_PIECES; i++) {
    low = fmin(low, follow->low[i]);
    high = fmax(high, follow->high[i]);
  }
  /* Distance from the range, 0 within it. */
  follow->off = fmax(0, fmax(low - measured, measured - high));
  return fmin(last, follow->off);
}
