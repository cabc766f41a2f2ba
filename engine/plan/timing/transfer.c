/* A velocity transition from (v, a) to (c, 0): with s the sign by which c differs from the velocity where the
** acceleration is brought to 0 at once, jerk is s J up to an acceleration s p, 0, then -s J:
**   p^2 = s J (c - v) + a^2 / 2,   at most A^2; then it is held there.
** A transition from (c, 0) to (v, a) is one from (v, -a) to (c, 0), read from its end. */
#include "plan/timing/transfer.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/scalar.h"

#define TOLERANCE 1e-9 /* of states within limits, as a share of them */
#define PRECISE 1e-14  /* share of an interval that a root is known to */
#define CONVERGED 1e-6 /* error at a root, as a share of those beside it */

#define LENGTHEN 0.02 /* first step of a search for a longer duration, as a share of it */
#define FASTER 1.15   /* growth of the steps */

enum { SAMPLES = 6, BREAKS = 9, REFINE = 60, LONGER = 50 };

/* Three segments of a velocity transition. */
typedef struct shift {
  double first, hold, last; /* s */
  double jerk;              /* of the first; the last has its opposite */
  double way, seconds;
} shift;

/* Move on by t s with a constant jerk. */
static brio_transfer_state moved(brio_transfer_state s, double jerk, double t) {
  return (brio_transfer_state){
      s.position + t * (s.velocity + t * (s.acceleration / 2 + t * jerk / 6)),
      s.velocity + t * (s.acceleration + t * jerk / 2),
      s.acceleration + t * jerk,
  };
}

/* The velocity at which an acceleration is 0 that is brought there at once. */
static double settled(double v, double a, double jerk) {
  return v + a * fabs(a) / (2 * jerk);
}

/* The transition from (v, a) to (c, 0). */
static shift shift_to(double v, double a, double c, const brio_transfer_limits *l) {
  /* One division for all durations: this is most of the work. */
  double per_jerk = 1 / l->jerk, settles = v + a * fabs(a) * per_jerk / 2;
  double sign = c >= settles ? 1 : -1, dv = sign * (c - v), up = sign * a;
  double peak = sqrt(brio_max(l->jerk * dv + a * a / 2, 0)), hold = 0;
  if (peak > l->acceleration) {
    peak = l->acceleration;
    hold = brio_max((dv - (peak * peak - a * a / 2) * per_jerk) / peak, 0);
  }
  assert(hold >= 0 && peak >= 0);
  shift s = {brio_max((peak - up) * per_jerk, 0), hold, peak * per_jerk, sign * l->jerk, 0, 0};
  brio_transfer_state at = moved((brio_transfer_state){0, v, a}, s.jerk, s.first);
  at = moved(moved(at, 0, s.hold), -s.jerk, s.last);
  s.way = at.position;
  s.seconds = s.first + s.hold + s.last;
  return s;
}

/* One joint's problem, and the fastest motion so far. */
typedef struct search {
  brio_transfer_state start, end;
  const brio_transfer_limits *limits;
  double way;     /* from start to end */
  double seconds; /* requested duration; negative: the shortest */
  double sign;    /* by which kinds without rest are mirrored */
  bool rises;     /* which of them: rise, fall, rise; or the opposite */
  bool edges;     /* look for roots up to where motions end to exist, which takes longer */
  brio_transfer *best;
} search;

/* Read off the error of the way for an unknown; NaN: there is no such motion. */
typedef double (*error_at)(const search *s, double unknown);

/* Keep the motion that belongs to a root, if it is the fastest. */
typedef void (*keep)(search *s, double unknown);

/* Keep a motion of `count` segments, if it is faster than what was found; of a requested duration, if it is
** the first one. */
static void keep_motion(search *s, const double *times, const double *jerks, int count) {
  double sum = 0;
  assert(count <= BRIO_TRANSFER_SEGMENTS);
  for (int k = 0; k < count; k++) sum += times[k];
  if (s->seconds < 0 ? sum >= s->best->duration : isfinite(s->best->duration)) return;
  s->best->duration = sum;
  memset(s->best->times, 0, sizeof s->best->times);
  memset(s->best->jerks, 0, sizeof s->best->jerks);
  memcpy(s->best->times, times, (size_t)count * sizeof *times);
  memcpy(s->best->jerks, jerks, (size_t)count * sizeof *jerks);
}

