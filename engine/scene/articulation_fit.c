/* Fits to a track: first the best of many through few poses each, by the median of what the others are
** off (Rousseeuw and Leroy, "Robust regression and outlier detection", 1987), then least squares over the
** poses that are near it. */
#include "scene/articulation_fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cloud/surfaces/fit.h"

enum { TRIALS = 150, ROUNDS = 12, UNKNOWNS = 6, PARTS = 5 };

static brio_vec3 place(const brio_articulation_track *track, int i) {
  return track->poses[i].p;
}

/* A part of `v` across the unit `axis`. */
static brio_vec3 across(brio_vec3 v, brio_vec3 axis) {
  return brio_vec3_add_scaled(v, -brio_vec3_dot(v, axis), axis);
}

/* What an orientation is off, as meters: noise of so many radians weighs like the noise of places. */
static double turn_weight(const brio_articulation_track *track) {
  return (track->noise > 0 ? track->noise : 0.003) / track->turning;
}

/* The angle of place i about a hinge, from a direction that only the axis tells. */
static double angle_at(const brio_articulation_track *track, const brio_articulation_fit *fit, int i) {
  brio_vec3 d = brio_vec3_sub(place(track, i), fit->point), u, v;
  brio_cloud_across(fit->axis, &u, &v);
  return atan2(brio_vec3_dot(d, v), brio_vec3_dot(d, u));
}

/* What pose i is off a hinge, by parts, m: along the axis, out of the circle, and with orientations
** turned across the axis (twice) and about it other than its place is. */
static void parts_off(const brio_articulation_track *track, const brio_articulation_fit *fit, int i,
                      double out[PARTS]) {
  brio_vec3 d = brio_vec3_sub(place(track, i), fit->point), u, v;
  out[0] = brio_vec3_dot(d, fit->axis);
  out[1] = brio_vec3_norm(across(d, fit->axis)) - fit->radius;
  out[2] = out[3] = out[4] = 0;
  if (track->turning < 0) return;
  double weight = turn_weight(track), noise = weight * track->turning;
  brio_cloud_across(fit->axis, &u, &v);
  out[2] = weight * brio_vec3_dot(track->turns[i], u), out[3] = weight * brio_vec3_dot(track->turns[i], v);
  double ahead = angle_at(track, fit, i) - brio_vec3_dot(track->turns[i], fit->axis) - fit->ahead;
  ahead -= 2 * BRIO_PI * floor(ahead / (2 * BRIO_PI) + 0.5);
  out[4] = ahead * noise * fit->radius /
           sqrt(noise * noise + fit->radius * fit->radius * track->turning * track->turning);
}

double brio_articulation_off(const brio_articulation_track *track, brio_articulation_kind kind,
                             const brio_articulation_fit *fit, int i) {
  brio_vec3 d = brio_vec3_sub(place(track, i), fit->point);
  double parts[PARTS], off = 0;
  if (kind == BRIO_ARTICULATION_HINGE) {
    parts_off(track, fit, i, parts);
    for (int p = 0; p < PARTS; p++) off += parts[p] * parts[p];
    return off;
  }
  if (kind == BRIO_ARTICULATION_SLIDER) d = across(d, fit->axis);
  off = brio_vec3_dot(d, d);
  if (track->turning < 0) return off;
  double weight = turn_weight(track);
  return off + weight * weight * brio_vec3_dot(track->turns[i], track->turns[i]);
}

/* Set how far the angles of places are ahead of their turns: their mean as directions, over the poses
** that count, or over `pick` if that is not NULL. */
static void set_ahead(const brio_articulation_track *track, brio_articulation_fit *fit, const int *pick) {
  double x = 0, y = 0;
  for (int k = 0; k < (pick ? 3 : track->count); k++) {
    int i = pick ? pick[k] : k;
    if (track->turning < 0 || (!pick && !track->used[i])) continue;
    double ahead = angle_at(track, fit, i) - brio_vec3_dot(track->turns[i], fit->axis);
    x += cos(ahead), y += sin(ahead);
  }
  fit->ahead = atan2(y, x);
}

