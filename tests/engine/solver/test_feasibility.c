/* Feasible whatever is asked: jumping goals at any weight, boxes and thin walls in the way, with and
** without the objective that avoids them.  feasible.h judges every tick: no limit is exceeded, nothing
** is touched. */
#include "feasible.h"

static const double CLEARANCE = 0.002, SLACK = 5e-4; /* m: the requested clearance; the judge's tolerance */

typedef struct scene {
  brio_random stream;
  brio_robot *robot;
  brio_solver *solver;
  judge judge;
  int tip, place, turn;
  double dt;
} scene;

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

/* Put boxes, every third a thin wall, within the robot's reach, but not where it is. */
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
    CHECK(!solution.fault[0], "%s: a fault though nothing moves, tick %d, dt %g", s->robot->name, tick,
          s->dt);
    judge_tick(&s->judge, solution.q, dt);
  }
}

/* One scenario; false when its motion was not feasible. */
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

/* make test plays a sample: each tick with each weight of avoidance once. */
static void nothing_is_exceeded_or_touched(void) {
  int each = (int)(check_scale() > 1 ? 40 * check_scale() : 5), bad = 0, count = 0; /* a sample */
  for (int i = 0; i < (int)(sizeof robots / sizeof *robots); i++) {
    brio_robot *robot = load(i);
    if (!robot) continue;
    if (robots[i].acceleration > 0) demo_accelerations(robot, robots[i].acceleration);
    for (int k = 0; k < each; k++, count++) bad += !play(robot, (uint64_t)i * 1000 + (uint64_t)k, 160);
    brio_robot_free(robot);
  }
  printf("# %d scenarios, %d not feasible\n", count, bad);
}

/* --- what comes too near --- */

static const double WAY = 15; /* ticks of the hand, to where the wall is put */

static double speed_of(const brio_robot *robot, const double *q, const double *last) {
  double most = 0;
  for (int i = BRIO_BASE_NQ; i < robot->nq; i++) most = fmax(most, fabs(q[i] - last[i]));
  return most;
}

static brio_vec3 hand_of(const brio_solver *solver) {
  const brio_robot *robot = brio_solver_robot(solver);
  return brio_solver_state(solver)->links[robot->nlink - 1].p;
}

/* A box is put before a hand that swings: the arm brakes as hard as it may, reports the obstacle,
** and goes on when it is gone. */
static void what_enters_the_braking_distance_is_a_fault(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 6);
  brio_solver *solver = demo_solver(robot, NULL);
  double time = 0, last[JUDGE_NQ];
  demo_add(solver, "reach", "joint_match", "joint1", (double[]){2.5}, 50);
  brio_robot_neutral(robot, last);
  last[BRIO_BASE_NQ + 1] = 1; /* bent */
  brio_solver_reset(solver, last, false);
  demo_run(solver, &time, 0.005, 60);
  brio_vec3 before = hand_of(solver);
  memcpy(last, demo_run(solver, &time, 0.005, 1).q, (size_t)robot->nq * sizeof *last);
  brio_solver_set_goal(solver, brio_solver_slot(solver, "reach", NULL), (double[]){2.5}, 1, 0, NULL);
  brio_vec3 hand = hand_of(solver), way = brio_vec3_scale(WAY, brio_vec3_sub(hand, before));
  CHECK(brio_vec3_norm(way) > 0, "the hand moves");
  brio_shape wall = {.kind = BRIO_SHAPE_BOX, .size = {3, 0.02, 3}};
  brio_pose ahead = {brio_vec3_add(hand, way), {0, 0, 0, 1}};
  CHECK(brio_solver_set_shape(solver, "wall", -1, ahead, &wall, true, NULL), "wall");
  brio_solution solution = demo_run(solver, &time, 0.005, 1);
  CHECK(solution.fault[0] != NULL && solution.granted == 0, "a wall in the braking distance is no fault");
  double speed = speed_of(robot, solution.q, last);
  for (int tick = 0; tick < 200; tick++) {
    memcpy(last, solution.q, (size_t)robot->nq * sizeof *last);
    solution = demo_run(solver, &time, 0.005, 1);
    double now = speed_of(robot, solution.q, last);
    if (tick < 20) CHECK(now <= fmax(speed - 6 * 0.005 * 0.005, 0) + 1e-9, "tick %d: no braking", tick);
    speed = now;
  }
  CHECK(speed < 1e-6, "it still moves by %g a tick", speed);
  CHECK(brio_solver_remove_shape(solver, "wall", NULL), "remove");
  solution = demo_run(solver, &time, 0.005, 800);
  CHECK(!solution.fault[0], "no fault is left");
  CHECK_NEAR(solution.q[BRIO_BASE_NQ], 2.5, 1e-3, "it goes on");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* A ball put on an arm at rest is a fault, and the arm comes no nearer to it, whatever its goals. */