/* Keep the motion that cruises at velocity c for the given time, s. */
static void keep_cruise(search *s, double c, double cruise) {
  const brio_transfer_limits *l = s->limits;
  shift a = shift_to(s->start.velocity, s->start.acceleration, c, l);
  shift b = shift_to(s->end.velocity, -s->end.acceleration, c, l);
  double times[] = {a.first, a.hold, a.last, brio_max(cruise, 0), b.last, b.hold, b.first};
  double jerks[] = {a.jerk, 0, -a.jerk, 0, -b.jerk, 0, b.jerk};
  keep_motion(s, times, jerks, 7);
}

/* The error of the way without a cruise; of a requested duration, with what is left for it. */
static double error_through(const search *s, double c) {
  shift a = shift_to(s->start.velocity, s->start.acceleration, c, s->limits);
  shift b = shift_to(s->end.velocity, -s->end.acceleration, c, s->limits);
  double cruise = s->seconds < 0 ? 0 : s->seconds - a.seconds - b.seconds;
  if (cruise < -TOLERANCE * fabs(s->seconds)) return NAN;
  return a.way + b.way + c * cruise - s->way;
}

static void keep_through(search *s, double c) {
  shift a = shift_to(s->start.velocity, s->start.acceleration, c, s->limits);
  shift b = shift_to(s->end.velocity, -s->end.acceleration, c, s->limits);
  keep_cruise(s, c, s->seconds < 0 ? 0 : s->seconds - a.seconds - b.seconds);
}

/* Without rest of acceleration, mirrored so that it is above 0: from a0 by way of two extremes, of which
** `low` is given, to a1.  Write the durations of its four segments: to the first extreme, held at the limit,
** to the second, to the end; return whether there is such a motion. */
static bool times_without(const search *s, double low, double times[4]) {
  const brio_transfer_limits *l = s->limits;
  double j = l->jerk, a0 = s->sign * s->start.acceleration, a1 = s->sign * s->end.acceleration;
  double dv = s->sign * (s->end.velocity - s->start.velocity), from = s->rises ? a0 : a1;
  /* The change of velocity is that of all ramps, (2 peak^2 - 2 low^2 - ends) / 2 J, and of the hold.
  ** Squares of both ends count with opposite signs, depending on which side of the peak they are. */
  double ends = s->rises ? a0 * a0 - a1 * a1 : a1 * a1 - a0 * a0;
  double square = low * low + j * dv + ends / 2, hold = 0, peak = sqrt(brio_max(square, 0));
  if (peak > l->acceleration) {
    peak = l->acceleration;
    hold = (dv - (2 * peak * peak - 2 * low * low - ends) / (2 * j)) / peak;
  }
  double margin = TOLERANCE * l->acceleration;
  /* Ramps go the ways that they are named for. */
  if (square < 0 || peak < from - margin || peak < low - margin || hold < 0) return false;
  double rise = brio_max((peak - from) / j, 0), other = brio_max(((s->rises ? a1 : a0) - low) / j, 0);
  double middle = brio_max((peak - low) / j, 0);
  times[0] = s->rises ? rise : other, times[1] = s->rises ? hold : middle;
  times[2] = s->rises ? middle : hold, times[3] = s->rises ? other : rise;
  return true;
}

/* Jerks of those segments. */
static void jerks_without(const search *s, double jerks[4]) {
  double j = s->sign * s->limits->jerk;
  jerks[0] = s->rises ? j : -j, jerks[1] = s->rises ? 0 : j;
  jerks[2] = s->rises ? -j : 0, jerks[3] = s->rises ? j : -j;
}

