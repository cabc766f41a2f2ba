/* The smoothness of a movement from one position to another, at the driver: the whole tick and the whole
** motor side, measured on the commands that a device gets a thousand times a second (math/quality.h). */
#include "math/quality.h"

#include "recorder.h"
#include "runtime/engine.h"

static const char arm[] =
    "<robot name='arm'><link name='base'/><link name='upper'/><link name='hand'/>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/>"
    "<limit lower='-2' upper='2' velocity='4' effort='9'/></joint>"
    "<joint name='elbow' type='revolute'><parent link='upper'/><child link='hand'/><origin xyz='0 0 0.4'/>"
    "<axis xyz='0 1 0'/><limit lower='-2' upper='2' velocity='4' effort='9'/></joint></robot>";

enum { EAR = 2, LID = 3, AXES = 4, TICKS = 600 };

static const brio_axis axes[AXES] = {{"shoulder", -2, 2, 4, 20, 0},
                                     {"elbow", -2, 2, 4, 20, 0},
                                     {"ear", -1, 1, 10, 200, 0},
                                     {"lid", -1, 1, 10, 200, 0}};

typedef struct rig {
  brio_robot *robot;
  brio_engine *engine;
  brio_engine_parts parts;
  recorder *device;
  int slot, ticks;
  double goal;
} rig;

/* Before the move all rests; then the goals jump. */
static bool work(void *context, double time, double dt) {
  rig *r = context;
  (void)time, (void)dt;
  if (++r->ticks != TICKS) return true;
  brio_solver_set_goal(r->parts.solver, r->slot, &r->goal, 1, 0.1, NULL);
  brio_actuator_set_target(r->parts.actuator, EAR, r->goal, NULL);
  brio_actuator_set_target(r->parts.actuator, LID, r->goal, NULL);
  return true;
}

static void set_up(rig *r, double goal) {
  static const int stages[AXES] = {0, 0, 2, 0};
  static const double tau[AXES] = {0, 0, 0.05, 0};
  brio_error err = {0};
  brio_argument joint = {.name = "joint", .text = "elbow"};
  double zero = 0;
  *r = (rig){.goal = goal, .device = calloc(1, sizeof *r->device)};
  r->robot = brio_robot_parse(arm, sizeof arm - 1, "arm", NULL, &err);
  CHECK(r->robot != NULL, "%s", err.message);
  r->parts = (brio_engine_parts){
      .rate = 200, .work = work, .context = r, .motor = {.armed = true, .stages = stages, .tau = tau}};
  r->parts.solver = brio_solver_new(r->robot, NULL, &err);
  r->parts.scene = brio_scene_new(NULL, &err);
  r->parts.actuator = brio_actuator_open(
      &(brio_actuator_options){.kind = &recorder_kind, .axes = axes, .count = AXES, .context = r->device},
      &err);
  CHECK(r->parts.actuator != NULL, "%s", err.message);
  r->slot = brio_solver_add(r->parts.solver, "there", "joint_match", &joint, 1, &err);
  CHECK(r->slot >= 0 && brio_solver_set_goal(r->parts.solver, r->slot, &zero, 1, 0, &err), "%s", err.message);
  brio_solver_set_weight(r->parts.solver, r->slot, 10, 0.1, &err);
  r->engine = brio_engine_new(&r->parts, &err);
  CHECK(r->engine != NULL, "%s", err.message);
}

static void tear_down(rig *r) {
  brio_engine_free(r->engine);
  brio_actuator_close(r->parts.actuator);
  brio_scene_free(r->parts.scene);
  brio_solver_free(r->parts.solver);
  brio_robot_free(r->robot);
  free(r->device);
}

/* The smoothness of an axis's commands, from its first step on. */
static double smoothness(const rig *r, int axis) {
  static double speed[RECORDED];
  int n = atomic_load(&r->device->writes), count = 0;
  for (int k = 1; k < n; k++) {
    double v = fabs(r->device->told[k][axis] - r->device->told[k - 1][axis]) * 1000;
    if (v > 0 || count > 0) speed[count++] = v;
  }
  return brio_quality_sparc(speed, count, 1000);
}

static double where(const rig *r, int axis) {
  return r->device->told[atomic_load(&r->device->writes) - 1][axis];
}

static void from_place_to_place(void) {
  static const double distances[] = {0.003, 0.02, 0.1, 0.3, 1, 1.8};
  for (int d = 0; d < 6; d++) {
    rig r;
    set_up(&r, distances[d]);
    for (int k = 0; k < 2 * TICKS; k++) brio_engine_tick(r.engine, 1);
    CHECK_NEAR(where(&r, 1), distances[d], 2e-3 * distances[d] + 1e-5, "arrives");
    double joint = smoothness(&r, 1), filtered = smoothness(&r, EAR), bare = smoothness(&r, LID);
    bool saturated = distances[d] > 1.5; /* the joint runs at its greatest speed */
    CHECK(joint >= (saturated ? -1.7 : -1.5), "%g rad: %g", distances[d], joint);
    CHECK(filtered >= -1.7, "outside the tree, filtered, %g: %g", distances[d], filtered);
    printf("# %g rad: a joint %.3f%s; outside the tree with a filter of 2 x 0.05 s %.3f, with its limits "
           "alone %.3f\n",
           distances[d], joint, saturated ? " (at its greatest speed)" : "", filtered, bare);
    tear_down(&r);
  }
}

/* Poses along a minimum jerk profile keep its smoothness on their way through the motor side. */
static void minimum_jerk_stays_what_it_is(void) {
  static const double seconds[] = {0.5, 1, 2};
  for (int s = 0; s < 3; s++) {
    brio_error err = {0};
    rig r = {.device = calloc(1, sizeof *r.device)};
    r.parts.actuator = brio_actuator_open(
        &(brio_actuator_options){.kind = &recorder_kind, .axes = axes, .count = AXES, .context = r.device},
        &err);
    brio_motor *motor = brio_motor_new(
        &(brio_motor_options){.actuator = r.parts.actuator, .tree = 2, .armed = true}, &err);
    CHECK(motor != NULL, "%s", err.message);
    if (!motor) return;
    for (int k = 0; k < 600; k++) {
      double u = fmin(1, fmax(0, (k - 20) / (200 * seconds[s]))),
             x = 0.4 * u * u * u * (10 + u * (6 * u - 15));
      double pose[AXES] = {x, x, NAN, NAN};
      brio_motor_look(motor);
      brio_motor_hand_over(motor, pose, 0.005);
      brio_motor_advance(motor, 0.005);
    }
    CHECK_NEAR(smoothness(&r, 0), -1.4058, 5e-3, "%g s", seconds[s]);
    CHECK(brio_motor_report_now(motor).braked == 0 && brio_motor_report_now(motor).stretched == 0,
          "as it is");
    brio_motor_free(motor);
    brio_actuator_close(r.parts.actuator);
    free(r.device);
  }
}

CHECK_SUITE(CHECK_TEST(from_place_to_place), CHECK_TEST(minimum_jerk_stays_what_it_is))
