/* Things of the world as bodies: they fall, lie on each other, are pushed, gripped, taken and put; the world
** sees where they are; and its contents change while it runs. */
#include "tests/allocations.h"
#include "tests/engine/physics/scene.h"

#define G 9.81

/* A paddle that turns about z, 6 cm above the floor. */
static const char paddle[] =
    "<robot name='paddle'><link name='base'/>"
    "<link name='paddle'><inertial><mass value='2'/><origin xyz='0.25 0 0.06'/>"
    "<inertia ixx='0.01' iyy='0.03' izz='0.03' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><origin xyz='0.25 0 0.06' rpy='0 1.5707963 0'/><geometry><capsule radius='0.02' "
    "length='0.4'/></geometry></collision></link>"
    "<joint name='turn' type='revolute'><parent link='base'/><child link='paddle'/><axis xyz='0 0 1'/>"
    "<limit lower='-3' upper='3' velocity='2' effort='20'/></joint></robot>";

/* Two fingers that close along y, on a lift. */
static const char gripper[] =
    "<robot name='gripper'><link name='base'/>"
    "<link name='palm'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' "
    "iyz='0'/></inertial><collision><origin xyz='0 0 0.2'/><geometry><box size='0.05 0.05 0.05'/></geometry>"
    "</collision></link>"
    "<link name='left'><inertial><mass value='0.2'/><inertia ixx='0.001' iyy='0.001' izz='0.001' ixy='0' "
    "ixz='0' iyz='0'/></inertial><collision><geometry>"
    "<box size='0.04 0.02 0.08'/></geometry></collision></link>"
    "<link name='right'><inertial><mass value='0.2'/><inertia ixx='0.001' iyy='0.001' izz='0.001' ixy='0' "
    "ixz='0' iyz='0'/></inertial><collision><geometry>"
    "<box size='0.04 0.02 0.08'/></geometry></collision></link>"
    "<joint name='lift' type='prismatic'><parent link='base'/><child link='palm'/><origin xyz='0 0 0.05'/>"
    "<axis xyz='0 0 1'/><limit lower='0' upper='0.5' velocity='0.5' effort='200'/></joint>"
    "<joint name='l' type='prismatic'><parent link='palm'/><child link='left'/><origin xyz='0 0.08 0'/>"
    "<axis xyz='0 -1 0'/><limit lower='0' upper='0.08' velocity='0.3' effort='20'/></joint>"
    "<joint name='r' type='prismatic'><parent link='palm'/><child link='right'/><origin xyz='0 -0.08 0'/>"
    "<axis xyz='0 1 0'/><limit lower='0' upper='0.08' velocity='0.3' effort='20'/></joint></robot>";

static void fill_fall(brio_world *world) {
  brio_thing_form ball = {.kind = "ball", .id = "ball", .radius = 0.05, .color = {NAN, NAN, NAN}, .x = 2,
                          .z = 1, .friction = 1, .rolling = 0.05};
  brio_thing_form low = scene_box("low", (brio_vec3){0.2, 0.2, 0.1}, 3, 0, NAN, 1),
                  high = scene_box("high", (brio_vec3){0.1, 0.1, 0.1}, 3, 0, NAN, 0);
  scene_thing(world, &ball);
  scene_thing(world, &low);
  scene_thing(world, &high);
}

static void things_fall_and_lie_where_the_world_sees_them(void) {
  scene s;
  double speed = 0;
  if (!scene_begin(&s, paddle, fill_fall, NULL)) return;
  scene_go(&s, NULL, 0.4);
  CHECK_NEAR(scene_pose(&s, "ball").p.z, 1 - 0.5 * G * 0.16, 5e-3, "fallen");
  scene_fact(&s, "ball", "speed", &speed);
  CHECK_NEAR(speed, G * 0.4, 0.02, "speed");
  scene_go(&s, NULL, 2);
  CHECK_NEAR(scene_pose(&s, "ball").p.z, 0.05, 1e-3, "on the floor");
  CHECK(strcmp(scene_fact(&s, "high", "on", NULL), "low") == 0, "on %s", scene_fact(&s, "high", "on", NULL));
  CHECK_NEAR(scene_pose(&s, "high").p.z, 0.15, 1e-3, "on the other one");
  /* The mass of one that states none is told: 1 l of 300 kg/m^3. */
  CHECK_HAS(brio_physics_notes(s.physics),
            "things without a mass have 300 kg/m^3: ball (0.157 kg), high (0.3 kg)");
  scene_end(&s);
}

