/* Growth of the two trees until they meet. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "plan/joints/search_internal.h"

static const double REACH = 4; /* ranges: of a node that has failed to grow */

const double *brio_joint_search_node(const brio_joint_search *search, const brio_joint_tree *tree, int i) {
  return tree->nodes + (size_t)i * (size_t)search->space.n;
}

bool brio_joint_search_towards(brio_joint_search *search, const brio_joint_tree *tree, const double *to) {
  double delta[BRIO_JOINTS_PLANNED], range = search->settings.range;
  const double *from = brio_joint_search_node(search, tree, search->near);
  double length = brio_joint_space_difference(&search->space, from, to, delta);
  /* Within a range it arrives, else it goes as far as one. */
  bool arrives = length <= range;
  brio_joint_search_move(search, from, to, arrives ? 1 : range / length);
  return arrives;
}

/* --- a tree grows at random --- */

/* Draw within the limits, not farther around the tree than its nodes reach: of joints that turn twice around,
** few samples from anywhere would be near enough. */
static void draw_around(brio_joint_search *search, const brio_joint_tree *tree, double *x) {
  const brio_joint_space *space = &search->space;
  double far = REACH * search->settings.range;
  for (int i = 0; i < space->n; i++) {
    bool circular = space->circular[i];
    double lower = circular ? space->lower[i] : fmax(space->lower[i], tree->lower[i] - far);
    double upper = circular ? space->upper[i] : fmin(space->upper[i], tree->upper[i] + far);
    x[i] = brio_random_uniform(&search->random, lower, upper);
  }
}

static bool begin_growth(brio_joint_search *search) {
  search->effort.rounds++;
  /* The smaller tree grows: one that stands in a narrow place gets as many chances as it needs. */
  search->turn = search->trees[0].count > search->trees[1].count;
  brio_joint_tree *own = &search->trees[search->turn];
  if (own->count == own->capacity) {
    brio_joint_search_fail(search, "all nodes are used up");
    return false;
  }
  /* A configuration within the limits, and the node nearest to it. */
  double sample[BRIO_JOINTS_PLANNED], delta[BRIO_JOINTS_PLANNED];
  draw_around(search, own, sample);
  search->near = brio_joint_tree_nearest(own, &search->space, sample);
  /* A node that has failed before takes no samples from afar. */
  const double *near = brio_joint_search_node(search, own, search->near);
  double length = brio_joint_space_difference(&search->space, near, sample, delta);
  if (length > own->reach[search->near]) return false;
  brio_joint_search_towards(search, own, sample);
  return true;
}

static void end_growth(brio_joint_search *search, bool clear) {
  brio_joint_tree *own = &search->trees[search->turn], *other = &search->trees[1 - search->turn];
  if (!clear) {
    own->reach[search->near] = REACH * search->settings.range;
    return;
  }
  /* The new node is where the other tree goes next, from its own nearest node. */
  search->target = brio_joint_walk_plant(search, own, search->near, search->walk.count);
  search->near = brio_joint_tree_nearest(other, &search->space, search->to);
  search->phase = &brio_joint_connect;
}

const brio_joint_phase brio_joint_grow = {begin_growth, end_growth, true};

/* --- the other tree grows towards what was gained --- */

static bool begin_connection(brio_joint_search *search) {
  brio_joint_tree *other = &search->trees[1 - search->turn];
  if (other->count == other->capacity) {
    brio_joint_search_fail(search, "all nodes are used up");
    return false;
  }
  /* One range at a time; end_connection goes on from the node that it adds. */
  const double *target = brio_joint_search_node(search, &search->trees[search->turn], search->target);
  search->arrives = brio_joint_search_towards(search, other, target);
  return true;
}

/* Return how many nodes lead from a node to its root. */
static int depth(const brio_joint_tree *tree, int at) {
  int count = 0;
  for (; at >= 0; at = tree->parents[at]) count++;
  return count;
}

/* Collect the path: from the start's root to its node, then from the goals' node to its root. */
static void collect(brio_joint_search *search, const int at[2]) {
  size_t n = (size_t)search->space.n;
  /* How long it is, before anything is written. */
  int before = depth(&search->trees[0], at[0]), root = at[1];
  if (before + depth(&search->trees[1], at[1]) > BRIO_JOINTS_CORNERS) {
    brio_joint_search_fail(search, "the path has too many corners");
    return;
  }
  search->count = before;
  /* From the meeting point back to the start, so from the end of its part. */
  for (int i = at[0]; i >= 0; i = search->trees[0].parents[i])
    memcpy(search->path + n * (size_t)--before, brio_joint_search_node(search, &search->trees[0], i),
           n * sizeof *search->path);
  assert(before == 0);
  /* Then on to the goal, whose root says which one it is. */
  for (int i = at[1]; i >= 0; root = i, i = search->trees[1].parents[i])
    memcpy(search->path + n * (size_t)search->count++, brio_joint_search_node(search, &search->trees[1], i),
           n * sizeof *search->path);
  search->goal = search->goal_of[root];
  if (search->status == BRIO_SEARCH_GOES_ON)
    search->effort.first_length = brio_joint_search_length(search, search->path, search->count);
  search->status = BRIO_SEARCH_FOUND;
  brio_joint_search_shorten(search);
}

void brio_joint_search_join(brio_joint_search *search, bool clear, const brio_joint_phase *grow) {
  brio_joint_tree *other = &search->trees[1 - search->turn];
  if (!clear) {
    search->phase = grow;
    return;
  }
  /* A piece of the way: keep its corners as nodes; behind one that ended early there is no more. */
  bool early = search->keeps && !search->walk.arrived && search->walk.left > 0;
  if (!search->arrives || early) {
    search->near = brio_joint_walk_plant(search, other, search->near, search->walk.count);
    if (early) search->phase = grow;
    return;
  }
  /* The last corner is the target itself. */
  int at[2], before = search->walk.count - 1, room = other->capacity - other->count;
  if (before > room) {
    brio_joint_search_fail(search, "all nodes are used up");
    return;
  }
  search->near = brio_joint_walk_plant(search, other, search->near, before);
  /* They have met: the motion that was just checked joins both nodes. */
  at[search->turn] = search->target, at[1 - search->turn] = search->near;
  collect(search, at);
}

static void end_connection(brio_joint_search *search, bool clear) {
  brio_joint_search_join(search, clear, &brio_joint_grow);
}

const brio_joint_phase brio_joint_connect = {begin_connection, end_connection, true};
