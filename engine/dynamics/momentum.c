/* Momentum and energy of all links. */
#include <string.h>

#include "dynamics/dynamics_internal.h"

/* Momentum about the center of mass at `com` (frame O) of what moves by `motion`. */
static brio_spatial centroidal(const brio_inertia *inertia, const brio_spatial *motion, brio_vec3 com) {
  brio_spatial f = brio_inertia_apply(inertia, motion);
  /* h_c = h_O - c x p. */
  f.angular = brio_vec3_sub(f.angular, brio_vec3_cross(com, f.linear));
  return f;
}

/* The rate of the momentum where nothing accelerates: the wrench that the base's ground would have to give
** without gravity. */
static void add_rate(brio_dynamics *dynamics, const double *q, const double *u, brio_vec3 com,
                     brio_momentum *out) {
  brio_vec3 gravity = dynamics->gravity;
  const double *tau = dynamics->work->tau;
  /* Gravity is off for one call: what is left of the base's wrench is dA/dt u, A the momentum matrix. */
  dynamics->gravity = (brio_vec3){0, 0, 0};
  brio_dynamics_inverse(dynamics, q, u, NULL, dynamics->work->tau);
  dynamics->gravity = gravity;
  out->force = (brio_vec3){tau[0], tau[1], tau[2]};
  out->moment = brio_vec3_sub((brio_vec3){tau[3], tau[4], tau[5]}, brio_vec3_cross(com, out->force));
}

brio_momentum brio_dynamics_momentum(brio_dynamics *dynamics, const double *q, const double *u,
                                     double *matrix) {
  struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  if (!u) u = work->zeros;
  brio_dynamics_place_bodies(dynamics, q);
  const brio_inertia *all = brio_dynamics_carry(dynamics);
  brio_vec3 com = brio_vec3_scale(all->mass > 0 ? 1 / all->mass : 0, all->moment);
  brio_spatial sum = {{0, 0, 0}, {0, 0, 0}};
  if (matrix) memset(matrix, 0, 6 * (size_t)nv * sizeof *matrix);
  /* Columns of the base: the whole robot moves as one body. */
  for (int v = work->first; v < BRIO_BASE_NV; v++) {
    brio_spatial unit = {{v == 0, v == 1, v == 2}, {v == 3, v == 4, v == 5}};
    brio_spatial f = centroidal(all, &unit, com);
    if (matrix) brio_spatial_add_column(matrix, nv, v, &f);
    sum = brio_spatial_add_scaled(sum, u[v], &f);
  }
  /* Columns of the movers: what each carries, moved by its unit rate. */
  for (int m = 1; m < work->nbody; m++) {
    brio_spatial f = centroidal(&work->carried[m], &work->places[m].column, com);
    if (matrix) brio_spatial_add_column(matrix, nv, work->bodies[m].v, &f);
    sum = brio_spatial_add_scaled(sum, u[work->bodies[m].v], &f);
  }
  brio_momentum out = {.mass = all->mass,
                       .com = brio_vec3_add((brio_vec3){q[0], q[1], q[2]}, com),
                       .linear = sum.linear,
                       .angular = sum.angular};
  add_rate(dynamics, q, u, com, &out);
  return out;
}

double brio_dynamics_kinetic_energy(brio_dynamics *dynamics, const double *q, const double *u) {
  const struct brio_dynamics_private *work = dynamics->work;
  /* u^T M u / 2, over the numbers that move. O(nv^2) */
  const double *mass = brio_dynamics_mass(dynamics, q);
  int nv = dynamics->robot->nv;
  double sum = 0;
  for (int i = work->first; i < nv; i++)
    for (int k = work->first; k < nv; k++) sum += u[i] * mass[i * nv + k] * u[k];
  return sum / 2;
}

double brio_dynamics_potential_energy(brio_dynamics *dynamics, const double *q) {
  brio_dynamics_place_bodies(dynamics, q);
  const brio_inertia *all = brio_dynamics_carry(dynamics);
  /* -m g . c, as the first moment is m c. */
  brio_vec3 moment = brio_vec3_add_scaled(all->moment, all->mass, (brio_vec3){q[0], q[1], q[2]});
  return -brio_vec3_dot(dynamics->gravity, moment);
}
