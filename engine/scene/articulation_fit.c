/* Fits to a track: first the best of many through few poses each, by the median of the others'
** distances (least median of squares: Rousseeuw and Leroy, "Robust regression and outlier
** detection", 1987), then least squares over the poses near it.  Cost: TRIALS x (n log n), plus a
** few rounds of O(n). */
#include "scene/articulation_fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cloud/surfaces/fit.h"

/* Random fits; a quarter of the steps of a descent; unknowns of a hinge; parts of a deviation. */
enum { TRIALS = 150, ROUNDS = 12, UNKNOWNS = 6, PARTS = 5 };

/* The position of pose i. */
static brio_vec3 place(const brio_articulation_track *track, int i) {
  return track->poses[i].p;
}

/* The component of `v` perpendicular to the unit vector `axis`. */
static brio_vec3 across(brio_vec3 v, brio_vec3 axis) {
  return brio_vec3_add_scaled(v, -brio_vec3_dot(v, axis), axis);
}

/* Meters per radian: so scaled, noise of orientations weighs like noise of places. */
static double turn_weight(const brio_articulation_track *track) {
  return (track->noise > 0 ? track->noise : 0.003) / track->turning;
}

/* The angle of place i about a hinge, from a direction that depends on the axis only. */
static double angle_at(const brio_articulation_track *track, const brio_articulation_fit *fit, int i) {
  brio_vec3 d = brio_vec3_sub(place(track, i), fit->point), u, v;
  brio_cloud_across(fit->axis, &u, &v);
  return atan2(brio_vec3_dot(d, v), brio_vec3_dot(d, u));
}

/* The deviations of pose i from a hinge, m: along the axis, from the circle; with orientations also
** rotations across the axis (two), and about it relative to the place's angle. */
static void parts_off(const brio_articulation_track *track, const brio_articulation_fit *fit, int i,
                      double out[PARTS]) {
  /* Position: off the plane of the circle, and off the circle within it. */
  brio_vec3 d = brio_vec3_sub(place(track, i), fit->point), u, v;
  out[0] = brio_vec3_dot(d, fit->axis);
  out[1] = brio_vec3_norm(across(d, fit->axis)) - fit->radius;
  out[2] = out[3] = out[4] = 0;
  if (track->turning < 0) return;
  double weight = turn_weight(track), noise = weight * track->turning;
  /* Orientation: how far the rotation leans away from the hinge's axis. */
  brio_cloud_across(fit->axis, &u, &v);
  out[2] = weight * brio_vec3_dot(track->turns[i], u), out[3] = weight * brio_vec3_dot(track->turns[i], v);
  double ahead = angle_at(track, fit, i) - brio_vec3_dot(track->turns[i], fit->axis) - fit->ahead;
  /* Unwrap to half a turn. */
  ahead -= 2 * BRIO_PI * floor(ahead / (2 * BRIO_PI) + 0.5);
  /* Two noisy angles are compared: weigh by both, the place's noise / radius and the orientation's. */
  out[4] = ahead * noise * fit->radius /
           sqrt(noise * noise + fit->radius * fit->radius * track->turning * track->turning);
}

/* In m^2: deviations of orientation are weighed as lengths. */
double brio_articulation_off(const brio_articulation_track *track, brio_articulation_kind kind,
                             const brio_articulation_fit *fit, int i) {
  brio_vec3 d = brio_vec3_sub(place(track, i), fit->point);
  double parts[PARTS], off = 0;
  if (kind == BRIO_ARTICULATION_HINGE) {
    parts_off(track, fit, i, parts);
    for (int p = 0; p < PARTS; p++) off += parts[p] * parts[p];
    return off;
  }
  /* A slider's places may be anywhere along its axis, a fixed thing's at one point only. */
  if (kind == BRIO_ARTICULATION_SLIDER) d = across(d, fit->axis);
  off = brio_vec3_dot(d, d);
  if (track->turning < 0) return off;
  double weight = turn_weight(track);
  return off + weight * weight * brio_vec3_dot(track->turns[i], track->turns[i]);
}

/* Set how far the angles of places are ahead of their rotations: the mean direction over the poses
** that count, or over `pick` (three) if it is not NULL. */
static void set_ahead(const brio_articulation_track *track, brio_articulation_fit *fit, const int *pick) {
  double x = 0, y = 0;
  for (int k = 0; k < (pick ? 3 : track->count); k++) {
    int i = pick ? pick[k] : k;
    if (track->turning < 0 || (!pick && !track->used[i])) continue;
    double ahead = angle_at(track, fit, i) - brio_vec3_dot(track->turns[i], fit->axis);
    /* Adding unit vectors averages angles without wrapping. */
    x += cos(ahead), y += sin(ahead);
  }
  fit->ahead = atan2(y, x);
}

