/* What it costs to give 200 detections to 200 persistent detections: a whole update of a scene, and
** the assignment alone beside a dense one.
**     associate
** Prints a line of JSON for each row: nanoseconds of thread CPU time a call, percentiles over calls.
**
** The things stand on a floor: in a hall of 20 x 20 m they are apart; in a room of 5 x 5 m each
** detection may be any of several; in a crowd of 1 x 1 m each may be nearly any, and the 16 likeliest
** count.  The dense peer is the Hungarian algorithm with potentials on the full matrix, O(n^3), as
** textbooks have it (Kuhn 1955, Munkres 1957): 200 rows, and 200 columns more for staying alone. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "scene/assignment.h"
#include "scene/scene.h"
#include "scripts/bench/bench.h"

enum { THINGS = 200, CALLS = 600, WARM = 30, SIDE = 2 * THINGS };

static double times[CALLS];
static double places[THINGS][2], seen[THINGS][2];

static void place_all(brio_random *random, double side) {
  for (int i = 0; i < THINGS; i++)
    for (int k = 0; k < 2; k++) places[i][k] = brio_random_uniform(random, 0, side);
}

/* Where things are seen, in another order than they are kept. */
static void see_all(brio_random *random, double noise) {
  for (int i = 0; i < THINGS; i++)
    for (int k = 0; k < 2; k++)
      seen[i][k] = places[(37 * i + 5) % THINGS][k] + noise * brio_random_normal(random);
}

/* A whole update of a scene; the sum of the objects' places is its check. */
static void measure_updates(const char *row, double side) {
  static brio_detection d[THINGS];
  brio_random random = brio_random_stream(1, row);
  brio_error err;
  brio_scene *scene = brio_scene_new(NULL, &err);
  if (!scene) exit(1);
  place_all(&random, side);
  for (int call = -WARM; call < CALLS; call++) {
    see_all(&random, 0.02);
    for (int i = 0; i < THINGS; i++) {
      d[i] = BRIO_DETECTION_BLANK;
      strcpy(d[i].kind, "cup");
      d[i].pose.p = (brio_vec3){seen[i][0], seen[i][1], 0.8};
      d[i].oriented = true;
    }
    double from = bench_clock();
    brio_scene_update(scene, (call + WARM) / 30.0, d, THINGS);
    if (call >= 0) times[call] = bench_clock() - from;
  }
  const brio_object *const *objects;
  int count = brio_scene_objects(scene, &objects);
  bench_print(row, times, CALLS, count, 0);
  brio_scene_free(scene);
}

/* An update with 20,000 detections of things that are nowhere twice, in one picture or of as many times,
** while the scene is full. */
static void measure_flood(const char *row, bool times_differ) {
  enum { FLOOD = 20000, UPDATES = 60 };
  static brio_detection d[FLOOD];
  brio_random random = brio_random_stream(3, row);
  brio_error err;
  brio_scene *scene = brio_scene_new(NULL, &err);
  if (!scene) exit(1);
  for (int call = 0; call < UPDATES; call++) {
    double now = 0.1 * call;
    for (int i = 0; i < FLOOD; i++) {
      d[i] = BRIO_DETECTION_BLANK;
      strcpy(d[i].kind, "ghost");
      d[i].pose.p = (brio_vec3){brio_random_uniform(&random, 0, 5), brio_random_uniform(&random, 0, 5), 0.8};
      if (times_differ) d[i].time = now - 1e-5 * i;
    }
    double from = bench_clock();
    brio_scene_update(scene, now, d, FLOOD);
    times[call] = bench_clock() - from;
  }
  bench_print(row, times, UPDATES, brio_scene_refused(scene), 0);
  brio_scene_free(scene);
}

/* What it costs that seen thing i is thing j; above 1: it is not. */
static double cost_of(int i, int j, double gate) {
  double x = seen[i][0] - places[j][0], y = seen[i][1] - places[j][1];
  return (x * x + y * y) / (gate * gate);
}

