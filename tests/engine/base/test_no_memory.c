/* Out of memory in allocations of the C library: see tests/refusals.h. */
#include "cloud/files/file.h"
#include "cloud/index/index.h"
#include "motion/player/player.h"
#include "plan/plan.h"
#include "robot/robot.h"
#include "scene/frames.h"
#include "scene/objects.h"
#include "scene/scene.h"
#include "solver/inverse/inverse.h"
#include "tests/engine/solver/demo.h"
#include "tests/refusals.h"
#include "world/world.h"

static const brio_robot *arm; /* of jobs that need one */

static bool load_a_robot(brio_error *err) {
  brio_robot *robot = brio_robot_load("drivers/robots/pepper/model.urdf", NULL, err);
  brio_robot_free(robot);
  return robot;
}

static bool read_mjcf(brio_error *err) {
  static const char text[] =
      "<mujoco model='m'><default><default class='c'><geom type='ellipsoid' size='.1 .2 .3'/></default>"
      "</default><asset><mesh name='none' file='none.obj'/></asset><worldbody><light/><body name='a'><joint/>"
      "<joint type='ball'/><geom class='c'/><geom type='mesh' mesh='none' mass='0'/><site name='s'/>"
      "<body name='b'><joint name='j'/><geom size='.1'/></body></body></worldbody>"
      "<equality><connect body1='a' body2='b' anchor='0 0 1'/></equality>"
      "<actuator><motor joint='j'/></actuator></mujoco>";
  brio_robot *robot = brio_robot_parse(text, sizeof text - 1, "m.xml", NULL, err);
  brio_robot_free(robot);
  return robot;
}

static bool make_a_solver(brio_error *err) {
  brio_solver *solver = brio_solver_new(arm, NULL, err);
  brio_argument link = {.name = "link", .text = "hand"};
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}};
  brio_pose pose = {{1, 0, 0.5}, {0, 0, 0, 1}};
  double goal[3] = {0.3, 0.1, 0.8};
  bool good = solver && brio_solver_set_shape(solver, "ball", -1, pose, &ball, true, err);
  int slot = good ? brio_solver_add(solver, "hand", "position_match", &link, 1, err) : -1;
  good = slot >= 0 && brio_solver_set_goal(solver, slot, goal, 3, 0, err) &&
         brio_solver_add(solver, "apart", "collision_avoidance", NULL, 0, err) >= 0;
  brio_solution solution;
  if (good) brio_solver_solve(solver, 0.005, 0.005, &solution);
  brio_solver_free(solver);
  return good;
}

static bool make_an_inverse(brio_error *err) {
  int link = brio_robot_link(arm, "hand", NULL);
  brio_inverse_options options = {.links = &link, .nlink = 1, .watches = true};
  brio_inverse *inverse = brio_inverse_new(arm, &options, err);
  brio_inverse_free(inverse);
  return inverse;
}

static bool make_a_scene(brio_error *err) {
  brio_scene *scene = brio_scene_new(NULL, err);
  bool good = scene != NULL;
  for (int i = 0; good && i < 40; i++) {
    char name[16];
    snprintf(name, sizeof name, "frame %d", i);
    good = brio_scene_declare_frame(scene, name, err) >= 0;
  }
  brio_scene_free(scene);
  return good;
}

static bool make_a_world(brio_error *err) {
  brio_world *world = brio_world_new(1, err);
  brio_waypoint way[2] = {{0, {{1, 0, 0}, {0, 0, 0, 1}}}, {2, {{1, 1, 0}, {0, 0, 0, 1}}}};
  bool good = world != NULL;
  for (int i = 0; good && i < 12; i++) {
    char name[16];
    snprintf(name, sizeof name, "person %d", i);
    good = brio_world_add(world, "person", name, (brio_vec3){0.4, 0.4, 1.7}, way, 2, i & 1, err);
  }
  brio_world_free(world);
  return good;
}

static bool plan_a_way(brio_error *err) {
  brio_plan_request request = {.planner = "quick", .goal_feet = true, .first = -1, .around = true,
                               .settings = brio_plan_settings_default()};
  brio_occupancy *grid = brio_occupancy_new(&(brio_occupancy_options){.size = 4}, err);
  for (int side = 0; side < 2; side++) {
    request.start[side] = request.goal[side] = BRIO_POSE_IDENTITY;
    request.start[side].p.y = request.goal[side].p.y = side ? -0.1 : 0.1;
    request.goal[side].p.x = 0.8;
  }
  request.grid = grid;
  brio_plan *plan = grid ? brio_plan_new(&request, err) : NULL;
  brio_search_status status = plan ? BRIO_SEARCH_GOES_ON : BRIO_SEARCH_FAILED;
  while (status == BRIO_SEARCH_GOES_ON) status = brio_plan_work(plan, 1000, err);
  brio_plan_free(plan);
  brio_occupancy_free(grid);
  return status == BRIO_SEARCH_FOUND;
}

static bool play_a_sequence(brio_error *err) {
  brio_player_dof dofs[3] = {{-1, 1, 0, 2, 9, 0, 1}, {-1, 1, 0, 2, 9, 1, 1}, {-1, 1, 0, 2, 9, 2, 1}};
  brio_player_options options = {.dofs = dofs, .ndof = 3, .tree = 2, .seed = 1};
  brio_keyframe keys[2] = {{.time = 0, .into = {NAN, NAN}, .out = {NAN, NAN}},
                           {.time = 1, .value = 1, .most = 1, .into = {NAN, NAN}, .out = {NAN, NAN}}};
  brio_track track = {.dof = 1, .count = 2, .follow = NAN};
  brio_sequence_setup setup = {.tracks = &track, .ntrack = 1, .keys = keys, .nkey = 2};
  brio_player *player = brio_player_new(&options, err);
  brio_sequence *sequence = player ? brio_sequence_new(&setup, 3, err) : NULL;
  brio_sequence_free(sequence);
  brio_player_free(player);
  return sequence;
}

static bool index_a_cloud(brio_error *err) {
  brio_cloud *cloud = brio_cloud_new(err), *coarse = cloud ? brio_cloud_new(err) : NULL;
  brio_cloud_index *index = coarse ? brio_cloud_index_new(err) : NULL;
  bool good = index && brio_cloud_resize(cloud, 40, 10, BRIO_CLOUD_COLORS, err);
  for (int i = 0; good && i < cloud->count; i++) {
    for (int k = 0; k < 3; k++) cloud->points[i][k] = (float)((i * (k + 7)) % 31) / 31;
    memset(cloud->colors[i], i & 255, 3);
  }
  if (good) brio_cloud_judge(cloud);
  good = good && brio_cloud_voxels(coarse, cloud, 0.1, err) && brio_cloud_index_build(index, coarse, err);
  brio_cloud_index_free(index);
  brio_cloud_free(coarse);
  brio_cloud_free(cloud);
  return good;
}

static void any_allocation_may_fail(void) {
  static const refusals_job jobs[] = {
    {"a robot", load_a_robot}, {"a robot in MJCF", read_mjcf}, {"a solver", make_a_solver},
    {"inverse kinematics", make_an_inverse}, {"a scene", make_a_scene}, {"a world", make_a_world},
    {"a plan", plan_a_way},
    {"a sequence", play_a_sequence}, {"a cloud", index_a_cloud},
  };
  brio_robot *robot = demo_arm(false);
  arm = robot;
  refusals_of(jobs, sizeof jobs / sizeof *jobs);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail))