static void what_comes_to_an_arm_at_rest_is_a_fault(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 6);
  brio_solver *solver = demo_solver(robot, NULL);
  double time = 0;
  int slot = demo_add(solver, "reach", "joint_match", "joint1", (double[]){0}, 50);
  demo_run(solver, &time, 0.005, 10);
  brio_vec3 p = hand_of(solver);
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.05, 0, 0}};
  brio_pose at = {{p.x, p.y + 0.06, p.z}, {0, 0, 0, 1}};
  CHECK(brio_solver_set_shape(solver, "ball", -1, at, &ball, true, NULL), "ball");
  brio_solution solution = demo_run(solver, &time, 0.005, 1);
  CHECK(solution.fault[0] && (!strcmp(solution.fault[0], "ball") || !strcmp(solution.fault[1], "ball")),
        "the ball is no fault");
  double distance = solution.distance;
  brio_solver_set_goal(solver, slot, (double[]){2}, 1, 0, NULL);
  for (int tick = 0; tick < 200; tick++) {
    solution = demo_run(solver, &time, 0.005, 1);
    CHECK(solution.distance >= distance - 1e-6, "tick %d: nearer than before by %g m", tick,
          distance - solution.distance);
  }
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* Goals out of reach, beyond a wall, inside a box: the arm comes to rest, without trembling. */
static void what_cannot_be_reached_settles(void) {
  static const double goals[][3] = {{3, 0, 0.6}, {0.6, 0.2, 0.5}, {0.45, 0, 0.4}, {0, 0, 0.1}};
  for (int i = 0; i < 4; i++)
    for (int limited = 0; limited < 2; limited++) {
      brio_robot *robot = demo_arm(false);
      if (limited) demo_accelerations(robot, 8);
      brio_solver *solver = demo_solver(robot, NULL);
      brio_shape wall = {.kind = BRIO_SHAPE_BOX, .size = {0.02, 2, 2}};
      brio_pose at = {{0.45, 0, 0.5}, {0, 0, 0, 1}};
      CHECK(brio_solver_set_shape(solver, "wall", -1, at, &wall, true, NULL), "wall");
      brio_solver_reset(solver, NULL, false);
      demo_add(solver, "reach", "position_match", "hand", goals[i], 50);
      demo_add(solver, "limits", "joint_limits", NULL, NULL, 10);
      demo_add(solver, "calm", "smoothness_macro", NULL, NULL, 10);
      if (i % 2) demo_add(solver, "clear", "collision_avoidance", NULL, NULL, 3);
      double time = 0, last[JUDGE_NQ], most = 0;
      memcpy(last, demo_run(solver, &time, 0.005, 2000).q, (size_t)robot->nq * sizeof *last);
      for (int tick = 0; tick < 400; tick++) {
        brio_solution solution = demo_run(solver, &time, 0.005, 1);
        most = fmax(most, speed_of(robot, solution.q, last));
        memcpy(last, solution.q, (size_t)robot->nq * sizeof *last);
      }
      CHECK(most < 1e-6, "goal %d, limited %d: still moves by %g rad a tick", i, limited, most);
      brio_solver_free(solver);
      brio_robot_free(robot);
    }
}

