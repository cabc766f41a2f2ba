/* RRT-Connect: two trees of points, from the start and from the goal, grow in turn towards random points and towards
** each other, until they meet.
** Source: Kuffner and LaValle, "RRT-Connect: an efficient approach to single-query path planning", 2000.
**
** What is found is shortened: points are left out where the line past them is clear, then random pieces of the way
** are replaced by straight lines.  A line is clear for certain: distances change no faster than one goes, so from each
** point on it a step as long as there is room is safe.
**
** An end may be nearer to something than the clearance, as a robot is that stands at a table.  What is needed
** there is as much room as the end has, and half a meter more with each meter away from it. */
#include "plan/body_path.h"

#include <string.h>

#define GROWTH 0.4     /* m: how far a tree grows at once */
#define MARGIN 3.0     /* m beyond all ends and obstacles that is looked at */
#define AWAY 0.5       /* m of clearance more a meter away from an end that has less */
#define LEAST_STEP 2e-3 /* m */

enum { MOST_ROUNDS = 3000, SHORTCUTS = 200 };

typedef struct brio_path_tree {
  int count;
  double points[BRIO_BODY_PATH_NODES][2];
  int parents[BRIO_BODY_PATH_NODES];
} path_tree;

static double apart(const double a[2], const double b[2]) { return hypot(b[0] - a[0], b[1] - a[1]); }

/* How much more room there is at a point than is needed. */
static double room_at(const brio_body_path *path, const double p[2]) {
  double needed = path->clearance;
  for (int i = 0; i < 2; i++)
    needed = fmin(needed, path->near_by[i] - 1e-3 + AWAY * apart(path->ends[i], p));
  return brio_obstacles_distance(path->obstacles, p[0], p[1], NULL) - needed;
}

bool brio_body_path_clear(const brio_body_path *path, const double a[2], const double b[2]) {
  double length = apart(a, b), gone = 0;
  for (;;) {
    double u = length > 0 ? fmin(1, gone / length) : 1;
    double room = room_at(path, (double[2]){a[0] + u * (b[0] - a[0]), a[1] + u * (b[1] - a[1])});
    if (room < 0) return false;
    if (u >= 1) return true;
    gone += fmax(LEAST_STEP, room / (1 + AWAY));
  }
}

static void plant(path_tree *tree, const double p[2]) {
  tree->count = 1;
  tree->parents[0] = -1;
  memcpy(tree->points[0], p, sizeof tree->points[0]);
}

bool brio_body_path_begin(brio_body_path *path, brio_arena *arena, const brio_obstacles *obstacles, double clearance,
                          brio_spot from, brio_spot to, uint64_t seed, brio_error *err) {
  static const char *const names[2] = {"the start", "the goal"};
  *path = (brio_body_path){.obstacles = obstacles, .clearance = clearance, .ends = {{from.x, from.y}, {to.x, to.y}}};
  path->random = brio_random_stream(seed, "body path");
  memcpy(path->box, (double[]){fmin(from.x, to.x), fmin(from.y, to.y), fmax(from.x, to.x), fmax(from.y, to.y)},
         sizeof path->box);
  brio_obstacles_box(obstacles, path->box);
  for (int i = 0; i < 4; i++) path->box[i] += i < 2 ? -MARGIN : MARGIN;
  for (int i = 0; i < 2; i++) {
    const char *name = "";
    path->near_by[i] = brio_obstacles_distance(obstacles, path->ends[i][0], path->ends[i][1], &name);
    if (path->near_by[i] <= 1e-3)
      return brio_fail(err, BRIO_UNREACHABLE, "%s, (%.2f, %.2f), is inside '%s'", names[i], path->ends[i][0],
                       path->ends[i][1], name);
    if (!(path->trees[i] = BRIO_TAKE(arena, path_tree, 1))) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a way");
    plant(path->trees[i], path->ends[i]);
  }
  return true;
}

static int nearest(const path_tree *tree, const double p[2]) {
  int best = 0;
  for (int i = 1; i < tree->count; i++)
    if (apart(tree->points[i], p) < apart(tree->points[best], p)) best = i;
  return best;
}

/* Grow a tree towards a point by one step; return 1: it got there, 0: it came nearer, -1: it is in the way. */
static int grow(const brio_body_path *path, path_tree *tree, const double p[2]) {
  int from = nearest(tree, p);
  const double *a = tree->points[from];
  double length = apart(a, p), u = length > GROWTH ? GROWTH / length : 1;
  double b[2] = {a[0] + u * (p[0] - a[0]), a[1] + u * (p[1] - a[1])};
  if (tree->count == BRIO_BODY_PATH_NODES || !brio_body_path_clear(path, a, b)) return -1;
  memcpy(tree->points[tree->count], b, sizeof b);
  tree->parents[tree->count++] = from;
  return u >= 1;
}

/* --- the way between the trees --- */

static void append(brio_body_path *path, const double p[2]) {
  if (path->count < BRIO_BODY_PATH_POINTS) memcpy(path->points[path->count++], p, sizeof path->points[0]);
}

