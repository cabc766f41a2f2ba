/* What the motor side does in one period: commands for all axes, from the poses and targets that
** the scripts' side handed over, in every state.
**
** Joints of the kinematic tree move along their path (path.h), all together.  Every other axis
** moves alone: a low-pass filter, the range that interlocks leave, its limits.
**
** Motion may be held for several causes at once; each is released separately.  While held, the joints
** slow down along their path and the other axes brake; at rest they stay.  A panic brakes every
** axis as hard as its limits allow, at once, until it is released explicitly.
**
** Poses carry a number, `anew`.  It is incremented whenever the path does not continue as the
** poses did: the joints began again from where they are, or braked because no pose came.  A pose
** with an older number is dropped, since it was computed from somewhere else: poses continue
** from the path's end (brio_path_ends). */
#ifndef BRIO_MOTOR_MOTION_H
#define BRIO_MOTOR_MOTION_H

#include <assert.h>
#include <math.h>

#include "math/lowpass.h"
#include "motor/interlock.h"
#include "motor/path.h"

/* Causes for which motion is held, as bits. */
typedef enum brio_motion_cause {
  BRIO_MOTION_PERSON = 1,    /* a person commanded hold or stop */
  BRIO_MOTION_FAULT = 2,     /* a condition is wrong whose reaction is to hold */
  BRIO_MOTION_PANIC = 4,     /* panic stop, until it is released explicitly */
  BRIO_MOTION_RESYNC = 8,    /* joints begin again from their measured positions, once all rest */
  BRIO_MOTION_RELAX = 16,    /* at rest, no motor holds its position */
  BRIO_MOTION_DISARM = 32,   /* at rest, disarm: no motor gets a command */
  BRIO_MOTION_WAIT = 64,     /* a device is late: the others slow down along the path and wait for it */
} brio_motion_cause;

/* One axis, as it is set up. */
typedef struct brio_motion_setup {
  brio_axis_limits limits;
  int stages;                /* of its low-pass filter, outside the tree; 0: none */
  double tau;                /* s */
} brio_motion_setup;

typedef struct brio_motion_axis {
  brio_axis_limits given, guard;   /* limits: as given, and as they hold now (axis_limits.h) */
  brio_lowpass filter;       /* outside the tree */
  double target;             /* outside the tree: the target */
  double x, v;               /* command, and the speed at which it was reached */
  double measured;           /* position; NaN: unknown */
  bool reports;              /* it was known at least once */
  int tied;                  /* the next in a ring of axes whose motors move them together; itself: none */
  bool on;                   /* false: its motor gets no command */
  bool told;                 /* its motor got the last command */
  /* switched on again: it begins at its position once that is known, a joint once all rest */
  bool returns;
} brio_motion_axis;

typedef struct brio_motion {
  int count, tree;           /* axes; the first `tree` are joints */
  brio_motion_axis *axes;    /* count */
  brio_path path;            /* the path of the tree's joints */
  double *pose;              /* tree: scratch */
  brio_axis_limits *limits;        /* tree: what the path holds */
  brio_interlock *rules;     /* nrule */
  int nrule;
  brio_interlock_axis *room; /* count */
  bool armed;                /* false: no motor gets a command */
  unsigned causes;           /* bits of brio_motion_cause; 0: motion is not held */
  bool settled;              /* held, and at rest */
  bool narrowing;            /* new ranges of joints wait to be applied */
  bool limp;                 /* no motor got a command in the last period */
  uint32_t anew, breaks;     /* breaks of the path that are counted in `anew` */
  double quiet;              /* s since the last accepted pose */
  int64_t taken, stale, refused, clamped; /* poses: accepted, with an old number, invalid, beyond limits */
} brio_motion;

/* Set up `count` axes, of which the first `tree` are joints of the tree, at rest at `start`
** (count).  Nothing is armed.  Errors: no_memory, misuse (invalid limits, a filter out of range). */
bool brio_motion_start(brio_motion *motion, brio_arena *arena, const brio_motion_setup *axes, int count,
                       int tree, const double *start, brio_error *err);

