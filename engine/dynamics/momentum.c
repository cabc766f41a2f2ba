/* Momentum and energy of all links.
**
** Generalized momentum: with h_m the momentum of body m and all below about a point at rest, and s_m how
** mover m moves them, p_m = s_m . h_m.  So dp_m/dt = ds_m/dt . h_m + s_m . dh_m/dt, where ds_m/dt is the
** drift of the column (flow.c), and s_m . dh_m/dt what forces do: the torque of the mover and the weight of
** the bodies. Source of its use: De Luca, Mattone, "Actuator failure detection and isolation using
** generalized momenta", 2003. */
#include <assert.h>
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

/* The velocity of O, which flows leave out: that of the root link's origin. */
static brio_vec3 velocity_of_frame(const brio_dynamics *dynamics, const double *u) {
  return brio_dynamics_floats(dynamics) ? (brio_vec3){u[0], u[1], u[2]} : (brio_vec3){0, 0, 0};
}

/* The weight of what body m carries, as a force about O's origin. */
static brio_spatial weight_of(const brio_dynamics *dynamics, int m) {
  const brio_inertia *all = &dynamics->work->carried[m];
  return (brio_spatial){brio_vec3_scale(all->mass, dynamics->gravity),
                        brio_vec3_cross(all->moment, dynamics->gravity)};
}

/* How the momentum of mover m changes without its torque; O moves with `frame`. */
static double rate_of(const brio_dynamics *dynamics, int m, brio_vec3 frame) {
  const struct brio_dynamics_private *work = dynamics->work;
  const brio_spatial *column = &work->places[m].column, weight = weight_of(dynamics, m);
  /* The column is carried along by O, too. */
  brio_spatial drift = work->flows[m].drift;
  drift.linear = brio_vec3_add(drift.linear, brio_vec3_cross(frame, column->angular));
  return brio_spatial_dot(&drift, &work->momenta[m]) + brio_spatial_dot(column, &weight);
}

/* The rows of a free base: momentum of the whole robot, about the root link's origin, which moves. */
static void add_base(const brio_dynamics *dynamics, brio_vec3 frame, double *p, double *rate) {
  const brio_spatial *all = &dynamics->work->momenta[0], weight = weight_of(dynamics, 0);
  memcpy(p, all, BRIO_BASE_NV * sizeof *p);
  if (!rate) return;
  /* dL/dt = moment - velocity of the point x momentum. */
  brio_vec3 moment = brio_vec3_sub(weight.angular, brio_vec3_cross(frame, all->linear));
  brio_spatial sum = {weight.linear, moment};
  memcpy(rate, &sum, BRIO_BASE_NV * sizeof *rate);
}

void brio_dynamics_generalized_momentum(brio_dynamics *dynamics, const double *q, const double *u, double *p,
                                        double *rate) {
  struct brio_dynamics_private *work = dynamics->work;
  size_t size = (size_t)dynamics->robot->nv * sizeof *p;
  if (!u) u = work->zeros;
  assert(p != q && p != u && p != rate);
  memset(p, 0, size);
  if (rate) memset(rate, 0, size);
  /* Each body alone. */
  brio_vec3 frame = velocity_of_frame(dynamics, u);
  brio_dynamics_place_bodies(dynamics, q);
  brio_dynamics_move_bodies(dynamics, u, work->zeros, (brio_vec3){0, 0, 0});
  brio_dynamics_place_inertias(dynamics);
  for (int m = 0; m < work->nbody; m++) {
    brio_spatial velocity = work->flows[m].velocity;
    velocity.linear = brio_vec3_add(velocity.linear, frame);
    work->momenta[m] = brio_inertia_apply(&work->carried[m], &velocity);
  }
  /* Inward: a body is complete when its own mover is judged, and is then added to its parent. */
  for (int m = work->nbody - 1; m > 0; m--) {
    const brio_dynamics_body *body = &work->bodies[m];
    p[body->v] += brio_spatial_dot(&work->places[m].column, &work->momenta[m]);
    if (rate) rate[body->v] += rate_of(dynamics, m, frame);
    work->momenta[body->parent] = brio_spatial_add_scaled(work->momenta[body->parent], 1, &work->momenta[m]);
    brio_inertia_add(&work->carried[body->parent], &work->carried[m]);
  }
  if (brio_dynamics_floats(dynamics)) add_base(dynamics, frame, p, rate);
  /* Rotors turn with their variables; dampers act on these. */
  for (int i = 0, v = BRIO_BASE_NV; i < dynamics->robot->nvariable; i++, v++) {
    if (work->armature) p[v] += work->armature[i] * u[v];
    if (rate && work->damping) rate[v] -= work->damping[i] * u[v];
  }
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
