/* The choice between the kinds of articulation.
**
** Each place has a likelihood under each kind: normal noise across the kind's path, and any value along it
** equally likely.  The cost of an outlier is bounded.  The information criterion adds the cost of each
** kind's unknowns: BIC = k log n - 2 log L. */
#include "scene/articulation.h"

#include <stdlib.h>

#include "cloud/surfaces/fit.h"
#include "scene/articulation_fit.h"

static const double UNKNOWNS[BRIO_ARTICULATION_NKIND] = {3, 4, 6}; /* point; line; axis and radius */
static const double SPREAD = 5;   /* standard deviations that noise alone spreads over */
static const double OUTLIER = 25; /* squared deviations that a place costs at most */

/* Validate the track and what is known of it. */
static bool check(const brio_pose *track, int count, const brio_articulation_how *how, brio_error *err) {
  if (count < BRIO_ARTICULATION_LEAST)
    return brio_fail(err, BRIO_UNREACHABLE, "%d positions do not determine a motion: at least %d are needed",
                     count, BRIO_ARTICULATION_LEAST);
  if (count > BRIO_ARTICULATION_MOST)
    return brio_fail(err, BRIO_LIMIT, "a track of %d places is too long: at most %d", count,
                     BRIO_ARTICULATION_MOST);
  /* A negative turning is allowed: orientations do not count then. */
  if (!(how->noise >= 0) || !isfinite(how->noise) || !isfinite(how->turning) || how->only < 0 ||
      how->only > BRIO_ARTICULATION_NKIND)
    return brio_fail(err, BRIO_MISUSE,
                     "articulation: noise and turning must be numbers, and noise 0 or more");
  for (int i = 0; i < count; i++)
    if (!brio_pose_finite(track[i]) || brio_vec3_norm(track[i].p) > 1e6)
      return brio_fail(err, BRIO_MISUSE, "articulation: place %d of the track is no pose within 1000 km",
                       i + 1);
  return true;
}

/* Write each pose's rotation from the mean orientation.  The mean is iterated: rotate it by the
** mean of the remaining rotation vectors (Karcher mean; 8 rounds are far beyond convergence). */
static void fill_turns(brio_articulation_track *t) {
  t->mean = t->poses[t->count / 2].q;
  for (int round = 0; round < 8; round++) {
    brio_vec3 sum = {0, 0, 0};
    for (int i = 0; i < t->count; i++) {
      t->turns[i] = t->turning < 0 ? (brio_vec3){0, 0, 0}
                                   : brio_quat_log(brio_quat_mul(t->poses[i].q, brio_quat_conj(t->mean)));
      sum = brio_vec3_add(sum, t->turns[i]);
    }
    if (round < 7)
      t->mean = brio_quat_unit(brio_quat_mul(brio_quat_exp(brio_vec3_scale(1.0 / t->count, sum)), t->mean));
  }
}

/* Root of the mean squared distance of the places that count. */
static double error_of(const brio_articulation_track *t, brio_articulation_kind kind,
                       const brio_articulation_fit *fit, int *used) {
  double sum = 0;
  *used = 0;
  for (int i = 0; i < t->count; i++)
    if (t->used[i]) sum += brio_articulation_off(t, kind, fit, i), ++*used;
  return sqrt(sum / (*used > 0 ? *used : 1));
}

/* The values of the poses that count; of a hinge unwrapped, without leaps of a turn. */
typedef struct values {
  double first, last;
  double low, high; /* of all but the outermost 1 of 40 at either end, which may be mistakes */
} values;

/* Ascending, for qsort. */
static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Values in the order of time, then sorted for the percentiles. */
static values values_of(const brio_articulation_track *t, brio_articulation_kind kind,
                        const brio_articulation_fit *fit) {
  values v = {0, 0, 0, 0};
  int count = 0;
  for (int i = 0; i < t->count; i++) {
    if (!t->used[i]) continue;
    /* Each value is unwrapped next to the one before. */
    v.last = brio_articulation_along(t, kind, fit, i, count ? v.last : 0);
    if (count == 0) v.first = v.last;
    t->sorted[count++] = v.last;
  }
  if (count == 0) return v;
  qsort(t->sorted, (size_t)count, sizeof *t->sorted, by_value);
  /* 1 of 40 at either end is left out. */
  v.low = t->sorted[count / 40], v.high = t->sorted[count - 1 - count / 40];
  return v;
}

