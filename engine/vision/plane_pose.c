/* Homographies and poses of planes: see plane_pose.h.
**
** The pose of the homography starts the search; its mirror image about the line of sight starts a second
** one. Sources: Zhang, "A flexible new technique for camera calibration", PAMI 2000, for the homography;
** Schweighofer and Pinz, "Robust pose estimation from a planar target", PAMI 2006, for the two minima. */
#include "vision/plane_pose.h"

#include <string.h>

#include "trajectory/matrix.h"

#define SAME 1e-3      /* rad: two minima nearer than this are one */
#define SMALLEST 1e-12 /* of the relative step at which the search ends */
#define MIN_DAMPING 1e-9
#define MAX_DAMPING 1e9

enum { UNKNOWNS = 8, STEPS = 50 };

/* ---- homography ---- */

/* Center and mean distance of some points, by which they are made well conditioned. */
typedef struct frame {
  double x, y, scale;
} frame;

static frame frame_of(int count, const double (*points)[2]) {
  frame f = {0, 0, 0};
  for (int i = 0; i < count; i++) f.x += points[i][0] / count, f.y += points[i][1] / count;
  for (int i = 0; i < count; i++) f.scale += hypot(points[i][0] - f.x, points[i][1] - f.y) / count;
  return f;
}

/* Add a row of the linear equations, `row` h = `value`, to the normal equations. */
static void add_equation(double a[UNKNOWNS * UNKNOWNS], double b[UNKNOWNS], const double row[UNKNOWNS],
                         double value) {
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int j = 0; j < UNKNOWNS; j++) a[i * UNKNOWNS + j] += row[i] * row[j];
    b[i] += row[i] * value;
  }
}

/* h = to * h * from^-1, of frames of the images and of the points. */
static void undo_frames(double h[9], frame to, frame from) {
  double scaled[9];
  /* On the right: (x - from.x) / from.scale. */
  for (int i = 0; i < 3; i++) {
    scaled[3 * i] = h[3 * i] / from.scale, scaled[3 * i + 1] = h[3 * i + 1] / from.scale;
    scaled[3 * i + 2] = h[3 * i + 2] - scaled[3 * i] * from.x - scaled[3 * i + 1] * from.y;
  }
  /* On the left: u * to.scale + to.x. */
  for (int j = 0; j < 3; j++) {
    h[j] = scaled[j] * to.scale + scaled[6 + j] * to.x;
    h[3 + j] = scaled[3 + j] * to.scale + scaled[6 + j] * to.y;
    h[6 + j] = scaled[6 + j];
  }
}

bool brio_plane_homography(int count, const double (*points)[2], const double (*images)[2], double h[9]) {
  double a[UNKNOWNS * UNKNOWNS] = {0}, b[UNKNOWNS] = {0};
  int order[UNKNOWNS];
  if (count < BRIO_PLANE_MIN_POINTS) return false;
  frame from = frame_of(count, points), to = frame_of(count, images);
  if (!(from.scale > 0 && to.scale > 0)) return false;
  /* Two equations for each point: u (h6 x + h7 y + 1) = h0 x + h1 y + h2, and the same of v. */
  for (int i = 0; i < count; i++) {
    double x = (points[i][0] - from.x) / from.scale, y = (points[i][1] - from.y) / from.scale;
    double u = (images[i][0] - to.x) / to.scale, v = (images[i][1] - to.y) / to.scale;
    add_equation(a, b, (double[]){x, y, 1, 0, 0, 0, -u * x, -u * y}, u);
    add_equation(a, b, (double[]){0, 0, 0, x, y, 1, -v * x, -v * y}, v);
  }
  if (!brio_matrix_factorize(UNKNOWNS, a, UNKNOWNS, order)) return false;
  brio_matrix_solve(UNKNOWNS, a, UNKNOWNS, order, b, 1, 1);
  memcpy(h, b, sizeof b);
  h[8] = 1;
  undo_frames(h, to, from);
  /* Points on one line leave huge numbers, or none. */
  for (int i = 0; i < 9; i++)
    if (!(fabs(h[i]) < 1e12)) return false;
  return true;
}

bool brio_plane_pose_of_homography(const double h[9], brio_pose *pose) {
  /* The columns are, up to one scale, the plane's axes x and y and its origin in the camera's frame. */
  brio_vec3 x = {h[0], h[3], h[6]}, y = {h[1], h[4], h[7]}, t = {h[2], h[5], h[8]};
  double nx = brio_vec3_norm(x), ny = brio_vec3_norm(y);
  if (!(nx > 1e-12 && ny > 1e-12)) return false;
  double scale = 2 / (nx + ny) * (t.z < 0 ? -1 : 1);
  x = brio_vec3_scale(t.z < 0 ? -1 / nx : 1 / nx, x), y = brio_vec3_scale(t.z < 0 ? -1 / ny : 1 / ny, y);
  /* The nearest right angle: the bisectors of both axes are at right angles whatever their angle is. */
  brio_vec3 sum = brio_vec3_unit(brio_vec3_add(x, y), x), difference = brio_vec3_unit(brio_vec3_sub(x, y), y);
  x = brio_vec3_scale(sqrt(0.5), brio_vec3_add(sum, difference));
  y = brio_vec3_scale(sqrt(0.5), brio_vec3_sub(sum, difference));
  brio_vec3 z = brio_vec3_cross(x, y);
  pose->p = brio_vec3_scale(scale, t);
  pose->q = brio_quat_from_matrix((double[]){x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z});
  return brio_pose_finite(*pose) && pose->p.z > 0;
}

/* ---- refinement ---- */

