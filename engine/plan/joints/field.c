/* The obstacles of the first filter, and their distances from a point. */
#include "plan/joints/field.h"

#include <assert.h>
#include <string.h>

#include "plan/joints/cover.h"

static const float FAR_AWAY = 1e9f; /* m: where free places are */

/* --- distances: the rows of a table by kind --- */

/* Return the coordinate along axis `k` of what is at (x, y, z) from the middles. */
static brio_four along(const brio_field_four *four, int k, brio_four x, brio_four y, brio_four z) {
  brio_four a = brio_four_mul(brio_four_load(four->axes[3 * k]), x);
  brio_four b = brio_four_mul(brio_four_load(four->axes[3 * k + 1]), y);
  brio_four c = brio_four_mul(brio_four_load(four->axes[3 * k + 2]), z);
  return brio_four_add(brio_four_add(a, b), c);
}

/* Return how far a coordinate is beyond the half length; 0 within. */
static brio_four beyond(brio_four at, const float *half) {
  return brio_four_max(brio_four_sub(brio_four_abs(at), brio_four_load(half)), brio_four_of(0));
}

/* Boxes: the excess along each axis, less the radius of the edges. */
static brio_four box_distance(const brio_field_four *four, brio_four x, brio_four y, brio_four z) {
  brio_four a = beyond(along(four, 0, x, y, z), four->half[0]);
  brio_four b = beyond(along(four, 1, x, y, z), four->half[1]);
  brio_four c = beyond(along(four, 2, x, y, z), four->half[2]);
  brio_four square =
      brio_four_add(brio_four_add(brio_four_mul(a, a), brio_four_mul(b, b)), brio_four_mul(c, c));
  return brio_four_sub(brio_four_sqrt(square), brio_four_load(four->round));
}

/* Cylinders: the excess along the axis and away from it. */
static brio_four cylinder_distance(const brio_field_four *four, brio_four x, brio_four y, brio_four z) {
  brio_four axial = along(four, 0, x, y, z);
  /* What is left without the part along the axis; a difference of squares would lose digits far along it. */
  x = brio_four_sub(x, brio_four_mul(axial, brio_four_load(four->axes[0])));
  y = brio_four_sub(y, brio_four_mul(axial, brio_four_load(four->axes[1])));
  z = brio_four_sub(z, brio_four_mul(axial, brio_four_load(four->axes[2])));
  brio_four radial = brio_four_sqrt(
      brio_four_add(brio_four_add(brio_four_mul(x, x), brio_four_mul(y, y)), brio_four_mul(z, z)));
  brio_four a = beyond(axial, four->half[2]), b = beyond(radial, four->half[0]);
  return brio_four_sqrt(brio_four_add(brio_four_mul(a, a), brio_four_mul(b, b)));
}

/* Half-spaces: the height above the plane. */
static brio_four plane_distance(const brio_field_four *four, brio_four x, brio_four y, brio_four z) {
  return along(four, 0, x, y, z);
}

static brio_four (*const distances[BRIO_NFIELD])(const brio_field_four *, brio_four, brio_four, brio_four) = {
    [BRIO_FIELD_BOX] = box_distance,
    [BRIO_FIELD_CYLINDER] = cylinder_distance,
    [BRIO_FIELD_PLANE] = plane_distance,
};

brio_four brio_field_distance(const brio_field_four *four, float x, float y, float z) {
  return distances[four->kind](four, brio_four_sub(brio_four_of(x), brio_four_load(four->p[0])),
                               brio_four_sub(brio_four_of(y), brio_four_load(four->p[1])),
                               brio_four_sub(brio_four_of(z), brio_four_load(four->p[2])));
}

/* --- set-up --- */

/* The kind that a shape has in the filter. */
static const brio_field_kind kinds[BRIO_NSHAPE] = {
    [BRIO_SHAPE_SPHERE] = BRIO_FIELD_BOX, [BRIO_SHAPE_CAPSULE] = BRIO_FIELD_BOX,
    [BRIO_SHAPE_BOX] = BRIO_FIELD_BOX,    [BRIO_SHAPE_CYLINDER] = BRIO_FIELD_CYLINDER,
    [BRIO_SHAPE_HULL] = BRIO_FIELD_BOX,   [BRIO_SHAPE_HALF_SPACE] = BRIO_FIELD_PLANE,
};

/* A group of free places. */
static void clear_four(brio_field_four *four, brio_field_kind kind) {
  memset(four, 0, sizeof *four);
  four->kind = kind;
  for (int i = 0; i < 4; i++) {
    four->obstacle[i] = -1;
    /* (0, 0, 1) as the first axis: a point is above the plane of a free half-space, too. */
    four->p[2][i] = -FAR_AWAY;
    four->axes[2][i] = 1;
  }
}

