/* Rotations by columns, spatial vectors and inertias of rigid bodies: pure arithmetic, all inline.
** Not for other rooms.
**
** An inertia is kept as mass, first moment h = sum m x and second moment S = sum m x x^T about one point (the
** ten numbers of the pseudo-inertia matrix): with these, inertias about the same point add, and what a field
** of velocities or accelerations gives, a + K x, needs no terms of its own for the centre of mass.
** Source: Wensing, Kim, Slotine, "Linear matrix inequalities for physically consistent inertial parameter
** identification", 2018. */
#ifndef BRIO_DYNAMICS_SPATIAL_INTERNAL_H
#define BRIO_DYNAMICS_SPATIAL_INTERNAL_H

#include "math/pose.h"
#include "math/sincos.h"

typedef struct brio_rotation {
  brio_vec3 x, y, z; /* columns: where the axes of the inner frame point */
} brio_rotation;

/* A motion (velocity of the point at the origin; angular velocity) or a force (force; moment about the
** origin). */
typedef struct brio_spatial {
  brio_vec3 linear, angular;
} brio_spatial;

/* A symmetric 3 x 3 matrix. */
typedef struct brio_symmetric {
  double xx, xy, xz, yy, yz, zz;
} brio_symmetric;

typedef struct brio_inertia {
  double mass;           /* kg */
  brio_vec3 moment;      /* h, kg m */
  brio_symmetric second; /* S, kg m^2 */
} brio_inertia;

/* Any 3 x 3 matrix, by rows. */
typedef struct brio_matrix3 {
  brio_vec3 x, y, z;
} brio_matrix3;

/* Return the columns of a rotation matrix that is given row by row. */
static inline brio_rotation brio_rotation_of(const double r[9]) {
  return (brio_rotation){{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}};
}

/* Return r v. */
static inline brio_vec3 brio_rotation_apply(const brio_rotation *r, brio_vec3 v) {
  return (brio_vec3){r->x.x * v.x + r->y.x * v.y + r->z.x * v.z, r->x.y * v.x + r->y.y * v.y + r->z.y * v.z,
                     r->x.z * v.x + r->y.z * v.y + r->z.z * v.z};
}

/* Return r^T v. */
static inline brio_vec3 brio_rotation_undo(const brio_rotation *r, brio_vec3 v) {
  return (brio_vec3){brio_vec3_dot(r->x, v), brio_vec3_dot(r->y, v), brio_vec3_dot(r->z, v)};
}

/* Return a b. */
static inline brio_rotation brio_rotation_mul(const brio_rotation *a, const brio_rotation *b) {
  return (brio_rotation){brio_rotation_apply(a, b->x), brio_rotation_apply(a, b->y),
                         brio_rotation_apply(a, b->z)};
}

/* Return s v. */
static inline brio_vec3 brio_symmetric_apply(const brio_symmetric *s, brio_vec3 v) {
  return (brio_vec3){s->xx * v.x + s->xy * v.y + s->xz * v.z, s->xy * v.x + s->yy * v.y + s->yz * v.z,
                     s->xz * v.x + s->yz * v.y + s->zz * v.z};
}

/* Return r s r^T. */
static inline brio_symmetric brio_symmetric_turn(const brio_rotation *r, const brio_symmetric *s) {
  brio_vec3 x = brio_rotation_apply(r, (brio_vec3){s->xx, s->xy, s->xz});
  brio_vec3 y = brio_rotation_apply(r, (brio_vec3){s->xy, s->yy, s->yz});
  brio_vec3 z = brio_rotation_apply(r, (brio_vec3){s->xz, s->yz, s->zz});
  return (brio_symmetric){
      x.x * r->x.x + y.x * r->y.x + z.x * r->z.x, x.x * r->x.y + y.x * r->y.y + z.x * r->z.y,
      x.x * r->x.z + y.x * r->y.z + z.x * r->z.z, x.y * r->x.y + y.y * r->y.y + z.y * r->z.y,
      x.y * r->x.z + y.y * r->y.z + z.y * r->z.z, x.z * r->x.z + y.z * r->y.z + z.z * r->z.z};
}

/* Return m v, of a matrix by rows. */
static inline brio_vec3 brio_matrix3_apply(const brio_matrix3 *m, brio_vec3 v) {
  return (brio_vec3){brio_vec3_dot(m->x, v), brio_vec3_dot(m->y, v), brio_vec3_dot(m->z, v)};
}

/* Return m^T v. */
static inline brio_vec3 brio_matrix3_apply_turned(const brio_matrix3 *m, brio_vec3 v) {
  return brio_vec3_add_scaled(brio_vec3_add_scaled(brio_vec3_scale(v.x, m->x), v.y, m->y), v.z, m->z);
}

