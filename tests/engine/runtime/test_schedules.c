/* Random schedules through the whole engine: sources that start, stop, are exchanged, faded, masked and mixed
** at any tick; the player combines and mixes them, the solver makes them feasible beside liveliness and a
** ball in the way, and the motor side leads devices along them.  The commands of a device, a thousand times a
** second, keep the limits of speed and acceleration, so speeds are continuous; and no stage after the solver
** had to change its result. */
#include <stddef.h>

#include "recorder.h"
#include "runtime/engine.h"
#include "tests/engine/motion/schedule.h"

enum { TICKS = 240 };

#define TICK 0.005
#define PERIOD 0.001

static const char arm[] =
    "<robot name='arm'><link name='base'/><link name='upper'/><link name='fore'><collision><origin xyz='0.2 "
    "0 0'/>"
    "<geometry><sphere radius='0.05'/></geometry></collision></link>"
    "<link name='hand'><collision><geometry><sphere radius='0.06'/></geometry></collision></link>"
    "<joint name='turn' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 0 1'/>"
    "<limit lower='-1.2' upper='1.2' velocity='4' effort='9'/></joint>"
    "<joint name='shoulder' type='revolute'><parent link='upper'/><child link='fore'/><axis xyz='0 1 0'/>"
    "<limit lower='-0.9' upper='0.9' velocity='4' effort='9'/></joint>"
    "<joint name='elbow' type='revolute'><parent link='fore'/><child link='hand'/><origin xyz='0.4 0 0'/>"
    "<axis xyz='0 1 0'/><limit lower='-0.7' upper='0.7' velocity='4' effort='9'/></joint></robot>";

static const brio_axis axes[NDOF] = {{"turn", -1.2, 1.2, 4, 30, 0},  {"shoulder", -0.9, 0.9, 4, 40, 0},
                                     {"elbow", -0.7, 0.7, 4, 50, 0}, {"eye", -1, 1, 8, 120, 0},
                                     {"lid", -1, 1, 10, 200, 0},     {"ear", -1, 1, 6, 60, 0}};

typedef struct rig {
  brio_robot *robot;
  brio_engine_parts parts;
  brio_engine *engine;
  recorder *device;
  brio_random random;
  brio_sequence *sequences[6];
  int sources[8], liveliness;
  double hardest;
  double rate[NDOF], follow[NDOF];
} rig;

static bool work(void *context, double time, double dt) {
  rig *r = context;
  (void)time, (void)dt;
  if (brio_random_below(&r->random, 8) == 0)
    do_something(r->parts.player, &r->random, r->sequences, 6, r->sources);
  return true;
}

static void make_player(rig *r, uint64_t seed) {
  brio_player_dof dofs[NDOF];
  brio_error err = {0};
  for (int i = 0; i < NDOF; i++)
    dofs[i] = (brio_player_dof){
        axes[i].lower, axes[i].upper, 0, axes[i].velocity, axes[i].acceleration, i, 1};
  dofs[1].mirror = 2, dofs[2].mirror = 1, dofs[1].sign = dofs[2].sign = -1;
  brio_player_filter filters[] = {{1, (int)seed % 5, 0.03}, {5, (int)seed % 5, 0.02}};
  brio_player_options options = {
      .dofs = dofs, .ndof = NDOF, .tree = TREE, .seed = seed, .filters = filters, .nfilter = 2};
  const brio_eyelid lid = {.lid = 4, .eye = 3, .closed = -1, .open = 0, .gain = 0.5};
  r->parts.player = brio_player_new(&options, &err);
  CHECK(r->parts.player && brio_player_set_eyelids(r->parts.player, &lid, 1, &err), "%s", err.message);
}

static void make_solver(rig *r, uint64_t seed) {
  brio_error err = {0};
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.07, 0, 0}};
  brio_argument alive[] = {{.name = "joint", .text = "turn"}, {.name = "frequency", .number = 0.5}};
  double size = 0.08;
  r->parts.solver = brio_solver_new(r->robot, &(brio_solver_options){.with_base = true, .seed = seed}, &err);
  CHECK(r->parts.solver != NULL, "%s", err.message);
  CHECK(brio_solver_set_shape(r->parts.solver, "ball", -1, (brio_pose){{0.4, 0.1, -0.2}, {0, 0, 0, 1}}, &ball,
                              true, &err),
        "%s", err.message);
  int slot = brio_solver_add(r->parts.solver, "alive", "joint_liveliness", alive, 2, &err);
  CHECK(slot >= 0 && brio_solver_set_goal(r->parts.solver, slot, &size, 1, 0, &err), "%s", err.message);
  brio_solver_set_weight(r->parts.solver, slot, 5, 0, NULL);
  for (int j = 0; j < TREE; j++) {
    brio_argument joint = {.name = "joint", .text = axes[j].name};
    double zero = 0;
    slot = brio_solver_add(r->parts.solver, axes[j].name, "joint_match", &joint, 1, &err);
    CHECK(slot >= 0 && brio_solver_set_goal(r->parts.solver, slot, &zero, 1, 0, &err), "%s", err.message);
    brio_solver_set_weight(r->parts.solver, slot, 1, 0, NULL);
  }
}