static void fill_slope(brio_world *world) {
  brio_thing_form ball = {.kind = "ball", .id = "ball", .radius = 0.04, .color = {NAN, NAN, NAN}, .x = 1,
                          .friction = 1, .rolling = 0.1, .z = NAN};
  brio_error err;
  const brio_furniture_form chute = {.form = BRIO_FURNITURE_CHUTE, .kind = "chute", .id = "chute", .x = 1,
                                     .size = {1, 0.2, 0.2}, .board = 0.02, .color = {NAN, NAN, NAN}};
  CHECK(brio_world_add_furniture(world, &chute, &err), "%s", err.message);
  scene_thing(world, &ball);
}

static void a_ball_rolls_as_its_resistance_says(void) {
  scene s;
  if (!scene_begin(&s, paddle, fill_slope, NULL)) return;
  /* Along x the chute falls by its height, 0.2 of 1: a = 5/7 (g sin - c g cos) of a ball that rolls. */
  scene_go(&s, NULL, 0.1);
  brio_pose from = scene_pose(&s, "ball");
  double before = 0, after = 0;
  scene_fact(&s, "ball", "speed", &before);
  scene_go(&s, NULL, 0.3);
  scene_fact(&s, "ball", "speed", &after);
  brio_vec3 way = brio_vec3_sub(scene_pose(&s, "ball").p, from.p);
  double slope = -way.z / hypot(way.x, way.y), angle = atan(slope);
  CHECK(slope > 0.1, "a slope of %g", slope);
  CHECK_NEAR(after - before, 0.3 * 5 / 7 * G * (sin(angle) - 0.1 * cos(angle)), 0.05, "acceleration");
  scene_end(&s);
}

/* A ramp that rises along x by 0.3 of 1 m, and stairs of five steps of 0.1 m beside it. */
static void fill_ways_up(brio_world *world) {
  brio_error err;
  brio_thing_form rolls = {.kind = "ball",
                           .id = "rolls",
                           .radius = 0.04,
                           .color = {NAN, NAN, NAN},
                           .x = 2.2,
                           .friction = 1,
                           .rolling = 0.05,
                           .z = NAN},
                  stays = scene_box("stays", (brio_vec3){0.06, 0.06, 0.06}, 2.2, 1, NAN, 1);
  brio_furniture_form form = {.form = BRIO_FURNITURE_RAMP,
                              .kind = "ramp",
                              .id = "ramp",
                              .x = 2,
                              .size = {1, 0.4, 0.3},
                              .board = 0.04,
                              .color = {NAN, NAN, NAN}};
  CHECK(brio_world_add_furniture(world, &form, &err), "%s", err.message);
  form = (brio_furniture_form){.form = BRIO_FURNITURE_STAIRS,
                               .kind = "stairs",
                               .id = "stairs",
                               .x = 2,
                               .y = 1,
                               .size = {1, 0.4, 0.5},
                               .board = 0.02,
                               .color = {NAN, NAN, NAN}};
  CHECK(brio_world_add_furniture(world, &form, &err), "%s", err.message);
  scene_thing(world, &rolls);
  scene_thing(world, &stays);
}

