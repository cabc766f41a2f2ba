/* A tree of configurations, for searches: nodes are only added, and the nearest one is found by looking at
** all, four at a time. */
#ifndef BRIO_PLAN_JOINTS_TREE_H
#define BRIO_PLAN_JOINTS_TREE_H

#include "plan/joints/checker.h"

/* The numbers that a configuration has, and which of them are angles without ends. */
typedef struct brio_joint_space {
  int n;
  double lower[BRIO_JOINTS_PLANNED], upper[BRIO_JOINTS_PLANNED]; /* circular: -pi, pi */
  bool circular[BRIO_JOINTS_PLANNED];
} brio_joint_space;

typedef struct brio_joint_tree {
  int count, capacity; /* a multiple of 4 */
  double *nodes;       /* capacity x n; the beginning of the block in which all of these are */
  float *fours;        /* capacity / 4 x n x 4: coordinates of four nodes side by side */
  int *parents;        /* capacity; -1: a root */
  float *costs;        /* capacity: lengths from the root; NULL: not kept */
  double *reach;       /* capacity: samples farther than this from a node do not grow it */
  double lower[BRIO_JOINTS_PLANNED], upper[BRIO_JOINTS_PLANNED]; /* of all nodes that were added */
} brio_joint_tree;

/* Take memory for `capacity` nodes, with `costs` if wanted.  It is not touched before it is used, so that
** room costs no time.  Return false when there is none. */
bool brio_joint_tree_start(brio_joint_tree *tree, int n, int capacity, bool costs);

/* Free it, also when partly taken. */
void brio_joint_tree_end(brio_joint_tree *tree);

/* Add a node; there must be room.  Return its number. */
int brio_joint_tree_add(brio_joint_tree *tree, const brio_joint_space *space, const double *x, int parent);

/* Return the node nearest to `x`; of several the first.  O(nodes). */
int brio_joint_tree_nearest(const brio_joint_tree *tree, const brio_joint_space *space, const double *x);

/* Return the nearest of the nodes whose cost and distance from `x` add up to at most `most`; -1: there is
** none.  The tree has costs.  O(nodes). */
int brio_joint_tree_nearest_within(const brio_joint_tree *tree, const brio_joint_space *space,
                                   const double *x, double most);

/* Write the way from `from` to `to`, circular variables turning the short way, and return its length. */
double brio_joint_space_difference(const brio_joint_space *space, const double *from, const double *to,
                                   double *delta);

/* Write x + share delta; circular variables stay within -pi and pi. */
void brio_joint_space_step(const brio_joint_space *space, const double *x, const double *delta, double share,
                           double *out);

#endif
