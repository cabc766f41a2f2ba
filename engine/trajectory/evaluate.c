/* Values of a trajectory's points and their derivatives by z ("slopes"): accelerations and contact forces,
** rows of terms, defects between nodes. */
#include <assert.h>
#include <string.h>

#include "dynamics/derivative.h"
#include "trajectory/trajectory_internal.h"

/* Return the generalized forces of motors and springs (nv): tau = rest - spring q + torque. */
static double *gather_tau(const brio_trajectory *t, const double *q, const double *torque) {
  double *tau = t->work->tau;
  memset(tau, 0, (size_t)t->robot->nv * sizeof *tau);
  /* springs of the file first, then what motors add */
  for (int v = 0; v < t->robot->nvariable; v++)
    tau[BRIO_BASE_NV + v] = t->work->rest[v] - t->work->spring[v] * q[BRIO_BASE_NQ + v];
  for (int m = 0; m < t->nmotor; m++) tau[BRIO_BASE_NV + t->motors[m]] += torque[m];
  return tau;
}

/* Write derivatives by z (rows x nz) from those by q, u and tau (rows `skip` and up of matrices with nv
** columns).  The torque of a spring depends on q: d/dq = by q - spring * by tau. */
static void spread(const brio_trajectory *t, const double *const by[3], int skip, int rows, double *out) {
  int nv = t->robot->nv, nz = t->nz, w = brio_trajectory_w_column(t);
  memset(out, 0, (size_t)rows * (size_t)nz * sizeof *out);
  for (int r = 0; r < rows; r++) {
    const double *q = by[0] + (r + skip) * nv, *u = by[1] + (r + skip) * nv, *tau = by[2] + (r + skip) * nv;
    double *to = out + r * nz;
    /* state columns are copied */
    for (int i = 0; i < t->ndof; i++) to[i] = q[t->first + i], to[t->ndof + i] = u[t->first + i];
    /* a spring's torque falls as its joint turns */
    for (int v = 0; v < t->robot->nvariable; v++)
      to[BRIO_BASE_NV - t->first + v] -= t->work->spring[v] * tau[BRIO_BASE_NV + v];
    /* of the torques only those of motors are unknowns */
    for (int m = 0; m < t->nmotor; m++) to[w + m] = tau[BRIO_BASE_NV + t->motors[m]];
  }
}

/* Accelerations of a phase without contacts and loops. */
static bool accelerate_free(brio_trajectory *t, const double *q, const double *u, const double *tau,
                            double *du, bool slopes, brio_error *err) {
  double *const *s = t->work->slopes;
  return slopes ? brio_dynamics_forward_derivatives(&t->dynamics, q, u, tau, du, s[0], s[1], s[2], err)
                : brio_dynamics_forward(&t->dynamics, q, u, tau, du, err);
}

bool brio_trajectory_accelerate(brio_trajectory *t, int phase, const double *q, const double *u,
                                const double *torque, double *du, double *forces, double *du_slope,
                                double *force_slope, brio_error *err) {
  const brio_trajectory_hold *hold = &t->work->holds[phase];
  double *const *s = t->work->slopes, *tau = gather_tau(t, q, torque);
  const brio_dynamics_constrained_slopes out = {s[0], s[1], s[2], s[3], s[4], s[5]};
  bool good = hold->count == 0 ? accelerate_free(t, q, u, tau, du, du_slope, err)
              : du_slope
                  ? brio_dynamics_constrained_derivatives(&t->dynamics, &t->constraints, hold->list,
                                                          hold->count, q, u, tau, du, forces, &out, err)
                  : brio_dynamics_constrained(&t->dynamics, &t->constraints, hold->list, hold->count, q, u,
                                              tau, du, forces, err);
  if (!good) return false;
  if (du_slope) {
    spread(t, (const double *const[]){s[0], s[1], s[2]}, t->first, t->ndof, du_slope);
    spread(t, (const double *const[]){s[3], s[4], s[5]}, 0, hold->rows, force_slope);
  }
  /* more than one iteration: redundant constraints, whose forces may have drifted (frames.c) */
  if (hold->count > 0 && t->constraints.iterations > 1)
    brio_trajectory_least_forces(t, phase, q, forces, du_slope ? force_slope : NULL);
  return true;
}

bool brio_trajectory_counts(const brio_trajectory *t, const brio_trajectory_term *term, int k) {
  const brio_trajectory_node *node = &t->nodes[k];
  /* LAST: the last phase; the last node of every phase in which the term counts */
  int phase = term->phase == BRIO_TRAJECTORY_LAST ? t->setup.nphase - 1 : term->phase;
  int last = t->setup.phases[node->phase].nodes - 1;
  int index = term->node == BRIO_TRAJECTORY_LAST ? last : term->node;
  return (phase == BRIO_TRAJECTORY_ALL || phase == node->phase) &&
         (index == BRIO_TRAJECTORY_ALL || index == node->index);
}

