/* What the motor side does in one period: commands for all axes, from the poses and targets that
** the scripts' side handed over, through whatever happens.
**
** Joints of the kinematic tree run along their path (path.h), all together.  Every other axis goes
** its own way: a low-pass filter, the room that interlocks leave, its limits.
**
** Moving on may be held for several causes at once; each is taken back by itself.  Held, the
** joints slow down along their path, the other axes brake; at rest they stay.  A panic brakes every
** axis as hard as its limits allow, at once, and stays until it is taken back explicitly.
**
** Poses carry a number, `anew`: it goes up whenever the path does not go on as the poses did, for the joints begin
** anew from where they are, or braked because no pose came.  A pose with an older number is dropped, for it was
** worked out from somewhere else: poses go on from the path's end (brio_path_ends). */
#ifndef BRIO_MOTOR_MOTION_H
#define BRIO_MOTOR_MOTION_H

#include "math/lowpass.h"
#include "motor/interlock.h"
#include "motor/path.h"

/* Why the robot does not move on: bits. */
typedef enum brio_motion_cause {
  BRIO_MOTION_PERSON = 1,    /* somebody said hold, or stop */
  BRIO_MOTION_FAULT = 2,     /* something is wrong, and its reaction is to hold */
  BRIO_MOTION_PANIC = 4,     /* panic stop: until it is taken back explicitly */
  BRIO_MOTION_RESYNC = 8,    /* joints begin anew from where they are, once all rest */
  BRIO_MOTION_RELAX = 16,    /* at rest, no motor holds its place */
  BRIO_MOTION_DISARM = 32,   /* at rest, it is disarmed: no motor is told anything */
  BRIO_MOTION_WAIT = 64,     /* a device is late: the others wait for it, along the path */
} brio_motion_cause;

/* One axis, as it is set up. */
typedef struct brio_motion_setup {
  brio_axis_guard limits;
  int stages;                /* of its low-pass filter, outside the tree; 0: none */
  double tau;                /* s */
} brio_motion_setup;

typedef struct brio_motion_axis {
  brio_axis_guard given, guard;   /* limits: as given, and as they hold now (axis_guard.h) */
  brio_lowpass filter;       /* outside the tree */
  double target;             /* outside the tree: what was asked for */
  double x, v;               /* command, and the speed at which it was reached */
  double measured;           /* position; NaN: unknown */
  bool reports;              /* it was known once */
  int tied;                  /* the next in a ring of axes whose motors move them together; itself: none */
  bool on;                   /* else its motor is told nothing */
  bool told;                 /* its motor was told the last command */
  bool returns;              /* is on again, and begins where it is: once that is known, a joint once all rest */
} brio_motion_axis;

typedef struct brio_motion {
  int count, tree;           /* axes; the first `tree` are joints of the tree */
  brio_motion_axis *axes;    /* count */
  brio_path path;            /* of the tree's joints */
  double *pose;              /* tree: scratch */
  brio_axis_guard *limits;        /* tree: what the path holds */
  brio_interlock *rules;     /* nrule */
  int nrule;
  brio_interlock_axis *room; /* count */
  bool armed;                /* else nothing is told to any motor */
  unsigned causes;           /* bits of brio_motion_cause: why it does not move on; 0: it does */
  bool settled;              /* held, and at rest */
  bool narrowing;            /* joints' ranges wait to be taken */
  bool limp;                 /* no motor was told anything in the last period */
  uint32_t anew, breaks;     /* breaks: of the path, as far as they count in anew */
  double quiet;              /* s since the last pose that was taken */
  int64_t taken, stale, refused, clamped; /* poses: taken, of an older number, none at all, beyond limits */
} brio_motion;

/* Set up `count` axes, of which the first `tree` are joints of the tree, at rest at `start` (count).
** Nothing is armed.  Errors: no_memory, misuse (limits that are none, a filter out of range). */
bool brio_motion_start(brio_motion *motion, brio_arena *arena, const brio_motion_setup *axes, int count, int tree,
                       const double *start, brio_error *err);

/* Add interlocks (copied).  Errors: misuse (a rule that limits a joint of the tree), no_memory. */
bool brio_motion_set_rules(brio_motion *motion, brio_arena *arena, const brio_interlock *rules, int count, brio_error *err);

/* Axes (count) that the same motors move together, as in a differential: their motors are told about all or none.
** An axis may be tied several times: all that hang together are told about, or none. */
void brio_motion_tie(brio_motion *motion, const int *axes, int count);

/* Take what was handed over: a value for every axis (NaN, outside the tree only: its target stays),
** dt s after the last, made for `anew`.  `brakes`: with what acceleration each joint may brake from there (tree; NULL:
** the greatest).  False: dropped, for it is of an older number, or none, or the path cannot follow it (path.h). */
bool brio_motion_put(brio_motion *motion, const double *values, const double *brakes, double dt, uint32_t anew);

/* Take no more of the poses than is begun: what moves brakes, unless there are new ones. */
void brio_motion_cut(brio_motion *motion);

/* Change the limits of an axis.  Of a joint of the tree the range counts, as soon as its path is within it, where the
** solver leads it; its speed and acceleration are the solver's to hold.  Outside the tree: where it moves too fast for them, or is on its way out of its
** range, it brakes until they hold: the speed comes down at once, and a smaller acceleration counts as soon as it is
** enough to stay within the range. */
void brio_motion_set_limits(brio_motion *motion, int axis, const brio_axis_guard *limits);

/* Let a motor be told its commands, or leave it alone.  An axis that comes back begins where it is; one that is
** off for less than a period goes on. */
void brio_motion_turn_on(brio_motion *motion, int axis, bool on);

/* What an axis reports; NaN: unknown. */
void brio_motion_measure(brio_motion *motion, int axis, double position, double load);

/* Be at rest where the axes are measured (where unknown: at their commands), and begin anew. */
void brio_motion_place(brio_motion *motion);

/* Be at rest at the commands, and begin anew: nothing was told for a while. */
void brio_motion_stand(brio_motion *motion);

/* Arm, at rest where the axes are; or disarm, once all have come to rest (at once where they are).  Arming on the way
** there goes on. */
void brio_motion_arm(brio_motion *motion, bool armed);

/* Add or take back causes to hold (BRIO_MOTION_RESYNC is taken back by itself alone). */
void brio_motion_hold(brio_motion *motion, unsigned causes);
void brio_motion_release(brio_motion *motion, unsigned causes);

/* Go on by a period of h s: x and v of every axis are the next command. */
void brio_motion_step(brio_motion *motion, double h);

/* Whether a motor is told its command now. */
bool brio_motion_tells(const brio_motion *motion, int axis);

/* Whether no command moves. */
bool brio_motion_rests(const brio_motion *motion);

#endif
