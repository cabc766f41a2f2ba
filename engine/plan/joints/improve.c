/* Better paths, as long as work is given: searches for a path below a bound of length, which is that of the
** best one so far.  Each is an RRT-Connect in which only nodes are kept, and joined, by which a path below
** the bound can lead: configurations are drawn where the straight ways from start and goal add up to less
** than it, each with a length up to which it may be reached, and the nearest node by which it is reached with
** that grows.  Now and then the best path is cut once more.  A path that is found is shortened, joined with
** the best by bridges, and lowers the bound; then new trees begin.  So lengths only fall, and come as near to
** the shortest one as is wanted, with probability 1.  Sources: Hauser and Zhou, "Asymptotically optimal
** planning by feasible kinodynamic planning in a state-cost space", 2016; Wilson, Thomason, Kingston, Kavraki
** and Gammell, "Nearly optimal motion planning with AORRTC", 2025; of the draws: Gammell, Srinivasa and
** Barfoot, "Informed RRT*", 2014. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "plan/joints/search_internal.h"

static const double GAIN = 1e-3; /* share of the length by which a path must be shorter */
static const double REACH = 4;   /* ranges: of a node that has failed to grow */
enum {
  TRIES = 40,
  POLISH = 100
}; /* draws until one is within the bound; rounds between cuts of the best path */

static const brio_joint_phase connect;

/* Return the distance of a configuration from the nearest root of a tree. */
static double from_roots(const brio_joint_search *search, int side, const double *x) {
  double least = INFINITY, delta[BRIO_JOINTS_PLANNED];
  for (int i = 0; i < search->nroot[side]; i++) {
    const double *root = brio_joint_search_node(search, &search->trees[side], i);
    least = fmin(least, brio_joint_space_difference(&search->space, root, x, delta));
  }
  return least;
}

/* Draw anywhere within the limits. */
static void draw_anywhere(brio_joint_search *search, double *x) {
  for (int i = 0; i < search->space.n; i++)
    x[i] = brio_random_uniform(&search->random, search->space.lower[i], search->space.upper[i]);
}

/* Draw from the ellipsoid whose points have distances from the start and from a goal that add up to the bound
** c at most: with d between both, half axes c/2 along the line between them and sqrt(c^2 - d^2)/2 across.  A
** reflection takes the first axis to that line.  Return false outside of the limits. */
static bool draw_between(brio_joint_search *search, double *x) {
  int n = search->space.n, goal = (int)brio_random_below(&search->random, (uint64_t)search->nroot[1]);
  const double *from = brio_joint_search_node(search, &search->trees[0], 0);
  const double *to = brio_joint_search_node(search, &search->trees[1], goal);
  double way[BRIO_JOINTS_PLANNED], u[BRIO_JOINTS_PLANNED], w[BRIO_JOINTS_PLANNED], norm = 0, ww = 0, wu = 0;
  double d = brio_joint_space_difference(&search->space, from, to, way), c = search->bound;
  if (!(c > d)) return false;
  /* A point of the unit ball, then of the ellipsoid along the axes. */
  for (int i = 0; i < n; i++) {
    u[i] = brio_random_normal(&search->random);
    norm += u[i] * u[i];
  }
  double far = pow(brio_random_uniform(&search->random, 0, 1), 1.0 / n) / sqrt(norm + 1e-300);
  for (int i = 0; i < n; i++) u[i] *= far * (i == 0 ? c : sqrt(c * c - d * d)) / 2;
  /* Reflected at the plane across w = e_1 - way / d. */
  for (int i = 0; i < n; i++) {
    w[i] = (i == 0) - (d > 0 ? way[i] / d : (double)(i == 0));
    ww += w[i] * w[i];
    wu += w[i] * u[i];
  }
  for (int i = 0; i < n; i++) {
    x[i] = from[i] + way[i] / 2 + u[i] - (ww > 1e-12 ? 2 * wu / ww * w[i] : 0);
    if (search->space.circular[i]) x[i] = remainder(x[i], 2 * BRIO_PI);
    if (!(x[i] >= search->space.lower[i] && x[i] <= search->space.upper[i])) return false;
  }
  return true;
}