/* The information criterion of a kind: less is better. */
static double criterion(const brio_articulation_track *t, brio_articulation_kind kind,
                        const brio_articulation_fit *fit) {
  double sum = UNKNOWNS[kind] * log(t->count), variance = t->noise * t->noise;
  values v = values_of(t, kind, fit);
  /* Converts a hinge's angles into lengths; the radius may be 0 where the angle comes from orientations. */
  double lever =
      kind == BRIO_ARTICULATION_HINGE ? fmax(fit->radius, t->turning > 0 ? t->noise / t->turning : 0) : 1;
  double wide = fmax((v.high - v.low) * lever, SPREAD * t->noise);
  /* -2 log of a uniform density over the path's length, relative to the normal density's constant. */
  double anywhere = kind == BRIO_ARTICULATION_FIXED ? 0 : 2 * log(wide / (t->noise * sqrt(2 * BRIO_PI)));
  for (int i = 0; i < t->count; i++)
    sum += fmin(brio_articulation_off(t, kind, fit, i) / variance, OUTLIER) + anywhere;
  return sum;
}

/* Describe the fit: value 0 is the first place's, and the axis points the way the track went. */
static void describe(brio_articulation *out, const brio_articulation_track *t,
                     const brio_articulation_fit *fit) {
  values v = values_of(t, out->kind, fit);
  /* The axis is turned round where values fall, and the ends of the range change places. */
  double sign = v.last < v.first ? -1 : 1;
  brio_vec3 x, y;
  out->axis = brio_vec3_scale(sign, fit->axis);
  out->low = sign > 0 ? v.low - v.first : v.first - v.high,
  out->high = sign > 0 ? v.high - v.first : v.first - v.low;
  out->point = fit->point, out->start = (brio_pose){fit->point, t->turning < 0 ? t->poses[0].q : t->mean};
  /* A slider starts at the first place along its axis. */
  if (out->kind == BRIO_ARTICULATION_SLIDER)
    out->point = out->start.p = brio_vec3_add_scaled(fit->point, v.first, fit->axis);
  if (out->kind != BRIO_ARTICULATION_HINGE) return;
  out->radius = fit->radius;
  /* Angles of a hinge count from the direction x across the axis. */
  brio_cloud_across(fit->axis, &x, &y);
  out->start.p = brio_vec3_add_scaled(fit->point, fit->radius * cos(v.first), x);
  out->start.p = brio_vec3_add_scaled(out->start.p, fit->radius * sin(v.first), y);
  if (t->turning >= 0)
    out->start.q = brio_quat_mul(brio_quat_exp(brio_vec3_scale(v.first - fit->ahead, fit->axis)), t->mean);
}

/* The noise of places that is left when a kind is subtracted, m. */
static double noise_left(brio_articulation_track *t, brio_articulation_kind kind) {
  static const double freedom[BRIO_ARTICULATION_NKIND] = {3, 2, 2}; /* ways that a place can be off */
  brio_articulation_fit fit;
  int used;
  brio_articulation_fit_kind(t, kind, &fit);
  double turning = t->turning;
  t->turning = -1; /* of places alone */
  double error = error_of(t, kind, &fit, &used);
  t->turning = turning;
  /* Per direction, corrected for the unknowns that the fit used up. */
  return error / sqrt(freedom[kind]) * sqrt(used / fmax(1, used - UNKNOWNS[kind] / freedom[kind]));
}

/* Estimate the noise from the simplest kind whose noise is hardly more than that of the most flexible one,
** which takes some noise for motion. */
static double tell_noise(brio_articulation_track *t) {
  double extent = 0, hinge = noise_left(t, BRIO_ARTICULATION_HINGE),
         slider = noise_left(t, BRIO_ARTICULATION_SLIDER);
  double fixed = noise_left(t, BRIO_ARTICULATION_FIXED);
  /* The noise is at least a ten-thousandth of the track's extent. */
  for (int i = 1; i < t->count; i++)
    extent = fmax(extent, brio_vec3_norm(brio_vec3_sub(t->poses[i].p, t->poses[0].p)));
  /* The factors are tuned so that pure noise is rarely taken for motion. */
  double noise = fixed < 2 * hinge ? fixed : slider < 1.3 * hinge ? slider : hinge;
  return fmax(noise, fmax(1e-6, 1e-4 * extent));
}

