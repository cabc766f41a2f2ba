/* What a solve costs as joints or things in the way grow in number.
**   growth MODEL.urdf HAND HEAD BOXES [quick | far]
** A hand follows a goal on a closed way and the head (`-`: none) looks at a place two meters ahead, 200
** times a second for 5 s, with joint limits, smoothness and collision avoidance.  BOXES stand in and about
** the way (seed 1), 3 cm clear of the pose at the beginning.  quick: the goal jumps to the other end of its
** way four times a second, so that the robot goes as fast as it may.  far: the goal is 3 m farther ahead, out
** of reach.  Prints one line of JSON, CPU time of a solve in us. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "geometry/distance.h"
#include "scripts/bench/bench.h"
#include "solver/solver.h"

enum { TICKS = 1000, JUMP = 50 /* ticks */ };

/* s; m: about where the hand is; of boxes; to a goal out of reach */
static const double DT = 0.005, REACH = 0.1, CLEAR = 0.03, FAR = 3;

typedef struct growth {
  brio_robot *robot;
  brio_solver *solver;
  int hand, place, gaze; /* the link; objectives */
  bool quick, far;
  brio_vec3 center;
  double times[TICKS], fastest; /* us; the greatest share of a joint's greatest speed, mean over ticks */
  int iterations, evaluations, most_iterations, cut;
  double distance;
} growth;

static int add(growth *g, const char *kind, const char *link, double weight) {
  brio_argument argument = {.name = "link", .text = link};
  brio_error err = {0};
  int slot = brio_solver_add(g->solver, kind, kind, &argument, link ? 1 : 0, &err);
  if (slot < 0) fprintf(stderr, "growth: %s\n", err.message);
  brio_solver_set_weight(g->solver, slot, weight, 0, NULL);
  return slot;
}

/* Let the robot stand in its neutral pose, with elbows bent. */
static void begin(growth *g) {
  double q[1024];
  brio_robot_neutral(g->robot, q);
  for (int i = 0; i < g->robot->nvariable; i++)
    if (strstr(g->robot->variables[i].name, "arm_4")) q[BRIO_BASE_NQ + i] = 0.9;
  brio_solver_reset(g->solver, q, false);
  g->center = brio_solver_state(g->solver)->links[g->hand].p;
}

/* Whether a box stays clear of the robot as it stands. */
static bool is_clear(const growth *g, const brio_shape *shape, const brio_transform *at) {
  for (int i = 0; i < g->robot->ncollision; i++) {
    const brio_link_shape *own = &g->robot->collisions[i];
    brio_transform frame = brio_transform_of(own->pose);
    frame = brio_transform_mul(&brio_solver_state(g->solver)->links[own->link], &frame);
    if (brio_shape_distance(&own->shape, &frame, shape, at, NULL).distance < CLEAR) return false;
  }
  return true;
}

static void put_boxes(growth *g, int count) {
  brio_random stream = brio_random_stream(1, "growth.boxes");
  for (int i = 0; i < count;) {
    double v[9];
    char key[32];
    brio_error err;
    for (int k = 0; k < 9; k++) v[k] = brio_random_uniform(&stream, -1, 1);
    brio_shape shape = {.kind = BRIO_SHAPE_BOX, 
                        .size = {0.04 + 0.02 * v[0], 0.04 + 0.02 * v[1], 0.04 + 0.02 * v[2]}};
    brio_vec3 off = {0.8 * v[3], 0.8 * v[4], 0.8 * v[5]};
    brio_pose pose = {brio_vec3_add(g->center, off), brio_quat_exp((brio_vec3){v[6], v[7], v[8]})};
    brio_transform at = brio_transform_of(pose);
    if (!is_clear(g, &shape, &at)) continue;
    snprintf(key, sizeof key, "box %d", i++);
    if (!brio_solver_set_shape(g->solver, key, -1, pose, &shape, true, &err))
      fprintf(stderr, "growth: %s\n", err.message);
  }
}