/* The error of the way, with a lower extreme of acceleration. */
static double error_without(const search *s, double low) {
  double times[4], jerks[4];
  if (!times_without(s, low, times)) return NAN;
  jerks_without(s, jerks);
  brio_transfer_state at = {0, s->start.velocity, s->start.acceleration};
  for (int k = 0; k < 4; k++) at = moved(at, jerks[k], times[k]);
  return at.position - s->way;
}

/* Keep the motion with this lower extreme. */
static void keep_without(search *s, double low) {
  double times[4], jerks[4];
  if (!times_without(s, low, times)) return;
  jerks_without(s, jerks);
  keep_motion(s, times, jerks, 4);
}

/* Find the root between two unknowns whose errors have opposite signs: false position with halving
** (Illinois), bisection where that is slow. */
static double root_between(const search *s, error_at error, double a, double fa, double b, double fb) {
  int side = 0;
  for (int k = 0; k < REFINE && fabs(b - a) > PRECISE * (fabs(a) + fabs(b)); k++) {
    double c = k % 4 == 3 ? (a + b) / 2 : (fa * b - fb * a) / (fa - fb);
    if (!(c >= brio_min(a, b) && c <= brio_max(a, b))) c = (a + b) / 2;
    double fc = error(s, c);
    if (fc == 0 || isnan(fc)) return c;
    /* The end that stays twice in a row counts half, so that the next point lies beyond the root. */
    if ((fc < 0) == (fb < 0)) {
      b = c, fb = fc;
      if (side == -1) fa /= 2;
      side = -1;
    } else {
      a = c, fa = fc;
      if (side == 1) fb /= 2;
      side = 1;
    }
  }
  return fabs(fa) < fabs(fb) ? a : b;
}

/* Keep the root between two unknowns with errors of opposite signs, unless it is only where motions end to
** exist: the error is then not small beside theirs. */
static void keep_root(search *s, error_at error, keep found, double a, double fa, double b, double fb) {
  double x = root_between(s, error, a, fa, b, fb), v0 = s->start.velocity, v1 = s->end.velocity;
  double scale = fabs(s->way) + (v0 * v0 + v1 * v1) / s->limits->acceleration;
  double most = CONVERGED * brio_max(fabs(fa), fabs(fb)) + TOLERANCE * scale;
  if (fabs(error(s, x)) <= most) found(s, x);
}

/* Look for an extreme of the error between a and c, whose sign is that of all three samples, by golden
** section towards 0: two roots hide beside it.  Keep them. */
static void look_beside(search *s, error_at error, keep found, double a, double c, double sign) {
  const double golden = 0.6180339887498949;
  double left = c - golden * (c - a), right = a + golden * (c - a), ends[2] = {a, c};
  double fl = sign * error(s, left), fr = sign * error(s, right);
  /* Close in on the extreme, until the error changes its sign. */
  for (int k = 0; k < 24 && fl > 0 && fr > 0; k++) {
    if (fl < fr) {
      c = right, right = left, fr = fl, left = c - golden * (c - a);
      fl = sign * error(s, left);
    } else {
      a = left, left = right, fl = fr, right = a + golden * (c - a);
      fr = sign * error(s, right);
    }
  }
  /* A root on each side of it. */
  double middle = fl <= 0 ? left : right;
  if (!(error(s, middle) * sign <= 0)) return;
  for (int k = 0; k < 2; k++)
    keep_root(s, error, found, ends[k], error(s, ends[k]), middle, error(s, middle));
}

/* Move the unknown `none`, where there is no motion, next to where they begin, towards `some`; return the
** error there. */
static double edge_of(const search *s, error_at error, double some, double *none) {
  double edge = some, at_edge = error(s, some);
  for (int k = 0; k < REFINE && fabs(*none - edge) > PRECISE * (fabs(*none) + fabs(edge)); k++) {
    double middle = (edge + *none) / 2, f = error(s, middle);
    if (isnan(f))
      *none = middle;
    else
      edge = middle, at_edge = f;
  }
  /* The side where there are motions. */
  *none = edge;
  return at_edge;
}

