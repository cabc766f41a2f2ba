/* The speed of a robot's points: limits of single joints do not bound that of a chain, but the solver
** does, with jumping goals and any combination of joints, on a moving base, too; and tempo, which may
** change at any time. */
#include "base/random.h"
#include "tests/engine/solver/demo.h"
#include "robot/lever.h"

static const char *const FILES[] = {"an arm", "an arm with a free base", "an arm with a bounded base",
                                    "iiwa14/iiwa14_spheres.urdf", "nao/nao.urdf", "baxter/baxter.urdf"};

/* behind NDEMO: from the shared folder */
enum { NDEMO = 3, NFILE = sizeof FILES / sizeof *FILES, MAX_POINTS = 512 };

static const double DT = 0.005, SPEED = 0.3;

/* The fastest of the points at the end of each shape and link, between two poses, m/s. */
typedef struct watch {
  const brio_robot *robot;
  brio_state state;
  brio_vec3 last[MAX_POINTS];
  int count;
} watch;

static int points_of(watch *w, brio_vec3 *points) {
  int n = 0;
  for (int l = 0; l < w->robot->nlink && n < MAX_POINTS; l++) points[n++] = w->state.links[l].p;
  for (int i = 0; i < w->robot->ncollision && n + 6 <= MAX_POINTS; i++) {
    const brio_link_shape *shape = &w->robot->collisions[i];
    double r = shape->shape.kind == BRIO_SHAPE_SPHERE ? shape->shape.size.x : 0;
    for (int k = 0; k < 6; k++) {
      double way = k % 2 ? -r : r;
      brio_vec3 off = {k / 2 == 0 ? way : 0, k / 2 == 1 ? way : 0, k / 2 == 2 ? way : 0};
      points[n++] = brio_transform_point(&w->state.links[shape->link], brio_vec3_add(shape->pose.p, off));
    }
  }
  return n;
}

static double fastest(watch *w, const double *q) {
  brio_vec3 now[MAX_POINTS];
  brio_state_update(&w->state, q);
  int n = points_of(w, now);
  double most = 0;
  for (int i = 0; i < n && i < w->count; i++)
    most = fmax(most, brio_vec3_norm(brio_vec3_sub(now[i], w->last[i])) / DT);
  memcpy(w->last, now, (size_t)n * sizeof *now);
  w->count = n;
  return most;
}

static brio_robot *load_demo(int number) {
  if (number != 1) return demo_arm(number == 2);
  brio_robot_options options = {.base = BRIO_BASE_FREE, .base_center = BRIO_POSE_IDENTITY};
  return brio_robot_parse(DEMO_ARM, sizeof DEMO_ARM - 1, "demo.urdf", &options, NULL);
}

static brio_robot *load(int number, double speed) {
  brio_error err = {0};
  if (number < 0 || number >= NFILE) return NULL;
  brio_robot *robot = number < NDEMO ? load_demo(number) : demo_shared(FILES[number]);
  if (!robot) return NULL;
  demo_accelerations(robot, 20);
  CHECK(brio_robot_set_point_speed(robot, speed, &err), "%s", err.message);
  return robot;
}

/* Move the base, if it can move, to changing positions. */
static void drive_base(brio_solver *solver, brio_random *stream, const int *slots) {
  if (brio_solver_robot(solver)->base == BRIO_BASE_FIXED) return;
  double turn[3], place[3];
  for (int i = 0; i < 3; i++) {
    turn[i] = brio_random_uniform(stream, -1, 1);
    place[i] = brio_random_uniform(stream, -1, 1);
  }
  brio_quat q = brio_quat_exp((brio_vec3){turn[0], turn[1], turn[2]});
  brio_solver_set_goal(solver, slots[0], place, 3, 0, NULL);
  brio_solver_set_goal(solver, slots[1], (double[]){q.x, q.y, q.z, q.w}, 4, 0, NULL);
  for (int i = 0; i < 2; i++)
    brio_solver_set_weight(solver, slots[i], brio_random_below(stream, 4) ? 20 : 0, 0, NULL);
}

