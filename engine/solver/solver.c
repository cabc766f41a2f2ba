/* Creation, freeing and queries of a solver. */
#include <assert.h>
#include <stdlib.h>

#include "solver/solver_internal.h"

enum { MAX_FREE = 1000 }; /* the workspace grows with the square: 21 MB at that */

/* The defaults of options that are 0 or NULL. */
static const brio_solver_options DEFAULTS = {
  .backend = "gauss_newton",
  .max_iterations = 30,
  .max_objectives = 256,
  .max_shapes = 10000,
  .max_distances = 1000000,
  .collision_range = 0.3,
  .clearance = 0.002,
};

/* Replace options that are 0 or NULL by their defaults. */
static brio_solver_options complete(const brio_solver_options *given) {
  /* Each option by itself: 0 and NULL stand for its default. */
  brio_solver_options options = given ? *given : DEFAULTS;
  if (!options.backend) options.backend = DEFAULTS.backend;
  if (!options.max_iterations) options.max_iterations = DEFAULTS.max_iterations;
  if (!options.max_objectives) options.max_objectives = DEFAULTS.max_objectives;
  if (!options.max_shapes) options.max_shapes = DEFAULTS.max_shapes;
  if (!options.max_distances) options.max_distances = DEFAULTS.max_distances;
  if (options.collision_range == 0) options.collision_range = DEFAULTS.collision_range;
  if (options.clearance == 0) options.clearance = DEFAULTS.clearance;
  return options;
}

/* Check that options are within their ranges. Errors: misuse. */
static bool check(const brio_solver_options *options, brio_error *err) {
  static const struct {
    const char *name;
    size_t offset;
    int most;
  } counts[] = {{"max_iterations", offsetof(brio_solver_options, max_iterations), 1000000},
                {"max_objectives", offsetof(brio_solver_options, max_objectives), 100000},
                {"max_shapes", offsetof(brio_solver_options, max_shapes), 100000},
                {"max_distances", offsetof(brio_solver_options, max_distances), 1000000}};
  /* Counts are checked by their offsets: each from 1 to its maximum. */
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    int value = *(const int *)((const char *)options + counts[i].offset);
    if (value < 1 || value > counts[i].most)
      return brio_fail(err, BRIO_MISUSE, "the solver's %s must be from 1 to %d, not %d", counts[i].name,
                       counts[i].most, value);
  }
  /* Written so that NaN is rejected too. */
  if (!(options->collision_range > 0 && options->collision_range < 1e6))
    return brio_fail(err, BRIO_MISUSE, "the solver's collision_range must be above 0 m, not %g",
                     options->collision_range);
  if (!(options->clearance > 0 && options->clearance <= options->collision_range))
    return brio_fail(err, BRIO_MISUSE,
                     "the solver's clearance must be above 0 m and within %g (collision_range), "
                     "not %g",
                     options->collision_range, options->clearance);
  return true;
}

/* Fill a zeroed solver by complete options; `like`: see brio_collision_start.  On failure it is filled in
** part: brio_solver_free frees that. */
static bool start(brio_solver *solver, const brio_robot *robot, const brio_solver_options *options,
                  const brio_collision *like, brio_error *err) {
  /* First what does not depend on other parts, then coordinates, guard and collision, which need
  ** states and room; the backend comes last, when the number of free coordinates is known. */
  brio_arena_start(&solver->arena, 1 << 14);
  solver->robot = robot;
  solver->lively = options->lively_losses;
  solver->seed = options->seed;
  solver->max_iterations = options->max_iterations;
  solver->range = options->collision_range;
  solver->max_distances = options->max_distances;
  solver->nearest = INFINITY;
  solver->nslot = options->max_objectives;
  solver->slots = BRIO_TAKE(&solver->arena, brio_slot_state, solver->nslot);
  solver->active = BRIO_TAKE(&solver->arena, int, solver->nslot);
  if (!solver->slots || !solver->active || !brio_solver_start_coordinates(solver))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a solver of robot '%s'", robot->name);
  /* The backend's workspace grows with the square of the free coordinates. */
  if (solver->nfree > MAX_FREE)
    return brio_fail(err, BRIO_LIMIT, "robot '%.80s' has %d numbers that move: a solver takes at most %d",
                     robot->name, solver->nfree, MAX_FREE);
  /* Link transforms at the place of rest, and at the end of the coming step (Lively's forms only). */
  if (!brio_state_start(&solver->state, robot, err) || !brio_state_start(&solver->next, robot, err))
    return false;
  solver->guard.off = options->unguarded;
  solver->guard.clearance = options->clearance;
  if (!brio_guard_start(solver, err)) return false;
  if (!brio_pulls_start(solver))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a solver of robot '%s'", robot->name);
  if (!brio_collision_start(&solver->collision, solver, options, like, err)) return false;
  solver->workspace = solver->backend->start(solver->nfree, err);
  if (!solver->workspace) return false;
  /* Objectives see the solver through pointers into it: they stay valid as long as it lives. */
  solver->at = (brio_evaluation){.robot = robot,
                                 .limits = solver->limits,
                                 .state = &solver->state,
                                 .next = &solver->next,
                                 .q = solver->q,
                                 .step = solver->step,
                                 .step_slope = solver->step_slope,
                                 .lively = solver->lively,
                                 .bodies = solver->collision.watch.bodies,
                                 .range = solver->range,
                                 .features = &solver->features,
                                 .measured = solver->state.links};
  return true;
}

