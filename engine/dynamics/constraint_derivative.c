/* Derivatives of constrained dynamics: with r = ID(q, u, du) - J^T f - tau and c = J du + dJ/dt u -
** wanted, which are both 0, d(du) and d(f) by any x solve   M d(du) - J^T d(f) = -dr/dx,   J d(du) =
** -dc/dx, with the factors of M and A = J M^-1 J^T that the solution has left.
**
** A joint j that carries a point moves it by s_j, and changes the velocity and acceleration of its link by
**   dv = s_j x v + d_j,   da = s_j x a + d_j x v + e_j,     with d_j and e_j as in derivative.c;
** its rate changes them by  s_j  and  2 d_j + s_j x v.  What the point itself does follows: its velocity
** is v + w x p, its acceleration a + al x p + w x (v + w x p). */
#include <assert.h>
#include <string.h>

#include "dynamics/constraint_internal.h"
#include "dynamics/derivative.h"

/* How a column of the tangent moves what it carries. */
typedef struct column {
  int v;
  brio_spatial s, drift, turning; /* s, d, e */
  double by_rate;                 /* how often d is in the acceleration that a rate gives */
} column;

/* A column of the base. */
static column base_column(const brio_dynamics_flow *root, int v) {
  column out = {.v = v, .s = {{v == 0, v == 1, v == 2}, {v == 3, v == 4, v == 5}}, .by_rate = 1};
  if (v < 3) return out;
  out.drift = brio_spatial_cross(&root->velocity, &out.s);
  brio_spatial twice = brio_spatial_cross(&root->velocity, &out.drift);
  out.turning = brio_spatial_cross(&root->acceleration, &out.s);
  out.turning = brio_spatial_add_scaled(out.turning, 1, &twice);
  return out;
}

/* The column of mover m. */
static column mover_column(const struct brio_dynamics_private *work, int m) {
  const brio_dynamics_flow *parent = &work->flows[work->bodies[m].parent];
  column out = {
      .v = work->bodies[m].v, .s = work->places[m].column, .drift = work->flows[m].drift, .by_rate = 2};
  brio_spatial twice = brio_spatial_cross(&parent->velocity, &out.drift);
  out.turning = brio_spatial_cross(&parent->acceleration, &out.s);
  out.turning = brio_spatial_add_scaled(out.turning, 1, &twice);
  return out;
}

/* Return how a point at `p` moves with `s`. */
static brio_vec3 point_shift(const brio_spatial *s, brio_vec3 p) {
  return brio_vec3_add(s->linear, brio_vec3_cross(s->angular, p));
}

/* How the motion of a point changes: its place, velocity and acceleration, and its link's. */
typedef struct change {
  brio_vec3 place;
  brio_spatial velocity, acceleration;
} change;

/* Return the change of a point that a change of its link's motion and of its place gives. */
static change point_change(const brio_dynamics_flow *flow, const brio_dynamics_point_place *point,
                           const brio_spatial *dv, const brio_spatial *da, brio_vec3 dp) {
  brio_vec3 w = flow->velocity.angular, al = flow->acceleration.angular;
  change out = {.place = dp};
  out.velocity.angular = dv->angular;
  out.velocity.linear = brio_vec3_add(point_shift(dv, point->at), brio_vec3_cross(w, dp));
  out.acceleration.angular = da->angular;
  brio_vec3 sum = brio_vec3_add(point_shift(da, point->at), brio_vec3_cross(al, dp));
  sum = brio_vec3_add(sum, brio_vec3_cross(dv->angular, point->velocity.linear));
  out.acceleration.linear = brio_vec3_add(sum, brio_vec3_cross(w, out.velocity.linear));
  return out;
}

/* Return what a column does to a point by its place. */
static change change_by_q(const struct brio_dynamics_private *work, const brio_dynamics_point_place *point,
                          const column *c) {
  const brio_dynamics_flow *flow = &work->flows[point->body];
  brio_spatial dv = brio_spatial_cross(&c->s, &flow->velocity);
  /* dv = s x v + d,  da = s x a + d x v + e. */
  brio_spatial da = brio_spatial_cross(&c->s, &flow->acceleration);
  brio_spatial more = brio_spatial_cross(&c->drift, &flow->velocity);
  dv = brio_spatial_add_scaled(dv, 1, &c->drift);
  da = brio_spatial_add_scaled(brio_spatial_add_scaled(da, 1, &more), 1, &c->turning);
  return point_change(flow, point, &dv, &da, point_shift(&c->s, point->at));
}