/* Solve with brio's; return the sum. */
static double solve_sparse(brio_assignment *a, double gate) {
  double sum = 0;
  brio_assignment_begin(a, THINGS);
  for (int i = 0; i < THINGS; i++) {
    brio_assignment_row(a);
    for (int j = 0; j < THINGS; j++) {
      double cost = cost_of(i, j, gate);
      if (cost <= 1) brio_assignment_pair(a, j, cost);
    }
  }
  const int *column = brio_assignment_solve(a, 1);
  for (int i = 0; i < THINGS; i++) sum += column[i] < 0 ? 1 : cost_of(i, column[i], gate);
  return sum;
}

/* The same, dense. */
static double solve_dense(double gate) {
  static double c[THINGS][SIDE], u[THINGS], v[SIDE], reach[SIDE];
  static int row_of[SIDE], from[SIDE];
  for (int i = 0; i < THINGS; i++)
    for (int j = 0; j < SIDE; j++) {
      double cost = j < THINGS ? cost_of(i, j, gate) : j == THINGS + i ? 1 : 1e6;
      c[i][j] = j < THINGS && cost > 1 ? 1e6 : cost;
    }
  for (int j = 0; j < SIDE; j++) row_of[j] = -1, v[j] = 0;
  for (int i = 0; i < THINGS; i++) {
    bool done[SIDE] = {false};
    int row = i, end = -1, here = -1;
    u[i] = 0;
    for (int j = 0; j < SIDE; j++) reach[j] = INFINITY;
    while (end < 0) {
      double least = INFINITY;
      int next = 0;
      for (int j = 0; j < SIDE; j++) {
        if (done[j]) continue;
        double reduced = c[row][j] - u[row] - v[j];
        if (reduced < reach[j]) reach[j] = reduced, from[j] = here;
        if (reach[j] < least) least = reach[j], next = j;
      }
      u[i] += least;
      for (int j = 0; j < SIDE; j++) {
        if (done[j]) u[row_of[j]] += least, v[j] -= least;
        else reach[j] -= least;
      }
      done[here = next] = true;
      if (row_of[next] < 0) end = next;
      else row = row_of[next];
    }
    for (; from[end] >= 0; end = from[end]) row_of[end] = row_of[from[end]];
    row_of[end] = i;
  }
  double sum = 0;
  for (int j = 0; j < SIDE; j++) sum += row_of[j] >= 0 ? c[row_of[j]][j] : 0;
  return sum;
}

/* The assignment alone, building the problem included; `calls` at most. */
static void measure_assignment(const char *name, double side, bool dense, int calls) {
  char row[64];
  brio_random random = brio_random_stream(2, name);
  brio_error err;
  brio_assignment *a = brio_assignment_new(THINGS, THINGS, THINGS * THINGS, &err);
  if (!a) exit(1);
  double check = 0;
  place_all(&random, side);
  for (int call = 0; call < calls; call++) {
    see_all(&random, 0.1);
    double from = bench_clock();
    check += dense ? solve_dense(0.5) : solve_sparse(a, 0.5);
    times[call] = bench_clock() - from;
  }
  snprintf(row, sizeof row, "%s %s", name, dense ? "dense" : "sparse");
  bench_print(row, times, calls, check / calls, 0);
  brio_assignment_free(a);
}

int main(void) {
  static const struct {
    const char *name;
    double side;
  } rooms[] = {{"hall", 20}, {"room", 5}, {"crowd", 1}};
  for (int i = 0; i < 3; i++) {
    measure_updates(rooms[i].name, rooms[i].side);
    measure_assignment(rooms[i].name, rooms[i].side, false, 60);
    measure_assignment(rooms[i].name, rooms[i].side, true, 60);
  }
  measure_flood("flood", false);
  measure_flood("flood of times", true);
  return 0;
}
