/* The tick from outside: its order and time, and a digest that repeats; its C code never allocates, with a
** store, detections and every part in place. */
#include <unistd.h>

#include "base/clock.h"
#include "runtime/engine.h"
#include "tests/allocations.h"
#include "tests/check.h"
#include "world/world.h"

static const char arm[] =
    "<robot name='arm'><link name='base'/><link name='upper'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><geometry><sphere radius='0.05'/></geometry></collision></link>"
    "<link name='hand'><collision><origin xyz='0 0 0.2'/><geometry><sphere "
    "radius='0.05'/></geometry></collision></link>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/>"
    "<limit lower='-2' upper='2' velocity='2' effort='9'/></joint>"
    "<joint name='elbow' type='revolute'><parent link='upper'/><child link='hand'/><origin xyz='0 0 0.4'/>"
    "<axis xyz='0 1 0'/><limit lower='-2' upper='2' velocity='2' effort='9'/></joint></robot>";

typedef struct stage {
  brio_robot *robot;
  brio_world *world;
  brio_engine *engine;
  brio_engine_parts parts;
  int works;
  int64_t ends;     /* the work that ends the run; 0: none */
  double last, dt;
  int seen;         /* believed objects in the last work */
} stage;

static bool work(void *context, double time, double dt) {
  stage *s = context;
  const brio_object *const *objects;
  s->works++;
  s->last = time;
  s->dt = dt;
  s->seen = brio_scene_objects(s->parts.scene, &objects);
  return s->works != s->ends;
}

static void add_world(stage *s, brio_error *err) {
  brio_waypoint path[] = {{0, {{2, -1, 1.6}, {0, 0, 0, 1}}}, {100, {{2, 1, 1.6}, {0, 0, 0, 1}}}};
  s->world = brio_world_new(1, err);
  CHECK(brio_world_add(s->world, "person", "ann", (brio_vec3){0}, path, 2, false, err), "%s", err->message);
}

static void open_devices(stage *s, brio_error *err) {
  brio_axis axes[] = {{"shoulder", -2, 2, 2, 10, 0}, {"elbow", -2, 2, 2, 10, 0}, {"ear", 0, 1, 5, 50, 0}};
  brio_actuator_options options = {.kind = brio_driver_find("simulator", err), .axes = axes, .count = 3,
                                   .seed = 1, .context = s->world};
  s->parts.actuator = brio_actuator_open(&options, err);
  CHECK(s->parts.actuator != NULL, "%s", err->message);
}

static void add_objectives(stage *s, brio_error *err) {
  brio_argument hand = {.name = "link", .text = "hand"};
  double goal[] = {0.24, 0, 0.32}, size[] = {0.02, 0.02, 0.02};
  int reach = brio_solver_add(s->parts.solver, "reach", "position_match", &hand, 1, err);
  int sway = brio_solver_add(s->parts.solver, "sway", "position_liveliness", &hand, 1, err);
  int clear = brio_solver_add(s->parts.solver, "clear", "collision_avoidance", NULL, 0, err);
  CHECK(reach >= 0 && sway >= 0 && clear >= 0, "%s", err->message);
  CHECK(brio_solver_set_goal(s->parts.solver, reach, goal, 3, 0.1, err), "%s", err->message);
  CHECK(brio_solver_set_goal(s->parts.solver, sway, size, 3, 0, err), "%s", err->message);
  brio_solver_set_weight(s->parts.solver, reach, 50, 0.1, err);
  brio_solver_set_weight(s->parts.solver, sway, 10, 0.1, err);
  brio_solver_set_weight(s->parts.solver, clear, 10, 0.1, err);
}

static void set_up(stage *s, const char *store) {
  brio_error err = {0};
  memset(s, 0, sizeof *s);
  s->robot = brio_robot_parse(arm, sizeof arm - 1, "arm", NULL, &err);
  CHECK(s->robot != NULL, "%s", err.message);
  add_world(s, &err);
  s->parts = (brio_engine_parts){.rate = 200, .work = work, .context = s};
  s->parts.solver = brio_solver_new(s->robot, NULL, &err);
  s->parts.scene = brio_scene_new(NULL, &err);
  open_devices(s, &err);
  add_objectives(s, &err);
  if (store) s->parts.store = brio_store_open(store, NULL, &err);
  if (store)
    CHECK(s->parts.store && brio_store_begin(s->parts.store, NULL, NULL, 0, &err) > 0, "%s", err.message);
  const char *names[] = {"shoulder", "elbow", "ear"}, *units[] = {"rad", "rad", "1"};
  if (store) CHECK(brio_store_dofs(s->parts.store, names, units, NULL, 3, &err), "%s", err.message);
  s->engine = brio_engine_new(&s->parts, &err);
  CHECK(s->engine != NULL, "%s", err.message);
}

static void tear_down(stage *s) {
  brio_engine_free(s->engine);
  if (s->parts.store) brio_store_close(s->parts.store, NULL);
  brio_actuator_close(s->parts.actuator);
  brio_scene_free(s->parts.scene);
  brio_solver_free(s->parts.solver);
  brio_world_free(s->world);
  brio_robot_free(s->robot);
}

