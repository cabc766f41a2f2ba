/* Hands of a robot in the simulated world: where they are, how far they are shut, what they hold. */
#ifndef BRIO_WORLD_THINGS_HAND_H
#define BRIO_WORLD_THINGS_HAND_H

#include <stdbool.h>

#include "base/error.h"
#include "math/pose.h"
#include "robot/kinematics.h"

struct brio_world;

/* What a hand is like, as a robot's file says it. */
typedef struct brio_world_hand_form {
  const char *name;      /* "right" */
  const char *link;      /* the link whose frame is the hand's */
  const char *grip;      /* the axis that shuts it */
  /* of the axis: where the hand is as wide as it gets, and where nothing is between its fingers */
  double open, shut;
  double span;           /* m: how wide it is when it is open */
  double reach;          /* m: what has its middle within so much of the point of grasp can be held */
  brio_vec3 grasp;       /* the point of grasp, in the link's frame */
  /* m, radius of the ball about the link's frame that pushes things; 0: it pushes nothing */
  double palm;
} brio_world_hand_form;

/* A hand as it stands. */
typedef struct brio_world_hand {
  char name[32], link[64], grip[64];
  double open, shut, span, reach, palm;
  brio_vec3 grasp;
  int link_index, axis_index, hold; /* of the robot; of the world's holds */
  bool known;            /* a step has told where it is */
  brio_pose pose;        /* world_from_hand, measured */
  brio_vec3 point;       /* of grasp, in the world */
  brio_vec3 velocity;    /* of that point, m/s */
  double width;          /* m between its fingers, measured */
  bool closes;           /* it was wider in the step before */
  bool handle;           /* it has grasped a door's handle */
  int thing;             /* what it holds: its index among things; -1: nothing */
  brio_pose hand_from_thing;
  double slipped;        /* s: when something slipped out of it last; 0: never */
} brio_world_hand;

/* Give the robot a hand.  Errors: misuse (a name in use, lengths that are not above 0, open and shut the
** same), limit. */
bool brio_world_add_hand(struct brio_world *world, const brio_world_hand_form *form, brio_error *err);

/* Tell the world whose hands and sensor these are: links and axes are looked up by their names in the robot,
** which must outlive the world's steps.  Errors: misuse (no such link or axis). */
bool brio_world_bind(struct brio_world *world, const brio_robot *robot, brio_error *err);

/* Let the world go on to its time: the robot's links are where `state` has them, its variables at `values`
** (as measured). Events begin and end, hands open, shut and push, things roll, fall and are carried.
** Allocates nothing. */
void brio_world_step(struct brio_world *world, const brio_state *state, const double *values);

/* Say where a hand is and how wide, before the step to the world's time: for those of no robot.  Width NAN:
** as it was. */
void brio_world_move_hand(struct brio_world *world, int number, brio_pose pose, double width);

/* Return the hands. */
const brio_world_hand *brio_world_hands(const struct brio_world *world, int *count);

/* Return the number by which the world knows an axis that it may hold; -1: there is no room.  At set-up. */
int brio_world_axis(struct brio_world *world, const char *axis);

/* Say between which values an axis can be now: a hand that has shut around something does not shut any
** further.  From any thread. */
void brio_world_axis_range(const struct brio_world *world, int number, double *lower, double *upper);

#endif
