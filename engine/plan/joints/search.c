/* Searches: set-up, slices, and what is read of them. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/joints/search_internal.h"

static const double BEYOND = 1e-4; /* rad or m: start and goals may be so far outside the limits */

brio_joint_search_settings brio_joint_search_settings_default(void) {
  return (brio_joint_search_settings){
      .range = 1, .nodes = 50000, .checks = 5000000, .shortenings = 100, .alternatives = 1, .drawn = 16};
}

/* --- set-up --- */

static bool check_settings(const brio_joint_search_settings *settings, brio_error *err) {
  /* NaN fails this test, too. */
  if (!(settings->range > 0 && settings->range <= 1000))
    return brio_fail(err, BRIO_MISUSE, "the range of a search is above 0, at most 1000, not %g",
                     settings->range);
  if (settings->nodes < 2 || settings->nodes > BRIO_JOINTS_NODES)
    return brio_fail(err, BRIO_MISUSE, "a search has 2 to %d nodes, not %d", BRIO_JOINTS_NODES,
                     settings->nodes);
  if (settings->checks < 0 || settings->shortenings < 0 || settings->alternatives < 0)
    return brio_fail(err, BRIO_MISUSE, "checks, shortenings and alternatives of a search are 0 or more");
  if (settings->optimal && !settings->checks)
    return brio_fail(err, BRIO_MISUSE,
                     "an optimal search goes on until its checks are used up: it needs some");
  if (settings->drawn < 1 || settings->drawn > BRIO_JOINTS_GOALS)
    return brio_fail(err, BRIO_MISUSE, "a search draws 1 to %d goals, not %d", BRIO_JOINTS_GOALS,
                     settings->drawn);
  return true;
}

/* Read the ranges of the planned variables. */
static void set_space(brio_joint_space *space, const brio_robot *robot, const int *variables, int n) {
  space->n = n;
  for (int i = 0; i < n; i++) {
    const brio_variable *variable = &robot->variables[variables[i]];
    space->circular[i] = variable->circular;
    /* A circular variable is kept within half a turn of 0. */
    space->lower[i] = variable->circular ? -BRIO_PI : variable->lower;
    space->upper[i] = variable->circular ? BRIO_PI : variable->upper;
  }
}

/* Check that a configuration is finite and within its limits, and copy it to `out`. */
static bool check_values(const brio_joint_search *search, const brio_robot *robot, const double *x,
                         const char *what, double *out, brio_error *err) {
  const brio_joint_space *space = &search->space;
  const int *variables;
  brio_joint_checker_size(search->checker, &variables);
  for (int i = 0; i < space->n; i++) {
    const brio_variable *variable = &robot->variables[variables[i]];
    if (!isfinite(x[i]))
      return brio_fail(err, BRIO_MISUSE, "%s: '%.80s' is not finite", what, variable->name);
    /* Whole turns do not count. */
    out[i] = space->circular[i] ? remainder(x[i], 2 * BRIO_PI) : x[i];
    if (out[i] < space->lower[i] - BEYOND || out[i] > space->upper[i] + BEYOND)
      return brio_fail(err, BRIO_UNREACHABLE, "%s: '%.80s' is %.4f, outside its limits %.4f to %.4f", what,
                       variable->name, x[i], space->lower[i], space->upper[i]);
  }
  return true;
}

/* Make a root of a configuration if it is possible and clear; if not, say why. */
static bool add_root(brio_joint_search *search, int tree, const brio_robot *robot, const double *x,
                     const char *what, brio_error *err) {
  /* The limits first: they cost nothing, and their sentence is clearer. */
  double own[BRIO_JOINTS_PLANNED];
  if (!check_values(search, robot, x, what, own, err)) return false;
  if (!brio_joint_checker_clear(search->checker, own))
    return brio_joint_checker_explain(search->checker, own, what, err);
  brio_joint_tree_add(&search->trees[tree], &search->space, own, -1);
  return true;
}

/* Plant the trees.  Goals that are not possible are left out, unless all are. */
static bool add_roots(brio_joint_search *search, const brio_joint_search_request *request,
                      const brio_robot *robot, brio_error *err) {
  if (!add_root(search, 0, robot, request->start, "the start", err)) return false;
  brio_error first = {0};
  for (int g = 0; g < request->ngoal; g++) {
    /* The goal's name in sentences: by number, unless it is the only one. */
    char what[40];
    if (request->ngoal == 1)
      snprintf(what, sizeof what, "the goal");
    else
      snprintf(what, sizeof what, "goal %d of %d", g + 1, request->ngoal);
    brio_error why = {0};
    if (add_root(search, 1, robot, request->goals + (size_t)g * (size_t)search->space.n, what, &why))
      search->goal_of[search->trees[1].count - 1] = g;
    else if (why.code == BRIO_MISUSE || !first.code)
      first = why;
    /* NaN is a mistake of the caller, not a goal out of reach. */
    if (why.code == BRIO_MISUSE) break;
  }
  /* One good goal is enough, and a region may have some. */
  if ((search->trees[1].count || request->nregion) && first.code != BRIO_MISUSE) return true;
  if (err) *err = first;
  return false;
}

