/* Inverse kinematics: creation and freeing of a workspace. */
#include "solver/inverse/inverse.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/inverse/inverse_internal.h"
#include "solver/solver_internal.h"

/* The matrices of a descent grow with the square of the numbers that move. */
enum { MAX_MOVING = 1000 };

/* Check that an index is one of `count`; `what` names its kind in the message. */
static bool check_index(int index, int count, const char *what, const brio_robot *robot, brio_error *err) {
  if (index >= 0 && index < count) return true;
  return brio_fail(err, BRIO_MISUSE, "robot '%.80s' has no %s number %d", robot->name, what, index);
}

/* Check options before anything is allocated. Errors: misuse. */
static bool check_options(const brio_robot *robot, const brio_inverse_options *options, brio_error *err) {
  /* Counts first, then the indices of links and of variables. */
  if (options->nlink < 1 || options->nlink > 100)
    return brio_fail(err, BRIO_MISUSE, "inverse kinematics needs 1 to 100 links with goals, not %d",
                     options->nlink);
  if (options->max_solutions < 0 || options->max_solutions > 10000)
    return brio_fail(err, BRIO_MISUSE, "max_solutions must be from 0 to 10000, not %d",
                     options->max_solutions);
  if (options->moves_base && robot->base == BRIO_BASE_FIXED)
    return brio_fail(err, BRIO_MISUSE, "the base of robot '%.80s' is fixed: it cannot move", robot->name);
  for (int k = 0; k < options->nlink; k++)
    if (!check_index(options->links[k], robot->nlink, "link", robot, err)) return false;
  for (int k = 0; k < options->nheld; k++)
    if (!check_index(options->held[k], robot->nvariable, "variable", robot, err)) return false;
  return true;
}

/* Set the limits of coordinate `i`, and the finite range in which starts are drawn: up to half a
** turn, or a metre of the base, where an end is missing. */
static void set_range(brio_inverse *inverse, int i, brio_bounds bounds) {
  inverse->lower[i] = bounds.lower, inverse->upper[i] = bounds.upper;
  /* A missing end lies half a turn (1 m or rad for the base) from the other end, or from 0. */
  double half = i >= inverse->nbase ? BRIO_PI : 1;
  inverse->reach_lower[i] = isfinite(bounds.lower)   ? bounds.lower
                            : isfinite(bounds.upper) ? bounds.upper - half
                                                     : -half;
  inverse->reach_upper[i] = isfinite(bounds.upper)   ? bounds.upper
                            : isfinite(bounds.lower) ? bounds.lower + half
                                                     : half;
  /* A number whose range has no length does not move. */
  inverse->held[i] |= !(bounds.lower < bounds.upper);
}

/* Find the ranges of all coordinates. Return how many of them can move. */
static int set_ranges(brio_inverse *inverse, const brio_inverse_options *options) {
  const brio_robot *robot = inverse->robot;
  int moving = 0;
  for (int i = 0; i < inverse->n; i++) {
    int variable = i < inverse->nbase ? -1 : inverse->chain.variables[i - inverse->nbase];
    /* Variables that the caller holds do not move; the base's numbers are none of them. */
    for (int k = 0; k < options->nheld; k++) inverse->held[i] |= options->held[k] == variable;
    set_range(inverse, i, brio_solver_limits(robot, i < inverse->nbase ? i : BRIO_BASE_NV + variable));
    /* The base's position is relative to its center; starts are drawn within a metre of it. */
    if (i < inverse->nbase && i < 3) /* as away from the center */
      inverse->lower[i] -= (&robot->base_center.p.x)[i], inverse->upper[i] -= (&robot->base_center.p.x)[i],
          inverse->reach_lower[i] = fmax(inverse->lower[i], -1),
          inverse->reach_upper[i] = fmin(inverse->upper[i], 1);
    moving += !inverse->held[i];
  }
  return moving;
}

