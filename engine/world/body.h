/* A robot's body in the simulated world: upright cylinders that go with links, so that doors are pushed by
** it, and that it is told when the robot walks into what stands still.  Nothing stops it: the robot is where
** its kinematics has it. */
#ifndef BRIO_WORLD_BODY_H
#define BRIO_WORLD_BODY_H

#include <stdbool.h>

#include "base/error.h"
#include "math/pose.h"

struct brio_world;

/* What a part of the body is like, as a robot's file says it. */
typedef struct brio_world_body_form {
  const char *link;      /* the link that it goes with */
  double radius;         /* m */
  double below, above;   /* m: from the link's origin down and up */
} brio_world_body_form;

/* A part of the body as it stands. */
typedef struct brio_world_body {
  char link[64];
  int link_index;        /* of the robot; -1: none */
  double radius, below, height;
  bool known;            /* a step has told where it is */
  brio_vec3 foot;        /* the middle of its lower end, in the world */
} brio_world_body;

/* Give the robot's body one more part.  Errors: misuse (lengths out of range, no link's name), limit. */
bool brio_world_add_body(struct brio_world *world, const brio_world_body_form *form, brio_error *err);

/* Return the id of what the robot's body is in, of what stands still or is shut (not things, which are
** pushed): the one that it is deepest in, and how deep, m.  NULL: it is in nothing. */
const char *brio_world_bumped(const struct brio_world *world, double *depth);

#endif
