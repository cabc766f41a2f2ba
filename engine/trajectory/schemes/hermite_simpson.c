/* Hermite-Simpson, compressed form: velocity and acceleration are parabolas through both nodes and the
** middle, where the state is that of Hermite's cubic and the torques are the mean of both nodes':
**     x_c = (x + x')/2 + h/8 (f - f'),     x' - x = h/6 (f + 4 f_c + f').     Error O(h^4).
** Rotations of the base are in the left node's tangent, where the right node's rate is J(phi)^-1 omega'. */
#include <string.h>

#include "trajectory/rotation_internal.h"
#include "trajectory/trajectory_internal.h"

/* The middle of an interval, and its derivatives by z of both nodes: by_* are matrices of ndof rows and 2 nz
** columns, left node, then right. */
typedef struct middle {
  double h, step;                       /* s: stretched, unstretched */
  double *q, *u, *torque, *du, *forces; /* nq, nv, nmotor, nv, nforce */
  double *du_slope, *force_slope;       /* derivatives by the middle's own z */
  double *e, *rate;                     /* ndof: the whole step; rates in the tangent at the right */
  double *half, *own;                   /* ndof: the step to the middle; rates there */
  double *by_e, *by_rate, *by_half, *by_u, *by_q, *by_own, *by_du;
} middle;

/* Lay the middle's arrays out in the trajectory's scratch `between`. */
static middle lay_out(const brio_trajectory *t, double h, double step) {
  /* vectors of equal size, then matrices; by_e and by_rate are adjacent: they are zeroed together */
  middle m = {.h = h, .step = step};
  double *at = t->between,
         **const vectors[] = {&m.q, &m.u, &m.torque, &m.du, &m.forces, &m.e, &m.rate, &m.half, &m.own};
  for (int i = 0; i < 9; i++) *vectors[i] = at, at += brio_trajectory_most(t);
  double **const matrices[] = {&m.by_e, &m.by_rate, &m.by_half, &m.by_u, &m.by_q, &m.by_own, &m.by_du};
  for (int i = 0; i < 7; i++) *matrices[i] = at, at += 2 * t->nz * t->ndof;
  m.du_slope = at, m.force_slope = at + t->ndof * t->nz;
  return m;
}

/* Replace the angular velocity in entries 3 to 5 of `v` (ndof) by the rate of the rotation vector in entries
** 3 to 5 of `turn`; a fixed base has none. */
static void to_rate(const brio_trajectory *t, const double *turn, double *v) {
  if (t->first > 0) return;
  brio_vec3 rate = brio_rotation_rate(brio_vec3_at(turn + 3), brio_vec3_at(v + 3));
  v[3] = rate.x, v[4] = rate.y, v[5] = rate.z;
}

/* Write m times rows 3 to 5 of `in` into rows 3 to 5 of `out`, or add it if `add`; `wide` columns. */
static void turn_rows(const brio_matrix33 *m, const double *in, int wide, bool add, double *out) {
  for (int c = 0; c < wide; c++) {
    /* a column's three rotation rows */
    brio_vec3 v = {in[3 * wide + c], in[4 * wide + c], in[5 * wide + c]};
    brio_vec3 r = brio_matrix33_apply(m, v);
    if (add) r = brio_vec3_add(r, (brio_vec3){out[3 * wide + c], out[4 * wide + c], out[5 * wide + c]});
    out[3 * wide + c] = r.x, out[4 * wide + c] = r.y, out[5 * wide + c] = r.z;
  }
}