/* Move some joints to changing positions, all at once. */
static void drive(brio_solver *solver, brio_random *stream, const int *slots, int nslot) {
  const brio_robot *robot = brio_solver_robot(solver);
  for (int i = 0; i < nslot; i++) {
    const brio_variable *v = &robot->variables[i];
    double lower = isfinite(v->lower) ? v->lower : -3, upper = isfinite(v->upper) ? v->upper : 3;
    double goal = brio_random_uniform(stream, lower, upper), weight = brio_random_below(stream, 4) ? 20 : 0;
    brio_solver_set_goal(solver, slots[i], &goal, 1, 0, NULL);
    brio_solver_set_weight(solver, slots[i], weight, 0, NULL);
  }
}

static int add_goals(brio_solver *solver, int *slots) {
  const brio_robot *robot = brio_solver_robot(solver);
  for (int i = 0; i < robot->nvariable; i++) {
    brio_argument joint = {.name = "joint", .text = robot->variables[i].name};
    brio_error err;
    slots[i] = brio_solver_add(solver, robot->variables[i].name, "joint_match", &joint, 1, &err);
    CHECK(slots[i] >= 0, "%s", err.message);
  }
  static const char *const kinds[] = {"position_match", "orientation_match"};
  for (int i = 0; i < 2 && robot->base != BRIO_BASE_FIXED; i++) {
    brio_argument link = {.name = "link", .text = robot->links[0].name};
    brio_error err;
    slots[robot->nvariable + i] = brio_solver_add(solver, kinds[i], kinds[i], &link, 1, &err);
    CHECK(slots[robot->nvariable + i] >= 0, "%s", err.message);
  }
  return robot->nvariable;
}

static void watch_start(watch *w, const brio_robot *robot) {
  *w = (watch){.robot = robot};
  CHECK(brio_state_start(&w->state, robot, NULL), "no memory");
}

/* Goals that jump every second, for 4 s; 200 s in soaks. */
static void judge_robot(const char *name, const brio_robot *robot) {
  static watch w;
  brio_solver *solver = demo_solver(robot, NULL);
  brio_random stream = brio_random_stream(11, name);
  int slots[128], nslot = add_goals(solver, slots), ticks = (int)(800 * check_scale());
  double most = 0, sum = 0;
  brio_solution solution;
  watch_start(&w, robot);
  for (int tick = 0; tick < ticks; tick++) {
    if (tick % 200 == 0) {
      drive(solver, &stream, slots, nslot);
      drive_base(solver, &stream, slots + nslot);
    }
    brio_solver_solve(solver, tick * DT, DT, &solution);
    double speed = fastest(&w, solution.q);
    CHECK(speed <= SPEED * 1.0001, "%s: a point goes at %g m/s in tick %d", name, speed, tick);
    most = fmax(most, speed);
    sum += speed;
  }
  CHECK(most > 0.4 * SPEED, "%s: it moves at %g m/s at the most", name, most);
  printf("# %s: up to %.3f m/s, %.3f on average, of %.2f\n", name, most, sum / ticks, SPEED);
  brio_state_end(&w.state);
  brio_solver_free(solver);
}

static void no_point_is_faster(void) {
  for (int f = 0; f < NFILE; f++) {
    brio_robot *robot = load(f, SPEED);
    if (!robot) continue;
    judge_robot(FILES[f], robot);
    brio_robot_free(robot);
  }
}

/* A lever is never less than the measured speed of a point. */
static void levers_hold_everywhere(void) {
  for (int f = 0; f < NFILE; f++) {
    brio_robot *robot = load(f, SPEED);
    if (!robot) continue;
    double levers[128], q[160];
    brio_robot_variable_levers(robot, levers);
    brio_random stream = brio_random_stream(5, "levers");
    static watch w;
    watch_start(&w, robot);
    for (int pose = 0; pose < 40; pose++) {
      brio_robot_neutral(robot, q);
      for (int i = 0; i < robot->nvariable; i++) {
        const brio_variable *v = &robot->variables[i];
        q[BRIO_BASE_NQ + i] = brio_random_uniform(&stream, fmax(v->lower, -3), fmin(v->upper, 3));
      }
      int i = (int)brio_random_below(&stream, robot->nvariable);
      double step = 1e-5;
      fastest(&w, q);
      q[BRIO_BASE_NQ + i] += step;
      double moved = fastest(&w, q) * DT;
      CHECK(moved <= levers[i] * step * 1.001 + 1e-12, "%s: '%s' moves a point by %g m/rad, its lever is %g",
            FILES[f], robot->variables[i].name, moved / step, levers[i]);
    }
    brio_state_end(&w.state);
    brio_robot_free(robot);
  }
}