/* make and start_base call each other: a solver, its base, and the quiet base of that. */
static brio_solver *make(const brio_robot *robot, const brio_solver_options *options,
                         const brio_collision *like, brio_error *err);

/* Make the base solver of a solver that is complete (base.c). The robot's own pairs are found once and
** copied. */
static bool start_base(brio_solver *solver, const brio_solver_options *options, brio_error *err) {
  brio_solver_options same = *options;
  same.with_base = false;
  solver->base = make(solver->robot, &same, &solver->collision, err);
  if (solver->base) solver->base->is_base = true;
  return solver->base != NULL;
}

/* Make a solver by options that are complete; `like`: see brio_collision_start. */
static brio_solver *make(const brio_robot *robot, const brio_solver_options *options,
                         const brio_collision *like, brio_error *err) {
  const brio_backend *backend = brio_backend_find(options->backend, err);
  if (!backend || !check(options, err)) return NULL;
  brio_solver *solver = calloc(1, sizeof *solver);
  if (!solver) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a solver");
    return NULL;
  }
  solver->backend = backend;
  if (!start(solver, robot, options, like, err)) {
    brio_solver_free(solver);
    return NULL;
  }
  brio_solver_reset(solver, NULL, true);
  if (!options->with_base) return solver;
  /* `with_base` is off in the bases' own options, so that the chain ends at the quiet one. */
  if (start_base(solver, options, err) && start_base(solver->base, options, err)) return solver;
  brio_solver_free(solver);
  return NULL;
}

brio_solver *brio_solver_new(const brio_robot *robot, const brio_solver_options *given, brio_error *err) {
  brio_solver_options options = complete(given);
  return make(robot, &options, NULL, err);
}

/* The bases go first. A solver that is filled in part can be freed, too. */
void brio_solver_free(brio_solver *solver) {
  if (!solver) return;
  brio_solver_free(solver->base);
  brio_slots_end(solver);
  brio_differences_end(solver);
  brio_collision_end(&solver->collision);
  if (solver->workspace) solver->backend->end(solver->workspace);
  brio_state_end(&solver->state);
  brio_state_end(&solver->next);
  free(solver->report);
  brio_guard_end(&solver->guard);
  brio_arena_end(&solver->arena);
  free(solver);
}

/* The same limit for all: the base is as exact as the solver. */
void brio_solver_set_iterations(brio_solver *solver, int most) {
  solver->max_iterations = most > 0 ? most : 0;
  for (brio_solver *each = solver->base; each; each = each->base)
    each->max_iterations = solver->max_iterations;
}

const brio_state *brio_solver_state(const brio_solver *solver) { return &solver->state; }

int brio_solver_room(const brio_solver *solver) { return solver->nslot; }

uint64_t brio_solver_solves(const brio_solver *solver) { return solver->solves; }

double brio_solver_time(const brio_solver *solver) { return solver->time; }

const double *brio_solver_configuration_of(const brio_solver *solver) { return solver->past[0]; }

const brio_robot *brio_solver_robot(const brio_solver *solver) { return solver->robot; }

int brio_solver_self_pairs(const brio_solver *solver, const int (**pairs)[2]) {
  *pairs = (const int (*)[2])solver->collision.self_links;
  return solver->collision.nself_links;
}

/* The couplings of the base follow; each solver restarts at rest at its own pose. */
bool brio_solver_couple(brio_solver *solver, const int *variables, const double *coefficients, int count,
                        double sum, brio_error *err) {
  if (!brio_couplings_add(solver, variables, coefficients, count, sum, err)) return false;
  assert(solver->ncoupling > 0);
  brio_solver_reset(solver, solver->past[0], false);
  return !solver->base || brio_solver_couple(solver->base, variables, coefficients, count, sum, err);
}
