/* Trees of configurations.  Coordinates are kept twice: in single precision, four nodes side by side, for the
** search for the nearest one, and whole. */
#include "plan/joints/tree.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/four.h"

/* Return where `count` items of `size` bytes begin in a block, in cache lines of their own, and move its end
** behind them. */
static size_t place_in(size_t *end, size_t count, size_t size) {
  size_t at = *end;
  *end += (count * size + 63) / 64 * 64;
  return at;
}

bool brio_joint_tree_start(brio_joint_tree *tree, int n, int capacity, bool costs) {
  /* Whole groups of four. */
  size_t room = ((size_t)capacity + 3) / 4 * 4, numbers = room * (size_t)n, end = 0;
  *tree = (brio_joint_tree){.capacity = (int)room};
  /* One block: the system is asked once, which takes as long as some checks. */
  size_t nodes = place_in(&end, numbers, sizeof *tree->nodes);
  size_t reach = place_in(&end, room, sizeof *tree->reach);
  size_t fours = place_in(&end, numbers, sizeof *tree->fours);
  size_t parents = place_in(&end, room, sizeof *tree->parents);
  size_t lengths = place_in(&end, costs ? room : 0, sizeof *tree->costs);
  char *block = malloc(end);
  if (!block) return false;
  tree->nodes = (double *)(block + nodes);
  tree->reach = (double *)(block + reach);
  tree->fours = (float *)(block + fours);
  tree->parents = (int *)(block + parents);
  tree->costs = costs ? (float *)(block + lengths) : NULL;
  /* cppcheck-suppress memleak ; tree->nodes is its beginning */
  return true;
}

void brio_joint_tree_end(brio_joint_tree *tree) {
  free(tree->nodes);
}

/* Return the first coordinates of the four nodes from `at` on. */
static float *four_from(const brio_joint_tree *tree, const brio_joint_space *space, int at) {
  assert(at % 4 == 0);
  return tree->fours + (size_t)at * (size_t)space->n;
}

int brio_joint_tree_add(brio_joint_tree *tree, const brio_joint_space *space, const double *x, int parent) {
  assert(tree->count < tree->capacity && parent < tree->count);
  int at = tree->count++;
  memcpy(tree->nodes + (size_t)at * (size_t)space->n, x, (size_t)space->n * sizeof *x);
  float *four = four_from(tree, space, at / 4 * 4);
  /* The rest of a new group of four is far from everything. */
  for (int i = 0; at % 4 == 0 && i < 4 * space->n; i++) four[i] = 1e18f;
  for (int i = 0; i < space->n; i++) {
    four[4 * i + at % 4] = (float)x[i];
    tree->lower[i] = at ? fmin(tree->lower[i], x[i]) : x[i];
    tree->upper[i] = at ? fmax(tree->upper[i], x[i]) : x[i];
  }
  /* A node takes samples from anywhere until it fails to grow. */
  tree->parents[at] = parent;
  tree->reach[at] = INFINITY;
  if (tree->costs) {
    double delta[BRIO_JOINTS_PLANNED];
    const double *before = tree->nodes + (size_t)(parent < 0 ? 0 : parent) * (size_t)space->n;
    double step = parent < 0 ? 0 : brio_joint_space_difference(space, before, x, delta);
    tree->costs[at] = parent < 0 ? 0 : tree->costs[parent] + (float)step;
    /* Those that fill a group up are out of reach. */
    for (int i = at + 1; at % 4 == 0 && i < at + 4; i++) tree->costs[i] = INFINITY;
  }
  return at;
}

/* Four squared distances from x. */
static brio_four squares(const brio_joint_tree *tree, const brio_joint_space *space, const float *x, int at) {
  brio_four sum = brio_four_of(0), turn = brio_four_of(2 * (float)BRIO_PI);
  const float *four = four_from(tree, space, at);
  for (int i = 0; i < space->n; i++) {
    brio_four d = brio_four_abs(brio_four_sub(brio_four_load(four + 4 * i), brio_four_of(x[i])));
    /* The short way around; a free place has 2 pi less a great number, whose square is as great. */
    if (space->circular[i]) d = brio_four_min(d, brio_four_abs(brio_four_sub(turn, d)));
    sum = brio_four_add(sum, brio_four_mul(d, d));
  }
  return sum;
}

int brio_joint_tree_nearest(const brio_joint_tree *tree, const brio_joint_space *space, const double *x) {
  assert(tree->count > 0);
  /* Single precision may confuse nodes that are as near: any of them will do. */
  float at[BRIO_JOINTS_PLANNED], best = INFINITY;
  int nearest = 0;
  for (int i = 0; i < space->n; i++) at[i] = (float)x[i];
  for (int k = 0; k < tree->count; k += 4) {
    brio_four d = squares(tree, space, at, k);
    if (!brio_four_bits(brio_four_at_most(d, brio_four_of(best)))) continue;
    /* Rare: one of the four is nearer. */
    float lanes[4];
    brio_four_store(lanes, d);
    for (int i = 0; i < 4; i++)
      if (lanes[i] < best) best = lanes[i], nearest = k + i;
  }
  assert(nearest < tree->count);
  return nearest;
}

int brio_joint_tree_nearest_within(const brio_joint_tree *tree, const brio_joint_space *space,
                                   const double *x, double most) {
  float at[BRIO_JOINTS_PLANNED], best = INFINITY, limit = (float)most;
  int nearest = -1;
  for (int i = 0; i < space->n; i++) at[i] = (float)x[i];
  for (int k = 0; k < tree->count; k += 4) {
    brio_four d = squares(tree, space, at, k);
    if (!brio_four_bits(brio_four_at_most(d, brio_four_of(best)))) continue;
    /* Nearer, if it is also reached with what it may cost. */
    float lanes[4];
    brio_four_store(lanes, d);
    for (int i = 0; i < 4 && k + i < tree->count; i++)
      if (lanes[i] < best && tree->costs[k + i] + sqrtf(lanes[i]) <= limit) best = lanes[i], nearest = k + i;
  }
  return nearest;
}

double brio_joint_space_difference(const brio_joint_space *space, const double *from, const double *to,
                                   double *delta) {
  double sum = 0;
  for (int i = 0; i < space->n; i++) {
    delta[i] = to[i] - from[i];
    /* The short way around, within half a turn. */
    if (space->circular[i]) delta[i] = remainder(delta[i], 2 * BRIO_PI);
    sum += delta[i] * delta[i];
  }
  return sqrt(sum);
}

void brio_joint_space_step(const brio_joint_space *space, const double *x, const double *delta, double share,
                           double *out) {
  for (int i = 0; i < space->n; i++) {
    out[i] = x[i] + share * delta[i];
    if (space->circular[i]) out[i] = remainder(out[i], 2 * BRIO_PI);
  }
}