/* Add interlocks (copied).  Errors: misuse (a rule that limits a joint of the tree), no_memory. */
bool brio_motion_set_rules(brio_motion *motion, brio_arena *arena, const brio_interlock *rules, int count,
                           brio_error *err);

/* Tie axes (count) that the same motors move together, as in a differential: their motors get commands all
** together or not at all.  Ties are transitive. */
void brio_motion_tie(brio_motion *motion, const int *axes, int count);

/* Accept one pose: a value for every axis (NaN, outside the tree only: the target stays), due dt s
** after the last one, computed for `anew`.  `brakes`: the acceleration with which each joint may
** brake from there (tree; NULL: the greatest).  False: dropped, as its number is old, a value is
** NaN or infinite, or the path cannot follow it (path.h). */
bool brio_motion_put(brio_motion *motion, const double *values, const double *brakes, double dt,
                     uint32_t anew);

/* Drop the poses after the current one: the joints brake unless new poses come. */
void brio_motion_cut(brio_motion *motion);

/* Change the limits of an axis.
**
** Of a joint only the range is used, as soon as its path is within it; the solver leads it there,
** and keeps its speed and acceleration within the limits.
**
** An axis outside the tree that is too fast for the new limits, or bound to leave its range,
** brakes until they hold: the speed limit applies at once, a smaller acceleration as soon as it
** suffices to stay within the range. */
void brio_motion_set_limits(brio_motion *motion, int axis, const brio_axis_limits *limits);

/* Turn an axis's motor on or off.  One that returns begins where it is; off for less than a period
** it continues. */
void brio_motion_turn_on(brio_motion *motion, int axis, bool on);

/* Set the report of an axis: position (NaN: unknown) and load in the device's unit.  Motor thread, before the
** step of the same period.  A device that reported once must report from then on. */
static inline void brio_motion_measure(brio_motion *motion, int axis, double position, double load) {
  assert(axis >= 0 && axis < motion->count);
  motion->axes[axis].measured = position;
  motion->axes[axis].reports = motion->axes[axis].reports || isfinite(position);
  motion->room[axis].load = load;
}

/* Rest at the measured positions (unknown: at the commands), and drop all poses. */
void brio_motion_place(brio_motion *motion);

/* Rest at the commands, and drop all poses: the motors got no commands for a while. */
void brio_motion_stand(brio_motion *motion);

/* Arm, at rest where the axes are; or disarm, once all rest (at once where they do).  Arming before
** then cancels the disarming. */
void brio_motion_arm(brio_motion *motion, bool armed);

/* Add or release causes to hold (BRIO_MOTION_RESYNC is released internally only). */
void brio_motion_hold(brio_motion *motion, unsigned causes);
void brio_motion_release(brio_motion *motion, unsigned causes);

/* Advance by a period of h s: x and v of every axis are the next command. */
void brio_motion_step(brio_motion *motion, double h);

/* Whether no motor holds its position: not armed, or at rest and relaxed. */
static inline bool brio_motion_lets_go(const brio_motion *motion) {
  return !motion->armed || (motion->settled && (motion->causes & BRIO_MOTION_RELAX));
}

/* Whether a motor gets its command at present.  All axes of its ring must be on and placed: tied motors move
** together or not at all. */
static inline bool brio_motion_tells(const brio_motion *motion, int axis) {
  const brio_motion_axis *axes = motion->axes;
  bool tells = !brio_motion_lets_go(motion) && axes[axis].on && !axes[axis].returns;
  for (int i = axes[axis].tied; tells && i != axis; i = axes[i].tied) tells = axes[i].on && !axes[i].returns;
  return tells;
}

/* Whether no axis moves: every v is exactly 0. */
bool brio_motion_rests(const brio_motion *motion);

#endif
