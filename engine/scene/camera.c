/* Camera models and their inverses.
**
** Pinhole (Brown, "Close-range camera calibration", 1971, as written down by OpenCV, calib3d):
** with x = X/Z, y = Y/Z, r2 = x^2 + y^2 and s = (1 + k1 r2 + k2 r2^2 + k3 r2^3) / (1 + k4 r2 +
** k5 r2^2 + k6 r2^3)
**   x' = s x + 2 p1 x y + p2 (r2 + 2 x^2),   y' = s y + p1 (r2 + 2 y^2) + 2 p2 x y
** Fisheye (Kannala and Brandt, "A generic camera model", 2006): with r = |(X, Y)|, t = atan2(r,
** Z)
**   (x', y') = t (1 + k1 t^2 + k2 t^4 + k3 t^6 + k4 t^8) (X, Y) / r
** Both: u = fx x' + cx, v = fy y' + cy.  The inverses are Newton's method, with steps halved
** while they do not help.  Far from the center the polynomials fold back: a point is visible
** only if the distorted radius grows all the way from the center, and the result of an inverse
** is checked for the same. */
#include "scene/camera.h"

#include <assert.h>
#include <stddef.h>

#include "math/scalar.h"

enum { MAX_STEPS = 50, MAX_HALVINGS = 20 };

#define CLOSE 1e-12 /* of normalized coordinates: tolerance of an inverse */
#define BEHIND 1e-9 /* m in front of a pinhole: nearer points are not seen */
#define MAX_SIZE 65536  /* px per side */
#define WAY 16 /* samples between the center and a point, at which the radius must grow */

static const char *const names[] = {"pinhole", "fisheye"};

/* NULL: there is no such model. */
const char *brio_camera_model_name(brio_camera_model model) {
  return (unsigned)model < BRIO_CAMERA_MODELS ? names[model] : NULL;
}

/* Validate the numbers of a camera. */
bool brio_camera_check(const brio_camera *c, brio_error *err) {
  bool finite = isfinite(c->cx) && isfinite(c->cy) && isfinite(c->p[0]) && isfinite(c->p[1]);
  for (int i = 0; i < BRIO_CAMERA_RADIAL; i++) finite = finite && isfinite(c->k[i]);
  if ((unsigned)c->model >= BRIO_CAMERA_MODELS)
    return brio_fail(err, BRIO_MISUSE, "a camera's model is pinhole or fisheye");
  if (c->width < 1 || c->height < 1 || c->width > MAX_SIZE || c->height > MAX_SIZE)
    return brio_fail(err, BRIO_MISUSE, "a camera's pictures have 1 to %d pixels a side, not %d x %d",
                     MAX_SIZE, c->width, c->height);
  if (!(c->fx > 0 && c->fy > 0) || !isfinite(c->fx) || !isfinite(c->fy))
    return brio_fail(err, BRIO_MISUSE, "a camera's fx and fy must be above 0, not %g and %g", c->fx, c->fy);
  if (!finite) return brio_fail(err, BRIO_MISUSE, "a camera's numbers must be finite");
  return true;
}

/* Pixel centers are at whole numbers, so that the corner of a picture is at -0.5. */
brio_camera brio_camera_scaled(const brio_camera *camera, int width, int height) {
  brio_camera c = *camera;
  double x = (double)width / camera->width, y = (double)height / camera->height;
  c.width = width;
  c.height = height;
  c.fx *= x, c.fy *= y;
  c.cx =
      (camera->cx + 0.5) * x - 0.5; /* the picture's corner stays, not the first pixel's center */
  c.cy = (camera->cy + 0.5) * y - 0.5;
  return c;
}

/* Optical frame: x right, y down, z forward; body frame: x forward, y left, z up. */
static brio_vec3 optical_from_body(brio_vec3 v) {
  return (brio_vec3){-v.y, -v.z, v.x};
}

/* The inverse. */
static brio_vec3 body_from_optical(brio_vec3 v) {
  return (brio_vec3){v.z, -v.x, -v.y};
}

/* ------------------------------------------------------------------ pinhole */