/* Fit all kinds, compare them and describe the best. */
static void choose(brio_articulation *out, brio_articulation_track *t, const brio_articulation_how *how) {
  brio_articulation_fit fits[BRIO_ARTICULATION_NKIND];
  double score[BRIO_ARTICULATION_NKIND], sum = 0;
  if (t->noise == 0) t->noise = tell_noise(t);
  for (int k = 0; k < BRIO_ARTICULATION_NKIND; k++) {
    brio_articulation_fit_kind(t, (brio_articulation_kind)k, &fits[k]);
    /* `only` excludes all other kinds. */
    score[k] = how->only && how->only != k + 1 ? HUGE_VAL : criterion(t, (brio_articulation_kind)k, &fits[k]);
    if (score[k] < score[out->kind] || k == 0) out->kind = (brio_articulation_kind)k;
  }
  /* Probabilities from the criterion, relative to the best so that no exponential overflows. */
  for (int k = 0; k < BRIO_ARTICULATION_NKIND; k++) sum += exp((score[out->kind] - score[k]) / 2);
  for (int k = 0; k < BRIO_ARTICULATION_NKIND; k++)
    out->probability[k] = exp((score[out->kind] - score[k]) / 2) / sum;
  /* The fit of the best kind again: `used` belongs to the last kind that was fitted. */
  brio_articulation_fit_kind(t, out->kind, &fits[out->kind]);
  describe(out, t, &fits[out->kind]);
  t->turning = -1; /* the error is that of places alone */
  out->error = error_of(t, out->kind, &fits[out->kind], &out->used);
  out->noise = t->noise;
}

/* Each kind tries a fixed number of random fits, of O(n log n) each. All memory is freed on return. */
bool brio_articulation_estimate(brio_articulation *out, const brio_pose *track, int count,
                                const brio_articulation_how *how, brio_error *err) {
  *out = (brio_articulation){.count = count, .start = BRIO_POSE_IDENTITY};
  if (!check(track, count, how, err)) return false;
  size_t room = (size_t)count;
  brio_articulation_track t = {.poses = track, .count = count, .noise = how->noise, .turning = how->turning};
  if (t.turning == 0) t.turning = 0.03;
  t.turns = calloc(room, sizeof *t.turns);
  t.errors = calloc(room, sizeof *t.errors);
  t.sorted = calloc(room, sizeof *t.sorted);
  t.used = calloc(room, sizeof *t.used);
  bool fine = t.turns && t.errors && t.sorted && t.used;
  if (fine) {
    fill_turns(&t);
    choose(out, &t, how);
  }
  free(t.turns);
  free(t.errors);
  free(t.sorted);
  free(t.used);
  return fine || brio_fail(err, BRIO_NO_MEMORY, "no memory for a track of %d places", count);
}

/* The start pose, moved along or about the axis by `value`. */
brio_pose brio_articulation_pose(const brio_articulation *a, double value) {
  brio_pose pose = a->start;
  if (a->kind == BRIO_ARTICULATION_SLIDER) pose.p = brio_vec3_add_scaled(pose.p, value, a->axis);
  if (a->kind != BRIO_ARTICULATION_HINGE) return pose;
  brio_quat turn = brio_quat_exp(brio_vec3_scale(value, a->axis));
  pose.p = brio_vec3_add(a->point, brio_quat_rotate(turn, brio_vec3_sub(pose.p, a->point)));
  pose.q = brio_quat_mul(turn, pose.q);
  return pose;
}

/* The inverse: of a hinge unwrapped next to `near`. */
double brio_articulation_value(const brio_articulation *a, brio_vec3 place, double near) {
  brio_vec3 d = brio_vec3_sub(place, a->point), start = brio_vec3_sub(a->start.p, a->point);
  /* A fixed thing has one value; a slider's is the way along its axis, m. */
  if (a->kind == BRIO_ARTICULATION_FIXED) return 0;
  if (a->kind == BRIO_ARTICULATION_SLIDER) return brio_vec3_dot(d, a->axis);
  /* The angle from the start direction, both projected across the axis. */
  double angle = atan2(brio_vec3_dot(a->axis, brio_vec3_cross(start, d)),
                       brio_vec3_dot(start, d) - brio_vec3_dot(start, a->axis) * brio_vec3_dot(d, a->axis));
  return angle - 2 * BRIO_PI * floor((angle - near) / (2 * BRIO_PI) + 0.5);
}

const char *brio_articulation_name(brio_articulation_kind kind) {
  static const char *const names[BRIO_ARTICULATION_NKIND] = {"fixed", "slider", "hinge"};
  return kind < BRIO_ARTICULATION_NKIND ? names[kind] : "fixed";
}
