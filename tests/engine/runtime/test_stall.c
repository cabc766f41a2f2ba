/* Stalls of the scripts' side, through solver and motor side, as a device sees them: an arm that moves
** randomly near a ball, and ticks that are late by up to a tenth of a second, at any moment.  Every command
** lies on the curve through the accepted poses, all joints together; limits hold, and so does the clearance.
** */
#include "base/random.h"
#include "recorder.h"
#include "runtime/engine.h"
#include "tests/engine/motor/curve.h"

enum { JOINTS = 3 };

#define TICK 0.005
#define PERIOD 0.001
#define CLEARANCE 0.005

static const char arm[] =
    "<robot name='arm'><link name='base'/><link name='upper'/><link name='fore'/>"
    "<link name='hand'><collision><geometry><sphere radius='0.06'/></geometry></collision></link>"
    "<joint name='turn' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 0 1'/>"
    "<limit lower='-1.2' upper='1.2' velocity='2' effort='9'/></joint>"
    "<joint name='shoulder' type='revolute'><parent link='upper'/><child link='fore'/><axis xyz='0 1 0'/>"
    "<limit lower='-0.9' upper='0.9' velocity='3' effort='9'/></joint>"
    "<joint name='elbow' type='revolute'><parent link='fore'/><child link='hand'/><origin xyz='0.4 0 0'/>"
    "<axis xyz='0 1 0'/><limit lower='-0.7' upper='0.7' velocity='3' effort='9'/></joint></robot>";

static const brio_axis axes[JOINTS] = {
    {"turn", -1.2, 1.2, 2, 8, 0.6}, {"shoulder", -0.9, 0.9, 3, 12, 0}, {"elbow", -0.7, 0.7, 3, 30, 0}};
static const brio_pose ball_at = {{0.4, 0, 0}, {0, 0, 0, 1}};
static const brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.07, 0, 0}};

typedef struct rig {
  brio_robot *robot;
  brio_state state;
  brio_engine_parts parts;
  brio_engine *engine;
  recorder *device;
  brio_random *random;
  int slots[JOINTS], ticks;
  curve *way;
  brio_motor_report seen;
  brio_axis_limits limits[JOINTS];
  int written;              /* of the device's record: checked so far */
  double off, nearest;
} rig;

/* Somewhere else, now and then: also beyond the limits, and into the ball. */
static bool work(void *context, double time, double dt) {
  rig *r = context;
  (void)time, (void)dt;
  for (int j = 0; j < JOINTS; j++) {
    double goal = brio_random_uniform(r->random, axes[j].lower, axes[j].upper);
    if (brio_random_below(r->random, 60) == 0)
      brio_solver_set_goal(r->parts.solver, r->slots[j], &goal, 1, 0, NULL);
  }
  return true;
}

static void set_up(rig *r, brio_random *random, curve *way) {
  brio_error err = {0};
  *r = (rig){.random = random, .way = way, .device = calloc(1, sizeof *r->device), .nearest = INFINITY};
  for (int j = 0; j < JOINTS; j++) {
    r->device->from[j] = axes[j].start;
    r->limits[j] = (brio_axis_limits){axes[j].lower, axes[j].upper, axes[j].velocity, axes[j].acceleration};
  }
  r->robot = brio_robot_parse(arm, sizeof arm - 1, "arm", NULL, &err);
  CHECK(r->robot != NULL && brio_state_start(&r->state, r->robot, &err), "%s", err.message);
  r->parts = (brio_engine_parts){.rate = 1 / TICK, .work = work, .context = r, .motor = {.armed = true}};
  r->parts.solver = brio_solver_new(r->robot, &(brio_solver_options){.clearance = CLEARANCE}, &err);
  r->parts.scene = brio_scene_new(NULL, &err);
  r->parts.actuator = brio_actuator_open(
      &(brio_actuator_options){.kind = &recorder_kind, .axes = axes, .count = JOINTS, .context = r->device},
      &err);
  CHECK(r->parts.solver && r->parts.scene && r->parts.actuator, "%s", err.message);
  CHECK(brio_solver_set_shape(r->parts.solver, "ball", -1, ball_at, &ball, true, &err), "%s", err.message);
  for (int j = 0; j < JOINTS; j++) {
    brio_argument joint = {.name = "joint", .text = axes[j].name};
    r->slots[j] = brio_solver_add(r->parts.solver, axes[j].name, "joint_match", &joint, 1, &err);
    brio_solver_set_goal(r->parts.solver, r->slots[j], &axes[j].start, 1, 0, &err);
    CHECK(r->slots[j] >= 0 && brio_solver_set_weight(r->parts.solver, r->slots[j], 10, 0, &err), "%s",
          err.message);
  }
  r->engine = brio_engine_new(&r->parts, &err);
  CHECK(r->engine != NULL, "%s", err.message);
  curve_begin(way, JOINTS, r->device->from, TICK);
}