/* With a deadline that allows no work the arm brakes and holds; with a short one it arrives later. */
static void a_deadline_is_counted_in_work(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 6);
  brio_solver *solver = demo_solver(robot, NULL);
  double time = 0, last[JUDGE_NQ];
  demo_add(solver, "reach", "joint_match", "joint1", (double[]){2}, 50);
  demo_run(solver, &time, 0.005, 40);
  brio_solver_set_iterations(solver, 0);
  brio_solution solution = demo_run(solver, &time, 0.005, 100);
  CHECK(solution.status == BRIO_SOLVER_HELD && solution.evaluations == 0, "status %d", solution.status);
  memcpy(last, solution.q, (size_t)robot->nq * sizeof *last);
  solution = demo_run(solver, &time, 0.005, 1);
  CHECK(speed_of(robot, solution.q, last) == 0, "it does not stand");
  brio_solver_set_iterations(solver, 1);
  solution = demo_run(solver, &time, 0.005, 1);
  CHECK(solution.iterations == 1, "%d iterations", solution.iterations);
  CHECK_NEAR(demo_run(solver, &time, 0.005, 1000).q[BRIO_BASE_NQ], 2, 1e-4, "one at a time gets there");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* A robot whose file has no limits, and one whose limits contradict each other, can be moved nevertheless. */
static void odd_limits_are_no_trap(void) {
  static const char *const limits[] = {"", "<limit lower='1' upper='-1' velocity='2' effort='1'/>",
                                       "<limit lower='0' upper='0' velocity='0' effort='0'/>"};
  for (int i = 0; i < 3; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "<robot name='odd'><link name='root'/><link name='hand'><collision><geometry>"
             "<sphere radius='.1'/></geometry></collision></link><joint name='turn' type='%s'>"
             "<parent link='root'/><child link='hand'/><origin xyz='.3 0 0'/><axis xyz='0 0 1'/>"
             "%s</joint></robot>", i ? "revolute" : "continuous", limits[i]);
    brio_error err = {0};
    brio_robot *robot = brio_robot_parse(text, strlen(text), "odd.urdf", NULL, &err);
    if (!robot) continue; /* refused with a reason */
    brio_solver *solver = demo_solver(robot, NULL);
    demo_add(solver, "reach", "joint_match", "turn", (double[]){1e5}, 1000);
    double time = 0;
    brio_solution solution = demo_run(solver, &time, 0.005, 200);
    CHECK(isfinite(solution.q[BRIO_BASE_NQ]), "case %d", i);
    brio_solver_free(solver);
    brio_robot_free(robot);
  }
}

/* Coupled joints stay coupled to rounding, for any goals, within all limits; the goal of a coupled joint is
** met through the joints that it follows. */
static void couplings_hold_whatever_is_asked(void) {
  for (int seed = 0; seed < (int)(20 * check_scale()); seed++) {
    brio_robot *robot = demo_arm(false);
    demo_accelerations(robot, 6);
    brio_limits narrow = {-0.5, 0.7, 1, 3};
    CHECK(brio_robot_set_limits(robot, 5, &narrow, NULL), "limits");
    static scene s;
    s = (scene){
        .stream = brio_random_stream((uint64_t)seed, "couplings"), .robot = robot, .tip = find_tip(robot)};
    s.solver = demo_solver(robot, &(brio_solver_options){.unguarded = seed % 4 == 3});
    double first[] = {1, brio_random_uniform(&s.stream, -2, 2), -1.5};
    brio_error err = {0};
    CHECK(brio_solver_couple(s.solver, (int[]){1, 3, 5}, first, 3, 0.1, &err), "%s", err.message);
    CHECK(brio_solver_couple(s.solver, (int[]){0, 6}, (double[]){1, 2}, 2, -0.4, &err), "%s", err.message);
    set_objectives(&s, 3);
    double q[JUDGE_NQ], time = 0, off = 0;
    brio_robot_neutral(robot, q);
    memcpy(q, demo_run(s.solver, &time, 0.005, 1).q, (size_t)robot->nq * sizeof *q);
    brio_solver_reset(s.solver, q, false);
    judge_start(&s.judge, s.solver);
    judge_begin(&s.judge, q, CLEARANCE);
    for (int tick = 0; tick < 1000; tick++) {
      if (tick % 40 == 0) jump(&s);
      const double *v = demo_run(s.solver, &time, 0.005, 1).q;
      judge_limits(&s.judge, v, 0.005);
      memcpy(s.judge.last, v, (size_t)robot->nq * sizeof *v);
      v += BRIO_BASE_NQ;
      off = fmax(off, fabs(v[1] * first[0] + v[3] * first[1] + v[5] * first[2] - 0.1));
      off = fmax(off, fabs(v[0] + 2 * v[6] + 0.4));
    }
    CHECK(off <= 1e-9, "seed %d: off by %g", seed, off);
    CHECK(s.judge.overrun <= 1e-9, "seed %d: a limit is exceeded by %g", seed, s.judge.overrun);
    judge_end(&s.judge);
    brio_solver_free(s.solver);
    brio_robot_free(robot);
  }
}

