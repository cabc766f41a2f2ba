/* Derivatives of inverse and forward dynamics, in frame O.
**
** Turning joint j by dq carries all bodies behind it along by the motion s_j dq.  Seen by them, nothing
** changes but what comes from before the joint, and that changes as if it were moved against it: their
** velocities by
**   d_j = v x s_j,      their accelerations by   e_j = a x s_j + v x d_j,
** v and a being the motion of j's parent.  With, of body i and all below, the inertia I, the force F, the
** momentum P = sum m v and N = sum m v x^T (x: a particle's place, v: its velocity), and
**   2 B w = (2 w x P, 2 (trace N w - N w)),     the force by which masses moving in w resist (Coriolis),
** for each j that carries i or is i
**   d tau_i / dq_j = s_i . (2 B d_j + I e_j),   d tau_i / du_j = s_i . (2 B s_j + 2 I d_j)
** and, where i is not j,
**   d tau_j / dq_i = s_j . (2 B d_i + I e_i + s_i x* F),   d tau_j / du_i = s_j . (2 B s_i + 2 I d_i),
** where B takes the angular part.  The base's columns are unit vectors about a point that moves with it
** and do not turn with it: its translations change nothing, its rotations have v and a of the base itself.
** Source: Carpentier, Mansard, "Analytical derivatives of rigid body dynamics algorithms", 2018; the
** closed form is that of Singh, Russell, Wensing, "Efficient analytical derivatives of rigid-body dynamics
** using spatial vector algebra", 2022, here with B in twelve numbers. */
#include "dynamics/derivative.h"

#include <assert.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

typedef struct brio_dynamics_slope {
  /* of the body and all below */
  brio_inertia inertia;
  brio_vec3 momentum;   /* P */
  brio_matrix3 spread;  /* N */
  brio_spatial force;   /* F */
  brio_spatial turning; /* e of its mover */
} brio_dynamics_slope;

/* What a mover does to forces: as a row for what carries it, as a column for itself. */
typedef struct response {
  brio_vec3 coriolis;      /* 2 B^T s, which pairs with angular velocities */
  brio_spatial inertia;    /* I s */
  brio_spatial by_q, by_u; /* 2 B d + I e + s x* F and 2 B s + 2 I d */
} response;

bool brio_dynamics_make_slopes(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  work->slopes = BRIO_TAKE(&dynamics->arena, brio_dynamics_slope, work->nbody);
  return work->slopes != NULL;
}

/* Return sum m v x^T of a body: v = a + w x x. */
static inline brio_matrix3 spread_of(const brio_inertia *i, const brio_spatial *v) {
  const brio_symmetric *s = &i->second;
  brio_vec3 w = v->angular, x = {s->xx, s->xy, s->xz}, y = {s->xy, s->yy, s->yz}, z = {s->xz, s->yz, s->zz};
  /* the rows of [w]x S */
  brio_matrix3 out = {brio_vec3_add_scaled(brio_vec3_scale(w.y, z), -w.z, y),
                      brio_vec3_add_scaled(brio_vec3_scale(w.z, x), -w.x, z),
                      brio_vec3_add_scaled(brio_vec3_scale(w.x, y), -w.y, x)};
  out.x = brio_vec3_add_scaled(out.x, v->linear.x, i->moment);
  out.y = brio_vec3_add_scaled(out.y, v->linear.y, i->moment);
  out.z = brio_vec3_add_scaled(out.z, v->linear.z, i->moment);
  return out;
}

/* Start the sums of body m with its own share. */
static void start_sums(const struct brio_dynamics_private *work, int m) {
  const brio_dynamics_flow *flow = &work->flows[m];
  brio_dynamics_slope *own = &work->slopes[m];
  brio_vec3 w = flow->velocity.angular, v = flow->velocity.linear;
  own->inertia = work->carried[m];
  own->momentum = brio_inertia_apply(&own->inertia, &flow->velocity).linear;
  own->spread = spread_of(&own->inertia, &flow->velocity);
  /* The acceleration of what is in O's origin, and how it grows from there. */
  brio_vec3 a = brio_vec3_add(flow->acceleration.linear, brio_vec3_cross(w, v));
  brio_matrix3 field = brio_matrix3_of_turning(w, flow->acceleration.angular);
  own->force = brio_inertia_force(&own->inertia, a, &field);
}

