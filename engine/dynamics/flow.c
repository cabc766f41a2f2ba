/* Velocities and accelerations of the bodies as spatial vectors in frame O, from the root outward. */
#include "dynamics/dynamics_internal.h"

bool brio_dynamics_make_flows(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  work->flows = BRIO_TAKE(&dynamics->arena, brio_dynamics_flow, work->nbody);
  return work->flows != NULL;
}

void brio_dynamics_move_bodies(brio_dynamics *dynamics, const double *u, const double *du,
                               brio_vec3 gravity) {
  struct brio_dynamics_private *work = dynamics->work;
  brio_dynamics_flow *root = &work->flows[0];
  bool floats = brio_dynamics_floats(dynamics);
  /* A fixed base is at rest, whatever its six numbers say. */
  double base[2 * BRIO_BASE_NV] = {0}; /* what a fixed base does */
  const double *v = floats ? u : base, *a = floats ? du : base;
  /* O moves with the root's origin: only the rotation is a velocity. */
  root->velocity = (brio_spatial){{0, 0, 0}, {v[3], v[4], v[5]}};
  root->acceleration =
      (brio_spatial){brio_vec3_sub((brio_vec3){a[0], a[1], a[2]}, gravity), {a[3], a[4], a[5]}};
  /* v = v_parent + s u,  a = a_parent + s du + (v_parent x s) u. Source: Featherstone, 2008, section 5.3. */
  for (int m = 1; m < work->nbody; m++) {
    const brio_dynamics_body *body = &work->bodies[m];
    const brio_dynamics_flow *parent = &work->flows[body->parent];
    const brio_spatial *s = &work->places[m].column;
    brio_dynamics_flow *own = &work->flows[m];
    brio_spatial a_own = brio_spatial_add_scaled(parent->acceleration, du[body->v], s);
    own->drift = brio_spatial_cross(&parent->velocity, s);
    own->velocity = brio_spatial_add_scaled(parent->velocity, u[body->v], s);
    own->acceleration = brio_spatial_add_scaled(a_own, u[body->v], &own->drift);
  }
}
