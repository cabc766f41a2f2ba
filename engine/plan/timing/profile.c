/* A profile x(s) as a function of time, and profiles that take longer.
**
** In an interval of width w with rates v0 and v1 at its ends, u = (v1^2 - v0^2) / 2w is constant: it takes
** 2 w / (v0 + v1), and s grows by v0 t + u t^2 / 2.
**
** All constraints are linear in the x at the ends of an interval, so the profiles within them are a convex
** set: any blend of the fastest and the slowest profile is one, too.  Where the slowest one rests, a blend is
** the fastest times a factor, which is its square root in time. */
#include <assert.h>
#include <math.h>

#include "math/scalar.h"
#include "plan/timing/timing_internal.h"

#define SLACK 1e-9 /* share of a duration that may lack */

enum { BISECTIONS = 100 };

/* The blend of the fastest profile (share 0) and the slowest (share 1), at gridpoint i. */
static double blended(const brio_timing *timing, int i, double share) {
  return timing->fastest[i] + share * (timing->slowest[i] - timing->fastest[i]);
}

/* Its duration; infinite where it stands still.  O(intervals) */
static double duration_of(const brio_timing *timing, double share) {
  double sum = 0, rate = sqrt(blended(timing, 0, share));
  for (int i = 0; i < timing->size.intervals; i++) {
    double next = sqrt(blended(timing, i + 1, share));
    sum += 2 * (timing->s[i + 1] - timing->s[i]) / (rate + next);
    rate = next;
  }
  return sum;
}

/* Whether the slowest profile stands still everywhere. */
static bool may_rest(const brio_timing *timing) {
  for (int i = 0; i <= timing->size.intervals; i++)
    if (timing->slowest[i] != 0) return false;
  return true;
}

