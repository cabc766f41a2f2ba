/* Hands of a robot in the simulated world: pose, opening, and held thing. */
#ifndef BRIO_WORLD_THINGS_HAND_H
#define BRIO_WORLD_THINGS_HAND_H

#include <stdbool.h>

#include "base/error.h"
#include "math/pose.h"
#include "robot/kinematics.h"

struct brio_world;

/* Description of a hand in a robot's file. */
typedef struct brio_world_hand_form {
  const char *name;      /* "right" */
  const char *link;      /* the link whose frame is the hand's */
  const char *grip;      /* the axis that shuts it */
  /* values of the axis: fully open, and fully closed */
  double open, shut;
  double span;           /* m: opening when open */
  double reach;          /* m: things whose middle is this near to the point of grasp can be held */
  brio_vec3 grasp;       /* the point of grasp, in the link's frame */
  /* m, radius of the ball about the link's frame that pushes things; 0: it pushes nothing */
  double palm;
} brio_world_hand_form;

/* The state of a hand. */
typedef struct brio_world_hand {
  char name[32], link[64], grip[64];
  double open, shut, span, reach, palm;
  brio_vec3 grasp;
  int link_index, axis_index, hold; /* of the robot; of the world's holds */
  bool known;            /* its pose is known from a step */
  brio_pose pose;        /* world_from_hand, measured */
  brio_vec3 point;       /* of grasp, in the world */
  brio_vec3 velocity;    /* of that point, m/s */
  double width;          /* m: measured opening */
  bool closes;           /* it was wider in the previous step */
  bool handle;           /* it has grasped a door's handle */
  int thing;             /* index of the held thing; -1: none */
  brio_pose hand_from_thing;
  double slipped;        /* s: when a thing last slipped out of it; 0: never */
} brio_world_hand;

/* Add a hand to the robot.  Errors: misuse (a name in use, lengths that are not above 0, equal open and
** closed values), limit. */
bool brio_world_add_hand(struct brio_world *world, const brio_world_hand_form *form, brio_error *err);

/* Bind the robot of the hands and the sensor: links and axes are looked up by their names in the robot, which
** must outlive the world's steps. Errors: misuse (no such link or axis). */
bool brio_world_bind(struct brio_world *world, const brio_robot *robot, brio_error *err);

/* Step the world to its time: the robot's links have the poses of `state`, its variables the `values` (as
** measured).  Events begin and end, hands open, close and push, things roll, fall and are carried.  Allocates
** nothing. */
void brio_world_step(struct brio_world *world, const brio_state *state, const double *values);

/* Set the pose and opening of a hand, before the step to the world's time: for hands without a robot.  Width
** NAN: unchanged. */
void brio_world_move_hand(struct brio_world *world, int number, brio_pose pose, double width);

/* Return the hands. */
const brio_world_hand *brio_world_hands(const struct brio_world *world, int *count);

/* Return the world's number of an axis that it may hold; -1: no room.  At set-up. */
int brio_world_axis(struct brio_world *world, const char *axis);

/* Write the current range of an axis: a hand that has closed around a thing does not close any further.  From
** any thread. */
void brio_world_axis_range(const struct brio_world *world, int number, double *lower, double *upper);

#endif
