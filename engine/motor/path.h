/* The path of the joints of the kinematic tree: through the accepted poses, in the time of the
** motor's clock, for all joints together.
**
** Poses come at the tick's rate.  The path is straight from pose to pose and rounds each corner
** by a parabola: from half a tick before a pose to half a tick after it the acceleration is
** constant; of two ticks that differ the shorter one counts.  With equal ticks this is a uniform
** quadratic B-spline, which passes midway between poses p and p' at the speed (p' - p) / dt.  So
** where poses keep limits of speed and acceleration from tick to tick, the path keeps them at
** every instant.  It lies in the hull of three consecutive poses, so linear couplings hold on
** it.  It runs half a tick to a tick and a half behind the poses.
**
** Slowing down and stopping: `scale`, at most 1, is the pace of time along the path; it changes
** as fast as the accelerations of all joints allow.  At a constant scale every limit holds, so
** an allowed scale always exists, and no joint leaves the path.
**
** When the poses end before the joints rest, the path appends poses of its own: from the last
** pose each joint brakes as hard as it may, tick by tick, which is how the solver judged that
** the pose can be left (solver/collision/guard.h).  Several ticks are appended at once, so that the sender
** has time to continue from their end: `breaks` is incremented, and poses that continue from
** elsewhere are useless. brio_path_ends returns where to continue.
**
** A pose that cannot be followed from the end of the path within the limits is rejected.  From
** rest any pose can be followed, on a straight line.
**
** Every step is legal for every input (axis_limits.h).  Nothing here allocates after the start. */
#ifndef BRIO_MOTOR_PATH_H
#define BRIO_MOTOR_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "motor/axis_limits.h"

enum { BRIO_PATH_QUEUE = 48 }; /* poses on and before the path's end; more are rejected */

typedef struct brio_path {
  int count;                 /* joints */
  brio_axis_limits *guards;        /* count */
  const brio_axis_limits *given;   /* count: the limits as given; the caller's */
  double *x, *v;             /* count: the last command, and the speed at which it was reached */
  double *next, *pose;       /* count: scratch */
  double *brakes;            /* count: acceleration with which each joint may brake from the last pose */
  double *poses;             /* BRIO_PATH_QUEUE x count: a ring; pose 1 is the corner being rounded */
  double times[BRIO_PATH_QUEUE]; /* s: of each, since the pose before it */
  int first, used;           /* of the ring; used: at least 2 */
  double at;                 /* s from the corner, negative before it */
  double tick;               /* s: the shortest recent time between two poses */
  double period;             /* s: the last step */
  double scale;              /* pace of time along the path, 0 to 1 */
  /* s that a path from rest waits, so that it survives poses that are late by less */
  double margin;
  double wait;               /* s of it that are left */
  double spare, least;       /* s: the earliness of poses: least of the last window; of this one */
  int window, windows;       /* poses in this window; windows completed */
  bool off;                  /* no path: each joint brakes alone until all rest */
  uint32_t breaks;           /* how often the path did not continue as the poses did */
  int64_t dropped, stretched; /* poses rejected; poses given more time */
  int64_t tracked, braked;   /* periods off the path; ticks of braking that were appended */
} brio_path;

/* Create a path for `count` joints with these limits, in the arena.  False: no memory. */
bool brio_path_start(brio_path *path, brio_arena *arena, const brio_axis_limits *given, int count);

/* Rest at x (count), and drop all poses. */
void brio_path_place(brio_path *path, const double *x);

/* Change the range of a joint.  False, and nothing changes: the joint is outside the range, could
** not stop within it, or the path leads out of it.  On success the caller changes `given` likewise. */
bool brio_path_limit(brio_path *path, int joint, double lower, double upper);

/* Append a pose (count), due `dt` s after the one before; it may be left by braking each joint with
** `brakes` (count; NULL: with its greatest acceleration).  Positions outside the limits are
** clamped.  False, and the path is as before: a NaN or an infinity; or the pose cannot be followed,
** or the ring is full, which counts as a break. */
bool brio_path_put(brio_path *path, const double *pose, double dt, const double *brakes);

/* Let a path that begins from rest wait for `margin` s from now on (at most three ticks); breaks
** raise it. */
void brio_path_pad(brio_path *path, double margin);

/* Drop the poses behind the one under way: the joints brake. */
void brio_path_cut(brio_path *path);

/* Advance by a period of h s, at most half a tick; path->x and v are the next command.  `wanted` is
** the desired scale: 1, or 0 for a controlled stop. */
void brio_path_step(brio_path *path, double h, double wanted);

/* Whether all joints rest. */
bool brio_path_rests(const brio_path *path);

/* The end of the path: its last pose and the one before it (count each), valid until the path
** changes.  Return the time between the two, s; 0: it rests there. */
double brio_path_ends(const brio_path *path, const double **last, const double **before);

/* Time until the path needs another pose, s. */
double brio_path_ahead(const brio_path *path);

#endif