static void ramps_are_rolled_down_and_stairs_are_stood_on(void) {
  scene s;
  double before = 0, after = 0;
  if (!scene_begin(&s, paddle, fill_ways_up, NULL)) return;
  scene_go(&s, NULL, 0.1);
  brio_vec3 from = scene_pose(&s, "rolls").p;
  /* The ramp's top is the plane z = 0.3 (x - 1.5): the ball's middle is a radius from it. */
  double angle = atan(0.3), away = (from.z - 0.3 * (from.x - 1.5)) * cos(angle);
  CHECK(!brio_physics_fault_of(s.physics), "%s", brio_physics_fault_of(s.physics));
  CHECK_NEAR(away, 0.04, 1e-3, "it lies on the top");
  scene_fact(&s, "rolls", "speed", &before);
  scene_go(&s, NULL, 0.3);
  scene_fact(&s, "rolls", "speed", &after);
  CHECK_NEAR(after - before, 0.3 * 5 / 7 * G * (sin(angle) - 0.05 * cos(angle)), 0.05, "acceleration");
  CHECK(scene_pose(&s, "rolls").p.x < from.x - 0.05, "it does not roll down");
  /* x = 2.2 is the fourth step's. */
  CHECK_NEAR(scene_pose(&s, "stays").p.z, 0.4 + 0.03, 1e-3, "on its step");
  scene_end(&s);
}

static void fill_boxes(brio_world *world) {
  brio_thing_form light = scene_box("light", (brio_vec3){0.08, 0.08, 0.12}, 0.307, 0.168, NAN, 0.5),
                  heavy = scene_box("heavy", (brio_vec3){0.08, 0.08, 0.12}, 0.307, -0.168, NAN, 200);
  scene_thing(world, &light);
  scene_thing(world, &heavy);
}

static void a_robot_pushes_what_it_is_strong_enough_for(void) {
  scene s;
  if (!scene_begin(&s, paddle, fill_boxes, NULL)) return;
  brio_axis_state state;
  brio_error err;
  scene_go(&s, (double[]){1.2}, 2.5);
  brio_vec3 p = scene_pose(&s, "light").p;
  CHECK(atan2(p.y, p.x) > 1.2, "it was pushed to %g rad", atan2(p.y, p.x));
  /* 200 kg at 0.35 m: 0.6 m g r = 412 N m of 20. */
  scene_go(&s, (double[]){-1.2}, 3);
  CHECK(s.kind->read(s.device, &state, &err), "%s", err.message);
  p = scene_pose(&s, "heavy").p;
  CHECK_NEAR(atan2(p.y, p.x), -atan2(0.168, 0.307), 5e-3, "it stays");
  CHECK(state.position > -0.5 && state.load < -0.5, "%g rad with %g", state.position, state.load);
  CHECK(!brio_physics_fault_of(s.physics), "%s", brio_physics_fault_of(s.physics));
  scene_end(&s);
}

static void fill_grip(brio_world *world) {
  brio_error err;
  brio_thing_form box = scene_box("box", (brio_vec3){0.05, 0.05, 0.08}, 0, 0, NAN, 0.3);
  const brio_world_hand_form hand = {.name = "hand", .link = "palm", .grip = "l", .shut = 0.08, .span = 0.16,
                                     .reach = 0.05};
  scene_thing(world, &box);
  CHECK(brio_world_add_hand(world, &hand, &err), "%s", err.message);
}

/* Tell the world where the hand is, as the engine does by the robot's state. */
static void grip(scene *s, const double *targets, double seconds) {
  brio_axis_state states[3];
  brio_error err;
  s->kind->write(s->device, targets, &err);
  for (int i = (int)lround(seconds / 5e-3); i > 0; i--) {
    s->kind->read(s->device, states, &err);
    brio_world_move_hand(s->world, 0, (brio_pose){{0, 0, 0.05 + states[0].position}, {0, 0, 0, 1}},
                         0.16 - states[1].position - states[2].position);
    scene_tick(s);
  }
}

