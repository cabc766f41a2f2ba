/* Feasible whatever is asked: jumping goals at any weight, boxes and thin walls in the way, with and
** without the objective that avoids them.  feasible.h judges every tick: no limit is exceeded, nothing
** is touched. */
#include "feasible.h"

static const double CLEARANCE = 0.002, SLACK = 5e-4; /* m: the clearance asked for; what the judge grants */

typedef struct scene {
  brio_random stream;
  brio_robot *robot;
  brio_solver *solver;
  judge judge;
  int tip, place, turn;
  double dt;
} scene;

/* The link farthest down the longest chain. */
static int find_tip(const brio_robot *robot) {
  int best = 0, deepest = -1;
  for (int l = 0; l < robot->nlink; l++) {
    int depth = 0;
    for (int up = l; up > 0; up = robot->links[up].parent)
      depth += robot->joints[robot->links[up].joint].nvariable > 0;
    if (depth > deepest) deepest = depth, best = l;
  }
  return best;
}

static double random_weight(brio_random *stream) {
  return exp(brio_random_uniform(stream, log(0.1), log(1000)));
}

static void set_objectives(scene *s, double collision) {
  const char *tip = s->robot->links[s->tip].name;
  s->place = demo_add(s->solver, "place", "position_match", tip, (double[]){0.3, 0, 0.5},
                      random_weight(&s->stream));
  s->turn = demo_add(s->solver, "turn", "orientation_match", tip, (double[]){0, 0, 0, 1},
                     0.5 * random_weight(&s->stream));
  demo_add(s->solver, "limits", "joint_limits", NULL, NULL, 10);
  demo_add(s->solver, "calm", "joint_velocity_minimization", NULL, NULL, 0.05 * random_weight(&s->stream));
  if (collision > 0) demo_add(s->solver, "clear", "collision_avoidance", NULL, NULL, collision);
  demo_add(s->solver, "alive", "position_liveliness", tip, (double[]){0.05, 0.05, 0.05}, 10);
}

/* Start where nothing touches. */
static void find_start(scene *s, double *q) {
  for (int attempt = 0; attempt < 50; attempt++) {
    demo_draw(s->robot, &s->stream, q);
    brio_solver_reset(s->solver, q, false);
    const brio_proximity_pair *pairs;
    int count = brio_solver_pairs(s->solver, 0, &pairs);
    bool apart = true;
    for (int i = 0; i < count; i++) apart = apart && pairs[i].near.distance > 2 * CLEARANCE;
    if (apart) return;
  }
}

/* Put boxes, every third a thin wall, where the robot may come but is not. */
static void set_boxes(scene *s, int count) {
  double reach = 0;
  brio_vec3 middle = s->judge.state.links[0].p, tip = s->judge.state.links[s->tip].p;
  reach = 0.3 + brio_vec3_norm(brio_vec3_sub(tip, middle));
  for (int i = 0; i < count; i++) {
    double size[3], at[3];
    for (int k = 0; k < 3; k++) {
      size[k] = brio_random_uniform(&s->stream, 0.02, 0.3);
      at[k] = brio_random_uniform(&s->stream, -reach, reach) + (&middle.x)[k];
    }
    if (i % 3 == 0) size[brio_random_below(&s->stream, 3)] = 0.002;
    brio_shape shape = {.kind = BRIO_SHAPE_BOX, .size = {size[0] / 2, size[1] / 2, size[2] / 2}};
    brio_pose pose = {{at[0], at[1], at[2]},
                      brio_quat_exp((brio_vec3){brio_random_uniform(&s->stream, -2, 2), at[1], at[2]})};
    int before = s->judge.npair;
    judge_add_solid(&s->judge, pose, &shape);
    bool apart = true;
    for (int p = before; p < s->judge.npair; p++)
      apart = apart && judge_distance(&s->judge, &s->judge.pairs[p]) > 2 * CLEARANCE;
    if (!apart) {
      s->judge.npair = before;
      s->judge.nbody--;
      continue;
    }
    char key[16];
    snprintf(key, sizeof key, "box%d", i);
    CHECK(brio_solver_set_shape(s->solver, key, -1, pose, &shape, true, NULL), "box");
  }
}

static void jump(scene *s) {
  brio_vec3 root = s->judge.state.links[0].p;
  double goal[3], far = brio_random_below(&s->stream, 6) == 0 ? 10 : 0.8;
  for (int k = 0; k < 3; k++) goal[k] = (&root.x)[k] + brio_random_uniform(&s->stream, -far, far);
  brio_solver_set_goal(s->solver, s->place, goal, 3, 0, NULL);
  brio_quat turn = brio_quat_exp((brio_vec3){goal[0], 2 * goal[1], goal[2]});
  brio_solver_set_goal(s->solver, s->turn, &turn.x, 4, 0, NULL);
}

