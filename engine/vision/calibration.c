/* Camera calibration: see calibration.h.
**
** The normal equations have a block of the intrinsics, and one of 6 x 6 for each view.  Views are coupled
** through the intrinsics only, so that each is eliminated on its own (Schur's complement): O(views) a
** step. */
#include "vision/calibration.h"

#include <stdlib.h>
#include <string.h>

#include "trajectory/matrix.h"

enum { N = BRIO_CALIBRATION_NUMBERS, STEPS = 100 };

#define MAX_DAMPING 1e12
#define ENOUGH 1e-10      /* relative gain of a step at which the search ends */
#define MAX_RELATIVE 0.03 /* deviation of a focal length by its length, above which it is not determined */

static const char *const names[N] = {"fx", "fy", "cx", "cy", "k1", "k2", "k3", "p1", "p2"};

const char *brio_calibration_number(int index) {
  return names[index];
}

/* ---- the numbers of a camera as a list ---- */

/* The number of a camera at an index of `names`. */
static double *number_of(brio_camera *camera, int index) {
  double *const list[N] = {&camera->fx,   &camera->fy,   &camera->cx,   &camera->cy,  &camera->k[0],
                           &camera->k[1], &camera->k[2], &camera->p[0], &camera->p[1]};
  return list[index];
}

/* Which numbers are estimated: their indices; returns how many. */
static int choose(const brio_calibration_options *options, int free[N]) {
  int count = 0;
  for (int i = 0; i < N; i++)
    if (i < 4 + options->radial || (i >= 7 && options->tangential)) free[count++] = i;
  return count;
}

/* ---- one step ---- */

/* Blocks of the normal equations of one view: of the intrinsics with its pose, of its pose, and the right
** side. */
typedef struct block {
  double mixed[N * 6], pose[36], right[6];
} block;

typedef struct problem {
  int count, nfree, free[N];
  const brio_plane_view *views;
  brio_camera camera;
  brio_pose *poses, *next;   /* count each: of now, and of the step that is tried */
  block *blocks;             /* count */
  double a[N * N], right[N]; /* of the intrinsics */
} problem;

/* How a pixel moves with each free number, by central differences. */
static bool slopes_of(const problem *p, brio_vec3 point, double slopes[2][N]) {
  for (int i = 0; i < p->nfree; i++) {
    brio_camera camera = p->camera;
    double *number = number_of(&camera, p->free[i]), value = *number, h = 1e-6 * fmax(1, fabs(value));
    double more[2], less[2];
    *number = value + h;
    if (!brio_camera_project(&camera, point, more, NULL)) return false;
    *number = value - h;
    if (!brio_camera_project(&camera, point, less, NULL)) return false;
    for (int k = 0; k < 2; k++) slopes[k][i] = (more[k] - less[k]) / (2 * h);
  }
  return true;
}

/* Add the equations of one point of a view; returns its squared error, or NAN. */
static double add_point(problem *p, block *b, brio_pose pose, const double at[2], const double seen[2]) {
  double pixel[2], j[6], slopes[2][N], sum = 0;
  brio_vec3 r = brio_quat_rotate(pose.q, (brio_vec3){at[0], at[1], 0}), x = brio_vec3_add(pose.p, r);
  if (!brio_camera_project(&p->camera, x, pixel, j) || !slopes_of(p, x, slopes)) return NAN;
  for (int k = 0; k < 2; k++) {
    const double *d = j + 3 * k, *s = slopes[k];
    double e = pixel[k] - seen[k];
    /* The point moves by dp + w x r. */
    double row[6] = {
        d[0], d[1], d[2], r.y * d[2] - r.z * d[1], r.z * d[0] - r.x * d[2], r.x * d[1] - r.y * d[0]};
    brio_matrix_add_square(p->nfree, 1, s, p->a);
    brio_matrix_add_square(6, 1, row, b->pose);
    for (int i = 0; i < p->nfree; i++) {
      p->right[i] -= s[i] * e;
      for (int m = 0; m < 6; m++) b->mixed[6 * i + m] += s[i] * row[m];
    }
    for (int m = 0; m < 6; m++) b->right[m] -= row[m] * e;
    sum += e * e;
  }
  return sum;
}