/* The radial factor s and its derivative ds/dr2, by Horner's scheme and the quotient rule. */
static double radial(const double k[], double r2, double *slope) {
  double up = 1 + r2 * (k[0] + r2 * (k[1] + r2 * k[2])), down = 1 + r2 * (k[3] + r2 * (k[4] + r2 * k[5]));
  double dup = k[0] + r2 * (2 * k[1] + r2 * 3 * k[2]), ddown = k[3] + r2 * (2 * k[4] + r2 * 3 * k[5]);
  *slope = (dup * down - up * ddown) / (down * down);
  return up / down;
}

/* Distort (x, y); write the Jacobian dx'/dx dx'/dy dy'/dx dy'/dy. */
static void pinhole(const brio_camera *c, const double in[2], double out[2], double d[4]) {
  /* ds/dx = 2 x ds/dr2; the Jacobian is symmetric. */
  double x = in[0], y = in[1], r2 = x * x + y * y, slope, s = radial(c->k, r2, &slope);
  double p1 = c->p[0], p2 = c->p[1];
  out[0] = s * x + 2 * p1 * x * y + p2 * (r2 + 2 * x * x);
  out[1] = s * y + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y;
  d[0] = s + 2 * x * x * slope + 2 * p1 * y + 6 * p2 * x;
  d[1] = d[2] = 2 * x * y * slope + 2 * p1 * x + 2 * p2 * y;
  d[3] = s + 2 * y * y * slope + 6 * p1 * y + 2 * p2 * x;
}

/* Whether the distortion does not fold between the center and (x, y): there the Jacobian must keep
** a positive trace and determinant. */
static bool pinhole_grows(const brio_camera *c, const double at[2]) {
  for (int i = 1; i <= WAY; i++) {
    double part = (double)i / WAY, on[2] = {part * at[0], part * at[1]}, out[2], d[4];
    pinhole(c, on, out, d);
    if (!(d[0] + d[3] > 0 && d[0] * d[3] - d[1] * d[2] > 0)) return false;
  }
  return true;
}

/* Distance between the distorted `at` and `aim`; also the vector, and the Jacobian. */
static double miss(const brio_camera *c, const double at[2], const double aim[2], double rest[2],
                   double d[4]) {
  double out[2];
  pinhole(c, at, out, d);
  rest[0] = aim[0] - out[0], rest[1] = aim[1] - out[1];
  return hypot(rest[0], rest[1]);
}

/* Undistort by Newton's method, starting at the distorted point. */
static bool pinhole_inverse(const brio_camera *c, const double aim[2], double at[2]) {
  double rest[2], d[4];
  at[0] = aim[0], at[1] = aim[1];
  double far = miss(c, at, aim, rest, d);
  for (int step = 0; step < MAX_STEPS && far > CLOSE * (1 + hypot(aim[0], aim[1])); step++) {
    double det = d[0] * d[3] - d[1] * d[2], share = 1, next = INFINITY, to[2];
    /* Solve the 2 x 2 system by Cramer's rule. */
    double move[2] = {(d[3] * rest[0] - d[1] * rest[1]) / det, (d[0] * rest[1] - d[2] * rest[0]) / det};
    /* Halve the step until it helps; a singular Jacobian gives NaN, which never does. */
    for (int i = 0; i < MAX_HALVINGS && !(next < far); i++, share /= 2) {
      to[0] = at[0] + share * move[0], to[1] = at[1] + share * move[1];
      next = miss(c, to, aim, rest, d);
    }
    if (!(next < far)) return false;
    at[0] = to[0], at[1] = to[1];
    far = next;
  }
  /* A root may lie behind a fold: then it is not visible. */
  return far <= 1e-9 * (1 + hypot(aim[0], aim[1])) && pinhole_grows(c, at);
}

