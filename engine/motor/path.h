/* The path of the joints of the kinematic tree: through the accepted poses, in the time of the
** motor's clock, for all joints together.
**
** Poses come at the tick's rate.  The path goes straight from pose to pose and rounds each corner by a
** parabola: from half a tick before a pose to half a tick after it the acceleration is constant, of two
** ticks that differ the shorter one counts.  Where ticks are all the same this is a uniform quadratic
** B-spline: it passes midway between each two poses p, p' at the speed (p' - p) / dt.  So where poses keep
** limits of speed and acceleration from tick to tick, the path keeps them at every instant; and it lies in
** the hull of three poses in a row, so linear couplings hold on it.  It runs half a tick to a tick and a half
** behind the poses.
**
** Slower and stopping: `scale` is how fast time runs along the path, 1 or less; it changes as fast
** as the accelerations of all joints allow.  At a constant scale every limit holds, so there always is
** one that may be taken, and the joints leave the path nowhere.
**
** When the poses end before the joints rest, the path goes on through poses that are put in here: from the last
** one each joint brakes as hard as it may, tick by tick, which is how the solver judged that its pose can be left
** (solver/collision/guard.h).  Some ticks are put in at once, so that the sender has time to go on from where
** they end: `breaks` goes up, and poses that go on from elsewhere are no use any more.  brio_path_ends tells where to go on.
**
** A pose that cannot be followed from where the path ends, within the limits, is refused.  From rest any pose can
** be, on a straight line.
**
** Whatever comes, every step is legal (axis_guard.h); nothing here allocates after the start. */
#ifndef BRIO_MOTOR_PATH_H
#define BRIO_MOTOR_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "motor/axis_guard.h"

enum { BRIO_PATH_QUEUE = 48 }; /* poses of the path that is not behind yet; more are refused */

typedef struct brio_path {
  int count;                 /* joints */
  brio_axis_guard *guards;        /* count */
  const brio_axis_guard *given;   /* count: the limits as they were given; the caller's */
  double *x, *v;             /* count: the last command, and the speed at which it was reached */
  double *next, *pose;       /* count: scratch */
  double *brakes;            /* count: acceleration with which the last pose may be left */
  double *poses;             /* BRIO_PATH_QUEUE x count: a ring; the second one is the corner that is rounded */
  double times[BRIO_PATH_QUEUE]; /* s: of each, from the pose before */
  int first, used;           /* of the ring: 2 at least */
  double at;                 /* s from the corner, negative before it */
  double tick;               /* s: the shortest time between two poses, of late */
  double period;             /* s: the last step */
  double scale;              /* how fast time runs along the path, 0 to 1 */
  double margin;             /* s that a path from rest waits, so that a pose that is late by less finds it there */
  double wait;               /* s of that which are left */
  double spare, least;       /* s: how long, of late, each pose came before it was needed, at least; so far */
  int window, windows;       /* poses in `least`; how often `spare` was found */
  bool off;                  /* no path: each joint brakes for itself, until all rest */
  uint32_t breaks;           /* how often the path went on otherwise than the poses */
  int64_t dropped, stretched; /* poses refused, and given more time */
  int64_t tracked, braked;   /* periods off the path; ticks of braking that were put in */
} brio_path;

/* Make a path for `count` joints with these limits, from the arena.  False: no memory. */
bool brio_path_start(brio_path *path, brio_arena *arena, const brio_axis_guard *given, int count);

/* Be at rest at x (count), and forget all poses. */
void brio_path_place(brio_path *path, const double *x);

/* Hold a joint within a narrower or wider range of positions, from now on.  False: not yet, for it is not there, could
** not stop there, or the path leads beyond; then nothing changes.  The caller changes `given` alike. */
bool brio_path_limit(brio_path *path, int joint, double lower, double upper);

/* Take the next pose (count), due `dt` s after the one before; it may be left by braking each joint with `brakes`
** (count; NULL: with its greatest acceleration).  What is outside the limits is clamped.  False, and the path is as
** before: a number that is none; or it cannot be followed, or there is no room, which counts as a break. */
bool brio_path_put(brio_path *path, const double *pose, double dt, const double *brakes);

/* Let a path that begins from rest wait for so many s, from now on (at most three ticks); breaks raise it. */
void brio_path_pad(brio_path *path, double margin);

/* Go no farther along the poses than is begun: the joints brake. */
void brio_path_cut(brio_path *path);

/* Move on by a period of h s, at most half a tick; path->x and v are the next command.  `wanted` is the scale that is
** wanted: 1, or 0 for a controlled stop. */
void brio_path_step(brio_path *path, double h, double wanted);

/* Whether no joint moves. */
bool brio_path_rests(const brio_path *path);

/* Where the path ends: its last pose, and the one before it (count each), which hold until it changes.  Return the time
** between them, s; 0: it rests there. */
double brio_path_ends(const brio_path *path, const double **last, const double **before);

/* Time until the path needs another pose, s. */
double brio_path_ahead(const brio_path *path);

#endif
