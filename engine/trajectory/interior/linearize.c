/* Values and derivatives of all stages at the present motion. */
#include <math.h>
#include <string.h>

#include "trajectory/interior/interior.h"
#include "trajectory/matrix.h"

double brio_interior_side_value(const brio_interior *interior, const brio_interior_side *side, int k,
                                const brio_trajectory_motion *m, const double *rows) {
  const brio_trajectory *t = interior->trajectory;
  if (side->row >= 0) return rows[side->row];
  return brio_trajectory_value(t, m->q + k * t->robot->nq, m->u + k * t->robot->nv, m->stretch[k],
                               m->torque + k * t->nmotor, -1 - side->row);
}

/* Add a cost |r|^2 / 2: its value, gradient J^T r and Gauss-Newton Hessian J^T J, both scaled. */
static void add_cost(brio_interior *interior, brio_interior_stage *s, int rows, brio_interior_merit *merit) {
  const struct brio_trajectory_private *work = interior->trajectory->work;
  int nz = interior->nz;
  for (int i = 0; i < rows; i++) {
    double r = work->rows[i];
    merit->cost += r * r / 2;
    brio_matrix_add_square(nz, interior->scale, work->row_slopes + i * nz, s->hessian);
  }
  brio_matrix_add_turned_vector(rows, nz, interior->scale, work->row_slopes, work->rows, s->gradient);
}

/* Write the multiplier of each row of a stage's constraints: minus the sum of gain * dual of its sides. */
static void row_weights(const brio_interior_stage *s, double *weights) {
  memset(weights, 0, (size_t)s->nrow * sizeof *weights);
  for (int i = 0; i < s->nside; i++)
    if (s->sides[i].row >= 0) weights[s->sides[i].row] -= s->sides[i].gain * s->dual[i];
}

/* Evaluate the terms of stage `k`: gradient and Hessian of costs, rows and Jacobian of constraints. */
static void linearize_terms(brio_interior *interior, int k, const brio_trajectory_point *at,
                            brio_interior_merit *merit) {
  brio_trajectory *t = interior->trajectory;
  brio_interior_stage *s = &interior->stages[k];
  const struct brio_trajectory_private *work = t->work;
  size_t nz = (size_t)t->nz;
  memset(s->gradient, 0, nz * sizeof *s->gradient), memset(s->hessian, 0, nz * nz * sizeof *s->hessian);
  /* multipliers of this stage's rows, for terms with curvature (bend) */
  row_weights(s, interior->trial_rows);
  for (int i = 0, row = 0; i < t->setup.nterm; i++) {
    const brio_trajectory_term *term = &work->terms[i];
    if (!brio_trajectory_counts(t, term, k)) continue;
    int rows = brio_trajectory_rows(t, term, k, at);
    if (term->kind->cost) {
      add_cost(interior, s, rows, merit);
      continue;
    }
    /* rows of constraints in the order in which sides were listed */
    memcpy(s->row + row, work->rows, (size_t)rows * sizeof *s->row);
    memcpy(s->slope + row * t->nz, work->row_slopes, (size_t)rows * nz * sizeof *s->slope);
    if (term->kind->bend) term->kind->bend(term->arguments, at, interior->trial_rows + row, s->hessian);
    row += rows;
  }
}

/* Evaluate gaps and errors of a stage; add the barrier to the objective, |g - t| and |c| to the error. */
static void measure_sides(brio_interior *interior, int k, brio_interior_merit *merit) {
  brio_interior_stage *s = &interior->stages[k];
  for (int i = 0; i < s->nside; i++) {
    double value = brio_interior_side_value(interior, &s->sides[i], k, &interior->now, s->row);
    s->gap[i] = s->sides[i].gain * (value - s->sides[i].bound);
    /* before slacks exist there is no barrier */
    if (!(s->slack[i] > 0)) continue;
    merit->objective -= interior->barrier * log(s->slack[i]);
    merit->error += fabs(s->gap[i] - s->slack[i]);
  }
  for (int i = 0; i < s->nequal; i++) {
    /* equations have no slack */
    double value = brio_interior_side_value(interior, &s->equals[i], k, &interior->now, s->row);
    s->error[i] = value - s->equals[i].bound;
    merit->error += fabs(s->error[i]);
  }
}

/* Return stage `k` as one end of an interval. */
static brio_trajectory_side side_of(brio_interior *interior, int k) {
  brio_trajectory_point at = brio_trajectory_point_of(interior->trajectory, k, &interior->now);
  const brio_interior_stage *s = &interior->stages[k];
  return (brio_trajectory_side){at.q, at.u, at.torque, s->du, s->du_slope};
}

bool brio_interior_linearize(brio_interior *interior, brio_interior_merit *merit, brio_error *err) {
  brio_trajectory *t = interior->trajectory;
  *merit = (brio_interior_merit){0};
  for (int k = 0; k < t->nnode; k++) {
    brio_interior_stage *s = &interior->stages[k];
    brio_trajectory_point at = brio_trajectory_point_of(t, k, &interior->now);
    if (!brio_trajectory_accelerate(t, t->nodes[k].phase, at.q, at.u, at.torque, s->du, s->forces,
                                    s->du_slope, s->force_slope, err))
      return false;
    /* terms may use accelerations, forces and their derivatives */
    at.du = s->du, at.forces = s->forces, at.du_slope = s->du_slope, at.force_slope = s->force_slope;
    brio_trajectory_place(t, &at);
    linearize_terms(interior, k, &at, merit);
    measure_sides(interior, k, merit);
  }
  for (int k = 0; k < brio_trajectory_intervals(t); k++) {
    brio_interior_stage *s = &interior->stages[k];
    int next = brio_trajectory_next(t, k);
    /* intervals after all nodes: each needs the accelerations at both ends */
    const brio_trajectory_side sides[2] = {side_of(interior, k), side_of(interior, next)};
    const double stretch[2] = {interior->now.stretch[k], interior->now.stretch[next]};
    if (brio_trajectory_defect(t, k, sides, stretch, s->defect, s->left, s->right) < 0)
      return brio_fail(err, BRIO_LIMIT, "the dynamics fail between nodes %d and %d", k + 1, next + 1);
    for (int i = 0; i < s->ndefect; i++) merit->error += fabs(s->defect[i]);
  }
  merit->objective += interior->scale * merit->cost;
  /* fmax and comparisons ignore NaN: reject it here */
  if (isfinite(merit->cost) && isfinite(merit->error)) return true;
  return brio_fail(err, BRIO_LIMIT, "the motion has numbers that are not finite, or immense");
}