static void live(scene *s, int ticks) {
  brio_solution solution;
  double time = 0;
  for (int tick = 0; tick < ticks; tick++) {
    if (tick % 40 == 0) jump(s);
    double dt = s->dt > 0 ? s->dt : brio_random_uniform(&s->stream, 0.004, 0.02);
    brio_solver_solve(s->solver, time += dt, dt, &solution);
    CHECK(!solution.fault[0], "%s: a fault though nothing moves, tick %d, dt %g", s->robot->name, tick, s->dt);
    judge_tick(&s->judge, solution.q, dt);
  }
}

/* One scenario; false when it was not feasible. */
static bool play(brio_robot *robot, uint64_t seed, int ticks) {
  static scene s;
  s = (scene){.stream = brio_random_stream(seed, "feasibility"), .robot = robot, .tip = find_tip(robot)};
  static const double dts[] = {0.005, 1.0 / 60, 0.01, 0}, avoid[] = {0, 10, 1000};
  s.dt = dts[seed % 4];
  brio_solver_options options = {.seed = seed, .clearance = CLEARANCE};
  s.solver = demo_solver(robot, &options);
  double q[JUDGE_NQ];
  set_objectives(&s, avoid[seed % 3]);
  find_start(&s, q);
  judge_start(&s.judge, s.solver);
  brio_state_update(&s.judge.state, q);
  set_boxes(&s, (int)brio_random_below(&s.stream, 12));
  judge_begin(&s.judge, q, CLEARANCE);
  live(&s, ticks);
  CHECK(s.judge.overrun <= 1e-9, "%s, seed %d: a limit is exceeded by %g", robot->name, (int)seed,
        s.judge.overrun);
  CHECK(s.judge.intrusion <= SLACK, "%s, seed %d: nearer by %g m than allowed, least %g m", robot->name,
        (int)seed, s.judge.intrusion, s.judge.nearest);
  bool good = s.judge.overrun <= 1e-9 && s.judge.intrusion <= SLACK;
  brio_solver_free(s.solver);
  judge_end(&s.judge);
  return good;
}

static const struct {
  const char *file; /* in the project, or with `shared` in the shared folder; NULL: the arm of demo.h */
  bool shared;
  double acceleration; /* 0: none */
  int base;
} robots[] = {
  {NULL, false, 6, BRIO_BASE_FIXED},
  {NULL, false, 0, BRIO_BASE_FIXED},
  {NULL, false, 10, BRIO_BASE_BOUNDED},
  {"drivers/robots/ur3e/model.urdf", false, 8, BRIO_BASE_FIXED},
  {"drivers/robots/panda/model.urdf", false, 10, BRIO_BASE_FIXED},
  {"drivers/robots/pepper/model.urdf", false, 10, BRIO_BASE_FIXED},
  {"drivers/robots/mycobot280/model.urdf", false, 10, BRIO_BASE_FIXED},
  {"drivers/robots/probo/model.urdf", false, 10, BRIO_BASE_FIXED},
  {"data/robots/lively/ur3e.urdf", true, 0, BRIO_BASE_FIXED},
  {"data/robots/lively/panda.urdf", true, 0, BRIO_BASE_FIXED},
  {"data/robots/lively/pepper.urdf", true, 12, BRIO_BASE_FIXED},
  {"data/robots/iiwa14/iiwa14.urdf", true, 10, BRIO_BASE_FIXED},
  {"data/robots/panda/panda.urdf", true, 10, BRIO_BASE_FIXED},
};

static brio_robot *load(int i) {
  if (!robots[i].file) return demo_arm(robots[i].base == BRIO_BASE_BOUNDED);
  char path[1024];
  if (robots[i].shared && !check_shared()) return NULL;
  snprintf(path, sizeof path, "%s%s%s", robots[i].shared ? check_shared() : "", robots[i].shared ? "/" : "",
           robots[i].file);
  brio_error err = {0};
  brio_robot *robot = brio_robot_load(path, NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  return robot;
}

static void nothing_is_exceeded_or_touched(void) {
  int each = (int)(40 * check_scale()), bad = 0, count = 0;
  for (int i = 0; i < (int)(sizeof robots / sizeof *robots); i++) {
    brio_robot *robot = load(i);
    if (!robot) continue;
    if (robots[i].acceleration > 0) demo_accelerations(robot, robots[i].acceleration);
    for (int k = 0; k < each; k++, count++) bad += !play(robot, (uint64_t)(1000 * i + k), 160);
    brio_robot_free(robot);
  }
  printf("# %d scenarios, %d not feasible\n", count, bad);
}

CHECK_MAIN(CHECK_TEST(nothing_is_exceeded_or_touched))
