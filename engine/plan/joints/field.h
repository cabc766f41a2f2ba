/* Obstacles as the first filter sees them: four at a time, in single precision, and never nearer to a sphere
** than they are in truth.
**
** Boxes, capsules and spheres are one kind, boxes with round edges (a capsule is a segment, a sphere a
** point); cylinders and half-spaces have kinds of their own; a hull is the box around it, and is marked as
** not exact. */
#ifndef BRIO_PLAN_JOINTS_FIELD_H
#define BRIO_PLAN_JOINTS_FIELD_H

#include "base/arena.h"
#include "base/error.h"
#include "geometry/four.h"
#include "plan/obstacles.h"

typedef enum brio_field_kind {
  BRIO_FIELD_BOX,
  BRIO_FIELD_CYLINDER,
  BRIO_FIELD_PLANE,
  BRIO_NFIELD
} brio_field_kind;

/* Four obstacles of a kind; free places are far away. */
typedef struct brio_field_four {
  brio_field_kind kind;
  int obstacle[4];  /* -1: a free place */
  unsigned exact;   /* bits: the filter's solid is the obstacle itself */
  float p[3][4];    /* m: middle */
  float axes[9][4]; /* axes in the world: box x, y, z; cylinder and plane: z in the first three */
  float half[3][4]; /* m: half lengths; cylinder: radius, -, half length */
  float round[4];   /* m: radius of the edges */
} brio_field_four;

typedef struct brio_field {
  int count, nfour;
  const brio_obstacle *obstacles; /* count; copies */
  brio_transform *poses;          /* count */
  brio_field_four *fours;
  double extent; /* m: greatest coordinate or length in it */
} brio_field;

/* Copy the obstacles.  Memory is the arena's.  Errors: misuse (a bad shape or pose, with its name and
** number), limit, no_memory. */
bool brio_field_start(brio_field *field, brio_arena *arena, const brio_obstacle *list, int count,
                      brio_error *err);

/* Return the distances of a point from four obstacles, m; within one it is at most 0. */
brio_four brio_field_distance(const brio_field_four *four, float x, float y, float z);

#endif
