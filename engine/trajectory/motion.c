/* Motions: completing a first guess, and measuring cost and constraint violations of a motion. */
#include <math.h>
#include <string.h>

#include "math/scalar.h"
#include "trajectory/matrix.h"
#include "trajectory/trajectory_internal.h"

/* Write the nodes before and after `k` within its phase; at its ends, `k` itself. */
static void neighbors(const brio_trajectory *t, int k, int *before, int *after) {
  const brio_trajectory_node *node = &t->nodes[k];
  *before = node->index > 0 ? k - 1 : k;
  *after = node->index < t->setup.phases[node->phase].nodes - 1 ? k + 1 : k;
}

/* Velocities of node `k` by central differences over the stretched time. */
static void guess_velocity(brio_trajectory *t, brio_trajectory_motion *m, int k) {
  int before, after, nq = t->robot->nq, nv = t->robot->nv;
  neighbors(t, k, &before, &after);
  /* one-sided at the ends of a phase */
  double *u = m->u + k * nv, time = (after - before) * t->nodes[k].step * m->stretch[k];
  brio_robot_difference(t->robot, m->q + before * nq, m->q + after * nq, u);
  for (int v = 0; v < nv; v++) u[v] = v < t->first ? 0 : u[v] / time;
}

/* Torques w of node `k` that minimize |du(w) - wanted|^2 + tiny |w|^2, limited afterwards.  du is linear in
** w; wanted: accelerations by differences of the velocities. */
static bool guess_torque(brio_trajectory *t, brio_trajectory_motion *m, int k, double *scratch,
                         brio_error *err) {
  int before, after, n = t->ndof, nv = t->robot->nv, nm = t->nmotor, w = t->nstate;
  double *du = scratch, *forces = du + nv, *slope = forces + t->nforce, *by_force = slope + n * t->nz;
  double *normal = by_force + t->nforce * t->nz, *torque = m->torque + k * nm, top = 0;
  neighbors(t, k, &before, &after);
  memset(torque, 0, (size_t)nm * sizeof *torque);
  /* the acceleration without torque, and its derivative by torques, A */
  if (!brio_trajectory_accelerate(t, t->nodes[k].phase, m->q + k * t->robot->nq, m->u + k * nv, torque, du,
                                  forces, slope, by_force, err))
    return false;
  double time = (after - before) * t->nodes[k].step * m->stretch[k];
  memset(normal, 0, (size_t)(nm * nm) * sizeof *normal);
  /* normal equations: A^T A and A^T (wanted - du) */
  for (int i = 0; i < n; i++) {
    int v = t->first + i;
    double gap = (m->u[after * nv + v] - m->u[before * nv + v]) / time - du[v];
    const double *row = slope + i * t->nz + w;
    brio_matrix_add_square(nm, 1, row, normal);
    for (int a = 0; a < nm; a++) torque[a] += row[a] * gap;
  }
  /* Motors that act against each other make A^T A singular: a tiny weight selects the least torques. */
  for (int a = 0; a < nm; a++) top = fmax(top, normal[a * (nm + 1)]);
  for (int a = 0; a < nm; a++) normal[a * (nm + 1)] += 1e-8 * top + 1e-12;
  if (brio_matrix_cholesky(nm, normal, nm)) brio_matrix_cholesky_solve(nm, normal, nm, torque, 1, 1);
  for (int a = 0; a < nm; a++) torque[a] = brio_clamp(torque[a], t->lower[w + a], t->upper[w + a]);
  return true;
}