/* Go along `chain` (count points), each time to the farthest that can be seen. */
static void straighten(brio_body_path *path, double chain[][2], int count) {
  path->count = 0;
  append(path, chain[0]);
  for (int at = 0; at < count - 1;) {
    int next = count - 1;
    while (next > at + 1 && !brio_body_path_clear(path, chain[at], chain[next])) next--;
    append(path, chain[next]);
    at = next;
  }
}

/* Collect the points from the start's root over where the trees met to the goal's root. */
static int collect(const brio_body_path *path, const int at[2], double chain[][2]) {
  int count = 0;
  for (int i = at[0]; i >= 0; i = path->trees[0]->parents[i])
    memcpy(chain[count++], path->trees[0]->points[i], sizeof chain[0]);
  for (int i = 0; i < count / 2; i++) {
    double keep[2] = {chain[i][0], chain[i][1]};
    memcpy(chain[i], chain[count - 1 - i], sizeof keep);
    memcpy(chain[count - 1 - i], keep, sizeof keep);
  }
  for (int i = at[1]; i >= 0; i = path->trees[1]->parents[i])
    memcpy(chain[count++], path->trees[1]->points[i], sizeof chain[0]);
  return count;
}

/* A point on the way, a share u of it in points. */
static void on_way(const brio_body_path *path, double u, double p[2]) {
  double at = u * (path->count - 1);
  int i = (int)fmin(at, path->count - 2);
  for (int k = 0; k < 2; k++)
    p[k] = path->points[i][k] + (at - i) * (path->points[i + 1][k] - path->points[i][k]);
}

/* Put a straight line between two random places of the way, where it is clear. */
static void cut_short(brio_body_path *path, double chain[][2]) {
  double u = brio_random_uniform(&path->random, 0, 1), v = brio_random_uniform(&path->random, 0, 1);
  double ends[2][2];
  on_way(path, fmin(u, v), ends[0]);
  on_way(path, fmax(u, v), ends[1]);
  if (path->count + 2 > BRIO_BODY_PATH_POINTS || !brio_body_path_clear(path, ends[0], ends[1])) return;
  int first = (int)(fmin(u, v) * (path->count - 1)), last = (int)(fmax(u, v) * (path->count - 1)), count = 0;
  if (first == last) return;
  for (int i = 0; i <= first; i++) memcpy(chain[count++], path->points[i], sizeof chain[0]);
  for (int k = 0; k < 2; k++) memcpy(chain[count++], ends[k], sizeof chain[0]);
  for (int i = last + 1; i < path->count; i++) memcpy(chain[count++], path->points[i], sizeof chain[0]);
  straighten(path, chain, count);
}

static brio_search_status found(brio_body_path *path, brio_error *err) {
  int at[2] = {path->trees[0]->count - 1, path->trees[1]->count - 1};
  double(*chain)[2] = path->trees[0]->points; /* roots are no more needed once the chain is collected */
  static const int most = BRIO_BODY_PATH_NODES / 2;
  double collected[BRIO_BODY_PATH_NODES / 2][2];
  int count = 0;
  for (int k = 0; k < 2; k++)
    for (int i = at[k]; i >= 0; i = path->trees[k]->parents[i]) count++;
  if (count > most) {
    brio_fail(err, BRIO_UNREACHABLE, "the way around what is there has more than %d points", most);
    return BRIO_SEARCH_FAILED;
  }
  count = collect(path, at, collected);
  straighten(path, collected, count);
  for (int i = 0; i < SHORTCUTS && path->count > 2; i++) cut_short(path, chain);
  if (apart(path->points[path->count - 1], path->ends[1]) < 1e-9) return BRIO_SEARCH_FOUND;
  brio_fail(err, BRIO_UNREACHABLE, "the way around what is there has more than %d corners", BRIO_BODY_PATH_POINTS);
  return BRIO_SEARCH_FAILED;
}

brio_search_status brio_body_path_work(brio_body_path *path, int budget, int *used, brio_error *err) {
  for (*used = 0; *used < budget; ++*used) {
    int turn = path->rounds & 1;
    path_tree *own = path->trees[turn], *other = path->trees[1 - turn];
    if (path->rounds++ == MOST_ROUNDS) {
      brio_fail(err, BRIO_UNREACHABLE, "no way around what is there was found from (%.2f, %.2f) to (%.2f, %.2f) in %d rounds",
                path->ends[0][0], path->ends[0][1], path->ends[1][0], path->ends[1][1], MOST_ROUNDS);
      return BRIO_SEARCH_FAILED;
    }
    double p[2] = {brio_random_uniform(&path->random, path->box[0], path->box[2]),
                   brio_random_uniform(&path->random, path->box[1], path->box[3])};
    if (path->rounds == 1) memcpy(p, path->ends[1], sizeof p); /* straight ahead first */
    if (grow(path, own, p) < 0) continue;
    int got;
    while ((got = grow(path, other, own->points[own->count - 1])) == 0) {}
    if (got == 1) return found(path, err);
  }
  return BRIO_SEARCH_GOES_ON;
}