static void a_gripper_lifts_a_box_by_friction_and_drops_it(void) {
  scene s;
  if (!scene_begin(&s, gripper, fill_grip, NULL)) return;
  grip(&s, (double[]){0, 0, 0}, 0.2);
  CHECK(strcmp(scene_fact(&s, "box", "held_by", NULL), "nobody") == 0, "held");
  grip(&s, (double[]){0, 0.06, 0.06}, 1);
  grip(&s, (double[]){0.3, 0.06, 0.06}, 2);
  CHECK_NEAR(scene_pose(&s, "box").p.z, 0.34, 0.02, "lifted");
  CHECK(strcmp(scene_fact(&s, "box", "held_by", NULL), "hand") == 0, "held by nobody");
  CHECK(strcmp(scene_fact(&s, "box", "on", NULL), "hand") == 0, "not in the hand");
  grip(&s, (double[]){0.3, 0, 0}, 1.5);
  CHECK_NEAR(scene_pose(&s, "box").p.z, 0.04, 0.012, "dropped");
  CHECK(strcmp(scene_fact(&s, "box", "held_by", NULL), "nobody") == 0, "still held");
  scene_end(&s);
}

static void what_is_taken_is_nowhere_until_it_is_put(void) {
  scene s;
  brio_pose pose;
  if (!scene_begin(&s, paddle, fill_fall, NULL)) return;
  scene_go(&s, NULL, 1);
  CHECK(brio_world_take_thing(s.world, "low"), "there is none");
  scene_go(&s, NULL, 1);
  CHECK(!brio_world_pose(s.world, "low", &pose), "it is there");
  CHECK_NEAR(scene_pose(&s, "high").p.z, 0.05, 1e-3, "what lay on it lies on the floor");
  /* Put beside it, on the floor; the state is that of the order at once, and that of the simulation after. */
  CHECK(brio_world_put_thing(s.world, "low", (brio_vec3){4, 0, 0.5}), "there is none");
  CHECK_NEAR(scene_pose(&s, "low").p.z, 0.5, 0, "put");
  scene_go(&s, NULL, 1);
  CHECK_NEAR(scene_pose(&s, "low").p.x, 4, 1e-3, "put");
  CHECK_NEAR(scene_pose(&s, "low").p.z, 0.05, 1e-3, "fallen");
  scene_end(&s);
}

static void a_thing_that_is_put_into_another_stops_the_simulation(void) {
  scene s;
  if (!scene_begin(&s, paddle, fill_fall, NULL)) return;
  scene_go(&s, NULL, 1);
  brio_world_put_thing(s.world, "high", (brio_vec3){3, 0, 0.06});
  scene_go(&s, NULL, 0.01);
  CHECK(brio_physics_fault_of(s.physics), "it goes on");
  if (brio_physics_fault_of(s.physics))
    CHECK_HAS(brio_physics_fault_of(s.physics), "the body 'high' is too deep in 'low'");
  scene_end(&s);
}

static void other_contents_go_on_in_the_state_of_the_old_ones(void) {
  scene s;
  brio_error err;
  brio_pose pose;
  if (!scene_begin(&s, paddle, fill_boxes, NULL)) return;
  scene_go(&s, (double[]){1.2}, 2);
  brio_pose light = scene_pose(&s, "light");
  brio_axis_state before, after;
  s.kind->read(s.device, &before, &err);
  /* The heavy one is gone, one more falls from 1 m. */
  brio_world *other = brio_world_new(1, &err);
  brio_thing_form same = scene_box("light", (brio_vec3){0.08, 0.08, 0.12}, 0.307, 0.168, NAN, 0.5),
                  more = scene_box("more", (brio_vec3){0.1, 0.1, 0.1}, 2, 0, 1, 1);
  scene_thing(other, &more);
  scene_thing(other, &same);
  brio_assembly *made = brio_physics_prepare(s.physics, other, &err);
  CHECK(made && brio_physics_compile(s.physics, made, &err), "%s", err.message);
  scene_go(&s, NULL, 0.1); /* meanwhile it goes on */
  CHECK(brio_physics_change(s.physics, made, &err), "%s", err.message);
  brio_world_exchange(s.world, other);
  scene_go(&s, NULL, 0.1);
  s.kind->read(s.device, &after, &err);
  CHECK_NEAR(after.position, before.position, 1e-3, "the robot stays");
  CHECK_NEAR(scene_pose(&s, "light").p.x, light.p.x, 1e-3, "what is in both stays");
  CHECK(!brio_world_pose(s.world, "heavy", &pose), "what is gone is there");
  CHECK_NEAR(scene_pose(&s, "more").p.z, 1 - 0.5 * G * 0.01, 5e-3, "the new one falls");
  /* The paddle still has its motor, and goes where the heavy one was. */
  scene_go(&s, (double[]){-0.5}, 2);
  s.kind->read(s.device, &after, &err);
  CHECK_NEAR(after.position, -0.5, 0.02, "it follows");
  brio_world_free(other);
  scene_end(&s);
}

