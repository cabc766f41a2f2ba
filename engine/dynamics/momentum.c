/* Momentum, energy, and points of links. */
#include <assert.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

/* Write a spatial vector into column `v` of six rows. */
static inline void add_to_column(double *matrix, int nv, int v, const brio_spatial *s) {
  const double rows[] = {s->linear.x, s->linear.y, s->linear.z, s->angular.x, s->angular.y, s->angular.z};
  for (int k = 0; k < 6; k++) matrix[k * nv + v] += rows[k];
}

/* Momentum about the center of mass at `com` (frame O) of what moves by `motion`. */
static brio_spatial centroidal(const brio_inertia *inertia, const brio_spatial *motion, brio_vec3 com) {
  brio_spatial f = brio_inertia_apply(inertia, motion);
  f.angular = brio_vec3_sub(f.angular, brio_vec3_cross(com, f.linear));
  return f;
}

/* The rate of the momentum where nothing accelerates: the wrench that the base's ground would have to give
** without gravity. */
static void add_rate(brio_dynamics *dynamics, const double *q, const double *u, brio_vec3 com,
                     brio_momentum *out) {
  brio_vec3 gravity = dynamics->gravity;
  const double *tau = dynamics->work->tau;
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
  for (int v = work->first; v < BRIO_BASE_NV; v++) {
    brio_spatial unit = {{v == 0, v == 1, v == 2}, {v == 3, v == 4, v == 5}};
    brio_spatial f = centroidal(all, &unit, com);
    if (matrix) add_to_column(matrix, nv, v, &f);
    sum = brio_spatial_add_scaled(sum, u[v], &f);
  }
  for (int m = 1; m < work->nbody; m++) {
    brio_spatial f = centroidal(&work->carried[m], &work->places[m].column, com);
    if (matrix) add_to_column(matrix, nv, work->bodies[m].v, &f);
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
  brio_vec3 moment = brio_vec3_add_scaled(all->moment, all->mass, (brio_vec3){q[0], q[1], q[2]});
  return -brio_vec3_dot(dynamics->gravity, moment);
}

/* How a point at `at` (frame O) of what moves by `s` moves. */
static inline brio_spatial at_point(const brio_spatial *s, brio_vec3 at) {
  return (brio_spatial){brio_vec3_add(s->linear, brio_vec3_cross(s->angular, at)), s->angular};
}

void brio_dynamics_add_point_rows(const brio_dynamics *dynamics, const brio_dynamics_point_place *point,
                                  double scale, double *jacobian, double *rate) {
  const struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  for (int v = work->first; v < BRIO_BASE_NV; v++) {
    brio_spatial unit = {{scale * (v == 0), scale * (v == 1), scale * (v == 2)},
                         {scale * (v == 3), scale * (v == 4), scale * (v == 5)}};
    brio_spatial column = at_point(&unit, point->at);
    add_to_column(jacobian, nv, v, &column);
    brio_spatial drift = {brio_vec3_cross(unit.angular, point->velocity.linear), {0, 0, 0}};
    if (rate) add_to_column(rate, nv, v, &drift);
  }
  for (int m = point->body; m > 0; m = work->bodies[m].parent) {
    const brio_spatial *s = &work->places[m].column;
    brio_spatial column = at_point(s, point->at), scaled = {{0, 0, 0}, {0, 0, 0}};
    scaled = brio_spatial_add_scaled(scaled, scale, &column);
    add_to_column(jacobian, nv, work->bodies[m].v, &scaled);
    if (!rate) continue;
    /* The column changes as its mover is carried along, and as the point moves. */
    brio_spatial drift = at_point(&work->flows[m].drift, point->at);
    drift.linear = brio_vec3_add(drift.linear, brio_vec3_cross(s->angular, point->velocity.linear));
    scaled = brio_spatial_add_scaled((brio_spatial){{0, 0, 0}, {0, 0, 0}}, scale, &drift);
    add_to_column(rate, nv, work->bodies[m].v, &scaled);
  }
}

brio_dynamics_point_place brio_dynamics_place_point(const brio_dynamics *dynamics, int link,
                                                    brio_vec3 point) {
  const struct brio_dynamics_private *work = dynamics->work;
  const brio_dynamics_link *held = &work->links[link];
  const brio_dynamics_place *place = &work->places[held->body];
  const brio_dynamics_flow *flow = &work->flows[held->body];
  brio_vec3 inner = brio_vec3_add(held->origin, brio_rotation_apply(&held->turn, point));
  brio_dynamics_point_place out = {.body = held->body};
  out.at = brio_vec3_add(place->origin, brio_rotation_apply(&place->turn, inner));
  out.velocity = at_point(&flow->velocity, out.at);
  /* The point's own acceleration: that of the field there, and what turning adds. */
  out.acceleration = at_point(&flow->acceleration, out.at);
  out.acceleration.linear =
      brio_vec3_add(out.acceleration.linear, brio_vec3_cross(flow->velocity.angular, out.velocity.linear));
  return out;
}

/* Write a spatial vector as six numbers. */
static void write_spatial(const brio_spatial *s, double out[6]) {
  const double rows[] = {s->linear.x, s->linear.y, s->linear.z, s->angular.x, s->angular.y, s->angular.z};
  memcpy(out, rows, sizeof rows);
}

brio_point_motion brio_dynamics_point(brio_dynamics *dynamics, const double *q, const double *u, int link,
                                      brio_vec3 point, double *jacobian, double *rate) {
  const struct brio_dynamics_private *work = dynamics->work;
  size_t size = 6 * (size_t)dynamics->robot->nv * sizeof *jacobian;
  assert(link >= 0 && link < dynamics->robot->nlink);
  assert(jacobian || !rate);
  if (!u) u = work->zeros;
  brio_dynamics_place_bodies(dynamics, q);
  brio_dynamics_move_bodies(dynamics, u, work->zeros, (brio_vec3){0, 0, 0});
  brio_dynamics_point_place place = brio_dynamics_place_point(dynamics, link, point);
  if (jacobian) memset(jacobian, 0, size);
  if (rate) memset(rate, 0, size);
  if (jacobian) brio_dynamics_add_point_rows(dynamics, &place, 1, jacobian, rate);
  brio_point_motion out = {.at = brio_vec3_add((brio_vec3){q[0], q[1], q[2]}, place.at)};
  write_spatial(&place.acceleration, out.drift);
  /* O moves with the root's origin. */
  if (brio_dynamics_floats(dynamics))
    place.velocity.linear = brio_vec3_add(place.velocity.linear, (brio_vec3){u[0], u[1], u[2]});
  write_spatial(&place.velocity, out.velocity);
  return out;
}
