/* Rooms made of rectangles, and a depth camera's view of them: clouds with known truth. */
#ifndef BRIO_TESTS_CLOUD_SCENE_H
#define BRIO_TESTS_CLOUD_SCENE_H

#include "base/random.h"
#include "cloud/cloud.h"
#include "cloud/files/file.h"
#include "tests/check.h"

typedef struct patch {
  brio_vec3 center, u, v; /* half sides, at right angles */
} patch;

typedef struct scene {
  patch patches[64];
  int count;
  double noise; /* m at 1 m, grows with the square of the distance */
  double holes; /* share of pixels without a point */
  double wild;  /* share of pixels with a point anywhere */
  int width, height;
  double half_angle; /* rad, of the camera's width */
} scene;

/* Add a rectangle. */
static inline void scene_add(scene *s, brio_vec3 center, brio_vec3 u, brio_vec3 v) {
  s->patches[s->count++] = (patch){center, u, v};
}

/* Add a box at `pose`, with its sides. */
static inline void scene_box(scene *s, brio_pose pose, double x, double y, double z) {
  const double half[3] = {x / 2, y / 2, z / 2};
  for (int k = 0; k < 6; k++) {
    double c[3] = {0, 0, 0}, u[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    int a = k % 3, b = (k + 1) % 3, d = (k + 2) % 3;
    c[a] = k < 3 ? half[a] : -half[a], u[b] = half[b], v[d] = half[d];
    scene_add(s, brio_pose_point(pose, (brio_vec3){c[0], c[1], c[2]}),
              brio_quat_rotate(pose.q, (brio_vec3){u[0], u[1], u[2]}),
              brio_quat_rotate(pose.q, (brio_vec3){v[0], v[1], v[2]}));
  }
}

/* Return the distance along the unit ray at which it hits a rectangle; infinite: it does not. */
static inline double scene_hit(const patch *p, brio_vec3 from, brio_vec3 ray) {
  brio_vec3 n = brio_vec3_cross(p->u, p->v);
  double slope = brio_vec3_dot(n, ray);
  if (fabs(slope) < 1e-12) return INFINITY;
  double t = brio_vec3_dot(n, brio_vec3_sub(p->center, from)) / slope;
  if (t < 0.05) return INFINITY;
  brio_vec3 at = brio_vec3_sub(brio_vec3_add_scaled(from, t, ray), p->center);
  double a = brio_vec3_dot(at, p->u) / brio_vec3_dot(p->u, p->u),
         b = brio_vec3_dot(at, p->v) / brio_vec3_dot(p->v, p->v);
  return fabs(a) <= 1 && fabs(b) <= 1 ? t : INFINITY;
}

/* The cloud of a camera at `eye` (x forward, y left, z up), in the scene's frame.  NULL (and a failed test):
** no memory. */
static inline brio_cloud *scene_see(const scene *s, brio_pose eye, uint64_t seed) {
  brio_error err;
  brio_random random = brio_random_stream(seed, "camera");
  brio_cloud *cloud = brio_cloud_new(&err);
  bool made = cloud && brio_cloud_resize(cloud, s->width, s->height, 0, &err);
  CHECK(made, "a cloud");
  if (!made) return NULL;
  double focal = s->width / 2.0 / tan(s->half_angle);
  for (int i = 0; i < cloud->count; i++) {
    double x = (s->width / 2.0 - 0.5 - i % s->width) / focal,
           y = (s->height / 2.0 - 0.5 - i / s->width) / focal;
    brio_vec3 ray = brio_quat_rotate(eye.q, brio_vec3_unit((brio_vec3){1, x, y}, (brio_vec3){1, 0, 0}));
    double t = INFINITY;
    for (int k = 0; k < s->count; k++) t = fmin(t, scene_hit(&s->patches[k], eye.p, ray));
    t += s->noise * t * t * brio_random_normal(&random);
    if (brio_random_uniform(&random, 0, 1) < s->holes) t = NAN;
    if (brio_random_uniform(&random, 0, 1) < s->wild) t = brio_random_uniform(&random, 0.3, 6);
    brio_vec3 p = isfinite(t) ? brio_vec3_add_scaled(eye.p, t, ray) : (brio_vec3){NAN, NAN, NAN};
    cloud->points[i][0] = (float)p.x, cloud->points[i][1] = (float)p.y, cloud->points[i][2] = (float)p.z;
  }
  cloud->viewpoint = eye;
  brio_cloud_judge(cloud);
  return cloud;
}

/* Shuffle the points and drop rows and columns: an unorganized cloud. */
static inline void scene_unordered(brio_cloud *cloud, uint64_t seed) {
  brio_random random = brio_random_stream(seed, "order");
  cloud->width = cloud->count, cloud->height = 1;
  for (int i = cloud->count - 1; i > 0; i--) {
    int k = (int)brio_random_below(&random, (uint64_t)i + 1);
    for (int c = 0; c < 3; c++) {
      float swap = cloud->points[i][c];
      cloud->points[i][c] = cloud->points[k][c], cloud->points[k][c] = swap;
    }
  }
}

/* A pose at a position that looks along a yaw and a pitch (down is above 0). */
static inline brio_pose scene_look(double x, double y, double z, double yaw, double pitch) {
  return (brio_pose){{x, y, z}, brio_quat_from_rpy(0, pitch, yaw)};
}

/* Read one of the shared clouds with axes as brio's; NULL: this machine has none. */
static inline brio_cloud *scene_shared(const char *name) {
  char path[512];
  brio_error err = {0};
  if (!check_shared()) return NULL;
  snprintf(path, sizeof path, "%s/data/clouds/%s", check_shared(), name);
  brio_cloud *cloud = brio_cloud_new(&err);
  brio_cloud_settings optical = {.axes = "optical"};
  if (cloud && access(path, R_OK) == 0 && brio_cloud_load(cloud, path, &optical, &err)) return cloud;
  brio_cloud_free(cloud);
  return NULL;
}

/* The angle between two directions, ignoring their sign, degrees. */
static inline double scene_angle(brio_vec3 a, brio_vec3 b) {
  double dot = fabs(brio_vec3_dot(a, b)) / (brio_vec3_norm(a) * brio_vec3_norm(b));
  return acos(fmin(1, dot)) * 180 / BRIO_PI;
}

#endif
