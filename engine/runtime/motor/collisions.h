/* Collisions of a robot whose motors report their torques, by a momentum observer (dynamics/observer) that is
** fed with every report.  What acts from outside on an axis beyond its threshold is an event, and a reason to
** hold where the robot's file wants that.
**
** Torques are those of the reports, with springs, dampers and dry friction of the robot's file.  The base
** must not move. */
#ifndef BRIO_RUNTIME_MOTOR_COLLISIONS_H
#define BRIO_RUNTIME_MOTOR_COLLISIONS_H

#include "base/arena.h"
#include "dynamics/observer/observer.h"
#include "motor/alarm.h"

struct brio_motor;
struct brio_motor_report;

typedef struct brio_motor_collision_options {
  brio_observer_options observer; /* its thresholds: one for each axis of the tree; INFINITY: not watched */
  brio_reaction reaction;
} brio_motor_collision_options;

/* Invariant: everything belongs to the motor thread, but for options and memory, which stay. */
typedef struct brio_motor_collisions {
  brio_dynamics dynamics;
  brio_observer observer;
  brio_reaction reaction;
  double *q, *u, *tau;           /* nq, nv, nv */
  double *friction;              /* tree: N m or N, of each variable */
  brio_observer_collision *list; /* tree: now, ncollision */
  int ncollision;
  bool *told;                    /* tree: it is in the list since it was announced */
  int64_t at;                    /* ns: of the newest reports; 0: none yet, or in lockstep */
  double waits;                  /* s since the newest update */
  bool silent;                   /* reported: some axis reports no torque */
  int64_t count;                 /* announced so far */
} brio_motor_collisions;

/* Set up for `robot`, whose variables the tree's axes are.  Errors: no_memory, misuse (an option out of
** range). */
bool brio_motor_collisions_start(brio_motor_collisions *collisions, brio_arena *arena,
                                 const brio_robot *robot, const brio_motor_collision_options *options,
                                 brio_error *err);
void brio_motor_collisions_end(brio_motor_collisions *collisions);

/* The motor thread: take in the newest reports, h s after the last call, and announce what is new.
** O(joints) */
void brio_motor_collisions_step(struct brio_motor *motor, double h);

/* Fill in what the scripts' thread sees: the collision that exceeds its threshold most. */
void brio_motor_collisions_report(const brio_motor_collisions *collisions, struct brio_motor_report *report);

#endif