/* Return what a column does to a point by its rate. */
static change change_by_u(const struct brio_dynamics_private *work, const brio_dynamics_point_place *point,
                          const column *c) {
  const brio_dynamics_flow *flow = &work->flows[point->body];
  brio_spatial da = brio_spatial_cross(&c->s, &flow->velocity);
  da = brio_spatial_add_scaled(da, c->by_rate, &c->drift);
  return point_change(flow, point, &c->s, &da, (brio_vec3){0, 0, 0});
}

/* Return how the rotation vector u of a rotation changes where that is turned by v, in world axes: the
** inverse of brio_quat_left_jacobian. */
static brio_vec3 rotation_change(brio_vec3 u, brio_vec3 v) {
  double a2 = brio_vec3_dot(u, u), a = sqrt(a2);
  double k = a < 1e-4 ? 1.0 / 12 : 1 / a2 - (1 + cos(a)) / (2 * a * sin(a));
  brio_vec3 once = brio_vec3_cross(u, v), twice = brio_vec3_cross(u, once);
  return brio_vec3_add_scaled(brio_vec3_add_scaled(v, -0.5, once), k, twice);
}

/* A side of a constraint, and what its rotations do to the gap. */
typedef struct end {
  const brio_dynamics_constraint *one;
  const brio_dynamics_side *side;
  double sign;   /* 1: held; -1: holds */
  brio_vec3 gap; /* rotation vector from the one that holds */
} end;

/* Add `scale` times a vector to three rows of column v. */
static void add_rows(double *rows, int nv, int v, double scale, brio_vec3 by) {
  rows[v] += scale * by.x, rows[nv + v] += scale * by.y, rows[2 * nv + v] += scale * by.z;
}

/* Add what a change does to the rows of a constraint: acceleration + damping rate + stiffness gap. */
static void add_change(const end *e, const change *by, int nv, int v, double *rows) {
  double damping = e->one->damping, stiffness = e->one->stiffness, sign = e->sign;
  add_rows(rows, nv, v, sign, by->acceleration.linear);
  add_rows(rows, nv, v, sign * damping, by->velocity.linear);
  add_rows(rows, nv, v, sign * stiffness, by->place);
  if (!e->one->rigid) return;
  add_rows(rows + 3 * nv, nv, v, sign, by->acceleration.angular);
  add_rows(rows + 3 * nv, nv, v, sign * damping, by->velocity.angular);
}

/* Add what turning by `turn` does to the gap of orientation. */
static void add_turn(const end *e, brio_vec3 turn, int nv, int v, double *rows) {
  if (!e->one->rigid || e->one->stiffness == 0) return;
  /* The frame that holds turns the gap from its far end. */
  if (e->sign < 0) turn = brio_quat_rotate(brio_quat_exp(e->gap), turn);
  add_rows(rows + 3 * nv, nv, v, e->sign * e->one->stiffness, rotation_change(e->gap, turn));
}

/* Add one column of one side. */
static void add_column(const struct brio_dynamics_private *work, const end *e, const column *c, int nv,
                       double *by_q, double *by_u) {
  change place = change_by_q(work, &e->side->place, c), rate = change_by_u(work, &e->side->place, c);
  add_change(e, &place, nv, c->v, by_q);
  add_change(e, &rate, nv, c->v, by_u);
  add_turn(e, c->s.angular, nv, c->v, by_q);
}

/* Add one side of a constraint to its rows. */
static void add_side(const brio_dynamics *dynamics, const end *e, double *by_q, double *by_u) {
  const struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  assert(e->side->place.body >= 0 && e->side->place.body < work->nbody);
  for (int v = work->first; v < BRIO_BASE_NV; v++) {
    column c = base_column(&work->flows[0], v);
    add_column(work, e, &c, nv, by_q, by_u);
  }
  for (int m = e->side->place.body; m > 0; m = work->bodies[m].parent) {
    column c = mover_column(work, m);
    add_column(work, e, &c, nv, by_q, by_u);
  }
}