/* Project, and chain the Jacobian of the distortion with that of the perspective. */
static bool project_pinhole(const brio_camera *c, brio_vec3 p, double pixel[2], double jacobian[6]) {
  if (!(p.z > BEHIND)) return false;
  double at[2] = {p.x / p.z, p.y / p.z}, out[2], d[4];
  if (!isfinite(at[0]) || !isfinite(at[1]) || !pinhole_grows(c, at)) return false;
  pinhole(c, at, out, d);
  pixel[0] = c->fx * out[0] + c->cx;
  pixel[1] = c->fy * out[1] + c->cy;
  for (int i = 0; i < 2 && jacobian; i++) {
    /* d(X/Z)/dX = 1 / Z, d(X/Z)/dZ = -X / Z^2, and likewise for Y. */
    double f = i ? c->fy : c->fx;
    jacobian[3 * i] = f * d[2 * i] / p.z;
    jacobian[3 * i + 1] = f * d[2 * i + 1] / p.z;
    jacobian[3 * i + 2] = -f * (d[2 * i] * at[0] + d[2 * i + 1] * at[1]) / p.z;
  }
  return true;
}

/* ------------------------------------------------------------------ fisheye */

/* The distorted angle and its derivative, by Horner's scheme. */
static double bend(const double k[], double t, double *slope) {
  double t2 = t * t;
  *slope = 1 + t2 * (3 * k[0] + t2 * (5 * k[1] + t2 * (7 * k[2] + t2 * 9 * k[3])));
  return t * (1 + t2 * (k[0] + t2 * (k[1] + t2 * (k[2] + t2 * k[3]))));
}

/* Whether the distorted angle grows from 0 to t. */
static bool bend_grows(const double k[], double t) {
  double slope;
  for (int i = 1; i <= WAY; i++)
    if (bend(k, t * i / WAY, &slope), !(slope > 0)) return false;
  return true;
}

/* The angle that is distorted to `aim`: Newton's method within [low, high], bisection where it
** leaves. */
static bool bend_inverse(const double k[], double aim, double *t) {
  double low = 0, high = BRIO_PI, slope;
  *t = fmin(aim, high);
  for (int step = 0; step < MAX_STEPS; step++) {
    double rest = bend(k, *t, &slope) - aim;
    if (fabs(rest) <= CLOSE) break;
    if (rest > 0)
      high = *t;
    else
      low = *t;
    /* A step outside the bracket, or a slope of 0: bisect. */
    double next = *t - rest / slope;
    *t = slope > 0 && next > low && next < high ? next : (low + high) / 2;
  }
  return fabs(bend(k, *t, &slope) - aim) <= 1e-9 && bend_grows(k, *t);
}

/* Project with x' = s X, s = bent / r; on the axis s is 1 / Z. */
static bool project_fisheye(const brio_camera *c, brio_vec3 p, double pixel[2], double jacobian[6]) {
  double r = hypot(p.x, p.y), n2 = r * r + p.z * p.z, t = atan2(r, p.z), slope;
  /* Straight behind the camera no direction is defined. */
  if (!(n2 > 0) || !isfinite(n2) || (r == 0 && p.z < 0) || !bend_grows(c->k, t)) return false;
  double bent = bend(c->k, t, &slope);
  double s = r > 0 ? bent / r : 1 / p.z; /* x' = s X */
  pixel[0] = c->fx * s * p.x + c->cx;
  pixel[1] = c->fy * s * p.y + c->cy;
  if (!jacobian) return true;
  /* dt/dX = X Z / (r n2), dt/dZ = -r / n2, so with ds/dr at fixed t = -s / r */
  double along = r > 0 ? (slope * p.z / n2 - s) / (r * r) : 0, depth = -slope / n2; /* (ds/dX) / X, ds/dZ */
  jacobian[0] = c->fx * (s + p.x * p.x * along);
  jacobian[1] = c->fx * p.x * p.y * along;
  jacobian[2] = c->fx * p.x * depth;
  jacobian[3] = c->fy * p.x * p.y * along;
  jacobian[4] = c->fy * (s + p.y * p.y * along);
  jacobian[5] = c->fy * p.y * depth;
  return true;
}

/* The ray of normalized coordinates: angle t from the axis. */
static bool ray_fisheye(const brio_camera *c, const double at[2], brio_vec3 *ray) {
  double bent = hypot(at[0], at[1]), t;
  if (!bend_inverse(c->k, bent, &t)) return false;
  double s = bent > 0 ? sin(t) / bent : 1;
  *ray = (brio_vec3){s * at[0], s * at[1], cos(t)};
  return true;
}