/* Compute state and acceleration in the middle.  Return false: the dynamics failed. */
static bool find_middle(brio_trajectory *t, int phase, const brio_trajectory_side sides[2], bool slopes,
                        middle *m) {
  int n = t->ndof, first = t->first;
  brio_robot_difference(t->robot, sides[0].q, sides[1].q, t->tangent);
  memcpy(m->e, t->tangent + first, (size_t)n * sizeof *m->e);
  /* the right node's velocity as a rate in the left's tangent */
  memcpy(m->rate, sides[1].u + first, (size_t)n * sizeof *m->rate);
  to_rate(t, m->e, m->rate);
  memset(t->tangent, 0, (size_t)t->robot->nv * sizeof *t->tangent);
  memset(m->u, 0, (size_t)t->robot->nv * sizeof *m->u);
  for (int i = 0; i < n; i++) {
    int v = first + i;
    /* Hermite's cubic in its middle: x_c */
    t->tangent[v] = m->half[i] = m->e[i] / 2 + m->h / 8 * (sides[0].u[v] - m->rate[i]);
    m->u[v] = (sides[0].u[v] + sides[1].u[v]) / 2 + m->h / 8 * (sides[0].du[v] - sides[1].du[v]);
    m->own[i] = m->u[v];
  }
  /* torques are linear between nodes */
  for (int k = 0; k < t->nmotor; k++) m->torque[k] = (sides[0].torque[k] + sides[1].torque[k]) / 2;
  brio_robot_integrate(t->robot, sides[0].q, t->tangent, m->q);
  to_rate(t, m->half, m->own);
  return brio_trajectory_accelerate(t, phase, m->q, m->u, m->torque, m->du, m->forces,
                                    slopes ? m->du_slope : NULL, m->force_slope, NULL);
}

/* Derivatives of the whole step e = q' (-) q, and of the rate at its end. */
static void step_slopes(const brio_trajectory *t, const brio_trajectory_side sides[2], const middle *m) {
  int n = t->ndof, wide = 2 * t->nz;
  for (int i = 0; i < n; i++) {
    m->by_e[i * wide + i] = -1, m->by_e[i * wide + t->nz + i] = 1;
    m->by_rate[i * wide + t->nz + n + i] = 1;
  }
  if (t->first > 0) return;
  /* rotation of a floating base: the logarithm's derivative Jl^-1, and its negated transpose on the left */
  brio_vec3 phi = brio_vec3_at(m->e + 3);
  brio_matrix33 by = brio_rotation_left_inverse(phi);
  for (int i = 0; i < 9; i++) {
    m->by_e[(3 + i / 3) * wide + t->nz + 3 + i % 3] = by.m[i];
    m->by_e[(3 + i % 3) * wide + 3 + i / 3] = -by.m[i];
  }
  brio_matrix33 by_omega = brio_rotation_series(phi, 1, -0.5, 1.0 / 12);
  brio_matrix33 by_phi = brio_rotation_rate_slope(phi, brio_vec3_at(sides[1].u + 3));
  turn_rows(&by_omega, m->by_rate, wide, false, m->by_rate);
  turn_rows(&by_phi, m->by_e, wide, true, m->by_rate);
}

/* Derivatives of the middle's step and velocity; h = step * stretch depends on the stretch. */
static void middle_slopes(const brio_trajectory *t, const brio_trajectory_side sides[2], const middle *m) {
  int n = t->ndof, nz = t->nz, wide = 2 * nz, first = t->first;
  double eighth = m->h / 8;
  for (int i = 0; i < n; i++) {
    double *half = m->by_half + i * wide, *u = m->by_u + i * wide;
    for (int c = 0; c < wide; c++) half[c] = m->by_e[i * wide + c] / 2 - eighth * m->by_rate[i * wide + c];
    /* the left velocity itself */
    half[n + i] += eighth;
    for (int c = 0; c < nz; c++) {
      u[c] = eighth * sides[0].du_slope[i * nz + c];
      u[nz + c] = -eighth * sides[1].du_slope[i * nz + c];
    }
    u[n + i] += 0.5, u[nz + n + i] += 0.5;
    /* through the length of the step */
    if (!t->nstretch) continue;
    half[2 * n] += m->step / 8 * (sides[0].u[first + i] - m->rate[i]);
    u[2 * n] += m->step / 8 * (sides[0].du[first + i] - sides[1].du[first + i]);
  }
}

