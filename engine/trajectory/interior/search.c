/* Line search along a step: how far it may go, the merit of the motion there, and accepting it. */
#include <math.h>
#include <string.h>

#include "math/scalar.h"
#include "trajectory/interior/interior.h"

void brio_interior_reach(const brio_interior *interior, double share, double *primal, double *dual) {
  *primal = *dual = 1;
  for (int k = 0; k < interior->nnode; k++) {
    const brio_interior_stage *s = &interior->stages[k];
    for (int i = 0; i < s->nside; i++) {
      /* t + step dt >= (1 - share) t, and the same of y */
      if (s->dslack[i] < 0) *primal = fmin(*primal, -share * s->slack[i] / s->dslack[i]);
      if (s->ddual[i] < 0) *dual = fmin(*dual, -share * s->dual[i] / s->ddual[i]);
    }
  }
}

/* Write stage `k` of the trial motion: the present one moved by `step`. */
static void move(brio_interior *interior, int k, double step) {
  const brio_trajectory *t = interior->trajectory;
  const brio_interior_stage *s = &interior->stages[k];
  const brio_trajectory_motion *from = &interior->now, *to = &interior->trial;
  int nq = t->robot->nq, nv = t->robot->nv, n = t->ndof;
  double *full = interior->full_step;
  memset(full, 0, (size_t)nv * sizeof *full);
  /* configurations move along the tangent, all else along straight lines */
  for (int i = 0; i < n; i++) {
    full[t->first + i] = step * s->step[i];
    to->u[k * nv + t->first + i] = from->u[k * nv + t->first + i] + step * s->step[n + i];
  }
  brio_robot_integrate(t->robot, from->q + k * nq, full, to->q + k * nq);
  to->stretch[k] = from->stretch[k] + (t->nstretch ? step * s->step[2 * n] : 0);
  for (int m = 0; m < t->nmotor; m++)
    to->torque[k * t->nmotor + m] = from->torque[k * t->nmotor + m] + step * s->step[t->nstate + m];
}

/* Add the terms and sides of stage `k` at the trial motion to its merit. */
static void measure(brio_interior *interior, int k, double step, const brio_trajectory_point *at,
                    brio_interior_merit *merit) {
  brio_trajectory *t = interior->trajectory;
  brio_interior_stage *s = &interior->stages[k];
  double *rows = interior->trial_rows;
  /* costs add up; rows of constraints are kept for their sides */
  for (int i = 0, row = 0; i < t->setup.nterm; i++) {
    const brio_trajectory_term *term = &t->work->terms[i];
    if (!brio_trajectory_counts(t, term, k)) continue;
    int count = brio_trajectory_rows(t, term, k, at);
    for (int r = 0; r < count && term->kind->cost; r++)
      merit->cost += t->work->rows[r] * t->work->rows[r] / 2;
    if (term->kind->cost) continue;
    memcpy(rows + row, t->work->rows, (size_t)count * sizeof *rows);
    row += count;
  }
  for (int i = 0; i < s->nside; i++) {
    /* the slack moves by the same step; its difference to the gap is an error */
    double slack = s->slack[i] + step * s->dslack[i];
    double value = brio_interior_side_value(interior, &s->sides[i], k, &interior->trial, rows);
    merit->objective -= interior->barrier * log(slack);
    merit->error += fabs(s->sides[i].gain * (value - s->sides[i].bound) - slack);
  }
  /* an equation has no slack: all of its deviation is an error */
  for (int i = 0; i < s->nequal; i++) {
    double value = brio_interior_side_value(interior, &s->equals[i], k, &interior->trial, rows);
    merit->error += fabs(value - s->equals[i].bound);
  }
}

bool brio_interior_try(brio_interior *interior, double step, brio_interior_merit *merit) {
  brio_trajectory *t = interior->trajectory;
  *merit = (brio_interior_merit){0};
  for (int k = 0; k < t->nnode; k++) {
    /* accelerations of two nodes in a row are kept: an interval needs both */
    double *du = interior->trial_du[k % 2];
    move(interior, k, step);
    brio_trajectory_point at = brio_trajectory_point_of(t, k, &interior->trial);
    if (!brio_trajectory_accelerate(t, t->nodes[k].phase, at.q, at.u, at.torque, du, interior->trial_forces,
                                    NULL, NULL, NULL))
      return false;
    at.du = du, at.forces = interior->trial_forces;
    brio_trajectory_place(t, &at);
    measure(interior, k, step, &at, merit);
    /* the interval that ends at this node */
    if (k == 0) continue;
    brio_trajectory_point last = brio_trajectory_point_of(t, k - 1, &interior->trial);
    const brio_trajectory_side sides[2] = {
        {last.q, last.u, last.torque, interior->trial_du[(k - 1) % 2], NULL},
        {at.q, at.u, at.torque, du, NULL}};
    int rows = brio_trajectory_defect(t, k - 1, sides, &interior->trial.stretch[k - 1],
                                      interior->trial_defect, NULL, NULL);
    if (rows < 0) return false;
    for (int i = 0; i < rows; i++) merit->error += fabs(interior->trial_defect[i]);
  }
  merit->objective += interior->scale * merit->cost;
  /* a motion with NaN or infinite merit is rejected */
  return isfinite(merit->objective) && isfinite(merit->error);
}

double brio_interior_slope(const brio_interior *interior) {
  double sum = 0;
  for (int k = 0; k < interior->nnode; k++) {
    const brio_interior_stage *s = &interior->stages[k];
    /* of the cost, then of the barrier */
    for (int i = 0; i < interior->nz; i++) sum += s->gradient[i] * s->step[i];
    for (int i = 0; i < s->nside; i++) sum -= interior->barrier * s->dslack[i] / s->slack[i];
  }
  return sum;
}

void brio_interior_accept(brio_interior *interior, double primal, double dual) {
  /* swap the memory of the two motions: O(1) */
  brio_trajectory_motion keep = interior->now;
  interior->now = interior->trial, interior->trial = keep;
  for (int k = 0; k < interior->nnode; k++) {
    brio_interior_stage *s = &interior->stages[k];
    for (int i = 0; i < s->nside; i++) {
      s->slack[i] += primal * s->dslack[i];
      /* keep y within a factor of 1e10 of mu / t, so that y / t does not spoil the next step */
      double middle = interior->barrier / s->slack[i];
      s->dual[i] = brio_clamp(s->dual[i] + dual * s->ddual[i], 1e-10 * middle, 1e10 * middle);
    }
    for (int i = 0; i < s->nequal; i++) s->multiplier[i] += primal * s->dmultiplier[i];
    for (int i = 0; i < s->ndefect; i++) s->costate[i] += primal * (s->next_costate[i] - s->costate[i]);
  }
}