/* The angle of a hinge comes from the orientation where that is the more exact. */
double brio_articulation_along(const brio_articulation_track *track, brio_articulation_kind kind,
                               const brio_articulation_fit *fit, int i, double near) {
  if (kind == BRIO_ARTICULATION_FIXED) return 0;
  if (kind == BRIO_ARTICULATION_SLIDER)
    return brio_vec3_dot(brio_vec3_sub(place(track, i), fit->point), fit->axis);
  bool by_turn = track->turning >= 0 && fit->radius * track->turning < track->noise;
  double angle = by_turn ? fit->ahead + brio_vec3_dot(track->turns[i], fit->axis) : angle_at(track, fit, i);
  return angle - 2 * BRIO_PI * floor((angle - near) / (2 * BRIO_PI) + 0.5);
}

/* Ascending, for qsort. */
static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median squared deviation; all of them are left in track->errors. */
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
  /* The sine of the angle at a, squared: below 1e-10 the center is lost in rounding. */
  if (!(square > 1e-10 * bb * cc)) return false;
  /* The circumcenter relative to a: (|ac|^2 n x ab + |ab|^2 ac x n) / (2 |n|^2). */
  brio_vec3 to =
      brio_vec3_add(brio_vec3_scale(cc, brio_vec3_cross(n, ab)), brio_vec3_scale(bb, brio_vec3_cross(ac, n)));
  to = brio_vec3_scale(1 / (2 * square), to);
  fit->point = brio_vec3_add(a, to), fit->radius = brio_vec3_norm(to);
  fit->axis = brio_vec3_scale(1 / sqrt(square), n);
  return true;
}

/* The hinge between two poses by their rotation: the axis is what the rotation leaves fixed
** (Chasles).  False: the rotation is not above its noise. */
static bool hinge_between(const brio_articulation_track *track, int a, int b, brio_articulation_fit *fit) {
  brio_quat turn = brio_quat_mul(track->poses[b].q, brio_quat_conj(track->poses[a].q));
  brio_vec3 u = brio_quat_log(turn),
            middle = brio_vec3_scale(0.5, brio_vec3_add(place(track, a), place(track, b)));
  double angle = brio_vec3_norm(u);
  if (!(angle > 4 * track->turning)) return false;
  fit->axis = brio_vec3_scale(1 / angle, u);
  brio_vec3 step = across(brio_vec3_sub(place(track, b), place(track, a)), fit->axis);
  /* The center is off the middle of the chord by half its length / tan(angle / 2). */
  fit->point = brio_vec3_add_scaled(middle, 0.5 / tan(angle / 2), brio_vec3_cross(fit->axis, step));
  fit->radius = brio_vec3_norm(across(brio_vec3_sub(place(track, a), fit->point), fit->axis));
  return true;
}

/* A fit through a few random poses; false: they determine none. */
static bool guess(const brio_articulation_track *track, brio_articulation_kind kind, brio_random *random,
                  int trial, brio_articulation_fit *fit) {
  int n = track->count, pick[3];
  /* A pose may be picked twice: mostly the fit then fails, and the trial is skipped. */
  for (int k = 0; k < 3; k++) pick[k] = (int)brio_random_below(random, (uint64_t)n);
  *fit = (brio_articulation_fit){.point = place(track, pick[0]), .axis = {0, 0, 1}};
  if (kind == BRIO_ARTICULATION_FIXED) return true;
  if (kind == BRIO_ARTICULATION_SLIDER) {
    brio_vec3 d = brio_vec3_sub(place(track, pick[1]), fit->point);
    fit->axis = brio_vec3_unit(d, fit->axis);
    return brio_vec3_norm(d) > 0;
  }
  /* With orientations every other trial uses two poses, which need not be far apart. */
  bool fine = track->turning >= 0 && trial % 2
                  ? hinge_between(track, pick[0], pick[1], fit)
                  : circle_through(place(track, pick[0]), place(track, pick[1]), place(track, pick[2]), fit);
  if (fine) set_ahead(track, fit, pick);
  return fine;
}

/* Least squares over the poses that count: their mean, and the axis of greatest variance. */
static void fit_straight(const brio_articulation_track *track, brio_articulation_fit *fit) {
  brio_cloud_moments sums = {0};
  brio_cloud_spread spread;
  for (int i = 0; i < track->count; i++)
    if (track->used[i]) brio_cloud_moments_add(&sums, brio_vec3_sub(place(track, i), fit->point), 1);
  if (!brio_cloud_spread_of(&sums, 1, &spread)) return;
  fit->point = brio_vec3_add(fit->point, spread.center);
  /* The last axis is that of the greatest variance. */
  fit->axis = spread.axis[2];
}