static void equal_runs_have_equal_bits(void) {
  brio_pose poses[2];
  for (int k = 0; k < 2; k++) {
    scene s;
    if (!scene_begin(&s, paddle, fill_boxes, NULL)) return;
    scene_go(&s, (double[]){1.2}, 1.1);
    brio_world_put_thing(s.world, "heavy", (brio_vec3){0.3, 0, 0.5});
    scene_go(&s, (double[]){0.2}, 0.7);
    poses[k] = scene_pose(&s, "light");
    scene_end(&s);
  }
  CHECK(memcmp(&poses[0], &poses[1], sizeof *poses) == 0, "%.17g and %.17g", poses[0].p.x, poses[1].p.x);
}

static void a_tape_has_what_the_world_saw(void) {
  scene s, again;
  unsigned char bytes[BRIO_WORLD_MOVED_BYTES];
  if (!scene_begin(&s, paddle, fill_boxes, NULL) || !scene_begin(&again, paddle, fill_boxes, NULL)) return;
  const brio_world_mover *mover = brio_physics_mover(s.physics), *other = brio_physics_mover(again.physics);
  size_t all = 0, last = 0;
  double targets[] = {1.2};
  brio_error err;
  s.kind->write(s.device, targets, &err);
  for (int i = 0; i < 500; i++) {
    scene_tick(&s);
    last = mover->note(mover->context, bytes);
    all += last;
    CHECK(other->recall(other->context, bytes, last), "refused");
    again.time = s.time;
    brio_world_advance(again.world, again.time);
    brio_world_step(again.world, NULL, NULL);
    brio_pose a = scene_pose(&s, "light"), b = scene_pose(&again, "light");
    CHECK(memcmp(&a, &b, sizeof a) == 0, "tick %d: %g and %g", i, a.p.x, b.p.x);
  }
  printf("# 2.5 s, of which 0.5 s are a push: %zu bytes\n", all);
  /* What lies still takes nothing. */
  CHECK(last == 0 && all > 0, "%zu bytes at rest", last);
  memset(bytes, 0xff, sizeof bytes);
  CHECK(!other->recall(other->context, bytes, 60) && !other->recall(other->context, bytes, 59), "taken");
  scene_end(&s);
  scene_end(&again);
}

static void a_tick_allocates_nothing(void) {
  scene s;
  if (!scene_begin(&s, paddle, fill_boxes, NULL)) return;
  scene_go(&s, (double[]){1.2}, 0.1);
  size_t before = allocations;
  scene_go(&s, NULL, 1);
  brio_world_take_thing(s.world, "light");
  scene_go(&s, NULL, 0.1);
  CHECK(allocations == before, "%zu allocations", allocations - before);
  scene_end(&s);
}

CHECK_SUITE(CHECK_TEST(things_fall_and_lie_where_the_world_sees_them),
            CHECK_TEST(a_ball_rolls_as_its_resistance_says),
            CHECK_TEST(ramps_are_rolled_down_and_stairs_are_stood_on),
            CHECK_TEST(a_robot_pushes_what_it_is_strong_enough_for),
            CHECK_TEST(a_gripper_lifts_a_box_by_friction_and_drops_it),
            CHECK_TEST(what_is_taken_is_nowhere_until_it_is_put),
            CHECK_TEST(a_thing_that_is_put_into_another_stops_the_simulation),
            CHECK_TEST(other_contents_go_on_in_the_state_of_the_old_ones),
            CHECK_TEST(equal_runs_have_equal_bits), CHECK_TEST(a_tape_has_what_the_world_saw),
            CHECK_TEST(a_tick_allocates_nothing))