/* Find all roots between two unknowns where the error is smooth. */
static void find_roots(search *s, error_at error, keep found, double from, double to) {
  double x[SAMPLES + 1], f[SAMPLES + 1];
  if (!(to > from)) return;
  /* Closer at both ends, where slopes are steep: (1 - cos(k pi / 6)) / 2. */
  static const double shares[SAMPLES + 1] = {0, 0.0669872981077807, 0.25, 0.5, 0.75, 0.9330127018922193, 1};
  for (int k = 0; k <= SAMPLES; k++) {
    x[k] = k == SAMPLES ? to : from + shares[k] * (to - from);
    f[k] = error(s, x[k]);
    if (f[k] == 0) found(s, x[k]);
    if (k == 0) continue;
    /* Between two samples the error changes its sign, or the motions end. */
    double a = x[k - 1], b = x[k], fa = f[k - 1], fb = f[k];
    if (s->edges && isnan(fa) && !isnan(fb))
      fa = edge_of(s, error, b, &a);
    else if (s->edges && isnan(fb) && !isnan(fa))
      fb = edge_of(s, error, a, &b);
    if (fa * fb < 0) keep_root(s, error, found, a, fa, b, fb);
  }
  /* A sample nearer to 0 than both beside it may hide two roots. */
  for (int k = 1; k < SAMPLES; k++)
    if (f[k - 1] * f[k] > 0 && f[k] * f[k + 1] > 0 && fabs(f[k]) <= fabs(f[k - 1]) &&
        fabs(f[k]) <= fabs(f[k + 1]))
      look_beside(s, error, found, x[k - 1], x[k + 1], f[k] > 0 ? 1 : -1);
}

/* Find the motions through rest of acceleration. */
static void find_through(search *s) {
  const brio_transfer_limits *l = s->limits;
  const brio_transfer_state *b = &s->start, *e = &s->end;
  double v = l->velocity, j = l->jerk, a2 = 2 * l->acceleration * l->acceleration;
  double at_b = (a2 - b->acceleration * b->acceleration) / (2 * j);
  double at_e = (a2 - e->acceleration * e->acceleration) / (2 * j);
  /* Where segments appear and vanish. */
  double breaks[BREAKS] = {-v,
                           settled(b->velocity, b->acceleration, j),
                           settled(e->velocity, -e->acceleration, j),
                           b->velocity - at_b,
                           b->velocity + at_b,
                           e->velocity - at_e,
                           e->velocity + at_e,
                           0,
                           v};
  for (int k = 1; k < BREAKS; k++)
    /* Insertion sort. */
    for (int i = k; i > 0 && breaks[i] < breaks[i - 1]; i--) {
      double swap = breaks[i];
      breaks[i] = breaks[i - 1], breaks[i - 1] = swap;
    }
  for (int k = 1; k < BREAKS; k++) {
    find_roots(s, error_through, keep_through, brio_clamp(breaks[k - 1], -v, v),
               brio_clamp(breaks[k], -v, v));
    /* Of a requested duration one motion is enough. */
    if (s->seconds >= 0 && isfinite(s->best->duration)) return;
  }
  /* A cruise at the limit. */
  for (int k = 0; k < 2 && s->seconds < 0; k++) {
    double c = k ? v : -v, cruise = -error_through(s, c) / c;
    if (cruise >= 0) keep_cruise(s, c, cruise);
  }
}