/* Normal equations of the pixels' errors at a pose: a (6 x 6), b = -J^T e; the sum of squares; NAN: a
** point is not in the picture. */
static double add_errors(const brio_camera *camera, const brio_plane_view *view, brio_pose pose, double a[36],
                         double b[6]) {
  double sum = 0;
  memset(a, 0, 36 * sizeof *a);
  memset(b, 0, 6 * sizeof *b);
  for (int i = 0; i < view->count; i++) {
    double pixel[2], j[6];
    brio_vec3 r = brio_quat_rotate(pose.q, (brio_vec3){view->points[i][0], view->points[i][1], 0});
    if (!brio_camera_project(camera, brio_vec3_add(pose.p, r), pixel, j)) return NAN;
    for (int k = 0; k < 2; k++) {
      /* The point moves by dp + w x r. */
      const double *d = j + 3 * k;
      double row[6] = {
          d[0], d[1], d[2], r.y * d[2] - r.z * d[1], r.z * d[0] - r.x * d[2], r.x * d[1] - r.y * d[0]};
      double e = pixel[k] - view->pixels[i][k];
      brio_matrix_add_square(6, 1, row, a);
      for (int m = 0; m < 6; m++) b[m] -= row[m] * e;
      sum += e * e;
    }
  }
  return sum;
}

/* The pose moved by position and rotation vector. */
static brio_pose moved(brio_pose pose, const double step[6]) {
  brio_vec3 turn = {step[3], step[4], step[5]};
  return (brio_pose){brio_vec3_add(pose.p, (brio_vec3){step[0], step[1], step[2]}),
                     brio_quat_unit(brio_quat_mul(brio_quat_exp(turn), pose.q))};
}

/* The inverse of the normal equations; false: they are singular. */
static bool invert(const double a[36], double out[36]) {
  double l[36];
  memcpy(l, a, sizeof l);
  memset(out, 0, 36 * sizeof *out);
  for (int i = 0; i < 6; i++) out[7 * i] = 1;
  if (!brio_matrix_cholesky(6, l, 6)) return false;
  brio_matrix_cholesky_solve(6, l, 6, out, 6, 6);
  for (int i = 0; i < 36; i++)
    if (!isfinite(out[i])) return false;
  return true;
}

bool brio_plane_pose_refine(const brio_camera *camera, const brio_plane_view *view, brio_pose start,
                            brio_plane_pose *out) {
  double a[36], b[6], damping = 1e-4;
  double sum = add_errors(camera, view, start, a, b);
  if (isnan(sum)) return false;
  for (int i = 0; i < STEPS && damping < MAX_DAMPING; i++) {
    double l[36], step[6], next_a[36], next_b[6];
    memcpy(l, a, sizeof l);
    memcpy(step, b, sizeof step);
    for (int k = 0; k < 6; k++) l[7 * k] *= 1 + damping;
    /* A singular step, or one that is worse, is taken shorter. */
    bool solved = brio_matrix_cholesky(6, l, 6);
    if (solved) brio_matrix_cholesky_solve(6, l, 6, step, 1, 1);
    brio_pose next = solved ? moved(start, step) : start;
    double then = solved ? add_errors(camera, view, next, next_a, next_b) : NAN;
    if (!(then <= sum)) {
      damping *= 10;
      continue;
    }
    bool done = sum - then <= SMALLEST * (1 + sum);
    start = next, sum = then, damping = fmax(damping / 10, MIN_DAMPING);
    memcpy(a, next_a, sizeof a);
    memcpy(b, next_b, sizeof b);
    if (done) break;
  }
  out->pose = start;
  out->squares = sum;
  return invert(a, out->covariance);
}

/* The pose tilted the other way: mirrored about the line of sight, so that the plane's points stay where they
** are in the picture as far as they can. */
static brio_pose mirrored(brio_pose pose) {
  brio_vec3 sight = brio_vec3_unit(pose.p, (brio_vec3){0, 0, 1});
  /* Half a turn about the line of sight, and half a turn of the plane in itself. */
  brio_quat about = {sight.x, sight.y, sight.z, 0}, itself = {0, 0, 1, 0};
  return (brio_pose){pose.p, brio_quat_mul(about, brio_quat_mul(pose.q, itself))};
}

/* The first pose: by the homography of the rays. */
static bool first_pose(const brio_camera *camera, const brio_plane_view *view, brio_pose *pose) {
  double rays[BRIO_PLANE_MAX_POINTS][2], h[9];
  for (int i = 0; i < view->count; i++) {
    brio_vec3 ray;
    if (!brio_camera_ray(camera, view->pixels[i], &ray) || ray.z < 1e-3) return false;
    rays[i][0] = ray.x / ray.z, rays[i][1] = ray.y / ray.z;
  }
  return brio_plane_homography(view->count, view->points, (const double(*)[2])rays, h) &&
         brio_plane_pose_of_homography(h, pose);
}

int brio_plane_pose_find(const brio_camera *given, const brio_plane_view *view, brio_plane_pose out[2]) {
  brio_camera camera = *given;
  brio_pose start;
  camera.body = false;
  if (view->count < BRIO_PLANE_MIN_POINTS || view->count > BRIO_PLANE_MAX_POINTS) return 0;
  if (!first_pose(&camera, view, &start) || !brio_plane_pose_refine(&camera, view, start, &out[0])) return 0;
  /* The other minimum, where there is one. */
  if (!brio_plane_pose_refine(&camera, view, mirrored(out[0].pose), &out[1])) return 1;
  if (brio_quat_angle(brio_quat_mul(brio_quat_conj(out[0].pose.q), out[1].pose.q)) < SAME) return 1;
  if (out[1].squares < out[0].squares) {
    brio_plane_pose better = out[1];
    out[1] = out[0], out[0] = better;
  }
  return 2;
}
