/* RRT-Connect: two trees of points, from the start and from the goal, grow in turn towards random
** points and towards each other, until they meet.
** Source: Kuffner and LaValle, "RRT-Connect: an efficient approach to single-query path planning", 2000.
**
** The way found is shortened: points are left out if the line past them is clear, then random
** pieces of the way are replaced by straight lines. */
#include "plan/body_path.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define GROWTH 0.4     /* m: length of an edge */

/* Rounds after which the search gives up, although a narrow way may exist; attempts to shorten. */
enum { MAX_ROUNDS = 3000, SHORTCUTS = 200 };

/* Points, each with the one that it grew from; the first is the root. */
typedef struct path_tree {
  int count;
  double points[BRIO_BODY_PATH_NODES][2];
  int parents[BRIO_BODY_PATH_NODES];
} path_tree;

/* Both trees, and the stream of random points. */
typedef struct forest {
  path_tree trees[2];
  brio_random random;
} forest;

/* Begin a tree at its root. */
static void plant(path_tree *tree, const double p[2]) {
  tree->count = 1;
  tree->parents[0] = -1;
  memcpy(tree->points[0], p, sizeof tree->points[0]);
}

/* Plant the trees: one at the start, one at the goal. */
static bool begin(brio_body_path *path, brio_arena *arena, brio_error *err) {
  forest *own = BRIO_TAKE(arena, forest, 1);
  if (!own) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a way");
  path->own = own;
  own->random = brio_random_stream(path->request.seed, "body path");
  for (int i = 0; i < 2; i++) plant(&own->trees[i], path->ends[i]);
  return true;
}

/* The point of a tree nearest to p. O(points) */
static int nearest(const path_tree *tree, const double p[2]) {
  int best = 0;
  for (int i = 1; i < tree->count; i++)
    if (brio_body_path_apart(tree->points[i], p) < brio_body_path_apart(tree->points[best], p)) best = i;
  return best;
}

/* Grow a tree towards a point by one edge; return 1 if it arrives, 0 if it is nearer, -1 if it cannot
** grow. */
static int grow(const brio_body_path *path, path_tree *tree, const double p[2]) {
  int from = nearest(tree, p);
  const double *a = tree->points[from];
  /* An edge is GROWTH long, or shorter if it arrives. */
  double length = brio_body_path_apart(a, p), u = length > GROWTH ? GROWTH / length : 1;
  double b[2] = {a[0] + u * (p[0] - a[0]), a[1] + u * (p[1] - a[1])};
  if (tree->count == BRIO_BODY_PATH_NODES || !brio_body_path_clear(path, a, b)) return -1;
  memcpy(tree->points[tree->count], b, sizeof b);
  tree->parents[tree->count++] = from;
  return u >= 1;
}

/* --- the way between the trees --- */

/* Go along `chain`, each time to the farthest point in sight. O(count^2) lines */
static bool straighten(brio_body_path *path, double chain[][2], int count, brio_error *err) {
  path->count = 0;
  bool good = brio_body_path_append(path, chain[0], err);
  for (int at = 0; good && at < count - 1;) {
    int next = count - 1;
    while (next > at + 1 && !brio_body_path_clear(path, chain[at], chain[next])) next--;
    good = brio_body_path_append(path, chain[next], err);
    at = next;
  }
  return good;
}

/* Collect the points from the start's root over the meeting point to the goal's root. */
static int collect(const path_tree trees[2], const int at[2], double chain[][2]) {
  int count = 0;
  for (int i = at[0]; i >= 0; i = trees[0].parents[i])
    memcpy(chain[count++], trees[0].points[i], sizeof chain[0]);
  /* The first half was read from its end. */
  for (int i = 0; i < count / 2; i++) {
    double keep[2] = {chain[i][0], chain[i][1]};
    memcpy(chain[i], chain[count - 1 - i], sizeof keep);
    memcpy(chain[count - 1 - i], keep, sizeof keep);
  }
  for (int i = at[1]; i >= 0; i = trees[1].parents[i])
    memcpy(chain[count++], trees[1].points[i], sizeof chain[0]);
  return count;
}

