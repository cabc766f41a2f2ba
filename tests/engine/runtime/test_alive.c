/* Liveliness over followed tracks: with `alive` = 1 a joint with a track gets the same
** liveliness as without one. */
#include "recorder.h"
#include "runtime/engine.h"
#include "tests/engine/motion/schedule.h"

enum { JOINTS = 3, TICKS = 2400, SETTLED = 600 };

#define TICK 0.005

static const char arm[] =
    "<robot name='arm'><link name='base'/><link name='upper'/><link name='fore'/><link name='hand'/>"
    "<joint name='turn' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 0 1'/>"
    "<limit lower='-1.2' upper='1.2' velocity='4' effort='9'/></joint>"
    "<joint name='shoulder' type='revolute'><parent link='upper'/><child link='fore'/><axis xyz='0 1 0'/>"
    "<limit lower='-0.9' upper='0.9' velocity='4' effort='9'/></joint>"
    "<joint name='elbow' type='revolute'><parent link='fore'/><child link='hand'/><origin xyz='0.4 0 0'/>"
    "<axis xyz='0 1 0'/><limit lower='-0.7' upper='0.7' velocity='4' effort='9'/></joint></robot>";

static const brio_axis axes[JOINTS] = {
    {"turn", -1.2, 1.2, 4, 30, 0}, {"shoulder", -0.9, 0.9, 4, 40, 0}, {"elbow", -0.7, 0.7, 4, 50, 0}};

typedef struct rig {
  brio_robot *robot;
  brio_engine_parts parts;
  brio_engine *engine;
  recorder *device;
  brio_sequence *sequence;
} rig;

static bool work(void *context, double time, double dt) {
  (void)context, (void)time, (void)dt;
  return true;
}

/* Two joints moved by noise, 'shoulder' through the hand's position, and a posture for all joints. */
static void want_things(brio_solver *solver, bool lively) {
  brio_error err = {0};
  brio_argument turn[] = {{.name = "joint", .text = "turn"}, {.name = "frequency", .number = 0.4}};
  brio_argument hand[] = {{.name = "link", .text = "hand"}, {.name = "frequency", .number = 0.3}};
  double size = 0.1, box[3] = {0, 0, 0.03};
  int noise = brio_solver_add(solver, "turns", "joint_liveliness", turn, 2, &err);
  CHECK(noise >= 0 && brio_solver_set_goal(solver, noise, &size, 1, 0, &err), "%s", err.message);
  brio_solver_set_weight(solver, noise, lively ? 10 : 0, 0, NULL);
  noise = brio_solver_add(solver, "sways", "position_liveliness", hand, 2, &err);
  CHECK(noise >= 0, "%s", err.message);
  brio_slot slot;
  brio_solver_look(solver, noise, &slot);
  bool set = brio_solver_set_goal(solver, noise, box, 3, 0, &err);
  CHECK(set, "%s", err.message);
  brio_solver_set_weight(solver, noise, lively ? 10 : 0, 0, NULL);
  for (int j = 0; j < JOINTS; j++) {
    brio_argument joint = {.name = "joint", .text = axes[j].name};
    double zero = 0.1 * j;
    int slot_of = brio_solver_add(solver, axes[j].name, "joint_match", &joint, 1, &err);
    CHECK(slot_of >= 0 && brio_solver_set_goal(solver, slot_of, &zero, 1, 0, &err), "%s", err.message);
    brio_solver_set_weight(solver, slot_of, 2, 0, NULL);
  }
}

/* A track of 'turn' and 'shoulder', from before the first tick on. */
static void play(rig *r, double alive, const char *kind) {
  brio_error err = {0};
  brio_keyframe keys[8];
  brio_track tracks[2];
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 4; k++) keys[4 * i + k] = key(4 * k, k % 2 ? 0.3 : -0.1, kind, "minimum_jerk");
    tracks[i] = (brio_track){.dof = i, .count = 4, .follow = NAN, .alive = alive};
  }
  brio_sequence_setup setup = {.tracks = tracks, .ntrack = 2, .keys = keys, .nkey = 8};
  brio_play how = plainly(0);
  r->sequence = brio_sequence_new(&setup, JOINTS, &err);
  CHECK(r->sequence && brio_player_play(r->parts.player, r->sequence, &how, &err), "%s", err.message);
}