/* A hinge changed by six small numbers: its point, the lean of its axis, its radius. */
static brio_articulation_fit moved(const brio_articulation_fit *fit, const double by[UNKNOWNS]) {
  brio_vec3 u, v;
  brio_articulation_fit to = *fit;
  brio_cloud_across(fit->axis, &u, &v);
  to.point = brio_vec3_add(fit->point, (brio_vec3){by[0], by[1], by[2]});
  to.axis =
      brio_vec3_unit(brio_vec3_add_scaled(brio_vec3_add_scaled(fit->axis, by[3], u), by[4], v), fit->axis);
  to.radius = fabs(fit->radius + by[5]);
  return to; /* `ahead` stays: directions across the axis hardly turn with a small lean */
}

/* The sum of squared deviations of the poses that count. */
static double sum_off(const brio_articulation_track *track, const brio_articulation_fit *fit) {
  double sum = 0;
  for (int i = 0; i < track->count; i++)
    if (track->used[i]) sum += brio_articulation_off(track, BRIO_ARTICULATION_HINGE, fit, i);
  return sum;
}

/* Solve a x = b for a symmetric positive definite matrix by Cholesky's factorization, in place; x
** holds b at first.  False: it is not positive definite. */
static bool solve(double a[UNKNOWNS][UNKNOWNS], double x[UNKNOWNS]) {
  for (int i = 0; i < UNKNOWNS; i++)
    for (int j = i; j < UNKNOWNS; j++) {
      double sum = a[i][j];
      for (int k = 0; k < i; k++) sum -= a[i][k] * a[j][k];
      if (i == j && !(sum > 0)) return false;
      /* The lower triangle takes the factor; the upper one keeps the matrix. */
      if (i == j)
        a[i][i] = sqrt(sum);
      else
        a[j][i] = sum / a[i][i];
    }
  /* Forward, then backward substitution. */
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

/* The normal equations J^T J x = -J^T r for small changes of a hinge, J by forward differences. */
static void equations(const brio_articulation_track *track, const brio_articulation_fit *fit,
                      double a[UNKNOWNS][UNKNOWNS], double b[UNKNOWNS]) {
  static const double step = 1e-6;
  brio_articulation_fit near[UNKNOWNS];
  /* The hinge, moved by a small step in each of its unknowns. */
  for (int k = 0; k < UNKNOWNS; k++) {
    double by[UNKNOWNS] = {0};
    by[k] = step;
    near[k] = moved(fit, by);
  }
  memset(a, 0, UNKNOWNS * sizeof *a);
  memset(b, 0, UNKNOWNS * sizeof *b);
  /* O(n UNKNOWNS^2 PARTS). */
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

/* Fit a hinge to the poses that count, by the method of Levenberg and Marquardt. */
static void fit_hinge(const brio_articulation_track *track, brio_articulation_fit *fit) {
  double damping = 1e-3, best = sum_off(track, fit);
  /* Each round solves one damped system and tries one step. */
  for (int round = 0; round < 4 * ROUNDS && damping < 1e9; round++) {
    double a[UNKNOWNS][UNKNOWNS], x[UNKNOWNS], scale = 1e-12;
    equations(track, fit, a, x);
    for (int k = 0; k < UNKNOWNS; k++) scale = fmax(scale, 1e-9 * a[k][k]);
    /* Damping scaled by the diagonal, plus a floor against a singular matrix. */
    for (int k = 0; k < UNKNOWNS; k++) a[k][k] += damping * a[k][k] + scale;
    brio_articulation_fit to = *fit;
    if (solve(a, x)) to = moved(fit, x);
    double sum = sum_off(track, &to);
    /* Better: accept, and damp less; worse: damp more and try again. */
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
  /* A fixed seed: the same track gives the same result. */
  brio_random random = brio_random_stream(1, "articulation");
  double least = HUGE_VAL;
  *fit = (brio_articulation_fit){.point = place(track, 0), .axis = {0, 0, 1}};
  /* Least median of squares over random fits. */
  for (int trial = 0; trial < TRIALS; trial++) {
    brio_articulation_fit one;
    if (!guess(track, kind, &random, trial, &one)) continue;
    double median = median_off(track, kind, &one);
    if (median < least) least = median, *fit = one;
  }
  /* Refine: choose the poses within 3 sigma, fit them, four times. */
  for (int round = 0; round < 4; round++) {
    /* 1.4826 makes the median a standard deviation; the factor is Rousseeuw's for small samples. */
    double sigma = 1.4826 * (1 + 5.0 / fmax(1, track->count - UNKNOWNS)) * sqrt(median_off(track, kind, fit));
    double most = fmax(3 * fmax(sigma, track->noise), 1e-9);
    for (int i = 0; i < track->count; i++) track->used[i] = track->errors[i] <= most * most;
    /* Straight fits have a closed form; a hinge's angles are set before and after its descent. */
    if (kind != BRIO_ARTICULATION_HINGE) {
      fit_straight(track, fit);
      continue;
    }
    set_ahead(track, fit, NULL);
    fit_hinge(track, fit);
    set_ahead(track, fit, NULL);
  }
}