static void time_is_counted_in_periods(void) {
  stage s;
  set_up(&s, NULL);
  for (int i = 0; i < 1000; i++) CHECK(brio_engine_tick(s.engine, 1), "it ended");
  CHECK(s.last == 999 / 200.0, "time %.17g", s.last);
  brio_engine_tick(s.engine, 3);
  CHECK(s.last == 1002 / 200.0 && s.dt == 3 / 200.0, "missed ticks carry their time: %g %g", s.last, s.dt);
  CHECK(brio_engine_look(s.engine).ticks == 1001, "ticks are counted");
  tear_down(&s);
}

static void sensed_solved_and_commanded(void) {
  stage s;
  set_up(&s, NULL);
  for (int i = 0; i < 600; i++) brio_engine_tick(s.engine, 1);
  CHECK(s.seen == 1, "%d objects are believed", s.seen);
  int count;
  const brio_actuator_axis *axes = brio_actuator_axes(s.parts.actuator, &count);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(axes[i].command, brio_engine_solution(s.engine)->q[BRIO_BASE_NQ + i], 2e-3,
               "axis %d: the motor side is half a tick behind the solver", i);
    CHECK_NEAR(axes[i].measured.position, axes[i].command, 0.1, "axis %d follows", i);
  }
  brio_pose hand;
  CHECK(brio_scene_frame(s.parts.scene, "hand", &hand), "the links' frames are in the scene");
  CHECK_NEAR(hand.p.x, 0.24, 0.05, "the hand is about where it should be");
  tear_down(&s);
}

static void equal_runs_have_equal_digests(void) {
  uint64_t digests[2];
  for (int run = 0; run < 2; run++) {
    stage s;
    set_up(&s, NULL);
    for (int i = 0; i < 500; i++) brio_engine_tick(s.engine, 1);
    digests[run] = brio_engine_look(s.engine).commands;
    tear_down(&s);
  }
  CHECK(digests[0] == digests[1], "%llx %llx", (unsigned long long)digests[0],
        (unsigned long long)digests[1]);
}

static void the_tick_does_not_allocate(void) {
#ifdef SANITIZED
  SKIP("a sanitizer has put its own malloc in place");
#else
  char store[] = "/tmp/brio-test-engine-XXXXXX";
  stage s;
  CHECK(mkstemp(store) >= 0, "no temporary file");
  unlink(store);
  set_up(&s, store);
  brio_engine_tick(s.engine, 1);
  size_t before = allocations;
  for (int i = 0; i < 2000; i++) brio_engine_tick(s.engine, 1);
  CHECK(allocations == before, "%zu allocations in 2000 ticks", allocations - before);
  tear_down(&s);
  unlink(store);
#endif
}

static void a_run_ends_by_time_or_by_its_scripts(void) {
  stage s;
  brio_error err = {0};
  set_up(&s, NULL);
  s.ends = 321;
  CHECK(brio_engine_run(s.engine, 0, true, &err), "%s", err.message);
  CHECK(s.works == 321, "%d ticks", s.works);
  CHECK(strcmp(brio_engine_stopping(s.engine), "") == 0, "nobody asked for the end");
  tear_down(&s);
  set_up(&s, NULL);
  s.ends = 150;
  CHECK(brio_engine_run(s.engine, 0.25, true, &err), "%s", err.message);
  CHECK(strcmp(brio_engine_stopping(s.engine), "time") == 0, "it was time: '%s'",
        brio_engine_stopping(s.engine));
  tear_down(&s);
}

/* Nothing is recorded, so there is no stage for it. */
static void the_stages_make_up_the_tick(void) {
  static const char *const names[] = {"sense", "scripts", "solve", "command", "slack"};
  brio_engine_stage stages[BRIO_ENGINE_STAGES];
  double sum = 0;
  stage s;
  set_up(&s, NULL);
  int64_t began = brio_clock_thread_cpu();
  for (int i = 0; i < 500; i++) brio_engine_tick(s.engine, 1);
  double all = (double)(brio_clock_thread_cpu() - began) * 1e-3;
  int count = brio_engine_stages(s.engine, stages);
  CHECK(count == 5, "%d stages", count);
  for (int i = 0; i < count; i++) {
    const brio_engine_stage *at = &stages[i];
    CHECK(strcmp(at->name, names[i]) == 0, "stage %d is '%s'", i, at->name);
    CHECK(at->p50 <= at->p99 && at->p99 <= at->max && at->max <= at->total, "%s: %g %g %g %g", at->name,
          at->p50, at->p99, at->max, at->total);
    sum += at->total;
  }
  CHECK(sum <= all && sum > 0.6 * all, "the stages took %g us, all of it %g us", sum, all);
  CHECK(stages[2].total > 0.1 * sum, "solving is work: %g of %g us", stages[2].total, sum);
  CHECK(stages[4].total == 0, "there was no slack: %g us", stages[4].total);
  brio_engine_slack(s.engine, 0);
  brio_engine_stages(s.engine, stages);
  CHECK(stages[4].total > 0 && stages[4].total == stages[4].max, "one slack: %g us", stages[4].total);
  tear_down(&s);
  set_up(&s, ":memory:");
  count = brio_engine_stages(s.engine, stages);
  CHECK(count == 6 && strcmp(stages[4].name, "record") == 0, "with a store its rows are made: %d", count);
  tear_down(&s);
}