/* The commands of the joints in every tick of a run. */
static void run(bool lively, const char *kind, double alive, double (*told)[JOINTS]) {
  static recorder device;
  rig r = {.device = &device};
  brio_error err = {0};
  brio_player_dof dofs[JOINTS];
  memset(&device, 0, sizeof device);
  for (int i = 0; i < JOINTS; i++)
    dofs[i] = (brio_player_dof){
        axes[i].lower, axes[i].upper, 0, axes[i].velocity, axes[i].acceleration, i, 1};
  r.robot = brio_robot_parse(arm, sizeof arm - 1, "arm", NULL, &err);
  CHECK(r.robot != NULL, "%s", err.message);
  r.parts = (brio_engine_parts){.rate = 1 / TICK, .work = work, .context = &r, .motor = {.armed = true}};
  r.parts.solver = brio_solver_new(r.robot, &(brio_solver_options){.with_base = true, .seed = 3}, &err);
  want_things(r.parts.solver, lively);
  r.parts.player = brio_player_new(&(brio_player_options){.dofs = dofs, .ndof = JOINTS, .tree = JOINTS},
                                   &err);
  r.parts.scene = brio_scene_new(NULL, &err);
  r.parts.actuator = brio_actuator_open(
      &(brio_actuator_options){.kind = &recorder_kind, .axes = axes, .count = JOINTS, .context = &device},
      &err);
  r.engine = brio_engine_new(&r.parts, &err);
  CHECK(r.engine != NULL, "%s", err.message);
  if (kind) play(&r, alive, kind);
  for (int i = 0; i < TICKS; i++) {
    brio_engine_tick(r.engine, 1);
    for (int j = 0; j < JOINTS; j++) told[i][j] = brio_actuator_axes(r.parts.actuator, &(int){0})[j].command;
  }
  recorder_check(&device, axes, 0.001, "alive");
  brio_engine_free(r.engine);
  brio_actuator_close(r.parts.actuator);
  brio_scene_free(r.parts.scene);
  brio_player_free(r.parts.player);
  brio_sequence_free(r.sequence);
  brio_solver_free(r.parts.solver);
  brio_robot_free(r.robot);
}

static double free_life[TICKS][JOINTS], free_still[TICKS][JOINTS], on_life[TICKS][JOINTS],
    on_still[TICKS][JOINTS];

/* The share of a joint's noise without a track that is added to its motion with one; and the rest of the
** difference, as a share. */
static void compare(int j, double alive, double *share, double *off) {
  double both = 0, own = 0, rest = 0;
  for (int i = SETTLED; i < TICKS; i++) {
    double a = free_life[i][j] - free_still[i][j], b = on_life[i][j] - on_still[i][j];
    both += a * b, own += a * a;
    rest += (b - alive * a) * (b - alive * a);
  }
  *share = both / own, *off = sqrt(rest / own);
}

static void life_stays_on_top_as_the_author_says(void) {
  static const struct { const char *kind; double alive, expected;
  } cases[] = {{"normal", 1, 1},
               {"normal", 0.5, 0.5},
               {"normal", 0, 0},
               {"superposition", 0, 1},
               {"superposition", 1, 1}};
  run(true, NULL, 0, free_life);
  run(false, NULL, 0, free_still);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    run(true, cases[c].kind, cases[c].alive, on_life);
    run(false, cases[c].kind, cases[c].alive, on_still);
    for (int j = 0; j < 2; j++) {
      double share, off;
      compare(j, cases[c].expected, &share, &off);
      printf("# %s, alive %g: %s has %.1f %% of its liveliness, off by %.1f %% of it (root mean square)\n",
             cases[c].kind, cases[c].alive, axes[j].name, 100 * share, 100 * off);
      CHECK(fabs(share - cases[c].expected) < 0.06 && off < 0.1, "%s, alive %g: %s: %g, %g", cases[c].kind,
            cases[c].alive, axes[j].name, share, off);
    }
  }
}

CHECK_SUITE(CHECK_TEST(life_stays_on_top_as_the_author_says))