/* An arm whose first joint goes at up to 2 rad/s and 8 rad/s^2. */
static brio_robot *arm(void) {
  brio_robot *robot = demo_arm(false);
  brio_limits limits = {NAN, NAN, 2, 8};
  brio_error err;
  for (int i = 0; i < robot->nvariable; i++)
    CHECK(brio_robot_set_limits(robot, i, &limits, &err), "%s", err.message);
  return robot;
}

/* The time that the first joint of an arm takes to a goal at a tempo, s; its greatest speed in *most. */
static double way(double tempo, double *most) {
  brio_robot *robot = arm();
  brio_solver *solver = demo_solver(robot, NULL);
  brio_error err;
  int slots[16];
  add_goals(solver, slots);
  double goal = 1;
  brio_solver_set_goal(solver, slots[0], &goal, 1, 0, NULL);
  brio_solver_set_weight(solver, slots[0], 20, 0, NULL);
  CHECK(brio_solver_set_tempo(solver, tempo, &err), "%s", err.message);
  brio_solution solution;
  double t = 0, last = 0;
  *most = 0;
  for (int tick = 1; tick < 20000; tick++) {
    brio_solver_solve(solver, tick * DT, DT, &solution);
    double x = solution.q[BRIO_BASE_NQ];
    *most = fmax(*most, fabs(x - last) / DT);
    last = x;
    t = tick * DT;
    if (fabs(x - goal) < 1e-3) break;
  }
  brio_solver_free(solver);
  brio_robot_free(robot);
  return t;
}

static void tempo_slows_within_limits(void) {
  double full, half, faster;
  double t1 = way(1, &full), t2 = way(0.5, &half), t3 = way(2, &faster);
  CHECK(half <= 0.5 * 2 * 1.0001, "at half the tempo it goes at %g rad/s", half);
  CHECK(t2 > 1.6 * t1, "it takes %g s, %g at half the tempo", t1, t2);
  CHECK(t3 == t1 && faster == full, "limits stay above 1: %g s, %g", t3, t1);
  brio_robot *robot = arm();
  brio_solver *solver = demo_solver(robot, NULL);
  brio_error err = {0};
  static const double wrong[] = {0, 0.04, 2.1, -1, NAN, INFINITY};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    CHECK(!brio_solver_set_tempo(solver, wrong[i], &err) && err.code == BRIO_MISUSE, "%g is taken", wrong[i]);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* The tempo changes in motion: the joint slows down within its limits, and then has the new speed. */
static void tempo_is_live(void) {
  brio_robot *robot = arm();
  brio_solver *solver = demo_solver(robot, NULL);
  int slots[16];
  add_goals(solver, slots);
  double goal = 2.5, x = 0, v = 0;
  brio_solver_set_goal(solver, slots[0], &goal, 1, 0, NULL);
  brio_solver_set_weight(solver, slots[0], 20, 0, NULL);
  brio_solution solution;
  double acceleration = robot->variables[0].acceleration;
  for (int tick = 1; tick < 400; tick++) {
    if (tick == 150) brio_solver_set_tempo(solver, 0.2, NULL);
    brio_solver_solve(solver, tick * DT, DT, &solution);
    double speed = (solution.q[BRIO_BASE_NQ] - x) / DT;
    if (tick > 1) CHECK(fabs(speed - v) <= acceleration * DT * 1.0001 + 1e-9, "%g rad/s^2", (speed - v) / DT);
    double most = (tick > 250 ? 0.2 : 1) * robot->variables[0].velocity;
    CHECK(speed <= most * 1.0001, "%g rad/s in tick %d", speed, tick);
    x = solution.q[BRIO_BASE_NQ], v = speed;
  }
  brio_solver_free(solver);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(no_point_is_faster), CHECK_TEST(levers_hold_everywhere),
            CHECK_TEST(tempo_slows_within_limits), CHECK_TEST(tempo_is_live))
