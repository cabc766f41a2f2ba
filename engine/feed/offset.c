/* The least delay in a row of windows: see offset.h. */
#include "feed/offset.h"

#include <math.h>

#define WINDOW 4.0       /* s */
#define FARTHEST 1.0     /* s that a message may differ from the guess */
#define AGREE_WITHIN 0.25 /* s */
#define LONGEST 1e12     /* s: no clock counts as far */

enum { ENOUGH = 5 };

void brio_feed_offset_start(brio_feed_offset *offset) { *offset = (brio_feed_offset){.known = false}; }

static void begin_anew(brio_feed_offset *o, int64_t window, double difference) {
  for (int i = 0; i < BRIO_FEED_WINDOWS; i++) o->least[i] = INFINITY;
  o->newest = window;
  o->least[window % BRIO_FEED_WINDOWS] = difference;
  o->known = true;
  o->agree = 0;
}

/* Forget windows that are over. */
static void move_on(brio_feed_offset *o, int64_t window) {
  if (window - o->newest >= BRIO_FEED_WINDOWS) { /* a long silence: the newest guess is better than none */
    double guess = brio_feed_offset_local(o, 0);
    begin_anew(o, window, guess);
  }
  while (o->newest < window) o->least[++o->newest % BRIO_FEED_WINDOWS] = INFINITY;
}

double brio_feed_offset_local(const brio_feed_offset *o, double sender) {
  double least = INFINITY;
  if (!o->known) return NAN;
  for (int i = 0; i < BRIO_FEED_WINDOWS; i++) least = fmin(least, o->least[i]);
  return sender + least;
}

/* A message that differs: whether enough of them agree by now. */
static bool is_jump(brio_feed_offset *o, double difference) {
  bool agrees = o->agree > 0 && fabs(difference - o->other) <= AGREE_WITHIN;
  o->agree = agrees ? o->agree + 1 : 1;
  o->other = difference;
  return o->agree >= ENOUGH;
}

brio_feed_belief brio_feed_offset_take(brio_feed_offset *o, double sender, double received) {
  if (!(fabs(sender) < LONGEST) || !(fabs(received) < LONGEST)) return BRIO_FEED_EARLY;
  double difference = received - sender;
  int64_t window = (int64_t)(received / WINDOW);
  if (window < 0) window = 0;
  if (!o->known) {
    begin_anew(o, window, difference);
    return BRIO_FEED_BELIEVED;
  }
  move_on(o, window);
  double guess = brio_feed_offset_local(o, 0);
  if (!isfinite(guess)) guess = difference; /* every window is empty */
  if (fabs(difference - guess) > FARTHEST) {
    if (!is_jump(o, difference)) return difference > guess ? BRIO_FEED_LATE : BRIO_FEED_EARLY;
    begin_anew(o, window, difference);
    o->jumps++;
    return BRIO_FEED_JUMPED;
  }
  o->agree = 0;
  double *least = &o->least[o->newest % BRIO_FEED_WINDOWS];
  *least = fmin(*least, difference);
  return BRIO_FEED_BELIEVED;
}