/* Return how row `i` of J^T f changes by column `j`, which carries the point and, with `rigid`, the row's
** mover, too.  `wrench`: the force about O; `shifted`: the moment that it gains as the point moves with j. */
static inline double force_slope(const brio_spatial *i, const brio_spatial *j, bool rigid,
                                 const brio_spatial *wrench, brio_vec3 shifted) {
  double sum = brio_vec3_dot(i->angular, shifted);
  brio_spatial carried = brio_spatial_cross(j, i);
  return rigid ? sum + brio_spatial_dot(&carried, wrench) : sum;
}

/* Subtract the slopes of rows of movers and of the base by column `j` with tangent number `v`; `from`: the
** mover whose column it is, 0: of the base's, which carries all of them. */
static void subtract_column(const brio_dynamics *dynamics, int body, int from, int v, const brio_spatial *j,
                            const brio_spatial *wrench, brio_vec3 at, double *by_q) {
  const struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  brio_vec3 shifted = brio_vec3_cross(point_shift(j, at), wrench->linear);
  /* What j carries, and j itself, moves against it; what carries j does not move with it. */
  bool carried = true;
  for (int k = body; k > 0; k = work->bodies[k].parent) {
    by_q[work->bodies[k].v * nv + v] -= force_slope(&work->places[k].column, j, carried, wrench, shifted);
    if (k == from) carried = false;
  }
  /* The base's rows do not turn with it. */
  for (int w = work->first; w < BRIO_BASE_NV; w++) {
    brio_spatial unit = {{w == 0, w == 1, w == 2}, {w == 3, w == 4, w == 5}};
    by_q[w * nv + v] -= force_slope(&unit, j, v < 3, wrench, shifted);
  }
}

/* Subtract d(J^T f)/dq of one side; its force is `sign` times the constraint's. */
static void subtract_side(const brio_dynamics *dynamics, const end *e, const double *force, double *by_q) {
  const struct brio_dynamics_private *work = dynamics->work;
  int body = e->side->place.body;
  brio_vec3 f = brio_vec3_scale(e->sign, (brio_vec3){force[0], force[1], force[2]}), n = {0, 0, 0};
  if (e->one->rigid) n = brio_vec3_scale(e->sign, (brio_vec3){force[3], force[4], force[5]});
  brio_vec3 at = e->side->place.at;
  const brio_spatial wrench = {f, brio_vec3_add(n, brio_vec3_cross(at, f))};
  for (int m = body; m > 0; m = work->bodies[m].parent)
    subtract_column(dynamics, body, m, work->bodies[m].v, &work->places[m].column, &wrench, at, by_q);
  for (int v = work->first; v < BRIO_BASE_NV; v++) {
    brio_spatial unit = {{v == 0, v == 1, v == 2}, {v == 3, v == 4, v == 5}};
    subtract_column(dynamics, body, 0, v, &unit, &wrench, at, by_q);
  }
}

/* Write dc/dq and dc/du, and subtract d(J^T f)/dq from `by_q`. */
static void differentiate(const brio_dynamics *dynamics, const brio_dynamics_constraints *constraints,
                          const brio_dynamics_constraint *list, int count, const double *q, const double *u,
                          const double *forces, double *by_q) {
  const struct brio_dynamics_constraint_work *work = constraints->work;
  int nv = dynamics->robot->nv;
  size_t size = (size_t)constraints->nrow * (size_t)nv * sizeof *work->by_q;
  memset(work->by_q, 0, size);
  memset(work->by_u, 0, size);
  for (int i = 0, row = 0; i < count; row += brio_dynamics_rows_of(&list[i++])) {
    brio_dynamics_side sides[2];
    brio_dynamics_sides(dynamics, &list[i], q, u, sides);
    brio_vec3 gap = brio_dynamics_rotation_between(&sides[0].turn, &sides[1].turn);
    for (int k = 0; k < (list[i].other < 0 ? 1 : 2); k++) {
      const end e = {&list[i], &sides[k], k ? -1 : 1, gap};
      add_side(dynamics, &e, work->by_q + row * nv, work->by_u + row * nv);
      subtract_side(dynamics, &e, forces + row, by_q);
    }
  }
}