/* Allocate all memory for `ngoal` goals, including drawn ones.  Most of it is never used by one search, so it
** is not cleared. */
static bool take(brio_joint_search *search, int ngoal) {
  /* The path at hand, the best, and the copy that is given out. */
  size_t bytes = (size_t)BRIO_JOINTS_CORNERS * (size_t)search->space.n * sizeof *search->path;
  search->goal_of = malloc((size_t)ngoal * sizeof *search->goal_of);
  search->path = malloc(bytes);
  search->shown = malloc(bytes);
  search->best = malloc(bytes);
  search->walk.corners = malloc(search->keeps ? bytes : (size_t)search->space.n * sizeof *search->path);
  for (int k = 0; k < 2; k++) search->lengths[k] = malloc(BRIO_JOINTS_CORNERS * sizeof(double));
  int nodes = search->settings.nodes;
  return search->goal_of && search->path && search->shown && search->best && search->walk.corners &&
         search->lengths[0] && search->lengths[1] &&
         brio_joint_tree_start(&search->trees[0], search->space.n, nodes, search->settings.optimal) &&
         brio_joint_tree_start(&search->trees[1], search->space.n, nodes < ngoal ? ngoal : nodes,
                               search->settings.optimal);
}

static bool start(brio_joint_search *search, const brio_joint_search_request *request, brio_error *err) {
  const int *variables;
  int n = brio_joint_checker_size(request->checker, &variables);
  const brio_robot *robot = brio_joint_checker_robot(request->checker);
  search->checker = request->checker;
  search->keeps = brio_joint_checker_keeps(request->checker);
  search->settings = request->settings;
  search->random = brio_random_stream(request->seed, "joint path");
  set_space(&search->space, robot, variables, n);
  search->ngoal = request->ngoal;
  if (request->nregion && !brio_joint_region_start(&search->region, request->checker, request->region,
                                                   request->nregion, request->seed, err))
    return false;
  if (!take(search, request->ngoal + (request->nregion ? search->settings.drawn : 0)))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a search with %d nodes", search->settings.nodes);
  if (!add_roots(search, request, robot, err)) return false;
  /* Roots are kept by further searches, which start new trees. */
  for (int k = 0; k < 2; k++) search->nroot[k] = search->trees[k].count;
  /* The goals' tree first goes straight to the start. */
  search->phase = request->nregion ? &brio_joint_draw : &brio_joint_connect;
  return true;
}

/* --- goals of a region --- */

enum { DRAWS = 30 }; /* for each goal that is wanted */

/* Draw once; at the end, go on with what there is. */
static bool begin_draw(brio_joint_search *search) {
  brio_joint_region *region = &search->region;
  int drawn = search->trees[1].count - search->nroot[1], most = search->settings.drawn;
  if (drawn < most && region->draws < DRAWS * most) {
    double x[BRIO_JOINTS_PLANNED], none[BRIO_JOINTS_PLANNED] = {0};
    if (!brio_joint_region_draw(region, x)) return false;
    brio_joint_space_step(&search->space, x, none, 0, x);
    search->goal_of[search->trees[1].count] = search->ngoal + drawn;
    brio_joint_tree_add(&search->trees[1], &search->space, x, -1);
    return false;
  }
  search->nroot[1] = search->trees[1].count;
  search->phase = &brio_joint_connect;
  char why[160];
  snprintf(why, sizeof why,
           "no configuration of its region was found: of %d tries %d did not get there, %d touch",
           region->draws, region->missed, region->blocked);
  if (!search->nroot[1]) brio_joint_search_fail(search, why);
  return false;
}

const brio_joint_phase brio_joint_draw = {begin_draw, NULL, false};

brio_joint_search *brio_joint_search_new(const brio_joint_search_request *request, brio_error *err) {
  if (!check_settings(&request->settings, err)) return NULL;
  /* The numbers of the request decide how much memory is taken. */
  if (request->ngoal < (request->nregion ? 0 : 1) || request->ngoal > BRIO_JOINTS_GOALS) {
    brio_fail(err, BRIO_MISUSE, "a search has 1 to %d goals, not %d", BRIO_JOINTS_GOALS, request->ngoal);
    return NULL;
  }
  brio_joint_search *search = calloc(1, sizeof *search);
  if (!search) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a search");
    return NULL;
  }
  if (!start(search, request, err)) {
    brio_joint_search_free(search);
    return NULL;
  }
  return search;
}

void brio_joint_search_free(brio_joint_search *search) {
  if (!search) return;
  for (int i = 0; i < 2; i++) brio_joint_tree_end(&search->trees[i]);
  brio_joint_region_end(&search->region);
  /* free() takes NULL where memory ran out. */
  void *taken[] = {search->goal_of,    search->path,       search->shown,       search->best,
                   search->lengths[0], search->lengths[1], search->walk.corners};
  for (int i = 0; i < 7; i++) free(taken[i]);
  free(search);
}

/* --- slices --- */

void brio_joint_search_step(brio_joint_search *search) {
  search->number = brio_joint_motion_begin(search->checker, search->from, search->delta);
  search->effort.motions++;
}

