/* The simulated depth camera: a pinhole with one ray per pixel; the nearest hit counts. Each solid is
** tested only against the pixels that its surrounding ball may cover, with a picture of the nearest
** distances so far, so the cost is O(pixels + covered pixels), not O(pixels x solids). Noise grows with the
** square of the distance, as with triangulation (Khoshelham and Elberink, "Accuracy and resolution of
** Kinect depth data", 2012). */
#include "world/sensors/camera.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "world/world_internal.h"

enum { MAX_PIXELS = 4096 };

/* One picture being taken. */
typedef struct view {
  const brio_world_camera *camera;
  brio_transform at;         /* world_from_camera */
  double scale;              /* m in the picture plane at 1 m, per pixel */
  brio_cloud *cloud;
} view;

/* A rectangle of pixels, bounds inclusive. */
typedef struct window { int left, right, top, bottom; } window;

/* Validate the camera. A comparison with NaN fails. */
static bool check(const brio_world_camera *camera, brio_error *err) {
  if (camera->width < 1 || camera->width > MAX_PIXELS || camera->height < 1 || camera->height > MAX_PIXELS)
    return brio_fail(err, BRIO_MISUSE,
                     "a camera of the world must have from 1 to %d pixels each way, not %d x %d", MAX_PIXELS,
                     camera->width, camera->height);
  /* Opening angle in rad, noise in m at 1 m. */
  if (!(camera->view > 0.01 && camera->view < 3.1) || !(camera->noise >= 0 && camera->noise <= 1) ||
      !brio_pose_finite(camera->pose))
    return brio_fail(err, BRIO_MISUSE,
                     "a camera of the world must have a view from 0.01 to 3.1 rad, noise from 0 to 1 m, and "
                     "a finite pose");
  if (!(camera->nearest >= 0 && camera->range > camera->nearest))
    return brio_fail(err, BRIO_MISUSE, "a camera of the world must see farther than %g m", camera->nearest);
  return true;
}

/* The direction of a pixel's ray in the camera's frame, scaled to x = 1; y to the left, z up. */
static brio_vec3 ray_of(const view *v, int column, int row) {
  return (brio_vec3){1, v->scale * (0.5 * v->camera->width - column - 0.5),
                     v->scale * (0.5 * v->camera->height - row - 0.5)};
}

/* A pixel coordinate, clamped to the picture. */
static int pixel(double value, int most) { return (int)fmin(fmax(floor(value), 0), most); }

/* Write the pixels that a ball may cover. False: none. */
static bool window_of(const view *v, brio_vec3 middle, double radius, window *out) {
  int width = v->camera->width, height = v->camera->height;
  brio_vec3 c = brio_transform_undirection(&v->at, brio_vec3_sub(middle, v->at.p));
  *out = (window){0, width - 1, 0, height - 1};
  /* Behind the camera; or around it, where it may cover everything. */
  if (c.x + radius <= 0) return false;
  double near = c.x - radius;
  if (near < 1e-3) return true;
  /* The ball's box in the picture plane: its sides at the near and the far depth, which bound all others. */
  double y[2] = {INFINITY, -INFINITY}, z[2] = {INFINITY, -INFINITY}, depths[2] = {near, c.x + radius};
  for (int i = 0; i < 4; i++) {
    double depth = depths[i & 1], side = i & 2 ? radius : -radius;
    y[0] = fmin(y[0], (c.y + side) / depth), y[1] = fmax(y[1], (c.y + side) / depth);
    z[0] = fmin(z[0], (c.z + side) / depth), z[1] = fmax(z[1], (c.z + side) / depth);
  }
  /* From the plane to pixels: columns go to the right, rows down, against y and z. */
  double left = 0.5 * width - y[1] / v->scale, right = 0.5 * width - y[0] / v->scale;
  double top = 0.5 * height - z[1] / v->scale, bottom = 0.5 * height - z[0] / v->scale;
  if (right < 0 || bottom < 0 || left > width || top > height) return false;
  /* One pixel more on each side, for rounding. */
  *out = (window){pixel(left - 1, width - 1), pixel(right + 1, width - 1), pixel(top - 1, height - 1),
                  pixel(bottom + 1, height - 1)};
  return true;
}

