/* Motions from any state to any state, of joints with limits of velocity, acceleration and jerk: the fastest
** of each joint, and motions of several joints that arrive together.  For use in every tick: nothing here
** allocates.
**
** A motion is a sequence of segments of constant jerk.  The fastest one is of one of two kinds:
**   through     A velocity transition from the start to some velocity with acceleration 0, a cruise if
**               that is the limit of velocity, a transition to the end.
**   without     Acceleration rises, falls and rises, or falls, rises and falls, and does not come to 0
**               between its two extremes.
** Each has one unknown: the velocity in the middle, or the lower extreme of acceleration.  The way is a
** function of it that is smooth between known places; roots are looked for in each interval, and the fastest
** motion of all roots is taken.  That these kinds are enough is no theorem here: it is tested against
** another program.
**
** A motion of a requested duration is of the first kind, with a cruise for the rest of the time.
**
** Sources: Haschke, Weitnauer and Ritter, "On-line planning of time-optimal, jerk-limited trajectories",
** 2008, for the unknown velocity; Kröger, "On-line trajectory generation in robotic systems", 2010.
**
** Units: rad or m, s. */
#ifndef BRIO_PLAN_TIMING_TRANSFER_H
#define BRIO_PLAN_TIMING_TRANSFER_H

#include "base/error.h"

enum { BRIO_TRANSFER_SEGMENTS = 7 };

/* The range of limits, and of positions. */
#define BRIO_TRANSFER_MIN_LIMIT 1e-9
#define BRIO_TRANSFER_MAX_LIMIT 1e9
#define BRIO_TRANSFER_MAX_POSITION 1e9

typedef struct brio_transfer_state {
  double position, velocity, acceleration;
} brio_transfer_state;

/* Largest values, each in the range above. */
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

/* Find the fastest motion.  `name`: of the joint, for errors.  Errors: misuse: a limit or a position out
** of its range, a state that is not finite or beyond limits (also a start whose acceleration brings the
** velocity beyond its limit before it can be 0, or an end that comes from there); unreachable: none was
** found. */
bool brio_transfer_find(brio_transfer *transfer, const brio_transfer_state *start,
                        const brio_transfer_state *end, const brio_transfer_limits *limits, const char *name,
                        brio_error *err);

/* Find a motion that lasts `duration` s, at least that of the fastest.  Return false where none was found: a
** joint that moves at an end may have to stop and come back, which takes longer. */
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
