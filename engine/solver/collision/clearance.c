/* Near pairs in the cost, so that the best pose is one that the guard grants.
**
** The guard (guard.c) only refuses steps. Alone it would let a robot stick to a wall that objectives pull
** it into, where it could slide along. So every pair of physical bodies that is nearer than `outer` costs
**     k (outer - d)^2 / 2
** whatever objectives there are. The stiffness k is nobody's weight: it follows from how hard the
** objectives pull. With g their gradient and n the gradient of d, both at the pose, a pair is held half way
** between `outer` and its least distance by
**     k = 2 g.n / (|n|^2 (outer - least)),
** which is taken from the last solve, falls slowly, and is never below what the sum of weights makes
** likely. A pair that is nearer than its least distance already is only kept from coming nearer. */
#include <assert.h>
#include <string.h>

#include "math/scalar.h"
#include "solver/solver_internal.h"
#include "solver/terms/term.h"

static const double HELD = 2e-4;     /* m: outer distance of pairs that are too near, beyond theirs */
static const double USUAL = 100;     /* least stiffness, per m^2, of the sum of weights */
static const double FALLING = 0.2;   /* s: time constant of the stiffness */
static const double NO_LEVERAGE = 1e-4; /* m^2: with |n|^2 below it no joint separates the pair */
static const double STIFFEST = 1e15;

/* The distance `outer` at which a pair begins to cost that was `now` m apart at the accepted pose; `width`
** gets its difference from the least distance, m. */
static double outer_distance(const brio_solver *solver, const brio_proximity_pair *pair, double now,
                             double *width) {
  /* A pair built closer than the clearance begins to cost at twice its own least distance. */
  double least = brio_guard_least(solver, pair),
         outer = brio_min(BRIO_CLEARANCE_ZONE * solver->guard.clearance, 2 * least);
  if (pair->margin > BRIO_CLEARANCE_ZONE * solver->guard.clearance)
    outer = BRIO_CLEARANCE_ZONE * solver->guard.clearance;
  *width = outer - least;
  /* A pair that is too near already is only kept from coming nearer. */
  if (now >= least) return outer;
  *width = HELD;
  return brio_min(now + HELD, outer);
}

/* Return how far pair `i` of the watch is within its outer distance, m; 0: it is not. */
static double depth_of(const brio_solver *solver, int i, double *width) {
  const brio_proximity_pair *pair = &solver->collision.watch.pairs[i];
  double distance = pair->near.distance;
  /* Only pairs measured exactly and known to the guard cost: the guard knows those that count. */
  if (!pair->within || !(distance < brio_clearance_reach(solver))) return 0;
  const brio_nearby *nearby = brio_guard_find(solver, i);
  return nearby ? brio_max(0, outer_distance(solver, pair, nearby->distance, width) - distance) : 0;
}

void brio_clearance_begin(brio_solver *solver, double dt) {
  brio_guard *guard = &solver->guard;
  assert(dt > 0);
  /* Nothing costs while no pair can come within its outer distance in this solve. */
  double weights = 0;
  guard->matters = !guard->off &&
                   guard->nearest < brio_clearance_reach(solver) + 2 * guard->asked + guard->clearance;
  /* The stiffness follows what the last solve needed, falls by the time, and has a floor by weight. */
  for (int k = 0; k < solver->nactive; k++) weights += solver->slots[solver->active[k]].force;
  double least = brio_max(guard->needed, USUAL * weights);
  guard->stiffness = brio_max(guard->stiffness * exp(-dt / FALLING), least);
  guard->stiffness = brio_min(guard->stiffness, STIFFEST);
  guard->needed = 0;
  /* Distances are needed for every pose that is judged, whatever the objectives are. */
  if (guard->matters) solver->needs |= BRIO_NEEDS_PAIRS;
}

/* O(pairs within the range). */
double brio_clearance_cost(const brio_solver *solver) {
  const brio_watch *watch = &solver->collision.watch;
  double sum = 0, width;
  if (!solver->guard.matters) return 0;
  for (int k = 0; k < watch->nwithin; k++) {
    double depth = depth_of(solver, watch->within[k], &width);
    sum += depth * depth;
  }
  return 0.5 * solver->guard.stiffness * sum;
}

/* Gather the slopes of a pair's distance by free coordinates; return how many are not 0. */
static int distance_slopes(brio_solver *solver, const brio_proximity_pair *pair) {
  double *row = solver->guard.row;
  memset(row, 0, (size_t)solver->robot->nv * sizeof *row);
  brio_term_add_gap_row(&solver->at, pair, 1, row);
  /* As for rows of objectives: the base's turn, then followers. */
  if (brio_solver_base_turns(solver)) brio_solver_rotate_columns(solver, row, 1);
  brio_couplings_fold(solver, row, 1, false);
  return brio_solver_gather(solver, row);
}

void brio_clearance_slopes(brio_solver *solver, double *gradient, brio_curvature *curvature) {
  brio_guard *guard = &solver->guard;
  const brio_watch *watch = &solver->collision.watch;
  const int *index = solver->index;
  const double *entry = solver->entry;
  if (!guard->matters) return;
  /* The objectives' gradient alone, before near pairs add to it. */
  memcpy(guard->pull, gradient, (size_t)solver->nfree * sizeof *gradient);
  for (int k = 0; k < watch->nwithin; k++) {
    int i = watch->within[k];
    double width = 0, depth = depth_of(solver, i, &width), along = 0, square = 0;
    if (!(depth > 0)) continue;
    int count = distance_slopes(solver, &watch->pairs[i]);
    for (int a = 0; a < count; a++) along += guard->pull[index[a]] * entry[a], square += entry[a] * entry[a];
    /* The stiffness that would hold this pair half way; kept for the next solve. */
    if (square > NO_LEVERAGE) guard->needed = brio_max(guard->needed, 2 * along / (square * width));
    /* Slopes of k (outer - d)^2 / 2: gradient -k depth n, curvature k n n^T. */
    for (int a = 0; a < count; a++) gradient[index[a]] -= guard->stiffness * depth * entry[a];
    if (curvature) brio_curvature_add(curvature, index, entry, count, guard->stiffness);
  }
}
