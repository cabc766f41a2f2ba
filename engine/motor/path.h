/* The path of the joints of the kinematic tree: through the accepted poses, in the time of the
** motor's clock, for all joints together.
**
** Poses come at the tick's rate.  Between them the path is a uniform quadratic B-spline: it passes
** midway between each two poses p, p' at the speed (p' - p) / dt, with constant acceleration from
** one such point to the next.  So where poses keep limits of speed and acceleration from tick to
** tick, the path keeps them at every instant; and it lies in the hull of three poses in a row, so
** linear couplings hold on it.  It runs half a tick to a tick and a half behind the poses.
**
** Where poses do not keep the limits, or come late, a piece is a cubic from where the joints are to
** that point, stretched in time for all joints alike until it fits.  Where none fits in any time, since
** joints move too fast for it, they follow a piece that does not, each as well as its limits allow, until
** all are on their way again.
**
** Slower and stopping: `scale` is how fast time runs along the path, 1 or less; it changes as fast
** as the accelerations of all joints allow.  So a controlled stop leaves the path nowhere.  When
** the poses end before the joints rest, each brakes as hard as it may, which is how the solver
** judged that its pose can be left.
**
** Whatever comes, every step is legal (guard.h); nothing here allocates after the start. */
#ifndef BRIO_MOTOR_PATH_H
#define BRIO_MOTOR_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "motor/guard.h"

enum { BRIO_PATH_QUEUE = 32 }; /* poses that may wait; older ones are dropped */

/* A piece of path: a cubic from (x0, v0) to (x1, v1) within tau, by Hermite's formula. */
typedef struct brio_path_piece {
  double *x0, *v0, *x1, *v1; /* count each: rad or m, and per s */
  double tau;                /* s */
  bool planned;
} brio_path_piece;

typedef struct brio_path {
  int count;                 /* joints */
  brio_guard *guards;        /* count */
  const brio_guard *given;   /* count: the limits as they were given; the caller's */
  double *x, *v;             /* count: the last command, and the speed at which it was reached */
  double *change;            /* count: of the speed in the last step */
  double *next, *plan;       /* count: scratch */
  double *last;              /* count: the newest pose that a piece was planned for */
  double *queue;             /* BRIO_PATH_QUEUE x count: the poses that wait */
  double durations[BRIO_PATH_QUEUE]; /* s: from the pose before */
  int first, waiting;        /* of the queue, a ring */
  int usual;                 /* so many wait as a matter of course */
  double tick;               /* s: the shortest time between two poses so far */
  brio_path_piece pieces[2]; /* the one that runs, and the next */
  double elapsed;            /* s of the piece that runs */
  double coasted;            /* s at constant speed since the last piece ended */
  double pace;               /* 1 or, to catch up with poses that wait, a little more */
  double scale;              /* how fast time runs along the path, 0 to 1 */
  bool adrift;               /* no piece runs: the poses ended, and the joints brake or rest */
  int64_t dropped, stretched, loose; /* poses; pieces */
  int64_t tracked, braked;   /* steps off the path, and those that a brake took */
} brio_path;

/* Make a path for `count` joints with these limits, from the arena.  False: no memory. */
bool brio_path_start(brio_path *path, brio_arena *arena, const brio_guard *given, int count);

/* Be at rest at x (count), and forget all poses. */
void brio_path_place(brio_path *path, const double *x);

/* Hold a joint within a narrower or wider range of positions, from now on.  False: not yet, for it is not there, could
** not stop there, or a pose that waits is beyond it; then nothing changes.  The caller changes `given` alike. */
bool brio_path_limit(brio_path *path, int joint, double lower, double upper);

/* Take the next pose (count), due `dt` s after the one before.  One with a number that is none is
** refused: false.  What is outside the limits is clamped.  When too many wait the oldest is dropped. */
bool brio_path_put(brio_path *path, const double *pose, double dt);

/* Say that poses are looked for every h s only, so that several may come at once. */
void brio_path_expect(brio_path *path, double h);

/* Forget the poses that wait and what is planned: the joints brake. */
void brio_path_cut(brio_path *path);

/* Move on by a period of h s; path->x and v are the next command.  `wanted` is the scale that is
** wanted: 1, or 0 for a controlled stop. */
void brio_path_step(brio_path *path, double h, double wanted);

/* Whether no joint moves. */
bool brio_path_rests(const brio_path *path);

#endif
