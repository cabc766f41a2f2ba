/* Tracking error: see follow.h. A ring of intervals (8 of 25 ms for a lag of 0.2 s), each with the least and
** the greatest command in it. A step and a report are O(1), the begin of an interval is O(intervals). */
#include "motor/follow.h"

#include <assert.h>
#include <math.h>

#include "math/scalar.h"

void brio_follow_begin(brio_follow *follow, double command) {
  for (int i = 0; i < BRIO_FOLLOW_PIECES; i++) follow->low[i] = follow->high[i] = command;
  follow->lowest = follow->highest = command;
  follow->in_piece = 0;
  follow->newest = 0;
  follow->off = 0;
}

/* The range of the other intervals is computed once for all reports during the new one. */
void brio_follow_next(brio_follow *follow, double command) {
  assert(follow->newest >= 0 && follow->newest < BRIO_FOLLOW_PIECES);
  follow->newest = (follow->newest + 1) % BRIO_FOLLOW_PIECES;
  follow->lowest = INFINITY, follow->highest = -INFINITY;
  for (int i = 0; i < BRIO_FOLLOW_PIECES; i++) {
    if (i == follow->newest) continue;
    follow->lowest = brio_min(follow->lowest, follow->low[i]);
    follow->highest = brio_max(follow->highest, follow->high[i]);
  }
  follow->low[follow->newest] = follow->high[follow->newest] = command;
  follow->in_piece = 0;
}

/* Motion thread. An axis within the range of its recent commands follows them: its error is 0. */
double brio_follow_report(brio_follow *follow, double measured) {
  double low = follow->low[follow->newest], high = follow->high[follow->newest], last = follow->off;
  if (follow->lowest < low) low = follow->lowest;
  if (follow->highest > high) high = follow->highest;
  follow->off = measured < low ? low - measured : measured > high ? measured - high : 0;
  /* The smaller of two successive errors: one wrong report is ignored. */
  return follow->off < last ? follow->off : last;
}
