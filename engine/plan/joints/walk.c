/* Walks: motions that keep what is to be kept.  Each step goes towards the target, is projected on what is
** kept, and is a straight motion that is proven to keep it, and checked among the solids, like any other.  A
** step that cannot be proven is halved; one that comes no nearer to the target ends the walk.
** Source: Berenson, Srinivasa, Ferguson and Kuffner, "Manipulation planning on constraint manifolds",
** 2009. */
#include <assert.h>
#include <string.h>

#include "plan/joints/search_internal.h"

static const double STEP = 0.4, LEAST = 0.4 / 64; /* length of a step: at most, at least */
static const double NEARER = 0.05;                /* of a step: it must bring the target nearer by that */
static const double AROUND = 3;                   /* times the straight way: a walk is no longer */

/* Return the configuration from which the next step goes. */
static const double *here(const brio_joint_search *search) {
  const brio_joint_walk *walk = &search->walk;
  return walk->count ? walk->corners + (size_t)(walk->count - 1) * (size_t)search->space.n : walk->begin;
}

/* Return the distance of two configurations. */
static double apart(const brio_joint_search *search, const double *a, const double *b) {
  double delta[BRIO_JOINTS_PLANNED];
  return brio_joint_space_difference(&search->space, a, b, delta);
}

/* Try a step of a length; `far` is the distance of the target.  Return whether it may be checked. */
static bool try_step(brio_joint_search *search, const double *way, double far, double length) {
  brio_joint_walk *walk = &search->walk;
  size_t bytes = (size_t)search->space.n * sizeof *search->to;
  walk->last = far <= length;
  if (walk->last && walk->exact)
    memcpy(search->to, walk->target, bytes);
  else {
    brio_joint_space_step(&search->space, search->from, way, walk->last ? 1 : length / far, search->to);
    if (!brio_joint_checker_project(search->checker, search->to)) return false;
    /* Circular values stay within half a turn. */
    double none[BRIO_JOINTS_PLANNED] = {0};
    brio_joint_space_step(&search->space, search->to, none, 0, search->to);
  }
  /* It has to bring the target nearer, and to be near what was aimed at. */
  double gone = brio_joint_space_difference(&search->space, search->from, search->to, search->delta);
  if (!(walk->last && walk->exact) &&
      (gone > 2 * length || apart(search, search->to, walk->target) > far - NEARER * length))
    return false;
  return brio_joint_checker_motion_keeps(search->checker, search->from, search->delta);
}

/* Begin the next step.  Return false where there is none. */
static bool step(brio_joint_search *search) {
  brio_joint_walk *walk = &search->walk;
  memcpy(search->from, here(search), (size_t)search->space.n * sizeof *search->from);
  double way[BRIO_JOINTS_PLANNED];
  double far = brio_joint_space_difference(&search->space, search->from, walk->target, way);
  for (double length = walk->step; length >= LEAST; length /= 2) {
    if (!try_step(search, way, far, length)) continue;
    /* Where it is less curved again, steps grow. */
    walk->step = length == walk->step ? fmin(STEP, 2 * length) : length;
    walk->moves = true;
    brio_joint_search_step(search);
    return true;
  }
  walk->step = LEAST;
  return false;
}

/* End a walk: search->from and search->to are its beginning and the configuration that it reached.  Return
** false, as there is nothing more to check. */
static bool end(brio_joint_search *search) {
  brio_joint_walk *walk = &search->walk;
  size_t bytes = (size_t)search->space.n * sizeof *search->to;
  walk->moves = false;
  memcpy(search->to, here(search), bytes);
  memcpy(search->from, walk->begin, bytes);
  return false;
}

void brio_joint_walk_begin(brio_joint_search *search, const double *from, const double *to, double share) {
  brio_joint_walk *walk = &search->walk;
  double way[BRIO_JOINTS_PLANNED];
  size_t bytes = (size_t)search->space.n * sizeof *from;
  double far = brio_joint_space_difference(&search->space, from, to, way);
  memcpy(walk->begin, from, bytes);
  memcpy(walk->target, to, bytes);
  /* A share of the way is a length to go; all of it leads to the target itself. */
  walk->exact = share == 1;
  walk->left = walk->exact ? AROUND * far : share * far;
  walk->count = 0, walk->length = 0, walk->arrived = walk->moves = false;
  if (!(walk->step >= LEAST)) walk->step = STEP;
  walk->step = fmax(walk->step, STEP / 8);
  if (!step(search)) end(search);
}

bool brio_joint_walk_next(brio_joint_search *search, bool clear) {
  brio_joint_walk *walk = &search->walk;
  size_t n = (size_t)search->space.n;
  if (!clear || !walk->moves) return end(search);
  double gone = apart(search, search->from, search->to);
  memcpy(walk->corners + n * (size_t)walk->count++, search->to, n * sizeof *search->to);
  walk->length += gone;
  walk->left -= gone;
  walk->arrived = walk->last && walk->exact;
  /* A target that does not itself keep what is to be kept cannot be reached: its last step ends the walk. */
  if (walk->last || walk->left <= 0 || walk->count == BRIO_JOINTS_CORNERS) return end(search);
  return step(search) || end(search);
}

int brio_joint_walk_plant(brio_joint_search *search, brio_joint_tree *tree, int near, int count) {
  size_t n = (size_t)search->space.n;
  assert(count <= search->walk.count);
  for (int i = 0; i < count && tree->count < tree->capacity; i++)
    near = brio_joint_tree_add(tree, &search->space, search->walk.corners + n * (size_t)i, near);
  return near;
}
