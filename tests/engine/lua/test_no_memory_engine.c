/* Out of memory in the engine and its parts: see tests/refusals.h. */
#include "runtime/engine.h"
#include "tests/refusals.h"
#include "world/world.h"

static const char text[] =
    "<robot name='arm'><link name='base'/><link name='upper'><collision><geometry><sphere radius='0.05'/>"
    "</geometry></collision></link>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/>"
    "<limit lower='-2' upper='2' velocity='2' effort='9'/></joint></robot>";

static const brio_robot *arm;

static bool open_a_driver(brio_error *err) {
  brio_axis axes[] = {{"shoulder", -2, 2, 2, 10, 0}, {"ear", 0, 1, 5, 50, 0}};
  brio_actuator_options options = {.kind = brio_driver_find("simulator", NULL), .axes = axes, .count = 2,
                                   .seed = 1};
  brio_actuator *actuator = brio_actuator_open(&options, err);
  brio_actuator_close(actuator);
  return actuator;
}

static bool goes_on(void *context, double time, double dt) { return !context && time + dt >= 0; }

static bool make_an_engine(brio_error *err) {
  brio_axis axes[] = {{"shoulder", -2, 2, 2, 10, 0}, {"ear", 0, 1, 5, 50, 0}};
  brio_actuator_options options = {.kind = brio_driver_find("simulator", NULL), .axes = axes, .count = 2,
                                   .seed = 1};
  brio_engine_parts parts = {.rate = 200, .work = goes_on};
  parts.solver = brio_solver_new(arm, NULL, err);
  parts.scene = parts.solver ? brio_scene_new(NULL, err) : NULL;
  brio_player_dof dofs[] = {{-2, 2, 0, 2, 10, 0, 1}, {0, 1, 0, 5, 50, 1, 1}};
  brio_player_options plays = {.dofs = dofs, .ndof = 2, .tree = 1};
  double rest[] = {0.3, 0.5};
  parts.rest = rest;
  parts.world = options.context = parts.scene ? brio_world_new(1, err) : NULL;
  parts.player = parts.world ? brio_player_new(&plays, err) : NULL;
  parts.actuator = parts.player ? brio_actuator_open(&options, err) : NULL;
  brio_engine *engine = parts.actuator ? brio_engine_new(&parts, err) : NULL;
  bool good = engine != NULL;
  brio_engine_free(engine);
  if (parts.actuator) brio_actuator_close(parts.actuator);
  brio_player_free(parts.player);
  brio_world_free(parts.world);
  brio_scene_free(parts.scene);
  brio_solver_free(parts.solver);
  return good;
}

static void any_allocation_may_fail(void) {
  static const refusals_job jobs[] = {{"a driver", open_a_driver}, {"an engine", make_an_engine}};
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(text, sizeof text - 1, "arm", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  arm = robot;
  refusals_of(jobs, sizeof jobs / sizeof *jobs);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail))