/* Draw a configuration by which a path below the bound may lead: half of the draws from the ellipsoid, the
** others from anywhere, as circular joints may go the long way round.  `apart` gets its distances from the
** roots of both sides.  Return false where none was found. */
static bool draw(brio_joint_search *search, double *x, double apart[2]) {
  for (int k = 0; k < TRIES; k++) {
    if (k % 2 == 0 || k > TRIES / 2) {
      if (!draw_between(search, x)) continue;
    } else {
      draw_anywhere(search, x);
    }
    apart[0] = from_roots(search, 0, x), apart[1] = from_roots(search, 1, x);
    if (apart[0] + apart[1] < search->bound) return true;
  }
  return false;
}

/* --- a tree grows within the bound --- */

static bool begin_growth(brio_joint_search *search) {
  search->effort.rounds++;
  if (++search->rounds > POLISH) {
    brio_joint_search_polish(search);
    return false;
  }
  search->bound = (1 - GAIN) * brio_joint_search_length(search, search->best, search->nbest);
  search->turn = search->trees[0].count > search->trees[1].count;
  brio_joint_tree *own = &search->trees[search->turn];
  /* Trees that are full gave nothing: others are drawn. */
  if (own->count == own->capacity) {
    brio_joint_search_improve(search);
    return false;
  }
  double x[BRIO_JOINTS_PLANNED], apart[2], delta[BRIO_JOINTS_PLANNED];
  if (!draw(search, x, apart)) return false;
  /* The length within which it is to be reached: at least straight, at most what leaves the rest straight. */
  double most = search->bound - apart[1 - search->turn];
  double reached = brio_random_uniform(&search->random, apart[search->turn], most);
  search->near = brio_joint_tree_nearest_within(own, &search->space, x, reached);
  if (search->near < 0) return false;
  const double *near = brio_joint_search_node(search, own, search->near);
  double length = brio_joint_space_difference(&search->space, near, x, delta);
  if (length > own->reach[search->near]) return false;
  brio_joint_search_towards(search, own, x);
  return true;
}

/* Choose the node of the other tree by which the new one, the target, is joined below the bound. */
static void choose_other(brio_joint_search *search) {
  const brio_joint_tree *own = &search->trees[search->turn], *other = &search->trees[1 - search->turn];
  double left = search->bound - (double)own->costs[search->target];
  const double *target = brio_joint_search_node(search, own, search->target);
  search->near = brio_joint_tree_nearest_within(other, &search->space, target, left);
  search->phase = search->near < 0 ? &brio_joint_improve : &connect;
}

static void end_growth(brio_joint_search *search, bool clear) {
  brio_joint_tree *own = &search->trees[search->turn];
  if (!clear) {
    own->reach[search->near] = REACH * search->settings.range;
    return;
  }
  search->target = brio_joint_walk_plant(search, own, search->near, search->walk.count);
  choose_other(search);
}

const brio_joint_phase brio_joint_improve = {begin_growth, end_growth, true};

/* --- the other tree grows towards what was gained --- */

static bool begin_connection(brio_joint_search *search) {
  brio_joint_tree *other = &search->trees[1 - search->turn];
  if (other->count == other->capacity) {
    brio_joint_search_improve(search);
    return false;
  }
  const double *target = brio_joint_search_node(search, &search->trees[search->turn], search->target);
  search->arrives = brio_joint_search_towards(search, other, target);
  return true;
}

static void end_connection(brio_joint_search *search, bool clear) {
  /* As without a bound; a path that is joined is below it, but for what walks have bent. */
  brio_joint_search_join(search, clear, &brio_joint_improve);
}

static const brio_joint_phase connect = {begin_connection, end_connection, true};
