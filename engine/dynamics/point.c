/* Points of links: where they are, how they move, their Jacobians and how these change. */
#include <assert.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

/* How a point at `at` (frame O) of what moves by `s` moves. */
static inline brio_spatial at_point(const brio_spatial *s, brio_vec3 at) {
  return (brio_spatial){brio_vec3_add(s->linear, brio_vec3_cross(s->angular, at)), s->angular};
}

void brio_dynamics_add_point_rows(const brio_dynamics *dynamics, const brio_dynamics_point_place *point,
                                  double scale, double *jacobian, double *rate) {
  const struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  /* The base moves every point; its columns are unit vectors, and drift only as the point moves. */
  for (int v = work->first; v < BRIO_BASE_NV; v++) {
    brio_spatial unit = {{scale * (v == 0), scale * (v == 1), scale * (v == 2)},
                         {scale * (v == 3), scale * (v == 4), scale * (v == 5)}};
    brio_spatial column = at_point(&unit, point->at);
    brio_spatial_add_column(jacobian, nv, v, &column);
    brio_spatial drift = {brio_vec3_cross(unit.angular, point->velocity.linear), {0, 0, 0}};
    if (rate) brio_spatial_add_column(rate, nv, v, &drift);
  }
  /* Movers on the way to the root; all others leave the point where it is. O(depth) */
  for (int m = point->body; m > 0; m = work->bodies[m].parent) {
    const brio_spatial *s = &work->places[m].column;
    brio_spatial column = at_point(s, point->at), scaled = {{0, 0, 0}, {0, 0, 0}};
    scaled = brio_spatial_add_scaled(scaled, scale, &column);
    brio_spatial_add_column(jacobian, nv, work->bodies[m].v, &scaled);
    if (!rate) continue;
    /* The column changes as its mover is carried along, and as the point moves. */
    brio_spatial drift = at_point(&work->flows[m].drift, point->at);
    drift.linear = brio_vec3_add(drift.linear, brio_vec3_cross(s->angular, point->velocity.linear));
    scaled = brio_spatial_add_scaled((brio_spatial){{0, 0, 0}, {0, 0, 0}}, scale, &drift);
    brio_spatial_add_column(rate, nv, work->bodies[m].v, &scaled);
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
  /* From the link to the body, and on to O. */
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
  /* A rate needs the pass that a Jacobian takes. */
  assert(link >= 0 && link < dynamics->robot->nlink);
  assert(jacobian || !rate);
  if (!u) u = work->zeros;
  brio_dynamics_place_bodies(dynamics, q);
  /* Without du and gravity, accelerations are dJ/dt u. */
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