bool brio_trajectory_guess(brio_trajectory *t, brio_trajectory_motion *m, brio_error *err) {
  int nm = t->nmotor;
  size_t size = (size_t)(t->robot->nv + t->nforce + (t->ndof + t->nforce) * t->nz + nm * nm);
  brio_arena arena;
  brio_arena_start(&arena, 4096);
  double *scratch = BRIO_TAKE(&arena, double, size + 1);
  bool good = scratch || brio_fail(err, BRIO_NO_MEMORY, "no memory for a guess");
  /* the stretch as near to 1 as its limits allow; velocities depend on it, torques on velocities */
  for (int k = 0; good && k < t->nnode; k++) {
    const double *stretch = t->setup.phases[t->nodes[k].phase].stretch;
    m->stretch[k] = brio_clamp(1, stretch[0], stretch[1]);
  }
  for (int k = 0; good && k < t->nnode; k++) guess_velocity(t, m, k);
  for (int k = 0; good && k < t->nnode; k++) good = guess_torque(t, m, k, scratch, err);
  brio_arena_end(&arena);
  return good;
}

bool brio_trajectory_forces(brio_trajectory *t, const brio_trajectory_motion *m, int k, double *du,
                            double *forces, brio_error *err) {
  return brio_trajectory_accelerate(t, t->nodes[k].phase, m->q + k * t->robot->nq, m->u + k * t->robot->nv,
                                    m->torque + k * t->nmotor, du, forces, NULL, NULL, err);
}

/* Cost and violations of a motion so far. */
typedef struct judgement {
  brio_trajectory_fault *faults; /* count, room for `most`: one for each kind, the greatest first */
  int count, most;
  double cost;
} judgement;

/* Record a violation if it is the greatest of its kind so far.  O(kinds). */
static void note(judgement *j, double violation, const char *what, int node, int row) {
  int at = 0;
  if (!(violation > 0)) return;
  /* find the entry of this kind */
  while (at < j->count && strcmp(j->faults[at].what, what) != 0) at++;
  if (at == j->count && at == j->most) return;
  if (at == j->count)
    j->faults[j->count++] = (brio_trajectory_fault){0};
  else if (violation <= j->faults[at].violation)
    return;
  /* insert it in descending order; smaller ones move down */
  for (; at > 0 && j->faults[at - 1].violation < violation; at--) j->faults[at] = j->faults[at - 1];
  j->faults[at] = (brio_trajectory_fault){violation, node, what, row};
}

/* Return how far a number is outside of its bounds; 0: within. */
static double outside(double value, double lower, double upper) {
  return fmax(0, fmax(lower - value, value - upper));
}

/* Check the limits of z at node `k`. */
static void judge_limits(brio_trajectory *t, int k, const brio_trajectory_point *at, judgement *j) {
  for (int i = 0; i < t->nz; i++) {
    double lower = t->lower[i], upper = t->upper[i];
    /* the limits of the stretch are its phase's; the base has none */
    if (t->nstretch && i == brio_trajectory_s_column(t))
      lower = at->phase->stretch[0], upper = at->phase->stretch[1];
    if (i < BRIO_BASE_NV - t->first) continue;
    double value = brio_trajectory_value(t, at->q, at->u, at->stretch, at->torque, i);
    /* violations of torques are relative to their limit */
    double scale = i >= t->nstate && upper < HUGE_VAL ? 1 / upper : 1;
    note(j, scale * outside(value, lower, upper), "limits", k, i);
  }
}

/* Add the costs of node `k`, and check the rows of its constraints.  `bounds`: scratch, 2 most_rows. */
static void judge_terms(brio_trajectory *t, int k, const brio_trajectory_point *at, double *bounds,
                        judgement *j) {
  double *lower = bounds, *upper = bounds + t->work->most_rows;
  for (int i = 0; i < t->setup.nterm; i++) {
    const brio_trajectory_term *term = &t->work->terms[i];
    if (!brio_trajectory_counts(t, term, k)) continue;
    int rows = brio_trajectory_rows(t, term, k, at);
    const double *r = t->work->rows;
    /* equations, r = 0, unless the term has bounds */
    memset(bounds, 0, 2 * (size_t)t->work->most_rows * sizeof *bounds);
    if (term->kind->bounds) term->kind->bounds(term->arguments, t, at->phase, lower, upper);
    for (int row = 0; row < rows; row++) {
      if (term->kind->cost)
        j->cost += r[row] * r[row] / 2;
      else
        note(j, outside(r[row], lower[row], upper[row]), term->kind->name, k, row);
    }
  }
}