/* Add the sums of a child to those of its parent. */
static inline void add_sums(brio_dynamics_slope *to, const brio_dynamics_slope *from) {
  brio_inertia_add(&to->inertia, &from->inertia);
  to->momentum = brio_vec3_add(to->momentum, from->momentum);
  to->spread.x = brio_vec3_add(to->spread.x, from->spread.x);
  to->spread.y = brio_vec3_add(to->spread.y, from->spread.y);
  to->spread.z = brio_vec3_add(to->spread.z, from->spread.z);
  to->force = brio_spatial_add_scaled(to->force, 1, &from->force);
}

/* Return 2 B w. */
static inline brio_spatial coriolis(const brio_dynamics_slope *sums, brio_vec3 w) {
  double trace = sums->spread.x.x + sums->spread.y.y + sums->spread.z.z;
  brio_vec3 moment = brio_vec3_sub(brio_vec3_scale(trace, w), brio_matrix3_apply(&sums->spread, w));
  return (brio_spatial){brio_vec3_scale(2, brio_vec3_cross(w, sums->momentum)), brio_vec3_scale(2, moment)};
}

/* Return 2 B^T s. */
static inline brio_vec3 coriolis_row(const brio_dynamics_slope *sums, const brio_spatial *s) {
  double trace = sums->spread.x.x + sums->spread.y.y + sums->spread.z.z;
  brio_vec3 sum =
      brio_vec3_add(brio_vec3_cross(sums->momentum, s->linear), brio_vec3_scale(trace, s->angular));
  return brio_vec3_scale(2, brio_vec3_sub(sum, brio_matrix3_apply_turned(&sums->spread, s->angular)));
}

/* Return how bodies with these sums respond to a column `s` with its `drift` d and `turning` e; `by_rate`:
** how often d is in the acceleration that a rate gives. */
static inline response respond(const brio_dynamics_slope *sums, const brio_spatial *s,
                               const brio_spatial *drift, const brio_spatial *turning, double by_rate) {
  response out = {.coriolis = coriolis_row(sums, s), .inertia = brio_inertia_apply(&sums->inertia, s)};
  brio_spatial heavy = brio_inertia_apply(&sums->inertia, turning);
  brio_spatial drifting = brio_inertia_apply(&sums->inertia, drift);
  brio_spatial carried = brio_spatial_cross_force(s, &sums->force);
  out.by_q = brio_spatial_add_scaled(coriolis(sums, drift->angular), 1, &heavy);
  out.by_q = brio_spatial_add_scaled(out.by_q, 1, &carried);
  out.by_u = brio_spatial_add_scaled(coriolis(sums, s->angular), by_rate, &drifting);
  return out;
}

/* Return how the force along a row changes by a column's place. */
static inline double slope_by_q(const response *row, const brio_spatial *drift, const brio_spatial *turning) {
  return brio_vec3_dot(row->coriolis, drift->angular) + brio_spatial_dot(&row->inertia, turning);
}

/* Return how the force along a row changes by a column's rate. */
static inline double slope_by_u(const response *row, const brio_spatial *s, const brio_spatial *drift,
                                double by_rate) {
  return brio_vec3_dot(row->coriolis, s->angular) + by_rate * brio_spatial_dot(&row->inertia, drift);
}

/* A rotation of the base as a column: s, d and e. */
typedef struct base_column {
  brio_spatial s, drift, turning;
} base_column;

static base_column base_rotation(const brio_dynamics_flow *root, int axis) {
  base_column out = {.s = {{0, 0, 0}, {axis == 0, axis == 1, axis == 2}}};
  out.drift = brio_spatial_cross(&root->velocity, &out.s);
  brio_spatial twice = brio_spatial_cross(&root->velocity, &out.drift);
  out.turning = brio_spatial_cross(&root->acceleration, &out.s);
  out.turning = brio_spatial_add_scaled(out.turning, 1, &twice);
  return out;
}

/* The base's own block. */
static void add_base(const struct brio_dynamics_private *work, const base_column base[3], int nv,
                     double *by_q, double *by_u) {
  for (int k = 0; k < 3; k++) {
    response own = respond(&work->slopes[0], &base[k].s, &base[k].drift, &base[k].turning, 1);
    brio_spatial_add_column(by_q, nv, 3 + k, &own.by_q);
    brio_spatial_add_column(by_u, nv, 3 + k, &own.by_u);
  }
}