/* All equations; returns the sum of squared errors, or NAN: a point is not in the picture. */
static double add_all(problem *p) {
  double sum = 0;
  memset(p->a, 0, sizeof p->a);
  memset(p->right, 0, sizeof p->right);
  memset(p->blocks, 0, (size_t)p->count * sizeof *p->blocks);
  for (int v = 0; v < p->count; v++)
    for (int i = 0; i < p->views[v].count; i++)
      sum += add_point(p, &p->blocks[v], p->poses[v], p->views[v].points[i], p->views[v].pixels[i]);
  return sum;
}

/* The errors alone, with the camera and the poses that are tried. */
static double errors_of(const problem *p, const brio_camera *camera) {
  double sum = 0;
  for (int v = 0; v < p->count; v++)
    for (int i = 0; i < p->views[v].count; i++) {
      const double *at = p->views[v].points[i], *seen = p->views[v].pixels[i];
      double pixel[2];
      if (!brio_camera_project(camera, brio_pose_point(p->next[v], (brio_vec3){at[0], at[1], 0}), pixel,
                               NULL))
        return NAN;
      sum += (pixel[0] - seen[0]) * (pixel[0] - seen[0]) + (pixel[1] - seen[1]) * (pixel[1] - seen[1]);
    }
  return sum;
}

/* Schur's complement `s` of the intrinsics, and its right side, damped; `eliminated` (count) receives each
** view's C^-1 [B^T | c]. Returns false: singular. */
static bool eliminate(const problem *p, double damping, double s[N * N], double right[N],
                      double (*eliminated)[6 * (N + 1)]) {
  int n = p->nfree;
  /* The block A of the intrinsics and its right side a; the lower triangle suffices. */
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) s[i * n + j] = p->a[i * n + j] * (i == j ? 1 + damping : 1);
    right[i] = p->right[i];
  }
  for (int v = 0; v < p->count; v++) {
    const block *b = &p->blocks[v];
    double l[36], *e = eliminated[v];
    /* C of this view, damped, and the right sides B^T and c behind each other. */
    memcpy(l, b->pose, sizeof l);
    for (int m = 0; m < 6; m++) {
      l[7 * m] *= 1 + damping;
      for (int i = 0; i < n; i++) e[m * (N + 1) + i] = b->mixed[6 * i + m];
      e[m * (N + 1) + n] = b->right[m];
    }
    if (!brio_matrix_cholesky(6, l, 6)) return false;
    brio_matrix_cholesky_solve(6, l, 6, e, n + 1, N + 1);
    /* A - B C^-1 B^T, a - B C^-1 c. */
    for (int i = 0; i < n; i++)
      for (int m = 0; m < 6; m++) {
        for (int j = 0; j <= i; j++) s[i * n + j] -= b->mixed[6 * i + m] * e[m * (N + 1) + j];
        right[i] -= b->mixed[6 * i + m] * e[m * (N + 1) + n];
      }
  }
  return brio_matrix_cholesky(n, s, n);
}

/* The camera and the poses after a step of `damping`; returns their error, or NAN. */
static double try_step(problem *p, double damping, double (*eliminated)[6 * (N + 1)], brio_camera *camera) {
  double s[N * N], step[N];
  int n = p->nfree;
  if (!eliminate(p, damping, s, step, eliminated)) return NAN;
  brio_matrix_cholesky_solve(n, s, n, step, 1, 1);
  *camera = p->camera;
  for (int i = 0; i < n; i++) *number_of(camera, p->free[i]) += step[i];
  if (!brio_camera_check(camera, NULL)) return NAN;
  for (int v = 0; v < p->count; v++) {
    double d[6];
    /* Each pose follows from the step of the intrinsics. */
    for (int m = 0; m < 6; m++) {
      const double *e = eliminated[v] + m * (N + 1);
      d[m] = e[n];
      for (int i = 0; i < n; i++) d[m] -= e[i] * step[i];
    }
    brio_vec3 turn = {d[3], d[4], d[5]};
    p->next[v] = (brio_pose){brio_vec3_add(p->poses[v].p, (brio_vec3){d[0], d[1], d[2]}),
                             brio_quat_unit(brio_quat_mul(brio_quat_exp(turn), p->poses[v].q))};
  }
  return errors_of(p, camera);
}