static void wrong_parts_are_refused(void) {
  stage s;
  brio_error err = {0};
  set_up(&s, NULL);
  brio_engine_parts parts = s.parts;
  parts.rate = 0;
  CHECK(!brio_engine_new(&parts, &err), "a rate of 0 was taken");
  CHECK_HAS(err.message, "from 1 to 2000 Hz");
  tear_down(&s);
}

typedef struct watcher {
  stage *s;
  double nearest;
} watcher;

static bool watch_rest(void *context, double seconds) {
  watcher *w = context;
  (void)seconds;
  w->nearest = fmin(w->nearest, brio_engine_solution(w->s->engine)->distance);
  return true;
}

/* At the end the robot goes to rest: to the rest pose, and not through obstacles. */
static void rest_is_led_by_the_solver(void) {
  static const double home[3] = {-0.8, 0.5, 0.25};
  for (int blocked = 0; blocked < 2; blocked++) {
    stage s;
    brio_error err = {0};
    brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.05, 0, 0}};
    set_up(&s, NULL);
    brio_engine_free(s.engine);
    s.parts.rest = home;
    s.engine = brio_engine_new(&s.parts, &err);
    CHECK(s.engine != NULL, "%s", err.message);
    for (int i = 0; i < 400; i++) brio_engine_tick(s.engine, 1);
    if (blocked)
      CHECK(brio_solver_set_shape(s.parts.solver, "ball", -1, (brio_pose){{-0.14, 0, 0.55}, {0, 0, 0, 1}},
                                  &ball, true, &err),
            "%s", err.message);
    watcher w = {&s, INFINITY};
    brio_engine_rest(s.engine, watch_rest, &w);
    int count;
    const brio_actuator_axis *axes = brio_actuator_axes(s.parts.actuator, &count);
    double off = fmax(fabs(axes[0].command - home[0]), fabs(axes[1].command - home[1]));
    CHECK(blocked ? off > 0.02 : off < 1e-3, "blocked %d: %g from where it rests", blocked, off);
    CHECK_HAS(brio_engine_look(s.engine).rest, blocked ? "blocked" : "there");
    CHECK(w.nearest > 1.5e-3, "blocked %d: %g m from what is in the way", blocked, w.nearest);
    CHECK_NEAR(axes[2].command, 0.25, 1e-6, "the ear rests");
    tear_down(&s);
  }
}

/* A behavior with as many objectives as there is room for leaves the robot its way to rest; where no room is
** left, this is reported at the start. */
static void rest_has_room_of_its_own(void) {
  static const double home[3] = {-0.8, 0.5, 0.25};
  stage s;
  brio_error err = {0};
  const brio_argument joint = {.name = "joint", .text = "shoulder"};
  set_up(&s, NULL);
  brio_engine_free(s.engine);
  s.parts.rest = home;
  s.engine = brio_engine_new(&s.parts, &err);
  CHECK(s.engine != NULL, "%s", err.message);
  char key[32];
  for (int i = 0; snprintf(key, sizeof key, "more %d", i),
           brio_solver_add(s.parts.solver, key, "joint_match", &joint, 1, &err) >= 0;
       i++) {}
  CHECK_HAS(err.message, "at most");
  for (int i = 0; i < 50; i++) brio_engine_tick(s.engine, 1);
  brio_engine_rest(s.engine, NULL, NULL);
  int count;
  const brio_actuator_axis *axes = brio_actuator_axes(s.parts.actuator, &count);
  for (int i = 0; i < 3; i++) CHECK_NEAR(axes[i].command, home[i], 1e-3, "axis %d rests", i);
  brio_engine_free(s.engine);
  for (int i = 0; i < 8; i++)
    snprintf(key, sizeof key, "again %d", i),
        brio_solver_add(s.parts.solver, key, "joint_match", &joint, 1, &err);
  s.engine = brio_engine_new(&s.parts, &err);
  CHECK(s.engine == NULL, "there is no room to go to rest");
  CHECK_HAS(err.message, "at most");
  tear_down(&s);
}

CHECK_SUITE(CHECK_TEST(time_is_counted_in_periods), CHECK_TEST(sensed_solved_and_commanded),
            CHECK_TEST(equal_runs_have_equal_digests), CHECK_TEST(the_tick_does_not_allocate),
            CHECK_TEST(a_run_ends_by_time_or_by_its_scripts), CHECK_TEST(wrong_parts_are_refused),
            CHECK_TEST(the_stages_make_up_the_tick), CHECK_TEST(rest_is_led_by_the_solver),
            CHECK_TEST(rest_has_room_of_its_own))