/* Row and column of mover m against those that carry it, and its own. */
static inline void add_path(const struct brio_dynamics_private *work, int m, const response *own, int nv,
                            double *by_q, double *by_u) {
  int v = work->bodies[m].v;
  for (int i = m; i > 0; i = work->bodies[i].parent) {
    int w = work->bodies[i].v;
    const brio_spatial *s = &work->places[i].column, *drift = &work->flows[i].drift;
    by_q[v * nv + w] += slope_by_q(own, drift, &work->slopes[i].turning);
    by_u[v * nv + w] += slope_by_u(own, s, drift, 2);
    if (i == m) continue;
    by_q[w * nv + v] += brio_spatial_dot(s, &own->by_q);
    by_u[w * nv + v] += brio_spatial_dot(s, &own->by_u);
  }
}

/* Row and column of mover m against the base. */
static void add_base_of(const struct brio_dynamics_private *work, int m, const response *own,
                        const base_column base[3], int nv, double *by_q, double *by_u) {
  int v = work->bodies[m].v;
  brio_spatial_add_column(by_q, nv, v, &own->by_q);
  brio_spatial_add_column(by_u, nv, v, &own->by_u);
  for (int k = 0; k < 3; k++) {
    by_q[v * nv + 3 + k] += slope_by_q(own, &base[k].drift, &base[k].turning);
    by_u[v * nv + 3 + k] += slope_by_u(own, &base[k].s, &base[k].drift, 1);
  }
}

/* Inward over the bodies placed and moved. Each mover meets those that carry it: O(joints x depth). */
static void add_slopes(brio_dynamics *dynamics, double *by_q, double *by_u) {
  struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  bool floats = brio_dynamics_floats(dynamics);
  base_column base[3];
  for (int k = 0; k < 3; k++) base[k] = base_rotation(&work->flows[0], k);
  for (int m = work->nbody - 1; m > 0; m--) {
    const brio_dynamics_slope *sums = &work->slopes[m];
    response own = respond(sums, &work->places[m].column, &work->flows[m].drift, &sums->turning, 2);
    add_path(work, m, &own, nv, by_q, by_u);
    if (floats) add_base_of(work, m, &own, base, nv, by_q, by_u);
    add_sums(&work->slopes[work->bodies[m].parent], sums);
  }
  if (floats) add_base(work, base, nv, by_q, by_u);
}

void brio_dynamics_inverse_derivatives(brio_dynamics *dynamics, const double *q, const double *u,
                                       const double *du, double *by_q, double *by_u) {
  struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  size_t size = (size_t)nv * (size_t)nv * sizeof *by_q;
  if (!u) u = work->zeros;
  if (!du) du = work->zeros;
  assert(by_q != by_u && by_q != du && by_u != du);
  brio_dynamics_place_bodies(dynamics, q);
  brio_dynamics_move_bodies(dynamics, u, du, dynamics->gravity);
  brio_dynamics_place_inertias(dynamics);
  for (int m = 0; m < work->nbody; m++) {
    start_sums(work, m);
    if (m == 0) continue;
    const brio_dynamics_flow *parent = &work->flows[work->bodies[m].parent];
    brio_spatial twice = brio_spatial_cross(&parent->velocity, &work->flows[m].drift);
    work->slopes[m].turning = brio_spatial_cross(&parent->acceleration, &work->places[m].column);
    work->slopes[m].turning = brio_spatial_add_scaled(work->slopes[m].turning, 1, &twice);
  }
  memset(by_q, 0, size);
  memset(by_u, 0, size);
  add_slopes(dynamics, by_q, by_u);
  for (int i = BRIO_BASE_NV; work->damping && i < nv; i++)
    by_u[i * nv + i] += work->damping[i - BRIO_BASE_NV];
}

bool brio_dynamics_forward_derivatives(brio_dynamics *dynamics, const double *q, const double *u,
                                       const double *tau, double *du, double *by_q, double *by_u,
                                       double *by_tau, brio_error *err) {
  if (!brio_dynamics_forward(dynamics, q, u, tau, du, err)) return false;
  /* The factors of M stay as brio_dynamics_forward has left them. */
  brio_dynamics_inverse_derivatives(dynamics, q, u, du, by_q, by_u);
  brio_dynamics_divide(dynamics, by_q, by_u, by_tau);
  return true;
}
