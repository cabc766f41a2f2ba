/* The two passes over the intervals: back from the end, the range of x from which the end can be reached;
** forward from the start, a profile within these ranges.
**
** At a given x the constraints of an interval leave u the range [low(x), high(x)].  `low` is a maximum and
** `high` a minimum of lines, so high - low is concave, and the largest x where it is not below 0 is found by
** Newton's method from above: the two active lines meet at a smaller x, which becomes the next.  As there are
** finitely many lines, that ends, usually after two or three steps; each takes all lines once.  The smallest
** x likewise, from below. */
#include <assert.h>
#include <math.h>

#include "math/scalar.h"
#include "plan/timing/timing_internal.h"

#define TOLERANCE 1e-13 /* of u, as a share of it */
#define INWARD 1e-11    /* share by which a reachable x is lowered, so that rounding leaves a u */

/* The constraints of one interval. */
typedef struct lines {
  const double *e, *lower, *upper;
  int count;
  double x_high, x_low; /* range of x */
} lines;

/* What is left of u at some x, and which lines bound it. */
typedef struct range {
  double low, high;
  int at_low, at_high;
} range;

static range range_at(const lines *l, double x) {
  range r = {-INFINITY, INFINITY, 0, 0};
  const double *e = l->e, *lower = l->lower, *upper = l->upper;
  /* Without branches: which line bounds u is hard to predict. */
  for (int k = 0; k < l->count; k++) {
    double ex = e[k] * x, high = upper[k] - ex, low = lower[k] - ex;
    r.at_high = high < r.high ? k : r.at_high;
    r.high = high < r.high ? high : r.high;
    r.at_low = low > r.low ? k : r.at_low;
    r.low = low > r.low ? low : r.low;
  }
  return r;
}

/* Whether a range has a u, but for rounding. */
static bool is_open(const range *r) {
  return r->low <= r->high + TOLERANCE * (fabs(r->low) + fabs(r->high));
}

/* The x where the two lines that bound u meet; `falls` gets whether the range closes with growing x. */
static double meeting(const lines *l, const range *r, bool *falls) {
  double slope = l->e[r->at_high] - l->e[r->at_low];
  *falls = slope > 0;
  return slope == 0 ? NAN : (l->upper[r->at_high] - l->lower[r->at_low]) / slope;
}

/* The largest x that leaves a u; below x_low: none does. */
static double largest_x(const lines *l) {
  double x = l->x_high;
  for (int k = 0; k < 2 * l->count; k++) {
    range r = range_at(l, x);
    if (is_open(&r)) return k == 0 ? x : brio_max(x * (1 - INWARD), brio_min(x, l->x_low));
    bool falls;
    double next = meeting(l, &r, &falls);
    /* The range opens towards larger x only, so no smaller one leaves a u. */
    if (!falls || !(next >= l->x_low)) return -INFINITY;
    /* Rounding alone keeps it closed. */
    if (next >= x) return brio_max(x * (1 - INWARD), l->x_low);
    x = next;
  }
  return x;
}

/* The smallest x that leaves a u; there is one at x_high. */
static double smallest_x(const lines *l) {
  double x = l->x_low;
  for (int k = 0; k < 2 * l->count; k++) {
    range r = range_at(l, x);
    if (is_open(&r)) return x;
    bool falls;
    double next = meeting(l, &r, &falls);
    /* As above, with both directions exchanged. */
    if (falls || !(next <= l->x_high)) return l->x_high;
    if (next <= x) return x;
    x = next;
  }
  return x;
}

/* The lines of interval i; its last one is that x at the end is in the range there. */
static lines lines_of(const brio_timing *timing, int i) {
  size_t at = (size_t)i * (size_t)timing->stride;
  lines l = {timing->e + at,  timing->lower + at, timing->upper + at,
             timing->used[i], timing->ceiling[i], timing->floor[i]};
  return l;
}

/* Append the line that x + 2 w u is in the range of the next gridpoint. */
static void add_target(brio_timing *timing, int i) {
  assert(timing->used[i] < timing->stride);
  size_t at = (size_t)i * (size_t)timing->stride + (size_t)timing->used[i]++;
  double share = 1 / (2 * (timing->s[i + 1] - timing->s[i]));
  timing->e[at] = share;
  timing->lower[at] = share * timing->floor[i + 1];
  timing->upper[at] = share * timing->ceiling[i + 1];
}

/* The error where the range of x is empty. */
static bool fail_at(const brio_timing *timing, int i, brio_error *err) {
  return brio_fail(err, BRIO_UNREACHABLE,
                   "the path cannot be run through: at s = %g (gridpoint %d of %d) no speed is within all "
                   "constraints from which the end can be reached",
                   timing->s[i], i, timing->size.intervals);
}

/* Narrow the range at an end to a requested rate; infinite: the highest. */
static bool narrow_end(brio_timing *timing, int i, double rate, brio_error *err) {
  double x = rate * rate, floor = timing->floor[i], ceiling = timing->ceiling[i];
  if (isinf(rate)) {
    if (floor <= ceiling) return true;
    return fail_at(timing, i, err);
  }
  if (!(x >= floor && x <= ceiling))
    return brio_fail(err, BRIO_UNREACHABLE, "the path at its %s can have a rate of %g to %g 1/s, not %g",
                     i == 0 ? "start" : "end", sqrt(brio_max(floor, 0)), sqrt(brio_max(ceiling, 0)), rate);
  timing->floor[i] = timing->ceiling[i] = x;
  return true;
}

/* Narrow all ranges to what reaches the end. */
static bool pass_back(brio_timing *timing, double end_rate, brio_error *err) {
  int end = timing->size.intervals;
  if (!narrow_end(timing, end, end_rate, err)) return false;
  for (int i = end - 1; i >= 0; i--) {
    add_target(timing, i);
    lines l = lines_of(timing, i);
    double high = l.x_low <= l.x_high ? largest_x(&l) : -INFINITY;
    if (!(high >= l.x_low)) return fail_at(timing, i, err);
    l.x_high = timing->ceiling[i] = high;
    timing->floor[i] = smallest_x(&l);
    assert(timing->floor[i] <= timing->ceiling[i]);
  }
  return true;
}

/* Write a profile from x0 on: the largest u in each interval, or the smallest. */
static void pass_forward(const brio_timing *timing, double x0, bool fastest, double *x) {
  x[0] = x0;
  for (int i = 0; i < timing->size.intervals; i++) {
    lines l = lines_of(timing, i);
    /* Rounding may leave no u at the end of a range: then it is taken between the two. */
    range r = range_at(&l, x[i]);
    double u = r.low > r.high ? (r.low + r.high) / 2 : fastest ? r.high : r.low;
    x[i + 1] = brio_clamp(x[i] + 2 * (timing->s[i + 1] - timing->s[i]) * u, timing->floor[i + 1],
                          timing->ceiling[i + 1]);
  }
}

bool brio_timing_pass(brio_timing *timing, const brio_timing_options *options, brio_error *err) {
  if (!pass_back(timing, options->end_rate, err) || !narrow_end(timing, 0, options->start_rate, err))
    return false;
  pass_forward(timing, timing->ceiling[0], true, timing->fastest);
  pass_forward(timing, timing->floor[0], false, timing->slowest);
  return true;
}
