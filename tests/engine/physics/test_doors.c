/* Doors as bodies: where they are, how they swing, close and latch; and that a finger opens them by contact
** alone, with each kind of handle. */
#include "tests/engine/physics/scene.h"
#include "world/doors/doors.h"
#include "world/event.h"

/* A finger's ball of 2 cm that slides along x and z, 0.3 m to the left of the middle, from x = -0.3 m. */
static const char finger[] =
    "<robot name='finger'><link name='base'/>"
    "<link name='carriage'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' "
    "ixz='0' iyz='0'/></inertial><collision><origin xyz='-1 0 0.5'/><geometry>"
    "<sphere radius='0.01'/></geometry>"
    "</collision></link>"
    "<link name='tip'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' "
    "iyz='0'/></inertial><collision><geometry><sphere radius='0.02'/></geometry></collision></link>"
    "<joint name='x' type='prismatic'><parent link='base'/><child link='carriage'/>"
    "<origin xyz='-0.3 0.3 1.1'/>"
    "<axis xyz='1 0 0'/><limit lower='-1' upper='1.5' velocity='0.5' effort='100'/></joint>"
    "<joint name='z' type='prismatic'><parent link='carriage'/><child link='tip'/>"
    "<axis xyz='0 0 1'/><limit lower='-0.5' upper='0.5' velocity='0.5' effort='200'/></joint></robot>";

/* What the next scene has. */
static brio_door_settings next;
static double holds_from = NAN;

static void fill(brio_world *world) {
  brio_error err;
  const float color[3] = {NAN, NAN, NAN};
  CHECK(brio_world_add_door(world, "door", &next, color, &err), "%s", err.message);
  brio_event event = {.what = brio_disturbance_find("hold_shut", &err), .at = holds_from, .seconds = 1,
                      .id = "door", .given = BRIO_EVENT_ID | BRIO_EVENT_SECONDS};
  if (!isnan(holds_from)) CHECK(brio_world_add_event(world, &event, &err), "%s", err.message);
}

static bool begin(scene *s, brio_door_handle handle, double angle) {
  next = brio_door_defaults(handle);
  next.angle = angle;
  return scene_begin(s, finger, fill, NULL);
}

static double number(const scene *s, const char *name) {
  double value = NAN;
  scene_fact(s, "door", name, &value);
  return value;
}

static bool latched(const scene *s) {
  return strcmp(scene_fact(s, "door", "latched", NULL), "yes") == 0;
}

/* Put the finger somewhere, from (x, z) m in the world, without touching on the way. */
static void reach(scene *s, double x, double z, double seconds) {
  scene_go(s, (double[]){x + 0.3, z - 1.1}, seconds);
}

static void a_panel_is_where_the_kinematic_door_has_it(void) {
  for (int k = 0; k < 4; k++) {
    scene s;
    next = brio_door_defaults(BRIO_DOOR_KNOB);
    next.pose = (brio_pose){{3, -1, 0.1}, brio_quat_from_rpy(0, 0, 0.7)};
    next.left = k & 1;
    next.toward = k & 2;
    next.angle = 0.6;
    if (!scene_begin(&s, finger, fill, NULL)) return;
    scene_tick(&s);
    void *simulation;
    const brio_physics_library *library = brio_physics_library_of(s.physics, &simulation);
    brio_physics_body panel, knob;
    library->read_body(simulation, library->body(simulation, "door#door"), &panel);
    library->read_body(simulation, library->body(simulation, "door#handle"), &knob);
    const brio_door *door = brio_world_door(s.world, "door");
    brio_vec3 middle = brio_pose_point(panel.pose, (brio_vec3){0, (next.left ? -1 : 1) * 0.45, 1});
    double off = brio_vec3_norm(brio_vec3_sub(middle, brio_door_panel(door).p));
    CHECK_NEAR(off, 0, 1e-4, "panel %d", k);
    /* The knobs' middles are before both faces, as the kinematic door tells them to an eye there. */
    for (int side = -1; side <= 1; side += 2) {
      brio_vec3 at = brio_pose_point(knob.pose, (brio_vec3){side * (next.thickness / 2 + next.off), 0, 0});
      brio_vec3 eye = brio_pose_point(panel.pose, (brio_vec3){side, 0.5 * (next.left ? -1 : 1), 1});
      CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(at, brio_door_handle_at(door, eye))), 0, 1e-4, "knob %d", k);
    }
    scene_end(&s);
  }
}

static void a_swing_is_slowed_by_damping_and_friction(void) {
  scene s;
  if (!begin(&s, BRIO_DOOR_PULL, 0.2)) return;
  void *simulation;
  const brio_physics_library *library = brio_physics_library_of(s.physics, &simulation);
  library->spin(simulation, library->joint(simulation, "door#door"), 1.2);
  scene_go(&s, NULL, 1);
  /* I w' = -c w - f: w = (w0 + f/c) exp(-c t / I) - f/c */
  double c = next.damping, f = next.friction, rate = c / next.inertia, w0 = 1.2, e = exp(-rate);
  CHECK_NEAR(number(&s, "speed"), (w0 + f / c) * e - f / c, 0.02, "speed");
  CHECK_NEAR(number(&s, "angle"), 0.2 + (w0 + f / c) * (1 - e) / rate - f / c, 0.01, "angle");
  scene_go(&s, NULL, 3);
  double rest = number(&s, "angle");
  scene_go(&s, NULL, 1);
  CHECK_NEAR(number(&s, "angle"), rest, 1e-4, "it rests");
  scene_end(&s);
}