void brio_trajectory_place(brio_trajectory *t, const brio_trajectory_point *point) {
  brio_state_update(&t->state, point->q);
  brio_state_update_com(&t->state);
}

brio_trajectory_point brio_trajectory_point_of(brio_trajectory *t, int k,
                                               const brio_trajectory_motion *motion) {
  const brio_robot *robot = t->robot;
  return (brio_trajectory_point){.trajectory = t,
                                 .phase = &t->setup.phases[t->nodes[k].phase],
                                 .index = t->nodes[k].index,
                                 .q = motion->q + k * robot->nq,
                                 .u = motion->u + k * robot->nv,
                                 .torque = motion->torque + k * t->nmotor,
                                 .stretch = motion->stretch[k],
                                 .state = &t->state};
}

/* Multiply a cost's rows and their derivatives by sqrt(weight), so that half their square is the cost.  A
** cost per time is integrated by the trapezoidal rule: sqrt(weight step stretch), half the step at both
** ends. */
static void weigh(brio_trajectory *t, const brio_trajectory_term *term, int k,
                  const brio_trajectory_point *point, int rows) {
  struct brio_trajectory_private *work = t->work;
  const brio_trajectory_node *node = &t->nodes[k];
  /* nodes at the ends of a phase count for half a step */
  bool end = node->index == 0 || node->index == point->phase->nodes - 1;
  double share = term->per_time ? node->step * point->stretch * (end ? 0.5 : 1) : 1;
  double factor = sqrt(term->weight * share);
  for (int i = 0; i < rows; i++) work->rows[i] *= factor;
  if (!point->du_slope) return;
  /* the weight depends on the stretch, too: d sqrt(s) / ds = sqrt(s) / (2 s) */
  for (int i = 0; i < rows * t->nz; i++) work->row_slopes[i] *= factor;
  if (term->per_time && t->nstretch)
    for (int i = 0; i < rows; i++)
      work->row_slopes[i * t->nz + brio_trajectory_s_column(t)] += work->rows[i] / (2 * point->stretch);
}

int brio_trajectory_rows(brio_trajectory *t, const brio_trajectory_term *term, int k,
                         const brio_trajectory_point *point) {
  struct brio_trajectory_private *work = t->work;
  brio_trajectory_point own = *point;
  /* arguments that are lists by node have one entry for each node of the phase, or of the whole chain if the
  ** term counts in every phase */
  if (term->phase == BRIO_TRAJECTORY_ALL) own.index = k;
  int rows = term->kind->rows(term->arguments, t, point->phase);
  assert(rows <= work->most_rows);
  double *slopes = point->du_slope ? work->row_slopes : NULL;
  if (slopes) memset(slopes, 0, (size_t)rows * (size_t)t->nz * sizeof *slopes);
  term->kind->evaluate(term->arguments, &own, work->rows, slopes);
  if (term->kind->cost) weigh(t, term, k, point, rows);
  return rows;
}

int brio_trajectory_defect(brio_trajectory *t, int k, const brio_trajectory_side sides[2],
                           const double stretch[2], double *defect, double *left, double *right) {
  const brio_trajectory_node *node = &t->nodes[k];
  int n = 2 * t->ndof, nz = t->nz, s = brio_trajectory_s_column(t);
  if (left) {
    memset(left, 0, (size_t)t->nstate * (size_t)nz * sizeof *left);
    memset(right, 0, (size_t)t->nstate * (size_t)nz * sizeof *right);
  }
  /* between phases no time passes; torques and stretch of the next phase are independent */
  if (brio_trajectory_joins(t, k)) return brio_trajectory_join(t, k, sides, defect, left, right) ? n : -1;
  if (!t->setup.scheme->defect(t, node->phase, node->step, stretch[0], sides, defect, left, right)) return -1;
  if (!t->nstretch) return n;
  /* the stretch is the same at all nodes of a phase: one more row */
  defect[n] = stretch[1] - stretch[0];
  if (left) left[n * nz + s] = -1, right[n * nz + s] = 1;
  return n + 1;
}

double brio_trajectory_value(const brio_trajectory *t, const double *q, const double *u, double stretch,
                             const double *torque, int i) {
  /* z = (configuration, velocity, stretch, torques) */
  if (i < t->ndof) return q[BRIO_BASE_NQ + t->first + i - BRIO_BASE_NV];
  if (i < 2 * t->ndof) return u[t->first + i - t->ndof];
  return i < t->nstate ? stretch : torque[i - t->nstate];
}