/* Write obstacle `o` to a place of a group. */
static void set_place(brio_field *field, brio_field_four *four, int i, int o) {
  const brio_shape *shape = &field->obstacles[o].shape;
  const brio_transform *pose = &field->poses[o];
  bool round = shape->kind == BRIO_SHAPE_SPHERE || shape->kind == BRIO_SHAPE_CAPSULE;
  brio_vec3 middle = {0, 0, 0}, size = {0, 0, round ? shape->size.z : 0};
  if (shape->kind == BRIO_SHAPE_SPHERE) size.z = 0;
  if (!round && shape->kind != BRIO_SHAPE_HALF_SPACE) brio_cover_box(shape, &middle, &size);
  /* The middle of a hull is not that of its frame. */
  brio_vec3 p = brio_transform_point(pose, middle);
  double center[3] = {p.x, p.y, p.z}, half[3] = {size.x / 2, size.y / 2, size.z / 2};
  four->obstacle[i] = o;
  if (shape->kind != BRIO_SHAPE_HULL) four->exact |= 1u << i;
  four->round[i] = round ? (float)shape->size.x : 0;
  /* Cylinders and planes need their z axis alone, which is kept as the first. */
  int first = four->kind == BRIO_FIELD_BOX ? 0 : 2;
  for (int k = 0; k < 3; k++) {
    four->p[k][i] = (float)center[k];
    four->half[k][i] = (float)half[k];
    for (int row = 0; row < 3 && k + first < 3; row++)
      four->axes[3 * k + row][i] = (float)pose->r[3 * row + k + first];
    field->extent = fmax(field->extent, fmax(fabs(center[k]), half[k]));
  }
}

/* Find the place of each obstacle: a group of its kind that has a free one, or a new group. */
static void fill(brio_field *field) {
  int open[BRIO_NFIELD], used[BRIO_NFIELD];
  /* At first every kind needs a new group. */
  for (int k = 0; k < BRIO_NFIELD; k++) open[k] = -1, used[k] = 4;
  for (int o = 0; o < field->count; o++) {
    brio_field_kind kind = kinds[field->obstacles[o].shape.kind];
    if (used[kind] == 4) {
      open[kind] = field->nfour++;
      used[kind] = 0;
      clear_four(&field->fours[open[kind]], kind);
    }
    set_place(field, &field->fours[open[kind]], used[kind]++, o);
  }
}

/* Check a shape and its pose, by number and name. */
static bool check(const brio_obstacle *obstacle, int number, brio_error *err) {
  const char *name = obstacle->name ? obstacle->name : "-";
  if (!brio_shape_check(&obstacle->shape, err)) return brio_fail_in(err, "obstacle %d (%.60s)", number, name);
  if (!brio_pose_finite(obstacle->pose))
    return brio_fail(err, BRIO_MISUSE, "obstacle %d (%.60s): its pose must be finite numbers", number, name);
  return true;
}

bool brio_field_start(brio_field *field, brio_arena *arena, const brio_obstacle *list, int count,
                      brio_error *err) {
  *field = (brio_field){.count = count};
  if (count < 0 || count > BRIO_OBSTACLES)
    return brio_fail(err, BRIO_LIMIT, "%d obstacles: at most %d", count, BRIO_OBSTACLES);
  brio_obstacle *copies = BRIO_TAKE(arena, brio_obstacle, count + 1);
  field->poses = BRIO_TAKE(arena, brio_transform, count + 1);
  field->fours = BRIO_TAKE(arena, brio_field_four, count / 4 + BRIO_NFIELD);
  if (!copies || !field->poses || !field->fours)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d obstacles", count);
  for (int i = 0; i < count; i++) {
    if (!check(&list[i], i + 1, err)) return false;
    /* With a quaternion of length 1, as its rotation would not be one. */
    copies[i] = list[i];
    copies[i].pose.q = brio_quat_unit(list[i].pose.q);
    field->poses[i] = brio_transform_of(copies[i].pose);
    /* Names and corners belong to the caller: they are copied. */
    const char *name = list[i].name ? list[i].name : "";
    copies[i].name = brio_arena_text(arena, name, strlen(name));
    brio_vec3 *points = BRIO_TAKE(arena, brio_vec3, list[i].shape.npoint + 1);
    if (!copies[i].name || !points)
      return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d obstacles", count);
    if (list[i].shape.npoint)
      memcpy(points, list[i].shape.points, (size_t)list[i].shape.npoint * sizeof *points);
    copies[i].shape.points = list[i].shape.npoint ? points : NULL;
  }
  field->obstacles = copies;
  fill(field);
  assert(field->nfour <= count / 4 + BRIO_NFIELD);
  return true;
}
