/* Distances of a walking body from obstacles. The body is an upright line; the caller subtracts its width.
** A floor is no obstacle, nor is anything else that ends below the body's space. */
#include "plan/obstacles.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define BOTTOM 0.25 /* m above the ground: where the body's space begins */
#define TOP 1.8     /* m above the ground: where it ends */
#define FARTHEST 1e5 /* m */

/* A solid in the way, with copies of its name and points. */
struct brio_obstacle_kept {
  brio_shape shape;
  brio_transform pose;
  double radius;
  char name[BRIO_OBSTACLE_NAME];
};

/* The body, and the test for solids above and below it. */
static const brio_shape line = {.kind = BRIO_SHAPE_CAPSULE, .size = {0, 0, TOP - BOTTOM}};
static const brio_shape half_space = {.kind = BRIO_SHAPE_HALF_SPACE};

/* Whether a solid is entirely below a height, or with `flip` above it. */
static bool is_beyond(const struct brio_obstacle_kept *kept, double z, bool flip) {
  /* The half-space above z or, with `flip`, below it: a solid apart from it is beyond. */
  brio_pose plane = {{0, 0, z}, flip ? BRIO_QUAT_IDENTITY : (brio_quat){1, 0, 0, 0}};
  brio_transform at = brio_transform_of(plane);
  if (kept->shape.kind != BRIO_SHAPE_HALF_SPACE)
    return brio_shape_distance(&kept->shape, &kept->pose, &half_space, &at, NULL).distance > 0;
  /* Two half spaces meet unless they are parallel: only a nearly level one is beyond. */
  brio_vec3 out = brio_transform_direction(&kept->pose, (brio_vec3){0, 0, 1});
  return flip ? out.z < -0.9 && kept->pose.p.z > z : out.z > 0.9 && kept->pose.p.z < z;
}

/* Check a solid.  Errors: misuse (a bad shape or pose), limit. */
static bool check(const brio_obstacle *obstacle, brio_error *err) {
  const char *name = obstacle->name ? obstacle->name : "something";
  if (!brio_shape_check(&obstacle->shape, err)) return brio_fail_in(err, "obstacle '%s'", name);
  if (brio_pose_finite(obstacle->pose) && brio_vec3_norm(obstacle->pose.p) <= FARTHEST) return true;
  return brio_fail(err, BRIO_MISUSE, "obstacle '%s' has no position within %g m", name, FARTHEST);
}

/* Copy a solid into the next place, and keep it if it reaches into the body's space; false if there is no
** memory. */
static bool keep(brio_obstacles *obstacles, brio_arena *arena, const brio_obstacle *obstacle) {
  assert(obstacles->count >= 0 && obstacles->count < BRIO_OBSTACLES);
  struct brio_obstacle_kept *kept = &obstacles->kept[obstacles->count];
  *kept = (struct brio_obstacle_kept){obstacle->shape, brio_transform_of(obstacle->pose),
                                      brio_shape_radius(&obstacle->shape), ""};
  snprintf(kept->name, sizeof kept->name, "%s", obstacle->name ? obstacle->name : "something");
  /* The points of a hull are the caller's, so they are copied. */
  if (kept->shape.kind == BRIO_SHAPE_HULL) {
    brio_vec3 *points = BRIO_TAKE(arena, brio_vec3, kept->shape.npoint);
    if (!points) return false;
    memcpy(points, kept->shape.points, (size_t)kept->shape.npoint * sizeof *points);
    kept->shape.points = points;
  }
  /* A solid wholly below or above the body's space is overwritten by the next one. */
  bool matters = !is_beyond(kept, obstacles->level + BOTTOM, false) &&
                 !is_beyond(kept, obstacles->level + TOP, true);
  obstacles->count += matters;
  return true;
}

/* O(count). All is copied: the list may be freed. */
bool brio_obstacles_take(brio_obstacles *obstacles, brio_arena *arena, const brio_obstacle *list, int count,
                         double level, brio_error *err) {
  *obstacles = (brio_obstacles){.level = level};
  if (count < 0 || count > BRIO_OBSTACLES)
    return brio_fail(err, BRIO_LIMIT, "a plan takes %d obstacles, not %d", BRIO_OBSTACLES, count);
  /* One more than needed: without obstacles NULL would mean that there is no memory. */
  obstacles->kept = BRIO_TAKE(arena, struct brio_obstacle_kept, count + 1);
  for (int i = 0; i < count && obstacles->kept; i++) {
    if (!check(&list[i], err)) return false;
    if (!keep(obstacles, arena, &list[i])) obstacles->kept = NULL;
  }
  return obstacles->kept || brio_fail(err, BRIO_NO_MEMORY, "no memory for %d obstacles", count);
}

/* O(obstacles). */
double brio_obstacles_distance(const brio_obstacles *obstacles, double x, double y, const char **name) {
  brio_transform body = BRIO_TRANSFORM_IDENTITY;
  body.p = (brio_vec3){x, y, obstacles->level + (BOTTOM + TOP) / 2};
  double nearest = INFINITY;
  for (int i = 0; i < obstacles->count; i++) {
    const struct brio_obstacle_kept *kept = &obstacles->kept[i];
    /* A bounding sphere, seen from above, rules out most solids. */
    double flat = hypot(kept->pose.p.x - x, kept->pose.p.y - y) - kept->radius;
    if (flat >= nearest) continue;
    double distance = brio_shape_distance(&line, &body, &kept->shape, &kept->pose, NULL).distance;
    if (distance >= nearest) continue;
    nearest = distance;
    if (name) *name = kept->name;
  }
  return nearest;
}

/* Widen the box by the spheres around the solids. */
void brio_obstacles_box(const brio_obstacles *obstacles, double box[4]) {
  for (int i = 0; i < obstacles->count; i++) {
    const struct brio_obstacle_kept *kept = &obstacles->kept[i];
    /* A half space has no box. */
    if (!isfinite(kept->radius)) continue;
    box[0] = fmin(box[0], kept->pose.p.x - kept->radius);
    box[1] = fmin(box[1], kept->pose.p.y - kept->radius);
    box[2] = fmax(box[2], kept->pose.p.x + kept->radius);
    box[3] = fmax(box[3], kept->pose.p.y + kept->radius);
  }
}