/* The share whose duration, between those of the fastest and the slowest, is the given one: by bisection. */
static double share_of(const brio_timing *timing, double duration) {
  double low = 0, high = 1;
  /* The shortest, one factor for all rates, or in between. */
  if (duration <= timing->shortest) return 0;
  if (may_rest(timing)) return 1 - (timing->shortest / duration) * (timing->shortest / duration);
  for (int k = 0; k < BISECTIONS; k++) {
    double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    if (duration_of(timing, middle) < duration)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Make a blend the profile, with the times of its gridpoints. */
static void set_profile(brio_timing *timing, double share) {
  double rate = 0, sum = 0;
  /* Mean rates over intervals are those of their ends, as u is constant. */
  for (int i = 0; i <= timing->size.intervals; i++) {
    double next = sqrt(timing->x[i] = blended(timing, i, share));
    if (i > 0) sum += 2 * (timing->s[i] - timing->s[i - 1]) / (rate + next);
    timing->times[i] = sum;
    rate = next;
  }
  timing->duration = sum;
}

/* Whether a requested duration is a number that makes sense; 0 is the shortest. */
static bool check_duration(double duration, brio_error *err) {
  if (duration >= 0 && !isinf(duration)) return true;
  return brio_fail(err, BRIO_MISUSE, "the duration of a path must be a number of at least 0 s, not %g",
                   duration);
}

bool brio_timing_set_duration(brio_timing *timing, double duration, brio_error *err) {
  if (!timing->solved)
    return brio_fail(err, BRIO_MISUSE, "a timing must be solved before it gets a duration");
  if (!check_duration(duration, err)) return false;
  if (duration > 0 && duration < timing->shortest * (1 - SLACK))
    return brio_fail(err, BRIO_UNREACHABLE, "the path takes %g s at least within its limits, not %g s",
                     timing->shortest, duration);
  /* Without a way there is nothing to be slow on. */
  if (timing->path.count == 1) {
    timing->duration = duration;
    return true;
  }
  /* Where the slowest profile stands still, it lasts for ever. */
  double longest = duration_of(timing, 1);
  if (duration > longest * (1 + SLACK))
    return brio_fail(err, BRIO_UNREACHABLE, "the path takes %g s at most within its constraints, not %g s",
                     longest, duration);
  set_profile(timing, share_of(timing, duration));
  return true;
}

/* Whether all is set that is needed, and options are in their ranges. */
static bool check_options(const brio_timing *timing, const brio_timing_options *options, brio_error *err) {
  if (!timing->limited || timing->path.count == 0)
    return brio_fail(err, BRIO_MISUSE, "a timing needs %s before it is solved",
                     timing->limited ? "a path" : "limits");
  if (options->scheme < 0 || options->scheme >= BRIO_TIMING_NSCHEME)
    return brio_fail(err, BRIO_MISUSE, "there is no scheme %d of a timing", (int)options->scheme);
  if (!(options->start_rate >= 0) || !(options->end_rate >= 0))
    return brio_fail(err, BRIO_MISUSE, "rates at the ends of a path must be at least 0 1/s, not %g and %g",
                     options->start_rate, options->end_rate);
  return check_duration(options->duration, err);
}

bool brio_timing_solve(brio_timing *timing, const brio_timing_options *options, brio_error *err) {
  timing->solved = false;
  timing->shortest = 0;
  if (!check_options(timing, options, err)) return false;
  /* A path without a way has no constraints. */
  if (timing->path.count > 1) {
    if (!brio_timing_make_rows(timing, options, err) || !brio_timing_pass(timing, options, err)) return false;
    timing->shortest = duration_of(timing, 0);
    if (!isfinite(timing->shortest))
      return brio_fail(err, BRIO_UNREACHABLE, "the path cannot be run through: its constraints stop it");
  }
  timing->solved = true;
  return timing->solved = brio_timing_set_duration(timing, options->duration, err);
}

/* The interval that time `t` is in, by bisection. */
static int interval_at(const brio_timing *timing, double t) {
  int low = 0, high = timing->size.intervals;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (t < timing->times[middle])
      high = middle;
    else
      low = middle;
  }
  return low;
}

/* Where the profile is at some time. */
typedef struct state {
  int piece;
  double s, rate, acceleration;
} state;

static state state_at(const brio_timing *timing, double t) {
  assert(timing->solved);
  int last = timing->size.intervals;
  /* Outside, and without a way, the joints rest. */
  if (timing->path.count == 1) return (state){0, timing->path.at[0], 0, 0};
  if (!(t >= 0)) return (state){0, timing->s[0], 0, 0};
  if (t > timing->duration) return (state){timing->piece[last - 1], timing->s[last], 0, 0};
  /* Constant acceleration from the beginning of the interval. */
  int i = interval_at(timing, t);
  double from = timing->s[i], w = timing->s[i + 1] - from, x = timing->x[i];
  double u = (timing->x[i + 1] - x) / (2 * w), rate = sqrt(x), since = t - timing->times[i];
  double way = brio_clamp(since * (rate + u * since / 2), 0, w);
  return (state){timing->piece[i], from + way, brio_max(rate + u * since, 0), u};
}

double brio_timing_parameter(const brio_timing *timing, double t, double *rate, double *acceleration) {
  state at = state_at(timing, t);
  if (rate) *rate = at.rate;
  if (acceleration) *acceleration = at.acceleration;
  return at.s;
}

void brio_timing_at(const brio_timing *timing, double t, double *q, double *qd, double *qdd) {
  double slope[BRIO_TIMING_JOINTS], curve[BRIO_TIMING_JOINTS];
  state at = state_at(timing, t);
  /* By the chain rule: q' ds/dt, and q' u + q'' (ds/dt)^2. */
  brio_spline_piece(&timing->path, at.piece, at.s, q, slope, curve);
  for (int j = 0; j < timing->size.joints; j++) {
    if (qd) qd[j] = slope[j] * at.rate;
    if (qdd) qdd[j] = slope[j] * at.acceleration + curve[j] * at.rate * at.rate;
  }
}