/* Find the motions whose acceleration keeps its sign. */
static void find_without(search *s) {
  double a0 = s->start.acceleration, a1 = s->end.acceleration;
  if (s->seconds >= 0) return;
  for (int k = 0; k < 4; k++) {
    s->sign = k % 2 ? -1 : 1, s->rises = k < 2;
    double first = s->sign * a0, last = s->sign * a1;
    /* The lower extreme is at most the end beside it, and not below 0: else a motion is of the other kind. */
    double high = s->rises ? last : first, from = brio_max(s->rises ? first : last, 0);
    if (high < 0) continue;
    double dv = s->sign * (s->end.velocity - s->start.velocity),
           ends = s->rises ? a0 * a0 - a1 * a1 : a1 * a1 - a0 * a0;
    /* The peak is not below the end beside it; a break is where it reaches its limit. */
    double base = s->limits->jerk * dv + ends / 2, least = sqrt(brio_max(from * from - base, 0));
    double limit = s->limits->acceleration * s->limits->acceleration - base;
    double full = brio_clamp(sqrt(brio_max(limit, 0)), least, brio_max(least, high));
    find_roots(s, error_without, keep_without, least, brio_min(full, high));
    find_roots(s, error_without, keep_without, brio_min(full, high), high);
  }
}

/* Whether all limits of a joint are in their range. */
static bool check_limits(const brio_transfer_limits *l, const char *name, brio_error *err) {
  const double values[] = {l->velocity, l->acceleration, l->jerk};
  static const char *const words[] = {"velocity", "acceleration", "jerk"};
  for (int k = 0; k < 3; k++)
    if (!(values[k] >= BRIO_TRANSFER_MIN_LIMIT && values[k] <= BRIO_TRANSFER_MAX_LIMIT))
      return brio_fail(err, BRIO_MISUSE, "the %s limit of %s must be from %g to %g, not %g", words[k], name,
                       BRIO_TRANSFER_MIN_LIMIT, BRIO_TRANSFER_MAX_LIMIT, values[k]);
  return true;
}

/* Whether a state is within limits, and the velocity that its acceleration leads to (`ahead`: +1), or comes
** from (-1), too. */
static bool check_state(const brio_transfer_state *s, const brio_transfer_limits *l, double ahead,
                        const char *name, brio_error *err) {
  const char *which = ahead > 0 ? "start" : "end";
  double v = settled(s->velocity, ahead * s->acceleration, l->jerk), slack = 1 + TOLERANCE;
  if (!(fabs(s->position) <= BRIO_TRANSFER_MAX_POSITION) || !isfinite(s->velocity) ||
      !isfinite(s->acceleration))
    return brio_fail(err, BRIO_MISUSE,
                     "the %s of %s must be numbers, the position within +-%g, not %g, %g, %g", which, name,
                     BRIO_TRANSFER_MAX_POSITION, s->position, s->velocity, s->acceleration);
  if (fabs(s->velocity) > l->velocity * slack || fabs(s->acceleration) > l->acceleration * slack)
    return brio_fail(err, BRIO_MISUSE,
                     "the %s of %s is beyond its limits: velocity %g of %g, acceleration %g of %g", which,
                     name, s->velocity, l->velocity, s->acceleration, l->acceleration);
  if (fabs(v) > l->velocity * slack)
    return brio_fail(
        err, BRIO_MISUSE,
        "the %s of %s has an acceleration of %g that %s a velocity of %g, beyond its limit of %g", which,
        name, s->acceleration, ahead > 0 ? "leads to" : "comes from", v, l->velocity);
  return true;
}

/* Run a search over both kinds; the motion is then in `transfer`. */
static bool run(brio_transfer *transfer, const brio_transfer_limits *limits, double seconds) {
  search s = {.start = transfer->start,
              .end = transfer->end,
              .limits = limits,
              .seconds = seconds,
              .way = transfer->end.position - transfer->start.position,
              .best = transfer};
  transfer->duration = INFINITY;
  for (int round = 0; round < 2 && isinf(transfer->duration); round++) {
    s.edges = round > 0;
    find_through(&s);
    find_without(&s);
  }
  return isfinite(transfer->duration);
}