double brio_articulation_along(const brio_articulation_track *track, brio_articulation_kind kind,
                               const brio_articulation_fit *fit, int i, double near) {
  if (kind == BRIO_ARTICULATION_FIXED) return 0;
  if (kind == BRIO_ARTICULATION_SLIDER)
    return brio_vec3_dot(brio_vec3_sub(place(track, i), fit->point), fit->axis);
  bool by_turn = track->turning >= 0 && fit->radius * track->turning < track->noise;
  double angle = by_turn ? fit->ahead + brio_vec3_dot(track->turns[i], fit->axis) : angle_at(track, fit, i);
  return angle - 2 * BRIO_PI * floor((angle - near) / (2 * BRIO_PI) + 0.5);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of what poses are off; writes all into track->errors. */
static double median_off(brio_articulation_track *track, brio_articulation_kind kind,
                         const brio_articulation_fit *fit) {
  for (int i = 0; i < track->count; i++) track->errors[i] = brio_articulation_off(track, kind, fit, i);
  memcpy(track->sorted, track->errors, (size_t)track->count * sizeof *track->sorted);
  qsort(track->sorted, (size_t)track->count, sizeof *track->sorted, by_value);
  return track->sorted[track->count / 2];
}

/* The hinge through three places; false: they are on a line. */
static bool circle_through(brio_vec3 a, brio_vec3 b, brio_vec3 c, brio_articulation_fit *fit) {
  brio_vec3 ab = brio_vec3_sub(b, a), ac = brio_vec3_sub(c, a), n = brio_vec3_cross(ab, ac);
  double square = brio_vec3_dot(n, n), bb = brio_vec3_dot(ab, ab), cc = brio_vec3_dot(ac, ac);
  if (!(square > 1e-10 * bb * cc)) return false;
  brio_vec3 to =
      brio_vec3_add(brio_vec3_scale(cc, brio_vec3_cross(n, ab)), brio_vec3_scale(bb, brio_vec3_cross(ac, n)));
  to = brio_vec3_scale(1 / (2 * square), to);
  fit->point = brio_vec3_add(a, to), fit->radius = brio_vec3_norm(to);
  fit->axis = brio_vec3_scale(1 / sqrt(square), n);
  return true;
}

/* The hinge between two poses by how they are turned: the axis is what the turn leaves alone (Chasles);
** false: they are hardly turned. */
static bool hinge_between(const brio_articulation_track *track, int a, int b, brio_articulation_fit *fit) {
  brio_quat turn = brio_quat_mul(track->poses[b].q, brio_quat_conj(track->poses[a].q));
  brio_vec3 u = brio_quat_log(turn),
            middle = brio_vec3_scale(0.5, brio_vec3_add(place(track, a), place(track, b)));
  double angle = brio_vec3_norm(u);
  if (!(angle > 4 * track->turning)) return false;
  fit->axis = brio_vec3_scale(1 / angle, u);
  brio_vec3 step = across(brio_vec3_sub(place(track, b), place(track, a)), fit->axis);
  fit->point = brio_vec3_add_scaled(middle, 0.5 / tan(angle / 2), brio_vec3_cross(fit->axis, step));
  fit->radius = brio_vec3_norm(across(brio_vec3_sub(place(track, a), fit->point), fit->axis));
  return true;
}

/* A fit through a few poses; false: they tell none. */
static bool guess(const brio_articulation_track *track, brio_articulation_kind kind, brio_random *random,
                  int trial, brio_articulation_fit *fit) {
  int n = track->count, pick[3];
  for (int k = 0; k < 3; k++) pick[k] = (int)brio_random_below(random, (uint64_t)n);
  *fit = (brio_articulation_fit){.point = place(track, pick[0]), .axis = {0, 0, 1}};
  if (kind == BRIO_ARTICULATION_FIXED) return true;
  if (kind == BRIO_ARTICULATION_SLIDER) {
    brio_vec3 d = brio_vec3_sub(place(track, pick[1]), fit->point);
    fit->axis = brio_vec3_unit(d, fit->axis);
    return brio_vec3_norm(d) > 0;
  }
  bool fine = track->turning >= 0 && trial % 2
                  ? hinge_between(track, pick[0], pick[1], fit)
                  : circle_through(place(track, pick[0]), place(track, pick[1]), place(track, pick[2]), fit);
  if (fine) set_ahead(track, fit, pick);
  return fine;
}

/* The place or line of the poses that count, by least squares. */
static void fit_straight(const brio_articulation_track *track, brio_articulation_fit *fit) {
  brio_cloud_moments sums = {0};
  brio_cloud_spread spread;
  for (int i = 0; i < track->count; i++)
    if (track->used[i]) brio_cloud_moments_add(&sums, brio_vec3_sub(place(track, i), fit->point), 1);
  if (!brio_cloud_spread_of(&sums, 1, &spread)) return;
  fit->point = brio_vec3_add(fit->point, spread.center);
  fit->axis = spread.axis[2];
}

/* A hinge moved by six small numbers: its point, how its axis leans, its radius. */
static brio_articulation_fit moved(const brio_articulation_fit *fit, const double by[UNKNOWNS]) {
  brio_vec3 u, v;
  brio_articulation_fit to = *fit;
  brio_cloud_across(fit->axis, &u, &v);
  to.point = brio_vec3_add(fit->point, (brio_vec3){by[0], by[1], by[2]});
  to.axis =
      brio_vec3_unit(brio_vec3_add_scaled(brio_vec3_add_scaled(fit->axis, by[3], u), by[4], v), fit->axis);
  to.radius = fabs(fit->radius + by[5]);
  return to; /* `ahead` stays: directions across the axis hardly turn while it leans a little */
}

/* The sum of squares of what the poses that count are off. */
static double sum_off(const brio_articulation_track *track, const brio_articulation_fit *fit) {
  double sum = 0;
  for (int i = 0; i < track->count; i++)
    if (track->used[i]) sum += brio_articulation_off(track, BRIO_ARTICULATION_HINGE, fit, i);
  return sum;
}

/* Solve a x = b for a symmetric positive matrix, by Cholesky's factors; false: it is none. */
static bool solve(double a[UNKNOWNS][UNKNOWNS], double x[UNKNOWNS]) {
  for (int i = 0; i < UNKNOWNS; i++)
    for (int j = i; j < UNKNOWNS; j++) {
      double sum = a[i][j];
      for (int k = 0; k < i; k++) sum -= a[i][k] * a[j][k];
      if (i == j && !(sum > 0)) return false;
      if (i == j)
        a[i][i] = sqrt(sum);
      else
        a[j][i] = sum / a[i][i];
    }
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int k = 0; k < i; k++) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (int i = UNKNOWNS - 1; i >= 0; i--) {
    for (int k = i + 1; k < UNKNOWNS; k++) x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
  return true;
}

/* Write the normal equations of small moves of a hinge. */
static void equations(const brio_articulation_track *track, const brio_articulation_fit *fit,
                      double a[UNKNOWNS][UNKNOWNS], double b[UNKNOWNS]) {
  static const double step = 1e-6;
  brio_articulation_fit near[UNKNOWNS];
  for (int k = 0; k < UNKNOWNS; k++) {
    double by[UNKNOWNS] = {0};
    by[k] = step;
    near[k] = moved(fit, by);
  }
  memset(a, 0, UNKNOWNS * sizeof *a);
  memset(b, 0, UNKNOWNS * sizeof *b);
  for (int i = 0; i < track->count; i++) {
    double at[PARTS], to[PARTS], slope[UNKNOWNS][PARTS];
    if (!track->used[i]) continue;
    parts_off(track, fit, i, at);
    for (int k = 0; k < UNKNOWNS; k++) {
      parts_off(track, &near[k], i, to);
      for (int p = 0; p < PARTS; p++) slope[k][p] = (to[p] - at[p]) / step;
    }
    for (int k = 0; k < UNKNOWNS; k++)
      for (int p = 0; p < PARTS; p++) {
        b[k] -= slope[k][p] * at[p];
        for (int m = 0; m < UNKNOWNS; m++) a[k][m] += slope[k][p] * slope[m][p];
      }
  }
}

/* The hinge of the poses that count, by Levenberg and Marquardt's method. */
static void fit_hinge(const brio_articulation_track *track, brio_articulation_fit *fit) {
  double damping = 1e-3, best = sum_off(track, fit);
  for (int round = 0; round < 4 * ROUNDS && damping < 1e9; round++) {
    double a[UNKNOWNS][UNKNOWNS], x[UNKNOWNS], scale = 1e-12;
    equations(track, fit, a, x);
    for (int k = 0; k < UNKNOWNS; k++) scale = fmax(scale, 1e-9 * a[k][k]);
    for (int k = 0; k < UNKNOWNS; k++) a[k][k] += damping * a[k][k] + scale;
    brio_articulation_fit to = *fit;
    if (solve(a, x)) to = moved(fit, x);
    double sum = sum_off(track, &to);
    if (sum < best) {
      bool settled = sum > best * (1 - 1e-9);
      *fit = to, best = sum, damping = fmax(damping / 10, 1e-9);
      if (settled) break;
    } else {
      damping *= 10;
    }
  }
}

void brio_articulation_fit_kind(brio_articulation_track *track, brio_articulation_kind kind,
                                brio_articulation_fit *fit) {
  brio_random random = brio_random_stream(1, "articulation");
  double least = HUGE_VAL;
  *fit = (brio_articulation_fit){.point = place(track, 0), .axis = {0, 0, 1}};
  for (int trial = 0; trial < TRIALS; trial++) {
    brio_articulation_fit one;
    if (!guess(track, kind, &random, trial, &one)) continue;
    double median = median_off(track, kind, &one);
    if (median < least) least = median, *fit = one;
  }
  for (int round = 0; round < 4; round++) {
    double sigma = 1.4826 * (1 + 5.0 / fmax(1, track->count - UNKNOWNS)) * sqrt(median_off(track, kind, fit));
    double most = fmax(3 * fmax(sigma, track->noise), 1e-9);
    for (int i = 0; i < track->count; i++) track->used[i] = track->errors[i] <= most * most;
    if (kind != BRIO_ARTICULATION_HINGE) {
      fit_straight(track, fit);
      continue;
    }
    set_ahead(track, fit, NULL);
    fit_hinge(track, fit);
    set_ahead(track, fit, NULL);
  }
}
