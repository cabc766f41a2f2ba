/* See backlog.h for the law of motion and for the thread of each function. One step costs O(axes) for each
** piece of a target's period that it passes. */
#include "runtime/motor/backlog.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 3.0 /* s of targets in the ring: after 0.25 s of silence a device is lost */
#define STANDS 1e-12  /* per s: slower counts as standing */
#define MIN_PIECE 1e-3 /* share of a period: no piece is shorter */
#define HURRY 0.02    /* share by which the rate may exceed 1 to catch up */
#define MIN_HURRY 0.3   /* share of that when nearly caught up, so that catching up ends */
#define ADAPTS 0.05   /* weight of the newest step in the usual time of one */
#define MADE_UP 0.1   /* share of what was rounded off that a step makes up */
#define FAR 10.0      /* periods: from this lag on, all of HURRY */

enum { PARTS = 6 };   /* arrays of `count` numbers, in one allocation */

/* The invariants of the reader's side; O(1). */
static bool is_consistent(const brio_motor_backlog *b) {
  return b->newest && b->count >= 0 && b->period > 0 && b->rate >= 0 && b->rate <= 1 + HURRY &&
         (!b->open || (b->length > 0 && b->at >= 0));
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
  backlog->late = backlog->open = false;
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

/* Start following the missed targets, from position `from` at `rate`. */
static void begin(brio_motor_backlog *b, const double *from, double rate) {
  assert(rate >= 0 && rate <= 1);
  bool again = !b->late && b->unsent && is_piece(b, from);
  if (again) memcpy(b->next, b->last, (size_t)b->count * sizeof *from);
  memcpy(b->last, from, (size_t)b->count * sizeof *from);
  b->late = b->first = true;
  b->rate = rate;
  /* Late again on the way: the rest of the piece that it stands in is the first one. */
  if (b->open) open_piece(b, fmax(b->length - b->at, MIN_PIECE * b->period));
  else if (again) open_piece(b, b->period);
}

void brio_motor_backlog_stand(brio_motor_backlog *backlog, const double *from) {
  backlog->owed = 0;
  begin(backlog, from, 0);
}

void brio_motor_backlog_undo(brio_motor_backlog *backlog) { backlog->unsent = true; }

double brio_motor_backlog_lag(const brio_motor_backlog *backlog) {
  /* The rest of the open piece, and one period for each waiting target. */
  if (!backlog->late) return 0;
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
  double most = 1 + HURRY * fmin(1, fmax(MIN_HURRY, brio_motor_backlog_lag(b) / (FAR * b->period)));
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

/* Follow the missed targets for h s, piece by piece. When the ring is empty the device is in time again, if it
** moves as fast as the targets: else it goes on from its rate, as the next ones may come in a burst. */
static void catch_up(brio_motor_backlog *b, const brio_axis *limits, double h) {
  /* Each pass uses time or completes a piece, so the loop ends. */
  while (h > 0 && b->late) {
    if (!b->open && !get_next(b)) {
      b->late = b->rate < 1;
      break;
    }
    if (!b->open) open_piece(b, b->period);
    h -= go_on(b, limits, h);
    /* The piece is complete: its end is where the next one starts. */
    if (b->at < b->length * (1 - 1e-9)) continue;
    memcpy(b->last, b->next, (size_t)b->count * sizeof *b->last);
    b->open = false;
  }
}

/* In time: skip to the newest target. False: more targets wait than whole periods passed, so the device is
** late. */
static bool keep_up(brio_motor_backlog *b, double h) {
  assert(is_consistent(b));
  if ((double)brio_ring_waiting(&b->targets) > (h < 1.5 * b->period ? 1 : floor(h / b->period))) return false;
  while (brio_ring_get(&b->targets, b->last)) {}
  return true;
}

/* The time that a step of h s counts: within half a period of the usual one it is that one, as the jitter of
** waking threads must not become jitter of the robot's speed. What is rounded off is made up little by little,
** so that a device with exchanges of 1.4 periods does not fall behind. Other steps count in full. O(1). */
static double evened(brio_motor_backlog *b, double h) {
  double usual = b->usual > 0 ? b->usual : h;
  bool jitters = fabs(h - usual) < 0.5 * b->period;
  double counts = jitters ? usual + MADE_UP * (b->owed + h - usual) : h + b->owed;
  counts = fmax(counts, 0);
  b->owed += h - counts;
  b->usual = usual + ADAPTS * (fmin(h, 2 * usual) - usual);
  return counts;
}

void brio_motor_backlog_step(brio_motor_backlog *backlog, const brio_axis *limits, double h,
                             const double *newest, double *place) {
  brio_motor_backlog *b = backlog;
  assert(is_consistent(backlog));
  /* Late from now on: follow the missed targets from the current position, at full speed first. */
  if (!b->late && !keep_up(b, h)) begin(b, place, 1);
  if (b->late) forget_before_nan(b, newest);
  double dt = evened(b, h);
  if (b->late) catch_up(b, limits, dt);
  b->unsent = false;
  /* Interpolate in the open piece; an axis without a known target takes the newest. */
  for (int i = 0; i < b->count; i++) {
    /* Without an open piece the device is at `last`. */
    double share = b->open ? b->at / b->length : 0, way = b->open ? b->next[i] - b->last[i] : 0;
    place[i] = isfinite(way) ? b->last[i] + share * way : b->next[i];
    if (!isfinite(newest[i]) || (!isfinite(place[i]) && !(b->late && b->open))) place[i] = newest[i];
    b->void_until_nan[i] = b->void_until_nan[i] && b->late;
  }
}