/* Take all arrays from the arena; the matrices are n x n. */
static bool make_room(brio_inverse *inverse) {
  brio_arena *arena = &inverse->arena;
  int n = inverse->n, nlink = inverse->chain.nlink, nq = inverse->robot->nq;
  /* Room for the rows of all goals, and for those of near pairs where shapes are watched. */
  inverse->row_room = BRIO_INVERSE_ROWS * nlink + (inverse->shapes ? BRIO_INVERSE_NEAR : 0);
  /* Vectors of one number for each coordinate that moves. */
  double **of_n[] = {&inverse->lower,    &inverse->upper, &inverse->reach_lower, &inverse->reach_upper,
                     &inverse->x,        &inverse->trial, &inverse->best,        &inverse->pull,
                     &inverse->gradient, &inverse->step,  &inverse->nearby,      &inverse->home,
                     &inverse->kept};
  for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++)
    if (!(*of_n[i] = BRIO_TAKE(arena, double, n))) return false;
  /* Lists and targets, then residual rows, their columns, and the n x n matrices. */
  inverse->held = BRIO_TAKE(arena, bool, n);
  inverse->free = BRIO_TAKE(arena, int, n);
  inverse->targets = BRIO_TAKE(arena, brio_inverse_target, nlink);
  inverse->r = BRIO_TAKE(arena, double, inverse->row_room);
  inverse->columns = BRIO_TAKE(arena, double, n * inverse->row_room);
  inverse->matrix = BRIO_TAKE(arena, double, n *n);
  inverse->factor = BRIO_TAKE(arena, double, n *n);
  /* Configurations in full, as the caller gives and receives them. */
  inverse->q = BRIO_TAKE(arena, double, nq);
  inverse->found = BRIO_TAKE(arena, double, nq);
  inverse->dense = BRIO_TAKE(arena, double, inverse->robot->nv);
  /* Results, each with its distance from the posture, and the table of starts. */
  inverse->solutions = BRIO_TAKE(arena, double, inverse->max_solutions *nq);
  inverse->apartness = BRIO_TAKE(arena, double, inverse->max_solutions);
  inverse->starts = BRIO_TAKE(arena, brio_inverse_start, BRIO_INVERSE_TABLE);
  return inverse->held && inverse->free && inverse->targets && inverse->r && inverse->columns &&
         inverse->matrix && inverse->factor && inverse->q && inverse->found && inverse->dense &&
         inverse->solutions && inverse->apartness && inverse->starts;
}

/* Fail for lack of memory. */
static bool no_memory(const brio_robot *robot, brio_error *err) {
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for inverse kinematics of robot '%.80s'", robot->name);
}

/* Make a workspace in order: chain, numbers, shapes, arrays, ranges, starts. */
static bool start(brio_inverse *inverse, const brio_inverse_options *options, brio_error *err) {
  const brio_robot *robot = inverse->robot;
  brio_arena_start(&inverse->arena, 1 << 16);
  /* The chain has only the joints that move a link with a goal. */
  if (!brio_chain_start(&inverse->chain, robot, options->links, options->nlink, err)) return false;
  inverse->nbase = options->moves_base ? BRIO_BASE_NV : 0;
  inverse->n = inverse->nbase + inverse->chain.nvariable;
  inverse->max_solutions = options->max_solutions ? options->max_solutions : 16;
  if (inverse->n > MAX_MOVING)
    return brio_fail(err, BRIO_LIMIT, "%d numbers of robot '%.80s' move its links: expected at most %d",
                     inverse->n, robot->name, MAX_MOVING);
  /* A solver without objectives holds the shapes and measures distances. */
  brio_solver_options watch = {.max_objectives = 1, .max_shapes = options->max_shapes};
  if (options->watches && !(inverse->shapes = brio_solver_new(robot, &watch, err))) return false;
  if (!make_room(inverse)) return no_memory(robot, err);
  if (set_ranges(inverse, options) == 0)
    return brio_fail(err, BRIO_MISUSE, "nothing that is free moves link '%.80s' of robot '%.80s'",
                     robot->links[options->links[0]].name, robot->name);
  /* A base that moves is described from the middle of its range; search.c sets the pose of another. */
  inverse->base_pose = inverse->nbase ? robot->base_center : BRIO_POSE_IDENTITY;
  inverse->stream = brio_random_stream(options->seed, "inverse.starts");
  /* dot() of descent.c reads two rows at a time. */
  assert(inverse->row_room % 2 == 0);
  return brio_inverse_make_starts(inverse) || no_memory(robot, err);
}

/* O(n^2) bytes and BRIO_INVERSE_TABLE forward kinematics. */
brio_inverse *brio_inverse_new(const brio_robot *robot, const brio_inverse_options *options,
                               brio_error *err) {
  if (!check_options(robot, options, err)) return NULL;
  brio_inverse *inverse = calloc(1, sizeof *inverse);
  if (!inverse) {
    no_memory(robot, err);
    return NULL;
  }
  inverse->robot = robot;
  if (start(inverse, options, err)) return inverse;
  brio_inverse_free(inverse);
  return NULL;
}

/* Safe for a workspace that was made in part. */
void brio_inverse_free(brio_inverse *inverse) {
  if (!inverse) return;
  brio_solver_free(inverse->shapes);
  brio_chain_end(&inverse->chain);
  brio_arena_end(&inverse->arena);
  free(inverse);
}

brio_solver *brio_inverse_shapes(const brio_inverse *inverse) {
  return inverse->shapes;
}

const brio_robot *brio_inverse_robot(const brio_inverse *inverse) {
  return inverse->robot;
}

int brio_inverse_links(const brio_inverse *inverse, const int **links) {
  *links = inverse->chain.links;
  return inverse->chain.nlink;
}
