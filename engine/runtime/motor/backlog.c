/* See backlog.h for the law of motion and for the thread of each function. One step costs O(axes) for each
** piece of a target's period that it passes. */
#include "runtime/motor/backlog.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/scalar.h"

#define ROOM 3.0 /* s of targets in the ring: after 0.25 s of silence a device is lost */
#define STANDS 1e-12  /* per s: slower counts as standing */
#define MIN_PIECE 1e-3 /* share of a period: no piece is shorter */
#define HURRY 0.02    /* share by which the rate may exceed 1 to catch up */
#define MIN_HURRY 0.3   /* share of that when nearly caught up, so that catching up ends */
#define NEAR 0.25     /* periods: times so near to whole ones count as those */
#define DRIFT 0.005   /* share of its time by which it goes towards the nearest target */
#define AHEAD 1.5     /* periods by which a device may be ahead of its newest target */
#define MOST_AHEAD 2e-3 /* the same, s */
#define BEHIND 1.5    /* periods: from this lag on it is late */
#define FAR 10.0      /* periods: from this lag on, all of HURRY */

enum { PARTS = 6 };   /* arrays of `count` numbers, in one allocation */

/* The invariants of the reader's side; O(1). */
static bool is_consistent(const brio_motor_backlog *b) {
  return b->newest && b->count >= 0 && b->period > 0 && b->rate >= 0 && b->rate <= 1 + HURRY &&
         b->ahead >= 0 && (!b->open || (b->length > 0 && b->at >= 0 && b->ahead == 0));
}

bool brio_motor_backlog_start(brio_motor_backlog *backlog, int count, double period) {
  assert(count >= 0 && period > 0);
  size_t n = (size_t)count + 1;
  *backlog = (brio_motor_backlog){.count = count, .period = period};
  /* One allocation for all arrays; the ring holds ROOM s of targets. */
  double *room = calloc(PARTS * n, sizeof *room);
  if (!room || !brio_ring_start(&backlog->targets, n * sizeof *room, (size_t)(ROOM / period))) {
    free(room);
    return false;
  }
  /* The arrays, one behind the other; flags of axes are in the last one. */
  backlog->newest = room;
  backlog->last = room + n;
  backlog->next = room + 2 * n;
  backlog->slope = room + 3 * n;
  backlog->bend = room + 4 * n;
  backlog->void_until_nan = (bool *)(room + 5 * n);
  /* NaN differs from every target, so the first one is always put; none was taken yet. */
  for (int i = 0; i < count; i++) backlog->newest[i] = backlog->last[i] = NAN;
  return true;
}

void brio_motor_backlog_end(brio_motor_backlog *backlog) {
  if (!backlog->newest) return;
  brio_ring_end(&backlog->targets);
  free(backlog->newest);
  backlog->newest = NULL;
}

void brio_motor_backlog_put(brio_motor_backlog *backlog, const double *target) {
  /* Bytes are compared: NaN equals NaN here, and a motor at rest fills no ring. */
  size_t bytes = (size_t)backlog->count * sizeof *target;
  if (memcmp(backlog->newest, target, bytes) == 0) return;
  memcpy(backlog->newest, target, bytes);
  brio_ring_put(&backlog->targets, backlog->newest);
}

void brio_motor_backlog_skip(brio_motor_backlog *backlog) {
  /* Empty the ring into scratch; only the newest target counts from here on. */
  while (brio_ring_get(&backlog->targets, backlog->last)) {}
  backlog->follows = backlog->late = backlog->open = false;
  backlog->ahead = backlog->owed = 0;
  memset(backlog->void_until_nan, 0, (size_t)backlog->count * sizeof *backlog->void_until_nan);
}

/* Begin the piece from `last` to `next`, `length` s long.  bend = change of slope / length: the
** second difference that the acceleration limit is checked with. */
static void open_piece(brio_motor_backlog *b, double length) {
  assert(length > 0);
  for (int i = 0; i < b->count; i++) {
    double slope = (b->next[i] - b->last[i]) / length;
    if (!isfinite(slope)) slope = 0; /* no command before or after this piece */
    b->bend[i] = b->first ? 0 : (slope - b->slope[i]) / length;
    b->slope[i] = slope;
  }
  /* The device stands at its beginning. */
  b->open = true;
  b->first = false;
  b->length = length;
  b->at = 0;
}