/* Return K with which the points of a turning body accelerate, a + K x: [angular acceleration]x +
** [angular velocity]x^2. */
static inline brio_matrix3 brio_matrix3_of_turning(brio_vec3 w, brio_vec3 al) {
  double xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  double xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  return (brio_matrix3){{-(yy + zz), xy - al.z, xz + al.y},
                        {xy + al.z, -(xx + zz), yz - al.x},
                        {xz - al.y, yz + al.x, -(xx + yy)}};
}

/* Return sum m x x (K x): the moment of the part of accelerations that grows with the distance. */
static inline brio_vec3 brio_matrix3_moment(const brio_matrix3 *k, const brio_symmetric *s) {
  return (brio_vec3){
      k->z.x * s->xy + k->z.y * s->yy + k->z.z * s->yz - (k->y.x * s->xz + k->y.y * s->yz + k->y.z * s->zz),
      k->x.x * s->xz + k->x.y * s->yz + k->x.z * s->zz - (k->z.x * s->xx + k->z.y * s->xy + k->z.z * s->xz),
      k->y.x * s->xx + k->y.y * s->xy + k->y.z * s->xz - (k->x.x * s->xy + k->x.y * s->yy + k->x.z * s->yz)};
}

/* Return the force that makes a body accelerate by the field a + K x. */
static inline brio_spatial brio_inertia_force(const brio_inertia *i, brio_vec3 a, const brio_matrix3 *k) {
  brio_vec3 force = brio_vec3_add_scaled(brio_matrix3_apply(k, i->moment), i->mass, a);
  brio_vec3 moment = brio_vec3_add(brio_matrix3_moment(k, &i->second), brio_vec3_cross(i->moment, a));
  return (brio_spatial){force, moment};
}

/* Return the momentum of a body that moves by `motion`. */
static inline brio_spatial brio_inertia_apply(const brio_inertia *i, const brio_spatial *motion) {
  brio_vec3 w = motion->angular, v = motion->linear;
  double trace = i->second.xx + i->second.yy + i->second.zz;
  brio_vec3 turned = brio_vec3_sub(brio_vec3_scale(trace, w), brio_symmetric_apply(&i->second, w));
  return (brio_spatial){brio_vec3_add_scaled(brio_vec3_cross(w, i->moment), i->mass, v),
                        brio_vec3_add(turned, brio_vec3_cross(i->moment, v))};
}

/* Return an inertia seen from a frame in which its own stands at `turn`, `origin`. */
static inline brio_inertia brio_inertia_move(const brio_inertia *i, const brio_rotation *turn,
                                             brio_vec3 origin) {
  brio_vec3 h = brio_rotation_apply(turn, i->moment), p = origin;
  brio_vec3 g = brio_vec3_add_scaled(h, i->mass / 2, p);
  brio_symmetric s = brio_symmetric_turn(turn, &i->second);
  /* sum m (x + p)(x + p)^T = S + p g^T + g p^T */
  s.xx += 2 * p.x * g.x, s.yy += 2 * p.y * g.y, s.zz += 2 * p.z * g.z;
  s.xy += p.x * g.y + p.y * g.x, s.xz += p.x * g.z + p.z * g.x, s.yz += p.y * g.z + p.z * g.y;
  return (brio_inertia){i->mass, brio_vec3_add_scaled(h, i->mass, p), s};
}

/* Two vectors at once, one in each half of a register. */
typedef struct brio_vec3_pair {
  brio_pair x, y, z;
} brio_vec3_pair;

/* Return a and b side by side. */
static inline brio_vec3_pair brio_vec3_pair_of(brio_vec3 a, brio_vec3 b) {
  return (brio_vec3_pair){{a.x, b.x}, {a.y, b.y}, {a.z, b.z}};
}

/* Return x s.x + y s.y + z s.z, of columns x, y and z. */
static inline brio_vec3_pair brio_vec3_pair_sum(const brio_vec3_pair r[3], brio_vec3_pair s) {
  return (brio_vec3_pair){r[0].x * s.x + r[1].x * s.y + r[2].x * s.z,
                          r[0].y * s.x + r[1].y * s.y + r[2].y * s.z,
                          r[0].z * s.x + r[1].z * s.y + r[2].z * s.z};
}

