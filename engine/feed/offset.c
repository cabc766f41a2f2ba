/* The offset of clocks as the minimum delay over a series of windows: see offset.h. Feed's thread.
** O(BRIO_FEED_WINDOWS) per message. */
#include "feed/offset.h"

#include <assert.h>
#include <math.h>

#define WINDOW 4.0       /* s per window */
#define MAX_ERROR 1.0    /* s that a message may differ from the estimate */
#define AGREE_WITHIN 0.25 /* s within which differing messages count as agreeing */
#define MAX_TIME 1e12    /* s: no clock counts this far */

enum { ENOUGH = 5 };

void brio_feed_offset_start(brio_feed_offset *offset) { *offset = (brio_feed_offset){.known = false}; }

/* Start again from one message: all other windows are empty. */
static void restart(brio_feed_offset *o, int64_t window, double difference) {
  for (int i = 0; i < BRIO_FEED_WINDOWS; i++) o->least[i] = INFINITY;
  assert(window >= 0);
  o->newest = window;
  o->least[window % BRIO_FEED_WINDOWS] = difference;
  o->known = true;
  o->agree = 0;
}

/* Advance to a window; those in between are empty. */
static void move_on(brio_feed_offset *o, int64_t window) {
  if (window - o->newest >= BRIO_FEED_WINDOWS) { /* a long silence: the last estimate is better than none */
    double guess = brio_feed_offset_local(o, 0);
    restart(o, window, guess);
  }
  while (o->newest < window) o->least[++o->newest % BRIO_FEED_WINDOWS] = INFINITY;
}

double brio_feed_offset_local(const brio_feed_offset *o, double sender) {
  double least = INFINITY;
  if (!o->known) return NAN;
  /* The estimate is the least difference over all windows. */
  for (int i = 0; i < BRIO_FEED_WINDOWS; i++) least = fmin(least, o->least[i]);
  return sender + least;
}

/* Count a message that differs from the estimate. Return whether ENOUGH in a row agree with each other:
** then the sender's clock has jumped. */
static bool is_jump(brio_feed_offset *o, double difference) {
  bool agrees = o->agree > 0 && fabs(difference - o->other) <= AGREE_WITHIN;
  o->agree = agrees ? o->agree + 1 : 1;
  o->other = difference;
  return o->agree >= ENOUGH;
}

brio_feed_belief brio_feed_offset_take(brio_feed_offset *o, double sender, double received) {
  /* Beyond this, differences would lose their precision. */
  if (!(fabs(sender) < MAX_TIME) || !(fabs(received) < MAX_TIME)) return BRIO_FEED_EARLY;
  double difference = received - sender;
  /* The window is numbered by this machine's clock, which does not jump. */
  int64_t window = (int64_t)(received / WINDOW);
  if (window < 0) window = 0;
  /* The first message sets the estimate. */
  if (!o->known) {
    restart(o, window, difference);
    return BRIO_FEED_BELIEVED;
  }
  move_on(o, window);
  double guess = brio_feed_offset_local(o, 0);
  if (!isfinite(guess)) guess = difference; /* every window is empty */
  /* Beyond MAX_ERROR: a late or wrong message, unless the sender's clock jumped. */
  if (fabs(difference - guess) > MAX_ERROR) {
    /* The sign distinguishes late messages from early ones. */
    if (!is_jump(o, difference)) return difference > guess ? BRIO_FEED_LATE : BRIO_FEED_EARLY;
    restart(o, window, difference);
    o->jumps++;
    return BRIO_FEED_JUMPED;
  }
  o->agree = 0;
  /* Less delay is a better estimate; more delay changes nothing. */
  double *least = &o->least[o->newest % BRIO_FEED_WINDOWS];
  *least = fmin(*least, difference);
  return BRIO_FEED_BELIEVED;
}
