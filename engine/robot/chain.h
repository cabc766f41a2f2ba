/* The part of a robot that carries a few links, separate from its tree: for users that need only
** the poses of these links, many times, such as inverse kinematics.  Only the joints on the way are
** run, from the variables that move them. */
#ifndef BRIO_ROBOT_CHAIN_H
#define BRIO_ROBOT_CHAIN_H

#include "robot/robot.h"

enum { BRIO_CHAIN_COLUMN = 6 }; /* numbers of a Jacobian's column: linear (3), angular (3) */

typedef struct brio_chain {
  const brio_robot *robot;
  int nlink, nvariable;
  const int *links;     /* nlink: indices of the requested links */
  const int *variables; /* nvariable: of the robot's, which move any of these links; ascending */
  brio_transform *ends; /* nlink: world_from_link, after brio_chain_update */
  struct brio_chain_private *work;
  brio_arena arena;
} brio_chain;

/* Make the chain of `nlink` links (indices, at least one) of `robot`, which must outlive it.
** Errors: no_memory. */
bool brio_chain_start(brio_chain *chain, const brio_robot *robot, const int *links, int nlink,
                      brio_error *err);

/* Free its memory. */
void brio_chain_end(brio_chain *chain);

/* Place the links for the values `x` (nvariable; rad or m) of the chain's variables, the root link
** standing at `base` (world_from_root). */
void brio_chain_update(brio_chain *chain, const brio_transform *base, const double *x);

/* Write, after brio_chain_update, how `point` (world) fixed to link number `end` (of 0 to nlink - 1) moves
** with each variable: nvariable columns, `stride` numbers apart, of 6 numbers: linear, then angular
** velocity, world axes.  A variable that does not move the link gets zeros. */
void brio_chain_columns(const brio_chain *chain, int end, brio_vec3 point, double *columns, int stride);

#endif