/* Derivatives of the middle's configuration, rate and acceleration, by the chain rule.  O(ndof^2 nz). */
static void chain_slopes(const brio_trajectory *t, const middle *m) {
  int n = t->ndof, nz = t->nz, wide = 2 * nz, w = t->nstate;
  size_t bytes = (size_t)(n * wide) * sizeof *m->by_q;
  memcpy(m->by_q, m->by_half, bytes), memcpy(m->by_own, m->by_u, bytes);
  /* the middle moves with the left node ... */
  for (int i = 0; i < n; i++)
    if (t->first > 0 || i < 3 || i > 5) m->by_q[i * wide + i] += 1;
  if (t->first == 0) {
    /* ... and its rotation turns along: exp(phi) R */
    brio_vec3 phi = brio_vec3_at(m->half + 3);
    brio_matrix33 left = brio_rotation_left(phi), turn = brio_rotation_exp(phi);
    turn_rows(&left, m->by_half, wide, false, m->by_q);
    for (int i = 0; i < 9; i++) m->by_q[(3 + i / 3) * wide + 3 + i % 3] += turn.m[i];
    brio_matrix33 by_omega = brio_rotation_series(phi, 1, -0.5, 1.0 / 12);
    brio_matrix33 by_phi = brio_rotation_rate_slope(phi, brio_vec3_at(m->u + 3));
    turn_rows(&by_omega, m->by_u, wide, false, m->by_own);
    turn_rows(&by_phi, m->by_half, wide, true, m->by_own);
  }
  memset(m->by_du, 0, bytes);
  for (int i = 0; i < n; i++) {
    double *out = m->by_du + i * wide;
    const double *slope = m->du_slope + i * nz;
    /* chain rule over configuration and velocity of the middle */
    for (int j = 0; j < n; j++) {
      const double *q = m->by_q + j * wide, *u = m->by_u + j * wide;
      for (int c = 0; c < wide; c++) out[c] += slope[j] * q[c] + slope[n + j] * u[c];
    }
    /* the middle's torques are the mean of both nodes' */
    for (int k = w; k < nz; k++) out[k] += slope[k] / 2, out[nz + k] += slope[k] / 2;
  }
}

/* Write the derivatives of one row x' - x - h/6 (f + 4 f_c + f').  `whole`: of x' - x, or NULL; `f0`, `f1`:
** of f and f' by their own node, or NULL; `own`: of f_c; `mean`: (f + 4 f_c + f') / 6, for that by h. */
static void simpson(const brio_trajectory *t, const middle *m, const double *whole, const double *f0,
                    const double *f1, const double *own, double mean, double *left, double *right) {
  double sixth = m->h / 6;
  int nz = t->nz;
  for (int c = 0; c < nz; c++) {
    left[c] = (whole ? whole[c] : 0) - sixth * ((f0 ? f0[c] : 0) + 4 * own[c]);
    right[c] = (whole ? whole[nz + c] : 0) - sixth * ((f1 ? f1[c] : 0) + 4 * own[nz + c]);
  }
  if (t->nstretch) left[2 * t->ndof] -= m->step * mean;
}

static bool defect(brio_trajectory *t, int phase, double step, double stretch,
                   const brio_trajectory_side sides[2], double *out, double *left, double *right) {
  int n = t->ndof, nz = t->nz, wide = 2 * nz, first = t->first;
  middle m = lay_out(t, step * stretch, step);
  if (!find_middle(t, phase, sides, left != NULL, &m)) return false;
  if (left) {
    memset(m.by_e, 0, (size_t)(2 * n * wide) * sizeof *m.by_e); /* by_rate follows it */
    step_slopes(t, sides, &m), middle_slopes(t, sides, &m), chain_slopes(t, &m);
  }
  for (int i = 0; i < n; i++) {
    int v = first + i;
    /* Simpson's means of rate and acceleration */
    double u = (sides[0].u[v] + 4 * m.own[i] + m.rate[i]) / 6;
    double du = (sides[0].du[v] + 4 * m.du[v] + sides[1].du[v]) / 6;
    out[i] = m.e[i] - m.h * u;
    out[n + i] = sides[1].u[v] - sides[0].u[v] - m.h * du;
    if (!left) continue;
    double *l = left + i * nz, *r = right + i * nz;
    simpson(t, &m, m.by_e + i * wide, NULL, m.by_rate + i * wide + nz, m.by_own + i * wide, u, l, r);
    /* the rate at the right end depends on both configurations; at the left it is the velocity */
    for (int c = 0; c < nz; c++) l[c] -= m.h / 6 * m.by_rate[i * wide + c];
    l[n + i] -= m.h / 6;
    l = left + (n + i) * nz, r = right + (n + i) * nz;
    simpson(t, &m, NULL, sides[0].du_slope + i * nz, sides[1].du_slope + i * nz, m.by_du + i * wide, du, l,
            r);
    l[n + i] -= 1, r[n + i] += 1;
  }
  return true;
}

const brio_trajectory_scheme brio_trajectory_scheme_hermite_simpson = {
    .name = "hermite_simpson",
    .doc = "Velocity and acceleration are parabolas through two nodes and the middle between them.",
    .order = 4,
    .defect = defect,
};
