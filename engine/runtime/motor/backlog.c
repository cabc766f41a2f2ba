/* See backlog.h. */
#include "runtime/motor/backlog.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 3.0 /* s of targets: a device that is silent for 0.25 s is lost, meanwhile the robot brakes */
#define STANDS 1e-12  /* per s: slower is no motion */
#define LEAST 1e-3    /* of a period: no piece is shorter */
#define HURRY 0.02    /* of the rate, above 1, with which it catches up */
#define LEAST_HURRY 0.3 /* of that, so that it ends */
#define FAR 10.0      /* periods: from so far behind on at all of that */

enum { PARTS = 6 };   /* arrays of `count` numbers */

bool brio_motor_backlog_start(brio_motor_backlog *backlog, int count, double period) {
  size_t n = (size_t)count + 1;
  *backlog = (brio_motor_backlog){.count = count, .period = period};
  double *room = calloc(PARTS * n, sizeof *room);
  if (!room || !brio_ring_start(&backlog->targets, n * sizeof *room, (size_t)(ROOM / period))) {
    free(room);
    return false;
  }
  backlog->newest = room;
  backlog->last = room + n;
  backlog->next = room + 2 * n;
  backlog->slope = room + 3 * n;
  backlog->bend = room + 4 * n;
  backlog->void_until_nan = (bool *)(room + 5 * n);
  for (int i = 0; i < count; i++) backlog->newest[i] = NAN;
  return true;
}

void brio_motor_backlog_end(brio_motor_backlog *backlog) {
  if (!backlog->newest) return;
  brio_ring_end(&backlog->targets);
  free(backlog->newest);
  backlog->newest = NULL;
}

void brio_motor_backlog_put(brio_motor_backlog *backlog, const double *target) {
  size_t bytes = (size_t)backlog->count * sizeof *target;
  if (memcmp(backlog->newest, target, bytes) == 0) return;
  memcpy(backlog->newest, target, bytes);
  brio_ring_put(&backlog->targets, backlog->newest);
}

void brio_motor_backlog_skip(brio_motor_backlog *backlog) {
  while (brio_ring_get(&backlog->targets, backlog->last)) {}
  backlog->late = backlog->open = false;
  memset(backlog->void_until_nan, 0, (size_t)backlog->count * sizeof *backlog->void_until_nan);
}

/* Begin the piece from `last` to `next`, which is `length` s long. */
static void open_piece(brio_motor_backlog *b, double length) {
  for (int i = 0; i < b->count; i++) {
    double slope = (b->next[i] - b->last[i]) / length;
    if (!isfinite(slope)) slope = 0; /* told nothing before or after */
    b->bend[i] = b->first ? 0 : (slope - b->slope[i]) / length;
    b->slope[i] = slope;
  }
  b->open = true;
  b->first = false;
  b->length = length;
  b->at = 0;
}

/* It is late from now on, and at `from`. */
static void begin(brio_motor_backlog *backlog, const double *from, double rate) {
  memcpy(backlog->last, from, (size_t)backlog->count * sizeof *from);
  backlog->late = backlog->first = true;
  backlog->rate = rate;
  /* Late again on the way: the rest of the piece that it stands in is the first one. */
  if (backlog->open) open_piece(backlog, fmax(backlog->length - backlog->at, LEAST * backlog->period));
}

void brio_motor_backlog_stand(brio_motor_backlog *backlog, const double *from) { begin(backlog, from, 0); }

double brio_motor_backlog_lag(const brio_motor_backlog *backlog) {
  if (!backlog->late) return 0;
  double open = backlog->open ? backlog->length - backlog->at : 0;
  return open + (double)brio_ring_waiting(&backlog->targets) * backlog->period;
}