static void set_up(rig *r, uint64_t seed, recorder *device) {
  brio_error err = {0};
  memset(device, 0, offsetof(recorder, told));
  atomic_store(&device->opens, 0);
  memset(device->from, 0, sizeof device->from);
  *r = (rig){.random = brio_random_stream(seed, "schedule"), .device = device};
  r->robot = brio_robot_parse(arm, sizeof arm - 1, "arm", NULL, &err);
  CHECK(r->robot != NULL, "%s", err.message);
  r->parts = (brio_engine_parts){.rate = 1 / TICK, .work = work, .context = r, .motor = {.armed = true}};
  make_solver(r, seed);
  make_player(r, seed);
  r->parts.scene = brio_scene_new(NULL, &err);
  r->parts.actuator = brio_actuator_open(
      &(brio_actuator_options){.kind = &recorder_kind, .axes = axes, .count = NDOF, .context = device}, &err);
  CHECK(r->parts.scene && r->parts.actuator, "%s", err.message);
  r->engine = brio_engine_new(&r->parts, &err);
  CHECK(r->engine != NULL, "%s", err.message);
  for (int i = 0; i < 6; i++) r->sequences[i] = some_sequence(&r->random);
}

static void tear_down(rig *r) {
  brio_engine_free(r->engine);
  brio_actuator_close(r->parts.actuator);
  brio_scene_free(r->parts.scene);
  brio_player_free(r->parts.player);
  for (int i = 0; i < 6; i++) brio_sequence_free(r->sequences[i]);
  brio_solver_free(r->parts.solver);
  brio_robot_free(r->robot);
}

/* Check that the player's values change by their rates, and the rates within the accelerations:
** also those of eyelids. */
static void judge(rig *r, int run, int tick) {
  brio_player_result asked = brio_player_result_of(r->parts.player);
  for (int d = 0; d < NDOF; d++) {
    double pull = fabs(asked.rate[d] - r->rate[d]) / TICK;
    CHECK(isfinite(asked.value[d]) && isfinite(asked.rate[d]), "run %d, tick %d: %s is %g", run, tick,
          axes[d].name, asked.value[d]);
    /* otherwise it has no goal */
    bool counts = tick > 1 && (d >= TREE || (asked.follow[d] > 0 && r->follow[d] > 0));
    if (counts) r->hardest = fmax(r->hardest, pull);
    CHECK(!counts || pull < 400, "run %d, tick %d: the rate of %s changes by %g per s^2, from %g to %g", run,
          tick, axes[d].name, pull, r->rate[d], asked.rate[d]);
    r->rate[d] = asked.rate[d], r->follow[d] = asked.follow[d];
  }
  for (brio_player_event event; brio_player_poll(r->parts.player, &event);) continue;
}

static void schedules_keep_limits_through_everything(void) {
  int runs = (int)(200 * check_scale()); /* a sample; 10,000 under make soak */
  recorder *device = calloc(1, sizeof *device);
  double hardest = 0, farthest = 0;
  for (int run = 0; run < runs && check_failures < 5; run++) {
    rig r;
    set_up(&r, (uint64_t)run, device);
    for (int i = 0; i < TICKS; i++) {
      brio_engine_tick(r.engine, 1);
      judge(&r, run, i);
      int n = atomic_load(&device->writes) - 1;
      for (int d = 0; d < TREE; d++) farthest = fmax(farthest, fabs(device->told[n][d]));
    }
    recorder_check(device, axes, PERIOD, "schedule");
    brio_motor_report report = brio_motor_report_now(brio_engine_motor(r.engine));
    CHECK(report.taken == TICKS &&
              report.dropped + report.stretched + report.tracked + report.braked + report.clamped == 0,
          "run %d: poses taken %d, dropped %d, stretched %d, clamped %d; braked %d, off the path %d", run,
          (int)report.taken, (int)report.dropped, (int)report.stretched, (int)report.clamped,
          (int)report.braked, (int)report.tracked);
    hardest = fmax(hardest, r.hardest);
    tear_down(&r);
  }
  printf(
      "# %d schedules: what is asked changes its speed by at most %.3g per s^2; joints went as far as %.2f\n",
      runs, hardest, farthest);
  CHECK(farthest > 0.6, "they moved");
  free(device);
}

CHECK_SUITE(CHECK_TEST(schedules_keep_limits_through_everything))