bool brio_transfer_find(brio_transfer *transfer, const brio_transfer_state *start,
                        const brio_transfer_state *end, const brio_transfer_limits *limits, const char *name,
                        brio_error *err) {
  *transfer = (brio_transfer){.start = *start, .end = *end};
  if (!check_limits(limits, name, err) || !check_state(start, limits, 1, name, err) ||
      !check_state(end, limits, -1, name, err))
    return false;
  /* Nothing to do: all roots are at one end of where they are looked for. */
  if (start->position == end->position && start->velocity == end->velocity &&
      start->acceleration == end->acceleration)
    return true;
  if (run(transfer, limits, -1)) return true;
  return brio_fail(err, BRIO_UNREACHABLE, "no motion of %s was found from %g to %g", name, start->position,
                   end->position);
}

bool brio_transfer_last(brio_transfer *transfer, const brio_transfer_limits *limits, double duration) {
  /* The motion stays as it is where nothing is found. */
  brio_transfer made = *transfer;
  if (fabs(duration - transfer->duration) <= TOLERANCE * duration) return true;
  if (!(duration > transfer->duration) || !run(&made, limits, duration)) return false;
  *transfer = made;
  return true;
}

/* A duration above `duration`, s, with which a joint can arrive: longer ones are tried, then the interval of
** the first that it can is bisected.
** Infinite: none was found. */
static double next_duration(const brio_transfer *transfer, const brio_transfer_limits *limits,
                            double duration) {
  double low = duration, high = duration, step = LENGTHEN;
  for (int k = 0; k < LONGER; k++, step *= FASTER) {
    brio_transfer made = *transfer;
    high *= 1 + step;
    if (!brio_transfer_last(&made, limits, high)) {
      low = high;
      continue;
    }
    for (int i = 0; i < REFINE && high - low > TOLERANCE * high; i++) {
      double middle = (low + high) / 2;
      made = *transfer;
      if (brio_transfer_last(&made, limits, middle))
        high = middle;
      else
        low = middle;
    }
    return high;
  }
  return INFINITY;
}

/* Make all fastest motions last `duration` s; return -1, or the first joint that cannot. */
static int last_all(brio_transfer *transfers, const brio_transfer_limits *limits, int count,
                    double duration) {
  for (int j = 0; j < count; j++)
    if (!brio_transfer_last(&transfers[j], &limits[j], duration)) return j;
  return -1;
}

bool brio_transfer_find_all(brio_transfer *transfers, const brio_transfer_state *starts,
                            const brio_transfer_state *ends, const brio_transfer_limits *limits, int count,
                            const char *const *names, brio_error *err) {
  double duration = 0;
  char text[32];
  /* Each joint alone first: the slowest one determines the duration. */
  for (int j = 0; j < count; j++) {
    const char *name = names ? names[j] : text;
    snprintf(text, sizeof text, "joint %d", j + 1);
    if (!brio_transfer_find(&transfers[j], &starts[j], &ends[j], &limits[j], name, err)) return false;
    duration = brio_max(transfers[j].duration, duration);
  }
  /* Each joint that cannot arrive then makes all take longer. */
  for (int k = 0; k < LONGER && isfinite(duration); k++) {
    int late = last_all(transfers, limits, count, duration);
    if (late < 0) return true;
    duration = next_duration(&transfers[late], &limits[late], duration);
    /* Those before it got the shorter duration already: they start again. */
    for (int j = 0; j < late; j++)
      if (!brio_transfer_find(&transfers[j], &starts[j], &ends[j], &limits[j], "", err)) return false;
  }
  return brio_fail(err, BRIO_UNREACHABLE, "no duration was found with which all %d joints arrive together",
                   count);
}

brio_transfer_state brio_transfer_at(const brio_transfer *transfer, double t) {
  brio_transfer_state at = transfer->start;
  /* Whole segments up to the one that `t` is in, then a part of that. */
  if (t < 0) return at;
  if (t >= transfer->duration) return moved(transfer->end, 0, t - transfer->duration);
  for (int k = 0; k < BRIO_TRANSFER_SEGMENTS; k++) {
    double step = brio_min(t, transfer->times[k]);
    at = moved(at, transfer->jerks[k], step);
    t -= step;
    if (t <= 0) break;
  }
  return at;
}