/* Record a hit if it is the nearest so far. Until finish() the x of a point is the distance along its ray,
** m. */
static void hit(const view *v, int place, double distance, const float color[3]) {
  assert(place >= 0 && place < v->cloud->count);
  float *point = v->cloud->points[place];
  if (distance < v->camera->nearest || distance >= (double)point[0]) return;
  point[0] = (float)distance;
  for (int k = 0; k < 3; k++) {
    /* A solid of unknown color is gray. */
    double part = isfinite(color[k]) ? (double)color[k] : 0.6;
    v->cloud->colors[place][k] = (uint8_t)lround(255 * fmin(fmax(part, 0), 1));
  }
}

/* Draw one solid: a ray for each pixel that it may cover. */
static void draw(const view *v, const brio_solid *solid) {
  window w;
  if (!window_of(v, solid->at.p, brio_solid_radius(solid), &w)) return;
  /* The ray's unit direction in the world; its length is the distance. */
  for (int row = w.top; row <= w.bottom; row++)
    for (int column = w.left; column <= w.right; column++) {
      brio_vec3 ray = brio_transform_direction(&v->at,
                                               brio_vec3_unit(ray_of(v, column, row), (brio_vec3){1, 0, 0}));
      double distance = brio_solid_ray(solid, v->at.p, ray, NULL);
      if (isfinite(distance)) hit(v, row * v->camera->width + column, distance, solid->color);
    }
}

/* Draw the floor: the plane z = 0, seen from above. */
static void draw_floor(const view *v) {
  static const float gray[3] = {0.45f, 0.42f, 0.4f};
  for (int place = 0; place < v->cloud->count; place++) {
    brio_vec3 ray = ray_of(v, place % v->camera->width, place / v->camera->width);
    double down = -brio_transform_direction(&v->at, brio_vec3_unit(ray, ray)).z;
    if (down > 1e-6 && v->at.p.z > 0) hit(v, place, v->at.p.z / down, gray);
  }
}

/* Convert the distances into points in the camera's frame, with noise. */
static void finish(const view *v) {
  /* The stream depends on the picture's number only: equal pictures have equal noise. */
  char name[64];
  snprintf(name, sizeof name, "world.camera.%llu", (unsigned long long)v->camera->picture);
  brio_random stream = brio_random_stream(v->camera->picture, name);
  for (int place = 0; place < v->cloud->count; place++) {
    float *point = v->cloud->points[place];
    double distance = (double)point[0];
    /* Too far, or nothing hit: no point. */
    if (distance > v->camera->range) distance = (double)NAN;
    /* Standard deviation: noise * distance^2. */
    if (v->camera->noise > 0 && isfinite(distance))
      distance += v->camera->noise * distance * distance * brio_random_normal(&stream);
    brio_vec3 ray = ray_of(v, place % v->camera->width, place / v->camera->width);
    ray = brio_vec3_scale(distance, brio_vec3_unit(ray, ray));
    point[0] = (float)ray.x;
    point[1] = (float)ray.y;
    point[2] = (float)ray.z;
  }
}

bool brio_world_cloud(const brio_world *world, const brio_world_camera *camera, brio_cloud *cloud,
                      brio_error *err) {
  if (!check(camera, err) || !brio_cloud_resize(cloud, camera->width, camera->height, BRIO_CLOUD_COLORS, err))
    return false;
  view v = {.camera = camera, .at = brio_transform_of(camera->pose), .cloud = cloud,
            .scale = 2 * tan(camera->view / 2) / camera->width};
  /* No hit so far: infinitely far, and black. */
  for (int place = 0; place < cloud->count; place++) {
    cloud->points[place][0] = INFINITY;
    memset(cloud->colors[place], 0, sizeof cloud->colors[place]);
  }
  draw_floor(&v);
  for (int i = 0; i < world->nsolid; i++) draw(&v, &world->solids[i]);
  finish(&v);
  cloud->time = world->time;
  /* Which points count follows from their numbers. */
  brio_cloud_judge(cloud);
  return true;
}
