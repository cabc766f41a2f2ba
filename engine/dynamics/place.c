/* Forward kinematics of the bodies, in frame O. */
#include <assert.h>

#include "dynamics/dynamics_internal.h"
#include "math/sincos.h"

void brio_dynamics_read_values(brio_dynamics *dynamics, const double *q) {
  struct brio_dynamics_private *work = dynamics->work;
  bool large = false;
  for (int m = 1; m < work->nbody; m++) {
    const brio_dynamics_body *body = &work->bodies[m];
    double value = body->multiplier * q[body->q] + body->offset;
    work->values[m] = value;
    /* A slide is no angle: its sine and cosine are not used. */
    large |= !(fabs(value) < BRIO_SINCOS_LARGEST);
  }
  /* All sines and cosines at once, several to a register. */
  brio_sincos_list(work->values + 1, work->sines + 1, work->cosines + 1, work->nbody - 1, large);
}

/* Place body m behind its parent, and write how its mover moves it. */
static inline void place_body(struct brio_dynamics_private *work, int m) {
  const brio_dynamics_body *body = &work->bodies[m];
  const brio_dynamics_place *parent = &work->places[body->parent];
  brio_dynamics_place *own = &work->places[m];
  /* Where the body stands at value 0. */
  brio_rotation turn = brio_rotation_mul(&parent->turn, &body->turn);
  brio_vec3 origin = brio_vec3_add(parent->origin, brio_rotation_apply(&parent->turn, body->origin));
  brio_vec3 axis = brio_vec3_scale(body->multiplier, turn.z);
  if (body->slides) {
    own->turn = turn;
    own->origin = brio_vec3_add_scaled(origin, work->values[m], turn.z);
    own->column = (brio_spatial){axis, {0, 0, 0}};
  } else {
    /* A turn about z mixes x and y; the column's linear part is the velocity at O's origin, origin x axis. */
    double s = work->sines[m], c = work->cosines[m];
    own->turn.x = brio_vec3_add_scaled(brio_vec3_scale(c, turn.x), s, turn.y);
    own->turn.y = brio_vec3_add_scaled(brio_vec3_scale(c, turn.y), -s, turn.x);
    own->turn.z = turn.z;
    own->origin = origin;
    own->column = (brio_spatial){brio_vec3_cross(origin, axis), axis};
  }
}

/* O(bodies) */
void brio_dynamics_place_bodies(brio_dynamics *dynamics, const double *q) {
  struct brio_dynamics_private *work = dynamics->work;
  brio_dynamics_read_values(dynamics, q);
  assert(work->nbody >= 1 && work->bodies[0].parent < 0);
  work->places[0].turn = brio_dynamics_base_turn(q);
  work->places[0].origin = (brio_vec3){0, 0, 0};
  for (int m = 1; m < work->nbody; m++) place_body(work, m);
}