/* Whether the target that was taken last from the ring is a piece from `from`, which the device got. */
static bool is_piece(const brio_motor_backlog *b, const double *from) {
  bool differs = false;
  for (int i = 0; i < b->count; i++) {
    if (isfinite(b->last[i]) != isfinite(from[i])) return false; /* commands began or ended */
    differs = differs || (isfinite(from[i]) && b->last[i] != from[i]);
  }
  return differs;
}

/* How long the way from `last` to `next` takes at the speed before, s: that of the fastest axis. O(axes). */
static double usual_length(const brio_motor_backlog *b) {
  int fastest = 0;
  for (int i = 1; i < b->count; i++)
    if (fabs(b->slope[i]) > fabs(b->slope[fastest])) fastest = i;
  double speed = b->count > 0 ? fabs(b->slope[fastest]) : 0;
  double length = speed > STANDS ? fabs(b->next[fastest] - b->last[fastest]) / speed : b->period;
  return isfinite(length) ? brio_clamp(length, MIN_PIECE * b->period, FAR * b->period) : b->period;
}

void brio_motor_backlog_stand(brio_motor_backlog *backlog, const double *from) {
  brio_motor_backlog *b = backlog;
  /* A command that was not sent is missing on the way: the first piece leads to where it led. */
  bool again = !b->open && b->unsent && is_piece(b, from);
  if (again) memcpy(b->next, b->last, (size_t)b->count * sizeof *from);
  if (again) b->ahead = 0;
  memcpy(b->last, from, (size_t)b->count * sizeof *from);
  b->follows = b->late = b->first = true;
  b->rate = b->owed = 0;
  if (b->open || again) open_piece(b, usual_length(b));
}

void brio_motor_backlog_undo(brio_motor_backlog *backlog) { backlog->unsent = true; }

double brio_motor_backlog_lag(const brio_motor_backlog *backlog) {
  /* The rest of the open piece, and one period for each waiting target. */
  double open = backlog->open ? backlog->length - backlog->at : 0;
  return open + (double)brio_ring_waiting(&backlog->targets) * backlog->period;
}

/* How fast the rate may grow, per s: the least over all axes of (a - |x''| s'^2) / |x'|. INFINITY: nothing
** moves in this piece. O(axes). */
static double growth(const brio_motor_backlog *b, const brio_axis *limits) {
  double least = INFINITY;
  /* Axes that stand, or have no limit, do not count. */
  for (int i = 0; i < b->count; i++) {
    double speed = fabs(b->slope[i]);
    if (speed <= STANDS || !isfinite(limits[i].acceleration)) continue;
    least = fmin(least, fmax(0, limits[i].acceleration - b->rate * b->rate * fabs(b->bend[i])) / speed);
  }
  return least;
}

/* Advance in the open piece for at most h s of the device's time. Return the time used, s; 0 if the piece
** was skipped. */
static double go_on(brio_motor_backlog *b, const brio_axis *limits, double h) {
  assert(b->open && h > 0);
  double faster = growth(b, limits), left = b->length - b->at;
  if (faster == INFINITY) { /* nothing moves: skip the piece, which takes no time */
    b->rate = 1;
    b->at = b->length;
    return 0;
  }
  /* Faster the further it is behind; a trapezoid in the rate covers `way` s of the targets' time. */
  double lag = brio_motor_backlog_lag(b);
  double most = lag > b->period ? 1 + HURRY * fmin(1, fmax(MIN_HURRY, lag / (FAR * b->period))) : 1;
  double dt = fmin(h, b->period / 2), rate = fmin(most, b->rate + faster * dt);
  double way = (b->rate + rate) / 2 * dt;
  /* Stop at the end of the piece: the next one has another slope and other limits. */
  if (way > left) {
    dt *= left / way;
    way = left;
  }
  b->rate = fmin(most, b->rate + faster * dt);
  b->at += way;
  return dt;
}

/* Void the waiting targets of axes that have no command now. Otherwise such an axis would follow old
** targets once it has commands again, wherever it was found meanwhile. */
static void forget_before_nan(brio_motor_backlog *b, const double *newest) {
  for (int i = 0; i < b->count; i++) {
    /* Only axes that had a target and have none now. */
    if (isfinite(newest[i]) || !isfinite(b->open ? b->next[i] : b->last[i])) continue;
    b->void_until_nan[i] = true;
    b->last[i] = b->next[i] = NAN;
    b->slope[i] = b->bend[i] = 0;
  }
}

