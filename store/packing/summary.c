/* Running sums over a DOF's samples, O(1) each: mean = sum / n, path = sum |x[i] - x[i-1]|, speed = |x[i] -
** x[i-1]| / (t[i] - t[i-1]), rms error = sqrt(sum (measured - command)^2 / n). A sample without a number
** interrupts the path: no distance is counted across it. */
#include "store/packing/summary.h"

#include <assert.h>
#include <math.h>

/* Each measured sample is a sample, each error has a measured value, and extremes are in order. */
static bool is_consistent(const brio_summary *s) {
  return s->errors >= 0 && s->errors <= s->measured && s->measured <= s->samples && s->path >= 0 &&
         (s->samples == 0 || s->least <= s->greatest);
}

void brio_summary_start(brio_summary *summary) {
  *summary = (brio_summary){.least = INFINITY, .greatest = -INFINITY, .last = NAN};
}

/* Add a position at a time, s, and the distance from the last one. */
static void add_position(brio_summary *s, double t, double x) {
  assert(isfinite(x));
  if (x < s->least) s->least = x;
  if (x > s->greatest) s->greatest = x;
  s->sum += x;
  s->samples++;
  /* Two samples at the same time have no speed. */
  if (s->last == s->last) {
    double way = fabs(x - s->last), speed = t > s->last_t ? way / (t - s->last_t) : 0;
    s->path += way;
    if (speed > s->top_speed) s->top_speed = speed;
  }
  s->last_t = t;
}

void brio_summary_add(brio_summary *summary, const double *t, const double *command, const double *measured,
                      int count) {
  assert(count >= 0 && is_consistent(summary));
  brio_summary *s = summary;
  for (int i = 0; i < count; i++) {
    /* The position is the measured value, or else the command. */
    bool known = isfinite(measured[i]);
    double x = known ? measured[i] : command[i], error = fabs(measured[i] - command[i]);
    if (isfinite(x)) add_position(s, t[i], x);
    /* NaN: the next position has no distance from this one. */
    s->last = isfinite(x) ? x : NAN;
    s->measured += known;
    /* Errors need both values: NaN when one is missing. */
    if (!isfinite(error)) continue;
    s->errors++;
    s->squares += error * error;
    if (error > s->greatest_error) s->greatest_error = error;
  }
  assert(is_consistent(s));
}

/* A value that is undefined without samples: null then. */
static brio_value real_if(int64_t there, double value) {
  return there > 0 ? brio_value_real(value) : brio_value_null();
}

void brio_summary_row(const brio_summary *summary, brio_value row[BRIO_SUMMARY_COLUMNS]) {
  assert(is_consistent(summary));
  const brio_summary *s = summary;
  /* Without samples, extremes and means are null. */
  row[0] = brio_value_integer(s->samples);
  row[1] = brio_value_integer(s->measured);
  row[2] = real_if(s->samples, s->least);
  row[3] = real_if(s->samples, s->greatest);
  row[4] = real_if(s->samples, s->sum / (double)s->samples);
  row[5] = real_if(s->samples, s->path);
  row[6] = real_if(s->samples, s->top_speed);
  /* Errors exist only where both command and measured value do. */
  row[7] = real_if(s->errors, sqrt(s->squares / (double)s->errors));
  row[8] = real_if(s->errors, s->greatest_error);
}
