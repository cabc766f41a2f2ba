/* Tracking error: see follow.h. A ring of intervals (8 of 25 ms for a lag of 0.2 s), each with the least and
** the greatest command in it. Where commands come less often than that, an interval holds one command. A step
** and a report are O(1), the begin of an interval is O(intervals). */
#include "motor/follow.h"

#include <assert.h>
#include <math.h>

#include "math/scalar.h"

static const brio_follow_range nothing = {INFINITY, -INFINITY};

void brio_follow_begin(brio_follow *follow, double command) {
  for (int i = 0; i < BRIO_FOLLOW_PIECES; i++) {
    follow->pieces[i] = (brio_follow_range){command, command};
    follow->lengths[i] = 0;
  }
  follow->all = follow->half = follow->pieces[0];
  follow->in_piece = 0;
  follow->newest = 0;
  follow->doubt = 0;
}

static inline brio_follow_range join(brio_follow_range a, brio_follow_range b) {
  return (brio_follow_range){brio_min(a.low, b.low), brio_max(a.high, b.high)};
}

/* The range of the other intervals is computed once for all reports during the new one. An interval counts if
** its end is within the time; where intervals have several steps, their length counts twice, for that of the
** interval at the edge and for that of the new one, until which the range stays in use. */
void brio_follow_next(brio_follow *follow, double command, double h, double lag) {
  assert(follow->newest >= 0 && follow->newest < BRIO_FOLLOW_PIECES);
  double several = 2 * (follow->in_piece - h), age = 0;
  follow->lengths[follow->newest] = follow->in_piece;
  follow->all = follow->half = nothing;
  for (int k = 0, i = follow->newest; k < BRIO_FOLLOW_PIECES - 1 && (k == 0 || age + several < lag); k++) {
    follow->all = join(follow->all, follow->pieces[i]);
    if (k == 0 || age + several < lag / 2) follow->half = join(follow->half, follow->pieces[i]);
    age += follow->lengths[i];
    i = (i + BRIO_FOLLOW_PIECES - 1) % BRIO_FOLLOW_PIECES;
  }
  follow->newest = (follow->newest + 1) % BRIO_FOLLOW_PIECES;
  follow->pieces[follow->newest] = (brio_follow_range){command, command};
  follow->in_piece = 0;
}

/* How far a position is above a range (below it: negative); 0 within. */
static inline double distance(double x, brio_follow_range range) {
  return x < range.low ? x - range.low : x > range.high ? x - range.high : 0;
}

/* Motor thread. An axis within the range of its recent commands follows them: its error is 0. */
double brio_follow_report(brio_follow *follow, double measured) {
  brio_follow_range newest = follow->pieces[follow->newest];
  double off = distance(measured, join(follow->all, newest)), doubt = follow->doubt;
  follow->doubt = distance(measured, join(follow->half, newest));
  if ((off < 0) != (doubt < 0)) return 0;
  return brio_min(fabs(off), fabs(doubt));
}