static void set_goals(growth *g, int tick) {
  double t = tick * DT, x = 1.3 * t, y = 1.7 * t;
  if (g->quick) x = y = tick / JUMP % 2 ? 1.5 : -1.5;
  double goal[3] = {g->center.x + REACH * (sin(y) - 1), g->center.y + REACH * sin(x),
                    g->center.z + REACH * sin(x - 0.3 * y)};
  if (g->far) goal[0] += FAR;
  double seen[3] = {g->center.x + 2, g->center.y + sin(x), g->center.z + 0.5 * sin(y)};
  brio_solver_set_goal(g->solver, g->place, goal, 3, 0, NULL);
  if (g->gaze >= 0) brio_solver_set_goal(g->solver, g->gaze, seen, 3, 0, NULL);
}

/* The greatest share of its greatest speed that any joint has now. */
static double haste(const growth *g) {
  double most = 0;
  for (int i = 0; i < g->robot->nvariable; i++) {
    double speed = brio_solver_speed(g->solver, i, false), limit = g->robot->variables[i].velocity;
    if (limit > 0 && fabs(speed) / limit > most) most = fabs(speed) / limit;
  }
  return most;
}

static void follow(growth *g) {
  g->distance = INFINITY;
  for (int tick = 0; tick < TICKS; tick++) {
    brio_solution solution;
    set_goals(g, tick);
    double began = bench_clock();
    brio_solver_solve(g->solver, (tick + 1) * DT, DT, &solution);
    g->times[tick] = (bench_clock() - began) * 1e-3;
    g->iterations += solution.iterations;
    g->evaluations += solution.evaluations;
    g->cut += solution.status == BRIO_SOLVER_CUT;
    if (solution.iterations > g->most_iterations) g->most_iterations = solution.iterations;
    g->distance = fmin(g->distance, solution.distance);
    g->fastest += haste(g) / TICKS;
  }
}

static void print(growth *g) {
  const brio_proximity_pair *pairs;
  const int(*links)[2];
  const double *t = g->times, n = TICKS;
  qsort(g->times, TICKS, sizeof *g->times, bench_compare);
  printf("{\"joints\":%d,\"pairs\":%d,\"near\":%d,\"p50\":%.2f,\"p95\":%.2f,\"p99\":%.2f,\"most\":%.1f,",
         g->robot->nvariable, brio_solver_self_pairs(g->solver, &links),
         brio_solver_pairs(g->solver, 0.1, &pairs),
         t[TICKS / 2], t[TICKS * 95 / 100], t[TICKS * 99 / 100], t[TICKS - 1]);
  printf("\"iterations\":%.2f,\"most_iterations\":%d,\"evaluations\":%.2f,\"cut\":%d,"
         "\"haste\":%.3f,\"distance\":%.5f}\n",
         g->iterations / n, g->most_iterations, g->evaluations / n, g->cut, g->fastest,
         isfinite(g->distance) ? g->distance : 1e9);
}

int main(int count, char **arguments) {
  static growth g;
  brio_error err = {0};
  if (count < 5) {
    fprintf(stderr, "usage: growth MODEL.urdf HAND HEAD BOXES [quick | far]\n");
    return 2;
  }
  g.robot = brio_robot_load(arguments[1], NULL, &err);
  g.hand = g.robot ? brio_robot_link(g.robot, arguments[2], &err) : -1;
  g.solver = g.hand >= 0 ? brio_solver_new(g.robot, &(brio_solver_options){.seed = 1}, &err) : NULL;
  if (!g.solver) {
    fprintf(stderr, "growth: %s\n", err.message);
    return 1;
  }
  g.quick = count > 5 && strcmp(arguments[5], "quick") == 0;
  g.far = count > 5 && strcmp(arguments[5], "far") == 0;
  g.place = add(&g, "position_match", arguments[2], 50);
  g.gaze = strcmp(arguments[3], "-") != 0 ? add(&g, "look_at", arguments[3], 20) : -1;
  add(&g, "joint_limits", NULL, 1);
  add(&g, "smoothness_macro", NULL, 10);
  add(&g, "collision_avoidance", NULL, 3);
  begin(&g);
  put_boxes(&g, atoi(arguments[4]));
  follow(&g);
  print(&g);
  brio_solver_free(g.solver);
  brio_robot_free(g.robot);
  return 0;
}