static void couplings_lead_and_are_refused(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 6);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_error err = {0};
  CHECK(brio_solver_couple(solver, (int[]){0, 2}, (double[]){1, -2}, 2, 0, &err), "%s", err.message);
  CHECK(!brio_solver_couple(solver, (int[]){4, 2}, (double[]){1, 1}, 2, 0, &err), "tied twice");
  CHECK_HAS(err.message, "tied");
  CHECK(!brio_solver_couple(solver, (int[]){4}, (double[]){1}, 1, 0, &err), "one");
  CHECK(!brio_solver_couple(solver, (int[]){4, 99}, (double[]){1, 1}, 2, 0, &err), "none such");
  CHECK(!brio_solver_couple(solver, (int[]){4, 4}, (double[]){1, 1}, 2, 0, &err), "twice");
  CHECK(!brio_solver_couple(solver, (int[]){4, 6}, (double[]){1, NAN}, 2, 0, &err), "NaN");
  double time = 0;
  demo_add(solver, "follow", "joint_match", "joint3", (double[]){0.4}, 50);
  const double *q = demo_run(solver, &time, 0.005, 600).q;
  CHECK_NEAR(q[BRIO_BASE_NQ + 2], 0.4, 1e-6, "the follower's goal");
  CHECK_NEAR(q[BRIO_BASE_NQ], 0.8, 1e-6, "met through the other");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* --- a half-space on the tip --- */

static bool is_apart(judge *j, int before) {
  for (int p = before; p < j->npair; p++)
    if (!(judge_distance(j, &j->pairs[p]) > 2 * CLEARANCE)) return false;
  return true;
}

/* Fix a plane to the tip.  It is judged against the parts that are in front of it at the start. */
static int set_plane(scene *s) {
  judge *j = &s->judge;
  brio_random *r = &s->stream;
  brio_shape plane = {.kind = BRIO_SHAPE_HALF_SPACE};
  brio_pose pose = {{0, 0, brio_random_uniform(r, -0.1, 0.1)},
                    brio_quat_exp((brio_vec3){brio_random_uniform(r, -2, 2),
                                              brio_random_uniform(r, -2, 2), 0})};
  int body = j->nbody++;
  j->bodies[body] = (brio_body){
      .frame = s->tip, .pose = brio_transform_of(pose), .shape = plane, .radius = INFINITY};
  for (int a = 0; a < j->robot->ncollision; a++) {
    judge_add_pair(j, a, body);
    if (!is_apart(j, j->npair - 1)) j->npair--;
  }
  CHECK(brio_solver_set_shape(s->solver, "plane", s->tip, pose, &plane, true, NULL), "plane");
  return body;
}

/* Put balls, near and far, where they touch neither the robot nor the half-space. */
static int set_balls(scene *s, int plane, int count) {
  judge *j = &s->judge;
  int set = 0;
  for (int i = 0; i < count; i++) {
    double far = i % 2 ? 8 : 1;
    brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}};
    brio_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    for (int k = 0; k < 3; k++) (&pose.p.x)[k] = brio_random_uniform(&s->stream, -far, far);
    int before = j->npair;
    judge_add_solid(j, pose, &ball);
    judge_add_pair(j, plane, j->nbody - 1);
    if (!is_apart(j, before)) {
      j->npair = before;
      j->nbody--;
      continue;
    }
    char key[16];
    snprintf(key, sizeof key, "ball%d", i);
    CHECK(brio_solver_set_shape(s->solver, key, -1, pose, &ball, true, NULL), "ball");
    set++;
  }
  return set;
}