/* Get the next target, with NaN for axes whose targets are void until the next NaN. */
static bool get_next(brio_motor_backlog *b) {
  if (!brio_ring_get(&b->targets, b->next)) return false;
  for (int i = 0; i < b->count; i++) {
    /* The first NaN ends the voided targets. */
    b->void_until_nan[i] = b->void_until_nan[i] && isfinite(b->next[i]);
    if (b->void_until_nan[i]) b->next[i] = NAN;
  }
  return true;
}

/* Follow the targets for h s, piece by piece. Where the next one is not known yet it goes on ahead of the
** last, for AHEAD periods at most: then its path waits for the motor side. */
static void follow(brio_motor_backlog *b, const brio_axis *limits, double h) {
  const double most = fmin(AHEAD * b->period, MOST_AHEAD);
  /* Each pass uses time or completes a piece, so the loop ends. */
  while (h > 0) {
    if (!b->open && !get_next(b)) {
      b->ahead = fmin(b->ahead + h * fmin(1, b->rate), most);
      break;
    }
    if (!b->open) {
      /* After a rest it stands ahead of the last target already. */
      bool first = b->first;
      open_piece(b, first ? fmax(b->period - b->ahead, MIN_PIECE * b->period) : b->period);
      b->at = first ? 0 : fmin(b->ahead, b->length);
      b->ahead = 0;
    }
    h -= go_on(b, limits, h);
    /* The piece is complete: its end is where the next one starts. */
    if (b->at < b->length * (1 - 1e-9)) continue;
    memcpy(b->last, b->next, (size_t)b->count * sizeof *b->last);
    b->open = false;
  }
}

/* The time that a step of h s counts: a whole number of periods if that is NEAR, as a little jitter of waking
** threads must not become jitter of the targets; the rest is owed to the next step. In time it goes a little
** towards the nearest target, so that it is at one in the end. O(1). */
static double counted(brio_motor_backlog *b, double h) {
  double counts = fmax(h + b->owed, 0), period = b->period, whole = period * round(counts / period);
  b->owed = 0;
  if (fabs(counts - whole) < NEAR * period) {
    b->owed = counts - whole;
    counts = whole;
  }
  if (b->late) return counts;
  /* The device's place, s since a target: the first piece after a rest may be shorter than a period. */
  double place = (b->open ? b->at + period - b->length : b->ahead) + counts;
  double off = place - period * round(place / period);
  return fmax(counts - brio_clamp(off, -DRIFT * h, DRIFT * h), 0);
}

/* Whether no axis with a target moves. O(axes). */
static bool is_still(const brio_motor_backlog *b, const double *newest, const double *speeds) {
  for (int i = 0; i < b->count; i++)
    if (isfinite(newest[i]) && speeds[i] != 0) return false;
  return true;
}

/* The command of axis i: in the open piece, or ahead of the last target at `speed`, within its range. */
static double place_of(const brio_motor_backlog *b, int i, const brio_axis *limits, double speed) {
  if (b->open) return b->last[i] + b->at / b->length * (b->next[i] - b->last[i]);
  /* Without a limit of acceleration it may stop at once, and must not go past its target. */
  bool leads = isfinite(speed) && isfinite(limits->acceleration);
  double place = b->last[i] + (leads ? speed * b->ahead : 0);
  return brio_clamp(place, brio_min(b->last[i], limits->lower), brio_max(b->last[i], limits->upper));
}

void brio_motor_backlog_step(brio_motor_backlog *backlog, const brio_axis *limits, double h,
                             const double *newest, const double *speeds, double *place) {
  brio_motor_backlog *b = backlog;
  assert(is_consistent(b));
  /* At first it goes to the newest target; from there along those that come. */
  if (!b->follows) {
    while (brio_ring_get(&b->targets, b->last)) {}
    b->follows = true;
    b->rate = 1;
  } else {
    forget_before_nan(b, newest);
    follow(b, limits, counted(b, h));
  }
  if (!b->open && is_still(b, newest, speeds)) b->ahead = 0;
  b->unsent = false;
  b->late = b->rate < 1 || brio_motor_backlog_lag(b) > BEHIND * b->period;
  /* An axis without a known target takes the newest. */
  for (int i = 0; i < b->count; i++) {
    place[i] = isfinite(newest[i]) ? place_of(b, i, &limits[i], speeds[i]) : newest[i];
    if (!isfinite(place[i]) && !(b->late && b->open)) place[i] = newest[i];
    b->void_until_nan[i] = b->void_until_nan[i] && brio_motor_backlog_lag(b) > 0;
  }
}