void brio_joint_search_move(brio_joint_search *search, const double *from, const double *to, double share) {
  int n = search->space.n;
  if (search->keeps) {
    brio_joint_walk_begin(search, from, to, share);
    return;
  }
  memcpy(search->from, from, (size_t)n * sizeof *from);
  /* The short way of circular variables, and a share of it. */
  brio_joint_space_difference(&search->space, from, to, search->delta);
  for (int i = 0; i < n; i++) search->delta[i] *= share;
  /* A whole way ends at the very numbers. */
  if (share == 1)
    memcpy(search->to, to, (size_t)n * sizeof *to);
  else
    brio_joint_space_step(&search->space, from, search->delta, 1, search->to);
  /* It is a walk of one step. */
  memcpy(search->walk.corners, search->to, (size_t)n * sizeof *to);
  search->walk.count = 1;
  brio_joint_search_step(search);
}

void brio_joint_search_fail(brio_joint_search *search, const char *reason) {
  search->phase = NULL;
  /* There is a path, if no further one. */
  if (search->status == BRIO_SEARCH_FOUND) return;
  /* The effort in numbers tells a narrow way from one that is closed. */
  brio_fail(&search->why, BRIO_UNREACHABLE, "no path was found: %s (%d rounds, %d nodes, %lld checks)",
            reason, search->effort.rounds, search->trees[0].count + search->trees[1].count,
            (long long)search->effort.checks);
  search->status = BRIO_SEARCH_FAILED;
}

/* One turn of the current phase: a beginning, or checks of its motion.  Return what it cost. */
static int advance(brio_joint_search *search, int budget) {
  if (!search->moving) {
    /* A goal that is drawn costs as much as many checks. */
    int cost = search->phase == &brio_joint_draw ? 20 : 1;
    search->moving = search->phase->begin(search);
    return cost < budget ? cost : budget;
  }
  /* The motion at hand goes on where the last slice left it. */
  int used = 1;
  /* Another user of the checker has forgotten the motion: it begins again, and its verdict is the same. */
  if (search->number != brio_joint_motion_number(search->checker))
    search->number = brio_joint_motion_begin(search->checker, search->from, search->delta);
  brio_joint_verdict verdict = BRIO_MOTION_BLOCKED;
  if (!search->keeps || search->walk.moves) verdict = brio_joint_motion_work(search->checker, budget, &used);
  search->effort.checks += used;
  /* Not decided: the budget is used up. */
  if (verdict == BRIO_MOTION_OPEN) return used;
  bool clear = verdict == BRIO_MOTION_CLEAR;
  if (search->keeps) {
    if (brio_joint_walk_next(search, clear)) return used;
    clear = search->walk.arrived || (search->phase->partly && search->walk.count > 0);
  }
  search->moving = false;
  search->phase->end(search, clear);
  return used;
}

brio_search_status brio_joint_search_work(brio_joint_search *search, int budget, brio_error *err) {
  while (budget > 0 && search->phase) {
    /* Beginnings are charged, too, so that no slice is longer than its budget says. */
    int used = advance(search, budget);
    assert(used >= 0 && used <= budget);
    budget -= used;
    search->spent += used;
    /* Shortening ends by itself; growth might not. */
    bool grows = search->phase == &brio_joint_grow || search->phase == &brio_joint_connect ||
                 search->phase == &brio_joint_improve;
    if (grows && search->settings.checks && search->spent >= search->settings.checks)
      brio_joint_search_fail(search, "all checks are used up");
  }
  if (search->status == BRIO_SEARCH_FAILED && err) *err = search->why;
  return search->status;
}

int brio_joint_search_size(const brio_joint_search *search) {
  return search->space.n;
}

bool brio_joint_search_over(const brio_joint_search *search) {
  return !search->phase;
}

const double *brio_joint_search_path(brio_joint_search *search, int *count) {
  size_t n = (size_t)search->space.n;
  const double *path = search->nbest ? search->best : search->path;
  *count = search->nbest ? search->nbest : search->count;
  if (!*count) return NULL;
  /* The first corner stands as it is. */
  memcpy(search->shown, path, n * sizeof *path);
  /* Each corner is the one before and the short way to it: circular variables do not jump. */
  for (int i = 1; i < *count; i++) {
    double delta[BRIO_JOINTS_PLANNED];
    const double *at = path + n * (size_t)i;
    brio_joint_space_difference(&search->space, at - n, at, delta);
    for (size_t k = 0; k < n; k++)
      search->shown[n * (size_t)i + k] =
          search->space.circular[k] ? search->shown[n * (size_t)(i - 1) + k] + delta[k] : at[k];
  }
  return search->shown;
}

brio_joint_search_effort brio_joint_search_effort_of(const brio_joint_search *search) {
  brio_joint_search_effort effort = search->effort;
  /* What can be counted now is not kept. */
  effort.nodes = search->trees[0].count + search->trees[1].count;
  effort.goal = search->nbest ? search->best_goal : search->count ? search->goal : -1;
  effort.length = search->nbest ? brio_joint_search_length(search, search->best, search->nbest)
                                : brio_joint_search_length(search, search->path, search->count);
  return effort;
}