/* The robot and all shapes, however far away, stay clear of what a half-space on a moving link sweeps. */
static void a_half_space_on_a_link_touches_nothing(void) {
  static const int which[] = {0, 2, 4};
  int set = 0;
  double moved = 0;
  for (int seed = 0; seed < (int)(9 * fmin(20, check_scale())); seed++) {
    static scene s;
    brio_robot *robot = load(which[seed % 3]);
    demo_accelerations(robot, 8);
    s = (scene){.stream = brio_random_stream((uint64_t)seed, "half-space"), .robot = robot,
                .tip = find_tip(robot), .dt = seed % 2 ? 0.005 : 0.02};
    s.solver = demo_solver(robot, &(brio_solver_options){.seed = (uint64_t)seed, .clearance = CLEARANCE});
    double q[JUDGE_NQ];
    set_objectives(&s, seed % 2 ? 10 : 0);
    find_start(&s, q);
    judge_start(&s.judge, s.solver);
    brio_state_update(&s.judge.state, q);
    int own = s.judge.npair, plane = set_plane(&s);
    set += set_balls(&s, plane, 12) + (s.judge.npair > own);
    judge_begin(&s.judge, q, CLEARANCE);
    live(&s, 200);
    for (int i = 0; i < robot->nvariable; i++) moved = fmax(moved, fabs(s.judge.last[7 + i] - q[7 + i]));
    CHECK(s.judge.overrun <= 1e-9, "seed %d: a limit is exceeded by %g", seed, s.judge.overrun);
    CHECK(s.judge.intrusion <= SLACK, "%s, seed %d: nearer by %g m than allowed", robot->name, seed,
          s.judge.intrusion);
    judge_end(&s.judge);
    brio_solver_free(s.solver);
    brio_robot_free(robot);
  }
  printf("# %d in the way; a joint moved by %.2f\n", set, moved);
  CHECK(set > 9 && moved > 0.3, "%d in the way, and a joint moved by %g", set, moved);
}

/* --- chains of couplings: joint2 follows joint1, joint3 follows joint2, joint6 joint3 and joint5 --- */

static const struct {
  int count, variables[3];
  double coefficients[3], sum;
} links[] = {{2, {0, 1}, {-0.5, 1}, 0.1}, {2, {1, 2}, {0.8, 1}, -0.05}, {3, {2, 4, 5}, {-1, 0.5, 2}, 0.2}};

/* The error of a pose in the equations of the chain. */
static double off_chain(const double *v) {
  double most = 0;
  for (int k = 0; k < 3; k++) {
    double sum = -links[k].sum;
    for (int i = 0; i < links[k].count; i++) sum += links[k].coefficients[i] * v[links[k].variables[i]];
    most = fmax(most, fabs(sum));
  }
  return most;
}

static void chained(const int order[3], int seed) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 6);
  brio_limits narrow = {-0.5, 0.7, 0.5, 3};
  CHECK(brio_robot_set_limits(robot, 5, &narrow, NULL), "limits");
  static scene s;
  s = (scene){.stream = brio_random_stream((uint64_t)seed, "chain"), .robot = robot, .tip = find_tip(robot)};
  s.solver = demo_solver(robot, NULL);
  brio_error err = {0};
  for (int i = 0; i < 3; i++) {
    int k = order[i];
    CHECK(brio_solver_couple(s.solver, links[k].variables, links[k].coefficients, links[k].count,
                             links[k].sum, &err), "%s", err.message);
  }
  CHECK(!brio_solver_couple(s.solver, (int[]){5, 0}, (double[]){1, 1}, 2, 0, &err), "a circle");
  CHECK_HAS(err.message, "'joint1' would follow itself");
  set_objectives(&s, 3);
  double q[JUDGE_NQ], time = 0, off = 0;
  brio_robot_neutral(robot, q);
  memcpy(q, demo_run(s.solver, &time, 0.005, 1).q, (size_t)robot->nq * sizeof *q);
  brio_solver_reset(s.solver, q, false);
  judge_start(&s.judge, s.solver);
  judge_begin(&s.judge, q, CLEARANCE);
  for (int tick = 0; tick < 400; tick++) {
    if (tick % 40 == 0) jump(&s);
    const double *now = demo_run(s.solver, &time, 0.005, 1).q;
    judge_limits(&s.judge, now, 0.005);
    memcpy(s.judge.last, now, (size_t)robot->nq * sizeof *now);
    off = fmax(off, off_chain(now + BRIO_BASE_NQ));
  }
  CHECK(off <= 1e-9, "order %d%d%d: off by %g", order[0], order[1], order[2], off);
  CHECK(s.judge.overrun <= 1e-9, "order %d%d%d: a limit is exceeded by %g", order[0], order[1], order[2],
        s.judge.overrun);
  judge_end(&s.judge);
  brio_solver_free(s.solver);
  brio_robot_free(robot);
}

/* Whatever the order in which the links of a chain are added, all of them hold in every
** solve, within all limits. */
static void chains_of_couplings_hold(void) {
  static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}};
  for (int i = 0; i < 6; i++) chained(orders[i], i);
}

