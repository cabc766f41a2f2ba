/* A robot's body in the simulated world: upright cylinders fixed to links, which push doors, and report
** penetration of fixed objects.  Nothing stops the body: its pose is that of the robot's kinematics. */
#ifndef BRIO_WORLD_BODY_H
#define BRIO_WORLD_BODY_H

#include <stdbool.h>

#include "base/error.h"
#include "math/pose.h"

struct brio_world;

/* Description of a part of the body in a robot's file. */
typedef struct brio_world_body_form {
  const char *link;      /* the link that it goes with */
  double radius;         /* m */
  double below, above;   /* m: from the link's origin down and up */
} brio_world_body_form;

/* The state of a part of the body. */
typedef struct brio_world_body {
  char link[64];
  int link_index;        /* of the robot; -1: none */
  double radius, below, height;
  bool known;            /* its pose is known from a step */
  brio_vec3 foot;        /* the middle of its lower end, in the world */
} brio_world_body;

/* Add a part to the robot's body.  Errors: misuse (lengths out of range, no link's name), limit. */
bool brio_world_add_body(struct brio_world *world, const brio_world_body_form *form, brio_error *err);

/* Return the id of the fixed or closed object (not a thing, which is pushed) that the robot's body penetrates
** most, and the depth, m.  NULL: none. */
const char *brio_world_bumped(const struct brio_world *world, double *depth);

#endif
