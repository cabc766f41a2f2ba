/* What it costs to watch a robot among boxes: a query for each of the small steps of a robot that moves.
**   watch FILE.urdf
** Boxes of 5 to 20 cm fill a ball around the robot's base, those that its path touches left out: as densely
** for 50 and 500, and ten times as densely in a larger ball for 5,000.  The robot takes 256 steps of 1 to 10
** mrad a joint round a closed path. A row is the time of one query up to 0.1 m, with the reckoning of where
** bodies are, and without kinematics; `check` is how many pairs are within the range, on average. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "geometry/watch.h"
#include "robot/kinematics.h"
#include "scripts/bench/bench.h"
#include "solver/solver.h"

enum { MOST_BOXES = 5000, MOST_LINKS = 256 };

typedef struct scene {
  brio_robot *robot;
  brio_watch watch;
  brio_transform frames[BENCH_CONFIGURATIONS][MOST_LINKS];
} scene;

/* Fill the frames of all steps. */
static bool walk(scene *s) {
  brio_error err;
  brio_state state;
  double *q = calloc((size_t)s->robot->nq, sizeof *q);
  if (!q || s->robot->nlink > MOST_LINKS || !brio_state_start(&state, s->robot, &err)) return free(q), false;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    double phase = 2 * BRIO_PI * k / BENCH_CONFIGURATIONS;
    brio_robot_neutral(s->robot, q);
    for (int i = 0; i < s->robot->nvariable; i++) {
      const brio_variable *v = &s->robot->variables[i];
      double size = 0.05 + 0.15 * (1 + bench_uniform(v->name, 0)), middle = bench_uniform(v->name, 1);
      double lower = isfinite(v->lower) ? v->lower : -3, upper = isfinite(v->upper) ? v->upper : 3;
      q[BRIO_BASE_NQ + i] = fmin(fmax(middle + size * sin(phase + 3 * middle), lower), upper);
    }
    brio_state_update(&state, q);
    memcpy(s->frames[k], state.links, (size_t)s->robot->nlink * sizeof *state.links);
  }
  brio_state_end(&state);
  free(q);
  return true;
}

/* Measure step `k` up to 0.1 m. */
static double query(void *context, int k) {
  scene *s = context;
  brio_watch *watch = &s->watch;
  brio_watch_query ask = {.frames = s->frames[k], .range = 0.1, .horizon = 0.1};
  double smallest = brio_watch_measure(watch, &ask);
  brio_watch_anchor(watch);
  return smallest;
}

static void put(scene *s, int i, const double p[3], brio_random *r) {
  brio_body body = {.frame = -1, .group = s->robot->nlink, .shape.kind = BRIO_SHAPE_BOX};
  brio_quat turn = {brio_random_normal(r), brio_random_normal(r), brio_random_normal(r),
                    brio_random_normal(r)};
  double *size[] = {&body.shape.size.x, &body.shape.size.y, &body.shape.size.z};
  for (int k = 0; k < 3; k++) *size[k] = brio_random_uniform(r, 0.05, 0.2);
  body.pose = brio_transform_of((brio_pose){{p[0], p[1], p[2]}, brio_quat_unit(turn)});
  body.radius = brio_shape_radius(&body.shape);
  brio_watch_put(&s->watch, s->robot->ncollision + i, &body);
}

/* List the pairs of the robot's own shapes that a solver watches. */
static bool list_own(scene *s) {
  brio_error err;
  brio_solver *solver = brio_solver_new(s->robot, NULL, &err);
  const brio_link_shape *shapes = s->robot->collisions;
  const int(*links)[2];
  int count = solver ? brio_solver_self_pairs(solver, &links) : 0, own = s->robot->ncollision;
  if (!brio_watch_reserve(&s->watch, own * own + 1)) return false;
  for (int i = 0; i < own; i++)
    for (int j = 0; j < own; j++)
      for (int k = 0; k < count; k++)
        if (shapes[i].link == links[k][0] && shapes[j].link == links[k][1])
          s->watch.pairs[s->watch.npair++] = brio_proximity_pair_of(i, j);
  s->watch.nfixed = s->watch.npair;
  brio_solver_free(solver);
  return true;
}

/* Put the robot alone into the watch. */
static bool begin(scene *s) {
  brio_error err;
  int own = s->robot->ncollision;
  if (!brio_watch_start(&s->watch, own + MOST_BOXES, own, &err) || !list_own(s)) return false;
  for (int i = 0; i < own; i++) {
    const brio_link_shape *shape = &s->robot->collisions[i];
    brio_body body = {.frame = shape->link, .group = shape->link, .pose = brio_transform_of(shape->pose),
                      .shape = shape->shape, .radius = brio_shape_radius(&shape->shape)};
    brio_watch_put(&s->watch, i, &body);
  }
  return true;
}

/* Whether a ball about `p` is clear of all that the path covers. */
static bool is_clear(const scene *s, const double p[3], double radius) {
  for (int i = 0; i < s->robot->ncollision; i++) {
    const brio_link_shape *shape = &s->robot->collisions[i];
    double room = radius + brio_shape_radius(&shape->shape);
    for (int k = 0; k < BENCH_CONFIGURATIONS; k += 8) {
      brio_vec3 c = brio_transform_point(&s->frames[k][shape->link], shape->pose.p);
      if (hypot(hypot(c.x - p[0], c.y - p[1]), c.z - p[2]) < room) return false;
    }
  }
  return true;
}

static void fill(scene *s, int count) {
  brio_random r = brio_random_stream(1, "boxes");
  double reach = count > 500 ? 2 : 1.2, p[3];
  for (int i = 0; i < count;) {
    for (int k = 0; k < 3; k++) p[k] = brio_random_uniform(&r, -reach, reach) + (k == 2 ? 0.5 : 0);
    if (is_clear(s, p, 0.12)) put(s, i++, p, &r);
  }
}

static void measure(scene *s, int count) {
  char row[32];
  long within = 0;
  if (!begin(s)) return;
  fill(s, count);
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    query(s, k);
    for (int i = 0; i < s->watch.npair; i++) within += s->watch.pairs[i].within;
  }
  snprintf(row, sizeof row, "%d boxes", count);
  bench_measure(row, query, s, (double)within / BENCH_CONFIGURATIONS);
  brio_watch_end(&s->watch);
}

int main(int count, char **arguments) {
  static const int boxes[] = {0, 10, 50, 500, MOST_BOXES};
  brio_error err;
  scene *s = calloc(1, sizeof *s);
  if (!s) return 1;
  s->robot = count == 2 ? brio_robot_load(arguments[1], NULL, &err) : NULL;
  if (!s->robot || !walk(s)) {
    fprintf(stderr, "usage: watch FILE.urdf, of a robot with at most %d links\n", MOST_LINKS);
    brio_robot_free(s->robot);
    free(s);
    return 2;
  }
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) measure(s, boxes[i]);
  brio_robot_free(s->robot);
  free(s);
  return 0;
}