/* --- an hour --- */

/* Robot time with liveliness and wandering goals; an hour each under make soak. */
static void lively_hours_stay_within_limits(void) {
  static const int which[] = {0, 3, 4, 5, 6};
  int ticks = (int)(60 * fmin(60, check_scale()) / 0.02);
  for (int k = 0; k < 5; k++) {
    static scene s;
    brio_robot *robot = load(which[k]);
    if (!robot) continue;
    demo_accelerations(robot, 8);
    s = (scene){.stream = brio_random_stream((uint64_t)k, "hours"), .robot = robot, .tip = find_tip(robot)};
    s.solver = demo_solver(robot, &(brio_solver_options){.seed = (uint64_t)k});
    const char *tip = robot->links[s.tip].name;
    double q[JUDGE_NQ], time = 0, past[3][JUDGE_NQ] = {{0}}, jerk = 0, speed = 0, most = 0;
    brio_robot_neutral(robot, q);
    brio_solver_reset(s.solver, q, true);
    judge_start(&s.judge, s.solver);
    brio_state_update(&s.judge.state, q);
    brio_vec3 home = s.judge.state.links[s.tip].p;
    demo_add(s.solver, "alive", "position_liveliness", tip, (double[]){0.03, 0.03, 0.03}, 15);
    demo_add(s.solver, "place", "position_match", tip, &home.x, 20);
    demo_add(s.solver, "limits", "joint_limits", NULL, NULL, 10);
    demo_add(s.solver, "calm", "smoothness_macro", NULL, NULL, 10);
    demo_add(s.solver, "clear", "collision_avoidance", NULL, NULL, 3);
    judge_begin(&s.judge, q, CLEARANCE);
    for (int tick = 0; tick < ticks; tick++) {
      if (tick % 500 == 0) {
        double goal[3];
        for (int i = 0; i < 3; i++) goal[i] = (&home.x)[i] + brio_random_uniform(&s.stream, -0.2, 0.2);
        brio_solver_set_goal(s.solver, brio_solver_slot(s.solver, "place", NULL), goal, 3, 0.3, NULL);
      }
      brio_solution solution = demo_run(s.solver, &time, 0.02, 1);
      judge_tick(&s.judge, solution.q, 0.02);
      for (int i = BRIO_BASE_NQ; tick > 3 && i < robot->nq; i++) {
        double v = solution.q[i] - past[0][i], w = past[0][i] - past[1][i], u = past[1][i] - past[2][i];
        speed = fmax(speed, fabs(v) / 0.02);
        jerk += pow((v - 2 * w + u) / 8e-6, 2) / robot->nvariable;
        most = fmax(most, fabs(solution.q[i] - q[i]));
      }
      memmove(past[1], past[0], 2 * sizeof past[0]);
      memcpy(past[0], solution.q, (size_t)robot->nq * sizeof *solution.q);
    }
    CHECK(s.judge.overrun <= 1e-9, "%s: a limit is exceeded by %g", robot->name, s.judge.overrun);
    CHECK(s.judge.intrusion <= SLACK, "%s: nearer by %g m than allowed", robot->name, s.judge.intrusion);
    printf("# %s, %g min: speed up to %.2f per s, jerk %.1f per s^3 (root mean square), %.2f from the "
           "start\n", robot->name, ticks * 0.02 / 60, speed, sqrt(jerk / ticks), most);
    judge_end(&s.judge);
    brio_solver_free(s.solver);
    brio_robot_free(robot);
  }
}

CHECK_SUITE(CHECK_TEST(nothing_is_exceeded_or_touched),
            CHECK_TEST(what_enters_the_braking_distance_is_a_fault),
            CHECK_TEST(what_comes_to_an_arm_at_rest_is_a_fault), CHECK_TEST(what_cannot_be_reached_settles),
            CHECK_TEST(a_deadline_is_counted_in_work), CHECK_TEST(odd_limits_are_no_trap),
            CHECK_TEST(couplings_hold_whatever_is_asked), CHECK_TEST(couplings_lead_and_are_refused),
            CHECK_TEST(a_half_space_on_a_link_touches_nothing), CHECK_TEST(chains_of_couplings_hold),
            CHECK_TEST(lively_hours_stay_within_limits))