static void a_closer_shuts_it_and_it_latches(void) {
  scene s;
  next = brio_door_defaults(BRIO_DOOR_LEVER);
  next.angle = 1;
  next.closer = 6;
  next.closer_rise = 2;
  if (!scene_begin(&s, finger, fill, NULL)) return;
  scene_go(&s, NULL, 0.5);
  /* From rest: about (closer + rise 1 - friction) / inertia, damped. */
  double a = (6 + 2 - 1) / next.inertia, c = next.damping / next.inertia;
  CHECK_NEAR(number(&s, "speed"), -a / c * (1 - exp(-0.5 * c)), 0.03, "speed");
  CHECK(!latched(&s), "latched");
  scene_go(&s, NULL, 4);
  CHECK(latched(&s) && number(&s, "angle") < 2e-3, "%g rad", number(&s, "angle"));
  scene_end(&s);
}

static void a_latched_door_holds_until_its_lever_is_pressed(void) {
  scene s;
  brio_axis_state states[2];
  brio_error err;
  if (!begin(&s, BRIO_DOOR_LEVER, 0)) return;
  /* Against the panel above the lever: it is stopped there, 100 N do not open the latch. */
  reach(&s, 0.3, 1.1, 2);
  s.kind->read(s.device, states, &err);
  CHECK(latched(&s) && number(&s, "angle") < 0.01, "%g rad", number(&s, "angle"));
  CHECK(states[0].position < 0.27 && states[0].load > 0.9, "it is at %g with %g", states[0].position,
        states[0].load);
  /* Back, onto the lever, down, and through. */
  reach(&s, -0.08, 1.1, 1.5);
  reach(&s, -0.08, 0.95, 1.5);
  CHECK(!latched(&s) && number(&s, "handle") > 0.5, "turned by %g rad", number(&s, "handle"));
  reach(&s, 0.35, 0.95, 2);
  CHECK(number(&s, "angle") > 0.3, "%g rad", number(&s, "angle"));
  /* Left alone, the handle springs back. */
  reach(&s, -0.3, 0.95, 0.1);
  reach(&s, -0.3, 1.3, 2);
  CHECK_NEAR(number(&s, "handle"), 0, 0.02, "handle");
  scene_end(&s);
}

static void a_locked_door_stays(void) {
  scene s;
  next = brio_door_defaults(BRIO_DOOR_LEVER);
  next.locked = true;
  if (!scene_begin(&s, finger, fill, NULL)) return;
  reach(&s, -0.08, 1.1, 1.5);
  reach(&s, -0.08, 0.95, 1.5);
  reach(&s, 0.35, 0.95, 2);
  CHECK(latched(&s) && number(&s, "angle") < 0.01, "%g rad", number(&s, "angle"));
  scene_end(&s);
}

static void a_push_bar_opens_under_a_push(void) {
  scene s;
  if (!begin(&s, BRIO_DOOR_PUSH_BAR, 0)) return;
  reach(&s, -0.3, 1, 0.5);
  /* 0.3 m to the left of the middle is at the end of the bar of 0.6 m: within its round end. */
  reach(&s, 0.5, 1, 3);
  CHECK(!latched(&s) && number(&s, "angle") > 0.4, "%g rad", number(&s, "angle"));
  scene_end(&s);
}

static void a_person_keeps_it_from_opening_for_a_while(void) {
  scene s;
  holds_from = 0.5;
  bool good = begin(&s, BRIO_DOOR_PULL, 0.1);
  holds_from = NAN;
  if (!good) return;
  scene_go(&s, NULL, 0.6);
  reach(&s, 0.6, 1.1, 0.85);
  CHECK_NEAR(number(&s, "angle"), 0.1, 0.01, "held");
  scene_go(&s, NULL, 2.5);
  CHECK(number(&s, "angle") > 0.5, "let go at %g rad", number(&s, "angle"));
  scene_end(&s);
}

static void other_contents_keep_a_door_where_it_is(void) {
  scene s;
  brio_error err;
  if (!begin(&s, BRIO_DOOR_LEVER, 0.8)) return;
  scene_go(&s, NULL, 0.1);
  brio_world *other = brio_world_new(1, &err);
  next.angle = 0;
  fill(other);
  brio_assembly *made = brio_physics_prepare(s.physics, other, &err);
  CHECK(made && brio_physics_compile(s.physics, made, &err) && brio_physics_change(s.physics, made, &err),
        "%s", err.message);
  brio_world_exchange(s.world, other);
  scene_go(&s, NULL, 0.5);
  CHECK_NEAR(number(&s, "angle"), 0.8, 1e-3, "angle");
  CHECK(!latched(&s), "latched");
  brio_world_free(other);
  scene_end(&s);
}

CHECK_SUITE(CHECK_TEST(a_panel_is_where_the_kinematic_door_has_it),
            CHECK_TEST(a_swing_is_slowed_by_damping_and_friction),
            CHECK_TEST(a_closer_shuts_it_and_it_latches),
            CHECK_TEST(a_latched_door_holds_until_its_lever_is_pressed),
            CHECK_TEST(a_locked_door_stays), CHECK_TEST(a_push_bar_opens_under_a_push),
            CHECK_TEST(a_person_keeps_it_from_opening_for_a_while),
            CHECK_TEST(other_contents_keep_a_door_where_it_is))
