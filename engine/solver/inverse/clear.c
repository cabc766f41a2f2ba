/* Keeping clear while goals are met: every pair nearer than allowed has a row, so that a
** configuration that meets the goals but touches something is led away from it, as far as the goals
** leave freedom. Distances are the solver's; their slope is
**   normal . (velocity of b's point - velocity of a's point). */
#include <assert.h>
#include <string.h>

#include "solver/inverse/inverse_internal.h"
#include "solver/solver_internal.h"

static const double SOFT = 0.004; /* m: rows aim at this much more than the clearance */
static const double STRENGTH = 2; /* a metre too near counts as this many metres off the goal */

/* The distance that a pair must keep, m: the clearance, or its margin where the robot is built closer. */
static double least(const brio_inverse *inverse, const brio_proximity_pair *pair) {
  return fmin(inverse->clearance, pair->margin);
}

/* Insert a pair into the list of the nearest if it belongs there; a full list loses the pair that
** lacks least. O(BRIO_INVERSE_NEAR). */
static void note(brio_inverse *inverse, const brio_proximity_pair *pair, double lack) {
  int at = inverse->nnear;
  if (at == BRIO_INVERSE_NEAR) {
    at = 0;
    for (int i = 1; i < BRIO_INVERSE_NEAR; i++)
      if (inverse->lack[i] < inverse->lack[at]) at = i;
    if (inverse->lack[at] >= lack) return;
  } else {
    inverse->nnear++;
  }
  inverse->near[at] = pair;
  inverse->lack[at] = lack;
}

/* Links are placed at x, then the watch measures all pairs within the range. */
void brio_inverse_measure_clear(brio_inverse *inverse, const double *x, double range) {
  brio_solver *shapes = inverse->shapes;
  brio_watch *watch = &shapes->collision.watch;
  brio_inverse_configuration(inverse, x, inverse->found);
  brio_state_update(&shapes->state, inverse->found);
  range = fmax(range, inverse->clearance + SOFT);
  brio_watch_measure(watch,
                     &(brio_watch_query){.frames = shapes->state.links, .range = range, .horizon = range});
  inverse->nnear = 0;
  inverse->nearest = NULL;
  inverse->distance = inverse->spare = INFINITY;
  /* `distance` leaves out pairs built closer than the clearance; `spare` compares each with its own. */
  for (int i = 0; i < watch->npair; i++) {
    const brio_proximity_pair *pair = &watch->pairs[i];
    if (!pair->within || !brio_solver_pair_physical(shapes, pair)) continue;
    double spare = pair->near.distance - least(inverse, pair);
    if (pair->margin >= inverse->clearance) inverse->distance = fmin(inverse->distance, pair->near.distance);
    if (spare < inverse->spare) inverse->spare = spare, inverse->nearest = pair;
    if (spare < SOFT) note(inverse, pair, SOFT - spare);
  }
  assert(inverse->nnear <= BRIO_INVERSE_NEAR);
}

/* Bounds of distances hold from a known pose on; a new solve has none. */
void brio_inverse_forget_near(brio_inverse *inverse) {
  brio_watch_forget(&inverse->shapes->collision.watch);
}

/* Rows not in use are 0: the number of rows is fixed, and even. */
void brio_inverse_clear_rows(brio_inverse *inverse, double *r) {
  memset(r, 0, BRIO_INVERSE_NEAR * sizeof *r);
  for (int i = 0; i < inverse->nnear; i++) r[i] = STRENGTH * inverse->lack[i];
}

/* Turn the base's columns of a row from angular velocity into rates of the rotation vector. */
static void turn_row(const brio_inverse *inverse, double *row) {
  brio_vec3 back = {-inverse->x[3], -inverse->x[4], -inverse->x[5]};
  double factors[2];
  brio_quat_left_factors(back, factors);
  brio_vec3 spin = brio_quat_left_jacobian(factors, back, (brio_vec3){row[3], row[4], row[5]});
  row[3] = spin.x, row[4] = spin.y, row[5] = spin.z;
}

/* One row a near pair: dense over the robot's variables first, then gathered for the chain. */
void brio_inverse_clear_slopes(brio_inverse *inverse, double *columns) {
  const brio_solver *shapes = inverse->shapes;
  const brio_body *bodies = shapes->collision.watch.bodies;
  /* Unused rows are 0, so that the number of rows is fixed. */
  for (int j = 0; j < inverse->n; j++)
    memset(columns + j * inverse->row_room, 0, BRIO_INVERSE_NEAR * sizeof *columns);
  for (int i = 0; i < inverse->nnear; i++) {
    const brio_proximity_pair *pair = inverse->near[i];
    const brio_distance *near = &pair->near;
    int link_a = bodies[pair->body_a].frame, link_b = bodies[pair->body_b].frame;
    double *row = inverse->dense;
    memset(row, 0, (size_t)inverse->robot->nv * sizeof *row);
    /* A residual falls as the distance grows:  -STRENGTH normal . (velocity of b's point - of a's point). */
    if (link_b >= 0)
      brio_state_add_point_row(&shapes->state, link_b, near->point_b, near->normal, -STRENGTH, row);
    if (link_a >= 0)
      brio_state_add_point_row(&shapes->state, link_a, near->point_a, near->normal, STRENGTH, row);
    if (inverse->nbase) turn_row(inverse, row);
    /* Columns of the base come first, then those of the chain's variables. */
    for (int j = 0; j < inverse->nbase; j++) columns[j * inverse->row_room + i] = row[j];
    for (int j = 0; j < inverse->chain.nvariable; j++)
      columns[(inverse->nbase + j) * inverse->row_room + i] = row[BRIO_BASE_NV + inverse->chain.variables[j]];
  }
}