/* ------------------------------------------------------------------ both */

/* Convert derivatives with respect to an optical point into those for a body's: x_o = -y_b, y_o =
** -z_b, z_o = x_b. */
static void jacobian_of_body(double jacobian[6]) {
  for (int i = 0; i < 6; i += 3) {
    double x = jacobian[i], y = jacobian[i + 1], z = jacobian[i + 2];
    jacobian[i] = z, jacobian[i + 1] = -x, jacobian[i + 2] = -y;
  }
}

bool brio_camera_project(const brio_camera *c, brio_vec3 point, double pixel[2], double jacobian[6]) {
  assert(c->model < BRIO_CAMERA_MODELS);
  static bool (*const models[])(const brio_camera *, brio_vec3, double[2], double[6]) = {project_pinhole,
                                                                                         project_fisheye};
  if (c->body) point = optical_from_body(point);
  if (!models[c->model](c, point, pixel, jacobian)) return false;
  if (c->body && jacobian) jacobian_of_body(jacobian);
  return isfinite(pixel[0]) && isfinite(pixel[1]);
}

/* The ray of normalized coordinates: (x, y, 1), of length 1. */
static bool ray_pinhole(const brio_camera *c, const double aim[2], brio_vec3 *ray) {
  double at[2];
  if (!pinhole_inverse(c, aim, at)) return false;
  *ray = brio_vec3_unit((brio_vec3){at[0], at[1], 1}, (brio_vec3){0, 0, 1});
  return true;
}

bool brio_camera_ray(const brio_camera *c, const double pixel[2], brio_vec3 *ray) {
  assert(c->model < BRIO_CAMERA_MODELS);
  static bool (*const models[])(const brio_camera *, const double[2], brio_vec3 *) = {ray_pinhole,
                                                                                      ray_fisheye};
  double at[2] = {(pixel[0] - c->cx) / c->fx, (pixel[1] - c->cy) / c->fy};
  if (!isfinite(at[0]) || !isfinite(at[1]) || !models[c->model](c, at, ray)) return false;
  if (c->body) *ray = body_from_optical(*ray);
  return true;
}

/* The point in the middle of the box, so far away that `height` m fill it. */
bool brio_camera_by_height(const brio_camera *c, const brio_picture_box *box, double height,
                           brio_vec3 *point) {
  double middle = box->x + box->width / 2;
  brio_vec3 top, bottom, ray;
  if (!(height > 0) || !isfinite(height) || !(box->height > 0)) return false;
  if (!brio_camera_ray(c, (double[]){middle, box->y}, &top)) return false;
  if (!brio_camera_ray(c, (double[]){middle, box->y + box->height}, &bottom)) return false;
  if (!brio_camera_ray(c, (double[]){middle, box->y + box->height / 2}, &ray)) return false;
  /* Of unit vectors the chord is 2 sin(angle / 2). */
  double angle = 2 * asin(fmin(1, brio_vec3_norm(brio_vec3_sub(top, bottom)) / 2));
  if (!(angle > 0)) return false;
  /* An isosceles triangle: half the height at the distance is tan(angle / 2). */
  *point = brio_vec3_scale(height / (2 * tan(angle / 2)), ray);
  return brio_vec3_finite(*point);
}

/* The ray of the pixel meets the plane  normal . p = offset  at distance `far`. */
bool brio_camera_on_plane(const brio_camera *c, brio_pose world_from_camera, const double pixel[2],
                          brio_vec3 normal, double offset, double most, brio_vec3 *point) {
  brio_vec3 ray;
  if (!brio_camera_ray(c, pixel, &ray)) return false;
  ray = brio_quat_rotate(world_from_camera.q, ray);
  /* normal . (p + far ray) = offset; parallel rays give infinity or NaN, which the check refuses. */
  double far = (offset - brio_vec3_dot(normal, world_from_camera.p)) / brio_vec3_dot(normal, ray);
  if (!(far >= 0 && far <= most)) return false;
  *point = brio_vec3_add_scaled(world_from_camera.p, far, ray);
  return true;
}