/* Add scale times `count` numbers. */
static inline void add_scaled(double *to, double scale, const double *from, int count) {
  brio_pair both = brio_pair_of(scale);
  int c = 0;
  for (; c + 1 < count; c += 2)
    brio_pair_store(to + c, brio_pair_load(to + c) + both * brio_pair_load(from + c));
  if (c < count) to[c] += scale * from[c];
}

/* Write the inverse of A, where A is singular its pseudoinverse, column by column. */
static void invert(brio_dynamics_constraints *constraints) {
  struct brio_dynamics_constraint_work *work = constraints->work;
  int rows = constraints->nrow;
  for (int c = 0; c < rows; c++) {
    memset(work->known, 0, (size_t)rows * sizeof *work->known);
    work->known[c] = 1;
    brio_dynamics_solve_forces(constraints, work->forces);
    for (int r = 0; r < rows; r++) work->inverse[r * rows + c] = work->forces[r];
  }
}

/* Replace `du` = -M^-1 dr/dx by d(du)/dx, and write d(f)/dx; `known`: dc/dx, which is overwritten. */
static void close_system(const brio_dynamics *dynamics, const brio_dynamics_constraints *constraints,
                         double *known, double *du, double *forces) {
  const struct brio_dynamics_private *own = dynamics->work;
  const struct brio_dynamics_constraint_work *work = constraints->work;
  int nv = dynamics->robot->nv, rows = constraints->nrow, stride = BRIO_DYNAMICS_STRIDE(rows);
  /* What the accelerations so far leave of the constraints: -dc/dx - J d(du) */
  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < nv; c++) known[r * nv + c] = -known[r * nv + c];
    for (int v = own->first; v < nv; v++)
      if (work->jacobian[r * nv + v] != 0)
        add_scaled(known + r * nv, -work->jacobian[r * nv + v], du + v * nv, nv);
  }
  memset(forces, 0, (size_t)rows * (size_t)nv * sizeof *forces);
  for (int r = 0; r < rows; r++)
    for (int s = 0; s < rows; s++)
      add_scaled(forces + r * nv, work->inverse[r * rows + s], known + s * nv, nv);
  for (int k = 0; k < own->nfree; k++)
    for (int r = 0; r < rows; r++)
      add_scaled(du + own->rows[k].v * nv, work->wide[k * stride + r], forces + r * nv, nv);
}

bool brio_dynamics_constrained_derivatives(brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                                           const brio_dynamics_constraint *list, int count, const double *q,
                                           const double *u, const double *tau, double *du, double *forces,
                                           const brio_dynamics_constrained_slopes *out, brio_error *err) {
  if (!u) u = dynamics->work->zeros;
  if (!brio_dynamics_constrained(dynamics, constraints, list, count, q, u, tau, du, forces, err))
    return false;
  /* The inversion below reuses the iteration, and overwrites its report. */
  brio_dynamics_constraints solved = *constraints;
  brio_dynamics_inverse_derivatives(dynamics, q, u, du, out->du_by_q, out->du_by_u);
  /* Accelerations without gravity, for the constraints. */
  brio_dynamics_move_bodies(dynamics, u, du, (brio_vec3){0, 0, 0});
  differentiate(dynamics, constraints, list, count, q, u, forces, out->du_by_q);
  brio_dynamics_divide(dynamics, out->du_by_q, out->du_by_u, out->du_by_tau);
  struct brio_dynamics_constraint_work *work = constraints->work;
  assert(constraints->nrow <= constraints->nmax);
  invert(constraints);
  close_system(dynamics, constraints, work->by_q, out->du_by_q, out->forces_by_q);
  close_system(dynamics, constraints, work->by_u, out->du_by_u, out->forces_by_u);
  /* The constraints do not know of forces. */
  memset(work->by_q, 0, (size_t)constraints->nrow * (size_t)dynamics->robot->nv * sizeof *work->by_q);
  close_system(dynamics, constraints, work->by_q, out->du_by_tau, out->forces_by_tau);
  /* What is told of the solution is of the forces themselves. */
  constraints->iterations = solved.iterations;
  constraints->residual = solved.residual;
  return true;
}