/* How fast the rate may grow, per s; INFINITY: nothing moves here. */
static double growth(const brio_motor_backlog *b, const brio_axis *limits) {
  double least = INFINITY;
  for (int i = 0; i < b->count; i++) {
    double speed = fabs(b->slope[i]);
    if (speed <= STANDS || !isfinite(limits[i].acceleration)) continue;
    least = fmin(least, fmax(0, limits[i].acceleration - b->rate * b->rate * fabs(b->bend[i])) / speed);
  }
  return least;
}

/* Go on in the open piece for at most h s of the device's time.  Return how much of that was used. */
static double go_on(brio_motor_backlog *b, const brio_axis *limits, double h) {
  double faster = growth(b, limits), left = b->length - b->at;
  if (faster == INFINITY) { /* it takes no time to stand */
    b->rate = 1;
    b->at = b->length;
    return 0;
  }
  double most = 1 + HURRY * fmin(1, fmax(LEAST_HURRY, brio_motor_backlog_lag(b) / (FAR * b->period)));
  double dt = fmin(h, b->period / 2), rate = fmin(most, b->rate + faster * dt);
  double way = (b->rate + rate) / 2 * dt;
  if (way > left) {
    dt *= left / way;
    way = left;
  }
  b->rate = fmin(most, b->rate + faster * dt);
  b->at += way;
  return dt;
}

/* An axis that is told nothing now: what it was to be told before counts no more.  Else it would be led along
** that once it is told something again, from wherever it was found meanwhile. */
static void forget_before_nan(brio_motor_backlog *b, const double *newest) {
  for (int i = 0; i < b->count; i++) {
    if (isfinite(newest[i]) || !isfinite(b->open ? b->next[i] : b->last[i])) continue;
    b->void_until_nan[i] = true;
    b->last[i] = b->next[i] = NAN;
    b->slope[i] = b->bend[i] = 0;
  }
}

/* The next target that waits, without what counts no more. */
static bool get_next(brio_motor_backlog *b) {
  if (!brio_ring_get(&b->targets, b->next)) return false;
  for (int i = 0; i < b->count; i++) {
    b->void_until_nan[i] = b->void_until_nan[i] && isfinite(b->next[i]);
    if (b->void_until_nan[i]) b->next[i] = NAN;
  }
  return true;
}

/* Late: along what was missed. */
static void catch_up(brio_motor_backlog *b, const brio_axis *limits, double h) {
  while (h > 0 && b->late) {
    if (!b->open) {
      b->late = get_next(b);
      if (!b->late) break;
      open_piece(b, b->period);
    }
    h -= go_on(b, limits, h);
    if (b->at < b->length * (1 - 1e-9)) continue;
    memcpy(b->last, b->next, (size_t)b->count * sizeof *b->last);
    b->open = false;
  }
}

/* In time: whole periods. */
static bool keep_up(brio_motor_backlog *b, double h) {
  if ((double)brio_ring_waiting(&b->targets) > (h < 1.5 * b->period ? 1 : floor(h / b->period))) return false;
  while (brio_ring_get(&b->targets, b->last)) {}
  return true;
}

/* A time of about a period counts as one: by the time itself, the jitter of waking threads would be jitter
** of the robot's speed. */
void brio_motor_backlog_step(brio_motor_backlog *backlog, const brio_axis *limits, double h,
                             const double *newest, double *place) {
  brio_motor_backlog *b = backlog;
  if (!b->late && !keep_up(b, h)) begin(b, place, 1);
  if (b->late) forget_before_nan(b, newest);
  if (b->late) catch_up(b, limits, h > 0.5 * b->period && h < 1.5 * b->period ? b->period : h);
  for (int i = 0; i < b->count; i++) {
    double share = b->open ? b->at / b->length : 0, way = b->open ? b->next[i] - b->last[i] : 0;
    place[i] = isfinite(way) ? b->last[i] + share * way : b->next[i];
    if (!isfinite(newest[i]) || (!isfinite(place[i]) && !b->late)) place[i] = newest[i];
    b->void_until_nan[i] = b->void_until_nan[i] && b->late;
  }
}