/* Levenberg and Marquardt's method; returns the sum of squared errors, or NAN. */
static double refine(problem *p, double (*eliminated)[6 * (N + 1)]) {
  double damping = 1e-3, sum = add_all(p);
  for (int i = 0; i < STEPS && damping < MAX_DAMPING && !isnan(sum); i++) {
    brio_camera camera;
    double then = try_step(p, damping, eliminated, &camera);
    /* A step that raises the error, or leaves the picture, is tried again, shorter. */
    if (!(then <= sum)) {
      damping *= 10;
      continue;
    }
    bool done = sum - then <= ENOUGH * sum;
    p->camera = camera;
    memcpy(p->poses, p->next, (size_t)p->count * sizeof *p->poses);
    damping = fmax(damping / 10, 1e-12);
    sum = add_all(p);
    if (done) break;
  }
  return sum;
}

/* ---- the start ---- */

/* Focal lengths from the homographies, with the principal point in the middle: both columns of each are at
** right angles and of one length, which is linear in 1 / fx^2 and 1 / fy^2. */
static bool first_camera(problem *p, const brio_calibration_options *o, brio_error *err) {
  double a[4] = {0}, b[2] = {0};
  brio_camera c = {.width = o->width, .height = o->height, .fx = 1, .fy = 1};
  c.cx = (o->width - 1) / 2.0, c.cy = (o->height - 1) / 2.0;
  for (int v = 0; v < p->count; v++) {
    double h[9];
    if (!brio_plane_homography(p->views[v].count, p->views[v].points, p->views[v].pixels, h))
      return brio_fail(err, BRIO_FORMAT, "view %d: its points are too few, or on one line", v + 1);
    /* Relative to the middle; columns of one length, so that near views count as far ones. */
    for (int j = 0; j < 3; j++) h[j] -= c.cx * h[6 + j], h[3 + j] -= c.cy * h[6 + j];
    double scale = 1 / hypot(hypot(h[0], h[3]), hypot(h[1], h[4]));
    /* Two equations of the view: the product of the columns is 0, and their lengths are equal. */
    double x1 = h[0] * scale, y1 = h[3] * scale, z1 = h[6] * scale * o->width;
    double x2 = h[1] * scale, y2 = h[4] * scale, z2 = h[7] * scale * o->width;
    double rows[2][3] = {{x1 * x2, y1 * y2, -z1 * z2},
                         {x1 * x1 - x2 * x2, y1 * y1 - y2 * y2, z2 * z2 - z1 * z1}};
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) a[2 * i + j] += rows[k][i] * rows[k][j];
        b[i] += rows[k][i] * rows[k][2];
      }
  }
  /* In units of the width; a single focal length where two are not determined. */
  double determinant = a[0] * a[3] - a[1] * a[2];
  double fx2 = determinant / (a[3] * b[0] - a[1] * b[1]), fy2 = determinant / (a[0] * b[1] - a[2] * b[0]);
  if (!(fx2 > 1e-3 && fx2 < 1e4 && fy2 > 1e-3 && fy2 < 1e4))
    fx2 = fy2 = (a[0] + a[1] + a[2] + a[3]) / (b[0] + b[1]);
  if (!(fx2 > 1e-3 && fx2 < 1e4))
    return brio_fail(err, BRIO_FORMAT,
                     "the pictures do not determine the focal length: tilt the board by 20 to 45 "
                     "degrees in several of them");
  c.fx = sqrt(fx2) * o->width, c.fy = sqrt(fy2) * o->width;
  p->camera = c;
  return true;
}

/* The poses that the first camera gives. */
static bool first_poses(problem *p, brio_error *err) {
  for (int v = 0; v < p->count; v++) {
    brio_plane_pose found[2];
    if (brio_plane_pose_find(&p->camera, &p->views[v], found) == 0)
      return brio_fail(err, BRIO_FORMAT, "view %d: the board's pose cannot be found", v + 1);
    p->poses[v] = found[0].pose;
  }
  return true;
}

