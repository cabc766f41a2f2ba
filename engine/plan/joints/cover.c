/* Covers: solids cut in slices or cells, with a sphere around each. */
#include "plan/joints/cover.h"

#include <assert.h>

#include "math/scalar.h"

void brio_cover_box(const brio_shape *shape, brio_vec3 *middle, brio_vec3 *size) {
  *middle = (brio_vec3){0, 0, 0};
  double wide = 2 * shape->size.x;
  *size = (brio_vec3){wide, wide, shape->size.z};
  if (shape->kind == BRIO_SHAPE_SPHERE) size->z = wide;
  if (shape->kind == BRIO_SHAPE_CAPSULE) size->z += wide;
  if (shape->kind == BRIO_SHAPE_BOX) *size = shape->size;
  if (shape->kind != BRIO_SHAPE_HULL) return;
  /* Of a hull the least and greatest coordinates. */
  brio_vec3 lower = shape->points[0], upper = lower;
  for (int i = 1; i < shape->npoint; i++) {
    brio_vec3 p = shape->points[i];
    lower = (brio_vec3){brio_min(lower.x, p.x), brio_min(lower.y, p.y), brio_min(lower.z, p.z)};
    upper = (brio_vec3){brio_max(upper.x, p.x), brio_max(upper.y, p.y), brio_max(upper.z, p.z)};
  }
  *middle = brio_vec3_scale(0.5, brio_vec3_add(lower, upper));
  *size = brio_vec3_sub(upper, lower);
}

/* Return into how many slices a length is cut so that none is longer than `most`, 4 at the most. */
static int slices(double length, double most) {
  double n = most > 0 ? ceil(length / most - 1e-9) : 1;
  return n < 1 ? 1 : n > 4 ? 4 : (int)n;
}

/* Slices along z of a round solid: a slice of a cylinder is within the hypotenuse of its radius and half its
** length, one of a capsule, whose ends are round, within their sum. */
static int cover_round(const brio_shape *shape, brio_cover_sphere *out) {
  double length = shape->size.z, radius = shape->size.x;
  /* Slices about as long as the radius. */
  bool capsule = shape->kind == BRIO_SHAPE_CAPSULE;
  int n = slices(length, radius);
  double half = length / (2 * n);
  for (int i = 0; i < n; i++)
    out[i] = (brio_cover_sphere){{0, 0, (2 * i + 1) * half - length / 2},
                                 capsule ? radius + half : sqrt(radius * radius + half * half)};
  return n;
}

/* Cells of a box, as near to cubes as 16 of them allow: no side is cut finer than the shortest one. */
static int cover_cells(const brio_shape *shape, brio_cover_sphere *out) {
  brio_vec3 middle, size;
  brio_cover_box(shape, &middle, &size);
  /* No side has more than four cells. */
  double longest = brio_max(size.x, brio_max(size.y, size.z));
  double cell = brio_max(brio_min(size.x, brio_min(size.y, size.z)), longest / 4);
  int nx = slices(size.x, cell), ny = slices(size.y, cell), nz = slices(size.z, cell), n = 0;
  brio_vec3 step = {size.x / nx, size.y / ny, size.z / nz};
  /* The shortest side is one cell, so that there are at most 4 x 4. */
  assert(nx * ny * nz <= BRIO_COVER_SPHERES);
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nz; k++) {
        brio_vec3 at = {(i + 0.5) * step.x, (j + 0.5) * step.y, (k + 0.5) * step.z};
        at = brio_vec3_add_scaled(brio_vec3_add(middle, at), -0.5, size);
        out[n++] = (brio_cover_sphere){at, 0.5 * brio_vec3_norm(step)};
      }
  return n;
}

int brio_cover_shape(const brio_shape *shape, brio_cover_sphere out[BRIO_COVER_SPHERES]) {
  assert(shape->kind != BRIO_SHAPE_HALF_SPACE);
  if (shape->kind == BRIO_SHAPE_SPHERE) {
    out[0] = (brio_cover_sphere){{0, 0, 0}, shape->size.x};
    return 1;
  }
  bool round = shape->kind == BRIO_SHAPE_CAPSULE || shape->kind == BRIO_SHAPE_CYLINDER;
  return round ? cover_round(shape, out) : cover_cells(shape, out);
}