static void tear_down(rig *r) {
  brio_engine_free(r->engine);
  brio_actuator_close(r->parts.actuator);
  brio_scene_free(r->parts.scene);
  brio_solver_free(r->parts.solver);
  brio_state_end(&r->state);
  brio_robot_free(r->robot);
  free(r->device);
}

/* The duration of the last accepted pose, from its speed. */
static double time_of_pose(const rig *r, const double *pose) {
  const double *last = r->way->poses[r->way->count - 1];
  double dt = TICK, most = 0, speed;
  for (int j = 0; j < JOINTS; j++) {
    brio_motor_end(brio_engine_motor(r->engine), j, &speed);
    if (fabs(pose[j] - last[j]) <= most) continue;
    most = fabs(pose[j] - last[j]);
    dt = (pose[j] - last[j]) / speed;
  }
  return dt;
}

/* Extend the path: ticks of braking, then the tick's pose, if it was accepted. */
static void note(rig *r) {
  brio_motor_report now = brio_motor_report_now(brio_engine_motor(r->engine));
  const double *pose = brio_engine_solution(r->engine)->q + BRIO_BASE_NQ;
  for (int64_t k = r->seen.braked; k < now.braked; k++) curve_brake(r->way, r->limits, TICK);
  const double *last = r->way->poses[r->way->count - 1];
  size_t size = JOINTS * sizeof *last;
  bool rests = r->way->count > 1 && memcmp(last, r->way->poses[r->way->count - 2], size) == 0 &&
               memcmp(last, pose, size) == 0;
  if (now.taken > r->seen.taken && !rests) curve_add(r->way, pose, time_of_pose(r, pose));
  CHECK(now.tracked == 0 && now.stretched == 0 && now.refused == 0, "tick %d: %d off the path, %d stretched",
        r->ticks, (int)now.tracked, (int)now.stretched);
  r->seen = now;
}

/* The commands of the device since then. */
static void judge(rig *r) {
  double q[BRIO_BASE_NQ + JOINTS] = {0, 0, 0, 0, 0, 0, 1};
  for (int n = atomic_load(&r->device->writes); r->written < n; r->written++) {
    const double *told = r->device->told[r->written];
    r->off = fmax(r->off, curve_off(r->way, told, PERIOD));
    memcpy(q + BRIO_BASE_NQ, told, JOINTS * sizeof *told);
    brio_state_update(&r->state, q);
    brio_vec3 hand = r->state.links[3].p,
              d = {hand.x - ball_at.p.x, hand.y - ball_at.p.y, hand.z - ball_at.p.z};
    r->nearest = fmin(r->nearest, sqrt(d.x * d.x + d.y * d.y + d.z * d.z) - 0.06 - 0.07);
  }
}

static void stalls_leave_the_path_nowhere(void) {
  static curve way;
  brio_random random = brio_random_stream(11, "stalls");
  int runs = (int)(30 * fmax(1, check_scale())), stalls = 0;
  int64_t braked = 0, dropped = 0, taken = 0;
  double off = 0, nearest = INFINITY;
  for (int k = 0; k < runs && check_failures == 0; k++) {
    rig r;
    set_up(&r, &random, &way);
    int often = 4 + (int)brio_random_below(&random, 100), longest = 1 + (int)brio_random_below(&random, 100);
    for (r.ticks = 0; r.ticks < 500 && check_failures == 0; r.ticks++) {
      bool late = brio_random_below(&random, (uint32_t)often) == 0;
      double stall = late ? 0.001 * (1 + brio_random_below(&random, (uint32_t)longest)) : 0;
      brio_motor_advance(brio_engine_motor(r.engine), stall);
      brio_engine_tick(r.engine, 1);
      note(&r);
      judge(&r);
      stalls += late;
    }
    CHECK(r.off < 1e-9, "run %d: off the path by %g", k, r.off);
    CHECK(r.nearest > CLEARANCE - 2.5e-4, "run %d: as near as %g", k, r.nearest);
    recorder_check(r.device, axes, PERIOD, "stalls");
    off = fmax(off, r.off), nearest = fmin(nearest, r.nearest);
    braked += r.seen.braked, dropped += r.seen.dropped, taken += r.seen.taken;
    tear_down(&r);
  }
  printf("# %d stalls in %d poses: %d ticks of braking, %d poses refused; off the path by %.1e at most, the "
         "ball no nearer than %.6f of %g\n",
         stalls, (int)taken, (int)braked, (int)dropped, off, nearest, CLEARANCE);
  CHECK(braked > stalls && nearest < 2 * CLEARANCE && dropped == 0, "it stalled near the ball");
}

CHECK_SUITE(CHECK_TEST(stalls_leave_the_path_nowhere))
