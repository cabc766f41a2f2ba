/* The poses that the script thread handed over last, and the motor side's path through them (motor/path.h):
** the place on the path gives position and speed of every joint, which the tape need not keep. */
#ifndef BRIO_RUNTIME_MOTOR_TRAIL_H
#define BRIO_RUNTIME_MOTOR_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { BRIO_TRAIL_POSES = 128 };

typedef struct brio_trail {
  int joints;
  int64_t count;                  /* number of poses that were ever handed over; the newest has this number */
  double *poses;                  /* BRIO_TRAIL_POSES x joints: a ring */
  double times[BRIO_TRAIL_POSES]; /* s: of each, from the pose before */
} brio_trail;

/* A place on the path: `at` s from the corner at pose number `corner`, negative before it. */
typedef struct brio_path_spot {
  int64_t corner;
  double at;
} brio_path_spot;

/* Allocate.  False: no memory. */
bool brio_trail_start(brio_trail *trail, brio_arena *arena, int joints);

/* Append a pose (joints), dt s after the one before. */
void brio_trail_add(brio_trail *trail, const double *pose, double dt);

/* Return the place dt s later, or earlier. */
brio_path_spot brio_trail_move(const brio_trail *trail, brio_path_spot spot, double dt);

/* Whether the poses around a place are known. */
bool brio_trail_knows(const brio_trail *trail, brio_path_spot spot);

/* A known place as weights of the poses around it: for the position of a joint, and for its speed. */
typedef struct brio_view {
  const double *poses[3];
  double place[3], speed[3];
} brio_view;
brio_view brio_trail_view(const brio_trail *trail, brio_path_spot spot);

/* Return a joint's position there, and its speed, per s. */
static inline double brio_view_place(const brio_view *view, int joint) {
  const double *w = view->place;
  return w[0] * view->poses[0][joint] + w[1] * view->poses[1][joint] + w[2] * view->poses[2][joint];
}
static inline double brio_view_speed(const brio_view *view, int joint) {
  const double *w = view->speed;
  return w[0] * view->poses[0][joint] + w[1] * view->poses[1][joint] + w[2] * view->poses[2][joint];
}

#endif