/* The point on the way at the share u of its corners. */
static void on_way(const brio_body_path *path, double u, double p[2]) {
  assert(path->count >= 2 && u >= 0 && u <= 1);
  double at = u * (path->count - 1);
  int i = (int)fmin(at, path->count - 2);
  for (int k = 0; k < 2; k++)
    p[k] = path->points[i][k] + (at - i) * (path->points[i + 1][k] - path->points[i][k]);
}

/* Replace the way between two random points by a straight line if that is clear. */
static void cut_short(brio_body_path *path, double chain[][2]) {
  forest *own = path->own;
  double u = brio_random_uniform(&own->random, 0, 1), v = brio_random_uniform(&own->random, 0, 1);
  double ends[2][2];
  on_way(path, fmin(u, v), ends[0]);
  on_way(path, fmax(u, v), ends[1]);
  if (path->count + 2 > BRIO_BODY_PATH_POINTS || !brio_body_path_clear(path, ends[0], ends[1])) return;
  /* A line within one piece changes nothing. */
  int first = (int)(fmin(u, v) * (path->count - 1)), last = (int)(fmax(u, v) * (path->count - 1)), count = 0;
  if (first == last) return;
  /* The corners before the line, its ends, and the corners after it. */
  for (int i = 0; i <= first; i++) memcpy(chain[count++], path->points[i], sizeof chain[0]);
  for (int k = 0; k < 2; k++) memcpy(chain[count++], ends[k], sizeof chain[0]);
  for (int i = last + 1; i < path->count; i++) memcpy(chain[count++], path->points[i], sizeof chain[0]);
  straighten(path, chain, count, NULL); /* at most two corners more than before, which fit */
}

/* The trees have met at their newest points: make the way of them. */
static brio_search_status found(brio_body_path *path, brio_error *err) {
  forest *own = path->own;
  int at[2] = {own->trees[0].count - 1, own->trees[1].count - 1};
  double(*chain)[2] = own->trees[0].points; /* scratch: once collected, the trees are not needed again */
  static const int most = BRIO_BODY_PATH_NODES / 2;
  double collected[BRIO_BODY_PATH_NODES / 2][2];
  /* The chain is bounded by the array on the stack. */
  int count = 0;
  for (int k = 0; k < 2; k++)
    for (int i = at[k]; i >= 0; i = own->trees[k].parents[i]) count++;
  if (count > most) {
    brio_fail(err, BRIO_UNREACHABLE, "the path around the obstacles has more than %d points", most);
    return BRIO_SEARCH_FAILED;
  }
  count = collect(own->trees, at, collected);
  if (!straighten(path, collected, count, err)) return BRIO_SEARCH_FAILED;
  for (int i = 0; i < SHORTCUTS && path->count > 2; i++) cut_short(path, chain);
  return BRIO_SEARCH_FOUND;
}

/* O(points) a round, and the lines that it checks. */
static brio_search_status work(brio_body_path *path, int budget, int *used, brio_error *err) {
  forest *trees = path->own;
  /* Each round grows one tree at random, then the other one towards it until it is blocked; they take
  ** turns. */
  for (*used = 0; *used < budget; ++*used) {
    int turn = path->rounds & 1;
    path_tree *own = &trees->trees[turn], *other = &trees->trees[1 - turn];
    if (path->rounds++ == MAX_ROUNDS) {
      brio_fail(err, BRIO_UNREACHABLE,
                "no path around the obstacles was found from (%.2f, %.2f) to (%.2f, %.2f) in %d rounds",
                path->ends[0][0], path->ends[0][1], path->ends[1][0], path->ends[1][1], MAX_ROUNDS);
      return BRIO_SEARCH_FAILED;
    }
    double p[2] = {brio_random_uniform(&trees->random, path->box[0], path->box[2]),
                   brio_random_uniform(&trees->random, path->box[1], path->box[3])};
    if (path->rounds == 1) memcpy(p, path->ends[1], sizeof p); /* straight ahead first */
    if (grow(path, own, p) < 0) continue;
    int got;
    while ((got = grow(path, other, own->points[own->count - 1])) == 0) {}
    if (got == 1) return found(path, err);
  }
  return BRIO_SEARCH_GOES_ON;
}

const brio_way brio_way_rrt_connect = {
    .name = "rrt_connect",
    .doc = "Two random trees that grow towards each other; quick in the open, and finds no narrow ways.",
    .begin = begin,
    .work = work,
};