/* Scratch for two neighboring nodes: accelerations of even and odd nodes; the rest of one node. */
typedef struct pair {
  double *du[2], *forces, *defect, *bounds;
} pair;

/* Check the defect of a cycle, from the last node to the first; it needs no accelerations. */
static bool judge_cycle(brio_trajectory *t, const brio_trajectory_motion *m, pair *p, judgement *j,
                        brio_error *err) {
  int last = t->nnode - 1;
  brio_trajectory_point from = brio_trajectory_point_of(t, last, m), to = brio_trajectory_point_of(t, 0, m);
  /* the two nodes are joined, not integrated: stretch and accelerations do not matter */
  const brio_trajectory_side sides[2] = {{from.q, from.u, from.torque, NULL, NULL},
                                         {to.q, to.u, to.torque, NULL, NULL}};
  int rows = brio_trajectory_defect(t, last, sides, (const double[]){1, 1}, p->defect, NULL, NULL);
  if (rows < 0) return brio_fail(err, BRIO_LIMIT, "the dynamics fail where the cycle closes");
  for (int i = 0; i < rows; i++) note(j, fabs(p->defect[i]), "dynamics", last, i);
  return true;
}

/* Check the nodes in their order, and the defects between them.  Return false: the dynamics failed. */
static bool judge_nodes(brio_trajectory *t, const brio_trajectory_motion *m, pair *p, judgement *j,
                        brio_error *err) {
  for (int k = 0; k < t->nnode; k++) {
    brio_trajectory_point at = brio_trajectory_point_of(t, k, m);
    double *du = p->du[k % 2];
    if (!brio_trajectory_forces(t, m, k, du, p->forces, err)) return false;
    at.du = du, at.forces = p->forces;
    brio_trajectory_place(t, &at);
    judge_limits(t, k, &at, j);
    judge_terms(t, k, &at, p->bounds, j);
    if (k == 0) continue;
    /* the interval that ends here */
    brio_trajectory_point last = brio_trajectory_point_of(t, k - 1, m);
    const brio_trajectory_side sides[2] = {{last.q, last.u, last.torque, p->du[(k - 1) % 2], NULL},
                                           {at.q, at.u, at.torque, du, NULL}};
    int rows = brio_trajectory_defect(t, k - 1, sides, (const double[]){last.stretch, at.stretch}, p->defect,
                                      NULL, NULL);
    if (rows < 0) return brio_fail(err, BRIO_LIMIT, "the dynamics fail between nodes %d and %d", k, k + 1);
    for (int i = 0; i < rows; i++) note(j, fabs(p->defect[i]), "dynamics", k - 1, i);
  }
  return !t->setup.cycle || judge_cycle(t, m, p, j, err);
}

int brio_trajectory_judge(brio_trajectory *t, const brio_trajectory_motion *m, double *cost,
                          brio_trajectory_fault *faults, int most, brio_error *err) {
  int nv = t->robot->nv;
  brio_arena arena;
  brio_arena_start(&arena, 4096);
  double *numbers = BRIO_TAKE(&arena, double, 2 * nv + t->nforce + t->nstate + 2 * t->work->most_rows + 1);
  pair p = {.du = {numbers, numbers + nv}};
  judgement j = {.faults = faults, .most = most};
  bool good = numbers || brio_fail(err, BRIO_NO_MEMORY, "no memory for a judgement");
  if (good) {
    p.forces = numbers + 2 * nv, p.defect = p.forces + t->nforce, p.bounds = p.defect + t->nstate;
    good = judge_nodes(t, m, &p, &j, err);
  }
  brio_arena_end(&arena);
  if (good) *cost = j.cost;
  return good ? j.count : -1;
}