/* Write brio_inertia_move of two bodies at once: i and j, which stand at `turns` and `origins`. */
static inline void brio_inertia_move_two(const brio_inertia *i, const brio_inertia *j,
                                         const brio_rotation *const turns[2], const brio_vec3 origins[2],
                                         brio_inertia *out_i, brio_inertia *out_j) {
  const brio_symmetric *a = &i->second, *b = &j->second;
  const brio_vec3_pair r[3] = {brio_vec3_pair_of(turns[0]->x, turns[1]->x),
                               brio_vec3_pair_of(turns[0]->y, turns[1]->y),
                               brio_vec3_pair_of(turns[0]->z, turns[1]->z)};
  brio_pair mass = {i->mass, j->mass};
  brio_vec3_pair p = brio_vec3_pair_of(origins[0], origins[1]);
  brio_vec3_pair h = brio_vec3_pair_sum(r, brio_vec3_pair_of(i->moment, j->moment));
  brio_vec3_pair g = {h.x + 0.5 * mass * p.x, h.y + 0.5 * mass * p.y, h.z + 0.5 * mass * p.z};
  /* R S, column by column, and then (R S) R^T */
  brio_vec3_pair x = brio_vec3_pair_sum(r, (brio_vec3_pair){{a->xx, b->xx}, {a->xy, b->xy}, {a->xz, b->xz}});
  brio_vec3_pair y = brio_vec3_pair_sum(r, (brio_vec3_pair){{a->xy, b->xy}, {a->yy, b->yy}, {a->yz, b->yz}});
  brio_vec3_pair z = brio_vec3_pair_sum(r, (brio_vec3_pair){{a->xz, b->xz}, {a->yz, b->yz}, {a->zz, b->zz}});
  brio_pair xx = x.x * r[0].x + y.x * r[1].x + z.x * r[2].x + 2.0 * p.x * g.x;
  brio_pair xy = x.x * r[0].y + y.x * r[1].y + z.x * r[2].y + p.x * g.y + p.y * g.x;
  brio_pair xz = x.x * r[0].z + y.x * r[1].z + z.x * r[2].z + p.x * g.z + p.z * g.x;
  brio_pair yy = x.y * r[0].y + y.y * r[1].y + z.y * r[2].y + 2.0 * p.y * g.y;
  brio_pair yz = x.y * r[0].z + y.y * r[1].z + z.y * r[2].z + p.y * g.z + p.z * g.y;
  brio_pair zz = x.z * r[0].z + y.z * r[1].z + z.z * r[2].z + 2.0 * p.z * g.z;
  h = (brio_vec3_pair){h.x + mass * p.x, h.y + mass * p.y, h.z + mass * p.z};
  *out_i = (brio_inertia){mass[0], {h.x[0], h.y[0], h.z[0]}, {xx[0], xy[0], xz[0], yy[0], yz[0], zz[0]}};
  *out_j = (brio_inertia){mass[1], {h.x[1], h.y[1], h.z[1]}, {xx[1], xy[1], xz[1], yy[1], yz[1], zz[1]}};
}

/* Add b to a: two bodies become one.  Ten numbers, two at a time. */
static inline void brio_inertia_add(brio_inertia *a, const brio_inertia *b) {
  double *to = (double *)a;
  const double *from = (const double *)b;
  for (int k = 0; k < 10; k += 2) brio_pair_store(to + k, brio_pair_load(to + k) + brio_pair_load(from + k));
}

/* Return a . b, of a motion and a force. */
static inline double brio_spatial_dot(const brio_spatial *a, const brio_spatial *b) {
  return brio_vec3_dot(a->linear, b->linear) + brio_vec3_dot(a->angular, b->angular);
}

/* Return a + s b. */
static inline brio_spatial brio_spatial_add_scaled(brio_spatial a, double s, const brio_spatial *b) {
  return (brio_spatial){brio_vec3_add_scaled(a.linear, s, b->linear),
                        brio_vec3_add_scaled(a.angular, s, b->angular)};
}

/* Return a x b: how motion b changes where it is carried along by motion a. */
static inline brio_spatial brio_spatial_cross(const brio_spatial *a, const brio_spatial *b) {
  return (brio_spatial){
      brio_vec3_add(brio_vec3_cross(a->angular, b->linear), brio_vec3_cross(a->linear, b->angular)),
      brio_vec3_cross(a->angular, b->angular)};
}

/* Return a x* f: how force f changes where it is carried along by motion a. */
static inline brio_spatial brio_spatial_cross_force(const brio_spatial *a, const brio_spatial *f) {
  return (brio_spatial){
      brio_vec3_cross(a->angular, f->linear),
      brio_vec3_add(brio_vec3_cross(a->angular, f->angular), brio_vec3_cross(a->linear, f->linear))};
}

/* Add a spatial vector to column `v` of six rows of `nv` numbers. */
static inline void brio_spatial_add_column(double *rows, int nv, int v, const brio_spatial *s) {
  const double numbers[] = {s->linear.x, s->linear.y, s->linear.z, s->angular.x, s->angular.y, s->angular.z};
  for (int k = 0; k < 6; k++) rows[k * nv + v] += numbers[k];
}

#endif
