/* Motions from any state to any state, of joints with limits of velocity, acceleration and jerk: the fastest
** of each joint, and motions of several joints that arrive together.  For use in every tick: nothing here
** allocates.
**
** A motion is a sequence of segments of constant jerk.  With limits on both sides of 0 the fastest one is of
** one of two kinds:
**   through rest of acceleration   a velocity transition from the start to some velocity with no
** acceleration,
**                                  a cruise at the limit of velocity (else none), a transition to the end
**   without                        acceleration keeps its sign: it rises, falls and rises, or falls, rises
** and
**                                  falls
** Both have one unknown, the velocity or the acceleration in the middle, in which the way is piecewise
** smooth. All roots are found numerically; the fastest motion counts.
**
** Sources: Haschke, Weitnauer and Ritter, "On-line planning of time-optimal, jerk-limited trajectories",
** 2008, for the unknown velocity; Kröger, "On-line trajectory generation in robotic systems", 2010.
**
** Units: rad or m, s. */
#ifndef BRIO_PLAN_TIMING_TRANSFER_H
#define BRIO_PLAN_TIMING_TRANSFER_H

#include "base/error.h"

enum { BRIO_TRANSFER_SEGMENTS = 7 };

typedef struct brio_transfer_state {
  double position, velocity, acceleration;
} brio_transfer_state;

/* Largest values, each above 0 and finite. */
typedef struct brio_transfer_limits {
  double velocity, acceleration, jerk;
} brio_transfer_limits;

/* The motion of one joint. */
typedef struct brio_transfer {
  brio_transfer_state start, end;
  double times[BRIO_TRANSFER_SEGMENTS]; /* s: durations of the segments */
  double jerks[BRIO_TRANSFER_SEGMENTS];
  double duration; /* s */
} brio_transfer;

/* Find the fastest motion.  `name`: of the joint, for errors.  Errors: misuse: a limit that is not above 0 or
** not finite, a state that is not finite or beyond limits (also one that cannot but leave them: its
** acceleration brings the velocity beyond its limit before it can be 0, or has brought it from there). */
bool brio_transfer_find(brio_transfer *transfer, const brio_transfer_state *start,
                        const brio_transfer_state *end, const brio_transfer_limits *limits, const char *name,
                        brio_error *err);

/* Find a motion that lasts `duration` s, at least that of the fastest.  Return false where none was found (a
** joint that moves already may need less time or more: stopping in between takes its own). */
bool brio_transfer_last(brio_transfer *transfer, const brio_transfer_limits *limits, double duration);

/* Find motions of `count` joints that arrive together: with the duration of the slowest, or longer where a
** joint cannot with that one.  `names` may be NULL.  Errors: as of brio_transfer_find; unreachable: none was
** found. */
bool brio_transfer_find_all(brio_transfer *transfers, const brio_transfer_state *starts,
                            const brio_transfer_state *ends, const brio_transfer_limits *limits, int count,
                            const char *const *names, brio_error *err);

/* Return the state at time `t`, s; before 0 the start, after the duration the end, carried on at its
** velocity and acceleration. */
brio_transfer_state brio_transfer_at(const brio_transfer *transfer, double t);

#endif
