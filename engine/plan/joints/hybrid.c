/* Further paths, and combinations of two paths.  When a path gets no shorter, the trees are reset, and the
** next path is searched and shortened.  A bridge from a corner of one path to a corner of the other gives a
** third, which begins like one and ends like the other.  The shortest of all is kept.
** Source: Raveh, Enosh and Halperin, "A little more, a lot better: improving path quality by a path-merging
** algorithm", 2011; here with one bridge at a time. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "plan/joints/search_internal.h"

enum { BRIDGES = 64 };           /* tried for each further path */
static const double GAIN = 1e-3; /* a bridge makes the path shorter by this share, or is not tried */

static const brio_joint_phase bridge;

/* Copy corners. */
static void copy(const brio_joint_search *search, double *to, const double *from, int count) {
  memmove(to, from, (size_t)count * (size_t)search->space.n * sizeof *to);
}

static const double *corner(const brio_joint_search *search, const double *path, int i) {
  return path + (size_t)i * (size_t)search->space.n;
}

/* Keep the path at hand if it is the first one, or shorter than the best. */
static void keep(brio_joint_search *search) {
  double length = brio_joint_search_length(search, search->path, search->count);
  if (search->nbest && !(length < brio_joint_search_length(search, search->best, search->nbest))) return;
  copy(search, search->best, search->path, search->count);
  search->effort.improvements += search->nbest > 0;
  search->nbest = search->count;
  search->best_goal = search->goal;
}

void brio_joint_search_plant_again(brio_joint_search *search) {
  for (int k = 0; k < 2; k++) {
    brio_joint_tree *tree = &search->trees[k];
    /* Nodes are added once more, so that groups of four are filled up as at first. */
    int roots = search->nroot[k];
    tree->count = 0;
    for (int i = 0; i < roots; i++) {
      double x[BRIO_JOINTS_PLANNED];
      copy(search, x, corner(search, tree->nodes, i), 1);
      brio_joint_tree_add(tree, &search->space, x, -1);
    }
  }
  search->bridged = false;
}

void brio_joint_search_improve(brio_joint_search *search) {
  brio_joint_search_plant_again(search);
  search->phase = &brio_joint_improve;
}

/* The best path stands; go on to a further one, unless it is straight or there were enough. */
static void next(brio_joint_search *search) {
  /* A straight path to the only goal is the shortest. */
  bool straight = search->nbest == 2, shortest = straight && search->nroot[1] == 1;
  if (!straight && search->others < search->settings.alternatives) {
    search->others++;
    brio_joint_search_plant_again(search);
    search->phase = &brio_joint_grow;
  } else if (search->settings.optimal && !shortest) {
    brio_joint_search_improve(search);
  } else {
    search->phase = NULL;
  }
}

/* Write the lengths from the start to each corner. */
static void measure(const brio_joint_search *search, const double *path, int count, double *lengths) {
  double delta[BRIO_JOINTS_PLANNED];
  lengths[0] = 0;
  for (int i = 1; i < count; i++)
    lengths[i] = lengths[i - 1] + brio_joint_space_difference(&search->space, corner(search, path, i - 1),
                                                              corner(search, path, i), delta);
}

void brio_joint_search_polish(brio_joint_search *search) {
  search->polishes = true, search->rounds = 0;
  copy(search, search->path, search->best, search->nbest);
  search->count = search->nbest;
  search->goal = search->best_goal;
  brio_joint_search_shorten(search);
}

void brio_joint_search_shortened(brio_joint_search *search) {
  /* The best path itself, which was cut once more: the trees stand. */
  if (search->polishes) {
    search->polishes = false;
    keep(search);
    search->phase = &brio_joint_improve;
    return;
  }
  if (!search->nbest || search->bridged) {
    keep(search);
    next(search);
    return;
  }
  /* A further path: look for bridges between it and the best. */
  search->bridged = true;
  /* The lengths tell at once what a path with a bridge comes to. */
  search->tried = 0;
  search->bridges = 0;
  measure(search, search->best, search->nbest, search->lengths[0]);
  measure(search, search->path, search->count, search->lengths[1]);
  search->phase = &bridge;
}

/* Find the shortest path with a bridge that is longer than those that were tried, and shorter than both paths
** are.  O(corners of both).  Return false when there is none. */
static bool find_bridge(brio_joint_search *search) {
  double *const *lengths = search->lengths;
  const double *paths[2] = {search->best, search->path};
  int counts[2] = {search->nbest, search->count};
  /* What it must be shorter than. */
  double whole[2] = {lengths[0][counts[0] - 1], lengths[1][counts[1] - 1]};
  double least = fmin(whole[0], whole[1]) * (1 - GAIN);
  bool found = false;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < counts[side]; i++)
      for (int j = 0; j < counts[1 - side]; j++) {
        double delta[BRIO_JOINTS_PLANNED];
        double ends = lengths[side][i] + whole[1 - side] - lengths[1 - side][j];
        /* Without the bridge it is too long already. */
        if (ends >= least) continue;
        double length = ends + brio_joint_space_difference(&search->space, corner(search, paths[side], i),
                                                           corner(search, paths[1 - side], j), delta);
        if (length >= least || length <= search->tried) continue;
        least = length, found = true;
        search->side = side, search->left = i, search->right = j;
      }
  search->tried = least;
  return found;
}

static bool begin_bridge(brio_joint_search *search) {
  /* No bridge is clear: the shorter of both paths stands. */
  if (search->bridges++ == BRIDGES || !find_bridge(search)) {
    keep(search);
    next(search);
    return false;
  }
  const double *paths[2] = {search->best, search->path};
  brio_joint_search_move(search, corner(search, paths[search->side], search->left),
                         corner(search, paths[1 - search->side], search->right), 1);
  return true;
}

/* Make the path with the bridge the one at hand, and shorten it. */
static void end_bridge(brio_joint_search *search, bool clear) {
  if (!clear) return;
  int before = search->left + 1, behind = (search->side ? search->nbest : search->count) - search->right;
  /* A walk has corners between its ends; a straight bridge none. */
  int between = search->walk.count - 1;
  if (before + between + behind > BRIO_JOINTS_CORNERS) return;
  double *paths[2] = {search->best, search->path}, *joined = search->shown;
  size_t n = (size_t)search->space.n;
  copy(search, joined, paths[search->side], before);
  copy(search, joined + n * (size_t)before, search->walk.corners, between);
  before += between;
  copy(search, joined + n * (size_t)before, corner(search, paths[1 - search->side], search->right), behind);
  copy(search, search->path, joined, before + behind);
  search->count = before + behind;
  /* It ends at the goal of the path that its end is from. */
  if (search->side) search->goal = search->best_goal;
  brio_joint_search_shorten(search);
}

static const brio_joint_phase bridge = {begin_bridge, end_bridge, false};
