/* Slopes of objectives that give none: central differences along the coordinates of the tangent,
**   dr/dv_j   (r(q + h e_j) - r(q - h e_j)) / 2h,
** and of a cost also its bend, (c(q + h e_j) - 2 c(q) + c(q - h e_j)) / h^2. A coordinate is moved
** only if it is free and the objective may depend on it: two evaluations for each. */
#include "solver/solver_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* How far a point fixed to a body has gone since its pairs were measured, m, in the world. */
static brio_vec3 carried(const brio_evaluation *at, int body, brio_vec3 point) {
  int link = at->bodies[body].frame;
  if (link < 0) return (brio_vec3){0, 0, 0};
  const brio_transform *before = &at->measured[link], *now = &at->state->links[link];
  /* The point in the frame that the link had then, brought to where the link is now. */
  brio_vec3 own = brio_transform_undirection(before, brio_vec3_sub(point, before->p));
  return brio_vec3_sub(brio_transform_point(now, own), point);
}

/* To first order a distance changes by the motion of its nearest points along their normal. */
double brio_evaluation_distance(const brio_evaluation *at, const brio_proximity_pair *pair) {
  const brio_distance *near = &pair->near;
  if (at->state->links == at->measured) return near->distance;
  brio_vec3 a = carried(at, pair->body_a, near->point_a), b = carried(at, pair->body_b, near->point_b);
  return near->distance + brio_vec3_dot(near->normal, brio_vec3_sub(b, a));
}

/* Called once for the first objective that needs differences; O(nq + nlink) bytes. */
bool brio_differences_start(brio_solver *solver) {
  brio_differences *d = &solver->differences;
  if (d->started) return true;
  brio_error err;
  if (!brio_state_start(&d->state, solver->robot, &err)) return false;
  d->q = BRIO_TAKE(&solver->arena, double, solver->robot->nq);
  d->step = BRIO_TAKE(&solver->arena, double, solver->robot->nv);
  d->tangent = BRIO_TAKE(&solver->arena, double, solver->robot->nv);
  d->started = d->q && d->step && d->tangent;
  if (!d->started) brio_state_end(&d->state);
  return d->started;
}

/* Arrays of the arena are freed with the arena. */
void brio_differences_end(brio_solver *solver) {
  brio_differences *d = &solver->differences;
  if (d->started) brio_state_end(&d->state);
  free(d->ahead);
  free(d->behind);
}

/* Make an array longer; on failure the old one stays. */
static bool grow(double **numbers, int count) {
  double *more = realloc(*numbers, (size_t)count * sizeof *more);
  if (more) *numbers = more;
  return more != NULL;
}

/* Both sides of a difference hold as many rows as the objective has. */
bool brio_differences_widen(brio_solver *solver, int rows) {
  return grow(&solver->differences.ahead, rows) && grow(&solver->differences.behind, rows);
}

/* Bring the evaluation to `h` along coordinate `c` from the pose under evaluation. O(nlink). */
static const brio_evaluation *move(brio_solver *solver, int c, double h) {
  brio_differences *d = &solver->differences;
  const brio_robot *robot = solver->robot;
  assert(d->started && c >= 0 && c < robot->nv);
  /* All but the pose is shared with the solver's own evaluation; pairs keep their distances. */
  d->at = solver->at;
  d->at.state = &d->state;
  d->at.q = d->q;
  d->at.step = d->step;
  /* Features are computed again for each pose. */
  d->at.serial = ++solver->serial;
  memset(d->tangent, 0, (size_t)robot->nv * sizeof *d->tangent);
  d->tangent[c] = h;
  brio_robot_integrate(robot, solver->q, d->tangent, d->q);
  /* The coming step moves with the place of rest by its slope. */
  memcpy(d->step, solver->step, (size_t)robot->nv * sizeof *d->step);
  d->step[c] += h * solver->step_slope[c];
  brio_state_update(&d->state, d->q);
  if (solver->needs & BRIO_NEEDS_COM) brio_state_update_com(&d->state);
  return &d->at;
}

/* The next coordinate after `c` (-1 to start) whose column counts; nv: there is none.  Where the base
** can turn, its three columns are mixed afterwards, so that all count. */
static int next_column(const brio_solver *solver, const bool *columns, int c) {
  for (c++; c < solver->robot->nv; c++) {
    bool turn = c >= 3 && c < BRIO_BASE_NV && brio_solver_base_turns(solver);
    bool free_to_move = turn || solver->bounds[c].lower < solver->bounds[c].upper;
    if (free_to_move && (!columns || columns[c])) return c;
  }
  return c;
}

/* The coordinates that an instance depends on; NULL: all. */
static const bool *columns_of(const brio_slot_state *slot) {
  return slot->kind->columns ? slot->kind->columns(slot->self) : NULL;
}

/* O(columns * (links + rows)): two poses for each column. */
bool brio_differences_rows(brio_solver *solver, const brio_slot_state *slot, int rows, double *jacobian) {
  brio_differences *d = &solver->differences;
  const brio_objective_kind *kind = slot->kind;
  assert(rows == 0 || (d->ahead && d->behind));
  const bool *columns = columns_of(slot);
  int nv = solver->robot->nv;
  double h = kind->step;
  /* A different number of rows than at the pose itself is a failure. */
  for (int c = next_column(solver, columns, -1); c < nv; c = next_column(solver, columns, c)) {
    if (kind->residual(slot->self, slot->goal, move(solver, c, h), d->ahead, NULL) != rows) return false;
    if (kind->residual(slot->self, slot->goal, move(solver, c, -h), d->behind, NULL) != rows) return false;
    for (int i = 0; i < rows; i++) jacobian[i * nv + c] = (d->ahead[i] - d->behind[i]) / (2 * h);
  }
  return true;
}

/* The cost at the pose itself is given, so that each column costs two poses here, too. */
bool brio_differences_cost(brio_solver *solver, const brio_slot_state *slot, double cost, double *gradient,
                           double *bend) {
  const brio_objective_kind *kind = slot->kind;
  const bool *columns = columns_of(slot);
  double h = kind->step;
  for (int c = next_column(solver, columns, -1); c < solver->robot->nv; c = next_column(solver, columns, c)) {
    double ahead = kind->cost(slot->self, slot->goal, move(solver, c, h), NULL, NULL);
    double behind = kind->cost(slot->self, slot->goal, move(solver, c, -h), NULL, NULL);
    /* One point that is not finite makes the whole objective fail. */
    if (!isfinite(ahead) || !isfinite(behind)) return false;
    gradient[c] = (ahead - behind) / (2 * h);
    bend[c] = (ahead - 2 * cost + behind) / (h * h);
  }
  return true;
}
