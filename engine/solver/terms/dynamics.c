/* Momentum and accelerations of the coming step, for terms of dynamics. */
#include "solver/terms/dynamics.h"

#include <assert.h>

bool brio_term_dynamics_start(brio_term_dynamics *term, const brio_robot *robot, brio_error *err) {
  if (!brio_term_must_weigh(robot, err) || !brio_dynamics_start(&term->dynamics, robot, NULL, err))
    return false;
  /* The arrays live and end with the workspace. */
  brio_arena *arena = &term->dynamics.arena;
  term->velocity = BRIO_TAKE(arena, double, robot->nv);
  term->acceleration = BRIO_TAKE(arena, double, robot->nv);
  term->row = BRIO_TAKE(arena, double, robot->nv);
  term->matrix = BRIO_TAKE(arena, double, 6 * robot->nv);
  if (term->velocity && term->acceleration && term->row && term->matrix) return true;
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for the dynamics of robot '%.80s'", robot->name);
}

void brio_term_dynamics_end(void *self) {
  brio_term_dynamics *term = self;
  if (term->dynamics.work) brio_dynamics_end(&term->dynamics);
}

void brio_term_dynamics_update(brio_term_dynamics *term, const brio_evaluation *last) {
  const brio_robot *robot = last->robot;
  assert(last->past_dt[0] > 0);
  /* The last step over its time: the velocity in its middle. */
  brio_robot_difference(robot, last->past[1], last->past[0], term->velocity);
  for (int i = 0; i < robot->nv; i++) term->velocity[i] /= last->past_dt[0];
}

void brio_term_momentum_update(brio_term_dynamics *term, const brio_evaluation *last) {
  brio_term_dynamics_update(term, last);
  term->momentum = brio_dynamics_momentum(&term->dynamics, last->past[0], term->velocity, term->matrix);
}

double brio_term_acceleration(const brio_term_dynamics *term, const brio_evaluation *at) {
  /* Both velocities are those of the middle of their steps: half of both steps lies between. */
  double k = 2 / (at->dt + at->past_dt[0]);
  for (int i = 0; i < at->robot->nv; i++)
    term->acceleration[i] = k * (at->step[i] / at->dt - term->velocity[i]);
  return k / at->dt;
}

void brio_term_momentum_row(const brio_term_dynamics *term, const brio_evaluation *at, int i, double scale,
                            double *row) {
  const double *from = term->matrix + i * at->robot->nv;
  for (int j = 0; j < at->robot->nv; j++) row[j] = scale * from[j];
  brio_term_slope_of_steps(at, row);
}

double brio_term_momentum_of(const brio_term_dynamics *term, int i, const double *rates) {
  int nv = term->dynamics.robot->nv;
  double sum = 0;
  for (int j = 0; j < nv; j++) sum += term->matrix[i * nv + j] * rates[j];
  return sum;
}
