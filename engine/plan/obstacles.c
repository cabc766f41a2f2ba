/* Distances of a walking body from what is in its way.  The body is an upright line; how wide it is, is for who
** asks.  A floor is not in the way, nor anything else that ends below the body's space. */
#include "plan/obstacles.h"

#include <stdio.h>
#include <string.h>

#define BOTTOM 0.25 /* m above the ground: of the space that a body takes */
#define TOP 1.8     /* m */
#define FARTHEST 1e5 /* m */

struct brio_obstacle_kept {
  brio_shape shape;
  brio_transform pose;
  double radius;
  char name[BRIO_OBSTACLE_NAME];
};

static const brio_shape line = {.kind = BRIO_SHAPE_CAPSULE, .size = {0, 0, TOP - BOTTOM}};
static const brio_shape half_space = {.kind = BRIO_SHAPE_HALF_SPACE};

/* Whether a solid is wholly below a height, or with `flip` above it. */
static bool is_beyond(const struct brio_obstacle_kept *kept, double z, bool flip) {
  brio_pose plane = {{0, 0, z}, flip ? BRIO_QUAT_IDENTITY : (brio_quat){1, 0, 0, 0}};
  brio_transform at = brio_transform_of(plane);
  if (kept->shape.kind != BRIO_SHAPE_HALF_SPACE)
    return brio_shape_distance(&kept->shape, &kept->pose, &half_space, &at, NULL).distance > 0;
  brio_vec3 out = brio_transform_direction(&kept->pose, (brio_vec3){0, 0, 1});
  return flip ? out.z < -0.9 && kept->pose.p.z > z : out.z > 0.9 && kept->pose.p.z < z;
}

static bool check(const brio_obstacle *obstacle, brio_error *err) {
  const char *name = obstacle->name ? obstacle->name : "something";
  if (!brio_shape_check(&obstacle->shape, err)) return brio_fail_in(err, "'%s' in the way", name);
  if (brio_pose_finite(obstacle->pose) && brio_vec3_norm(obstacle->pose.p) <= FARTHEST) return true;
  return brio_fail(err, BRIO_MISUSE, "'%s' in the way has no place within %g m", name, FARTHEST);
}

static bool keep(brio_obstacles *obstacles, brio_arena *arena, const brio_obstacle *obstacle) {
  struct brio_obstacle_kept *kept = &obstacles->kept[obstacles->count];
  *kept = (struct brio_obstacle_kept){obstacle->shape, brio_transform_of(obstacle->pose),
                                      brio_shape_radius(&obstacle->shape), ""};
  snprintf(kept->name, sizeof kept->name, "%s", obstacle->name ? obstacle->name : "something");
  if (kept->shape.kind == BRIO_SHAPE_HULL) {
    brio_vec3 *points = BRIO_TAKE(arena, brio_vec3, kept->shape.npoint);
    if (!points) return false;
    memcpy(points, kept->shape.points, (size_t)kept->shape.npoint * sizeof *points);
    kept->shape.points = points;
  }
  bool matters = !is_beyond(kept, obstacles->level + BOTTOM, false) && !is_beyond(kept, obstacles->level + TOP, true);
  obstacles->count += matters;
  return true;
}

bool brio_obstacles_take(brio_obstacles *obstacles, brio_arena *arena, const brio_obstacle *list, int count, double level,
                         brio_error *err) {
  *obstacles = (brio_obstacles){.level = level};
  if (count < 0 || count > BRIO_OBSTACLES)
    return brio_fail(err, BRIO_LIMIT, "a plan takes %d things in the way, not %d", BRIO_OBSTACLES, count);
  obstacles->kept = BRIO_TAKE(arena, struct brio_obstacle_kept, count + 1);
  for (int i = 0; i < count && obstacles->kept; i++) {
    if (!check(&list[i], err)) return false;
    if (!keep(obstacles, arena, &list[i])) obstacles->kept = NULL;
  }
  return obstacles->kept || brio_fail(err, BRIO_NO_MEMORY, "no memory for %d things in the way", count);
}

double brio_obstacles_distance(const brio_obstacles *obstacles, double x, double y, const char **name) {
  brio_transform body = BRIO_TRANSFORM_IDENTITY;
  body.p = (brio_vec3){x, y, obstacles->level + (BOTTOM + TOP) / 2};
  double nearest = INFINITY;
  for (int i = 0; i < obstacles->count; i++) {
    const struct brio_obstacle_kept *kept = &obstacles->kept[i];
    double flat = hypot(kept->pose.p.x - x, kept->pose.p.y - y) - kept->radius;
    if (flat >= nearest) continue;
    double distance = brio_shape_distance(&line, &body, &kept->shape, &kept->pose, NULL).distance;
    if (distance >= nearest) continue;
    nearest = distance;
    if (name) *name = kept->name;
  }
  return nearest;
}

void brio_obstacles_box(const brio_obstacles *obstacles, double box[4]) {
  for (int i = 0; i < obstacles->count; i++) {
    const struct brio_obstacle_kept *kept = &obstacles->kept[i];
    if (!isfinite(kept->radius)) continue;
    box[0] = fmin(box[0], kept->pose.p.x - kept->radius);
    box[1] = fmin(box[1], kept->pose.p.y - kept->radius);
    box[2] = fmax(box[2], kept->pose.p.x + kept->radius);
    box[3] = fmax(box[3], kept->pose.p.y + kept->radius);
  }
}