/* ---- all of it ---- */

/* Deviations of the numbers from the residuals; false: one of a focal length is too great. */
static bool find_deviations(problem *p, double (*eliminated)[6 * (N + 1)], double sum,
                            brio_calibration *out) {
  double s[N * N], right[N], inverse[N * N] = {0};
  int n = p->nfree, freedom = 2 * out->points - n - 6 * p->count;
  if (freedom < 1 || !eliminate(p, 0, s, right, eliminated)) return false;
  /* Covariance: the inverse of Schur's complement, times the variance of a pixel. */
  for (int i = 0; i < n; i++) inverse[i * n + i] = 1;
  brio_matrix_cholesky_solve(n, s, n, inverse, n, n);
  for (int i = 0; i < n; i++) out->deviation[p->free[i]] = sqrt(sum / freedom * inverse[i * n + i]);
  return out->deviation[0] < MAX_RELATIVE * p->camera.fx && out->deviation[1] < MAX_RELATIVE * p->camera.fy;
}

/* Solve, and write the results. */
static bool solve(problem *p, const brio_calibration_options *options, double (*eliminated)[6 * (N + 1)],
                  brio_calibration *out, brio_plane_pose *poses, brio_error *err) {
  int numbers[N], n = choose(options, numbers);
  if (!first_camera(p, options, err) || !first_poses(p, err)) return false;
  /* First without distortion: with a rough start it would take what belongs to the poses. */
  brio_calibration_options plain = {options->width, options->height, 0, false};
  p->nfree = choose(&plain, p->free);
  double sum = refine(p, eliminated);
  /* Then all that is asked for. */
  memcpy(p->free, numbers, sizeof numbers);
  p->nfree = n;
  sum = isnan(sum) ? sum : refine(p, eliminated);
  for (int v = 0; v < p->count; v++) out->points += p->views[v].count;
  out->views = p->count, out->camera = p->camera, out->error = sqrt(sum / out->points);
  if (isnan(sum) || !find_deviations(p, eliminated, sum, out))
    return brio_fail(err, BRIO_FORMAT,
                     "the pictures do not determine the camera: more of them are needed, with the "
                     "board tilted, and in all parts of the picture");
  for (int v = 0; v < p->count; v++)
    if (!brio_plane_pose_refine(&p->camera, &p->views[v], p->poses[v], &poses[v]))
      return brio_fail(err, BRIO_FORMAT, "view %d: the board's pose is not determined", v + 1);
  return true;
}

bool brio_calibrate(const brio_calibration_options *options, int count, const brio_plane_view *views,
                    brio_calibration *out, brio_plane_pose *poses, brio_error *err) {
  *out = (brio_calibration){.views = 0};
  if (options->width < 16 || options->height < 16 || options->radial < 0 || options->radial > 3)
    return brio_fail(err, BRIO_MISUSE,
                     "a calibration needs pictures of at least 16 x 16 px, and 0 to 3 radial "
                     "coefficients, not %d x %d and %d",
                     options->width, options->height, options->radial);
  if (count < BRIO_CALIBRATION_MIN_VIEWS || count > BRIO_CALIBRATION_MAX_VIEWS)
    return brio_fail(err, BRIO_MISUSE, "a calibration needs %d to %d pictures with the board, not %d",
                     BRIO_CALIBRATION_MIN_VIEWS, BRIO_CALIBRATION_MAX_VIEWS, count);
  /* The poses that are tried lie behind those that hold. */
  size_t n = (size_t)count;
  problem p = {.count = count, .views = views};
  p.poses = calloc(2 * n, sizeof *p.poses), p.next = p.poses ? p.poses + n : NULL;
  p.blocks = calloc(n, sizeof *p.blocks);
  double(*eliminated)[6 * (N + 1)] = calloc(n, sizeof *eliminated);
  bool good = p.poses && p.blocks && eliminated
                  ? solve(&p, options, eliminated, out, poses, err)
                  : brio_fail(err, BRIO_NO_MEMORY, "no memory for a calibration");
  free(p.poses);
  free(p.blocks);
  free(eliminated);
  return good;
}
