/* Drawers as bodies: where they are, how they slide, and that a finger behind the bar pulls them out, with
** what lies in them, and pushes them in, by contact alone. */
#include "math/scalar.h"
#include "tests/engine/physics/scene.h"
#include "world/doors/doors.h"

/* A finger's ball of 2 cm that slides along x and z, from (-0.3, 0.3, 1.3). */
static const char finger[] =
    "<robot name='finger'><link name='base'/>"
    "<link name='carriage'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' "
    "ixz='0' iyz='0'/></inertial><collision><origin xyz='-1 0 0.5'/><geometry>"
    "<sphere radius='0.01'/></geometry>"
    "</collision></link>"
    "<link name='tip'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' "
    "iyz='0'/></inertial><collision><geometry><sphere radius='0.02'/></geometry></collision></link>"
    "<joint name='x' type='prismatic'><parent link='base'/><child link='carriage'/>"
    "<origin xyz='-0.3 0.3 1.3'/>"
    "<axis xyz='1 0 0'/><limit lower='-1' upper='1.5' velocity='0.5' effort='100'/></joint>"
    "<joint name='z' type='prismatic'><parent link='carriage'/><child link='tip'/>"
    "<axis xyz='0 0 1'/><limit lower='-0.5' upper='0.5' velocity='0.5' effort='200'/></joint></robot>";

static brio_door_settings next;
static double place_of_box;

/* A drawer of 15 cm height at x = 0 that opens to -x, with a box in it. */
static void fill(brio_world *world) {
  brio_error err;
  const float color[3] = {NAN, NAN, NAN};
  CHECK(brio_world_add_door(world, "desk", &next, color, &err), "%s", err.message);
  brio_thing_form box = scene_box("box", (brio_vec3){0.06, 0.06, 0.06}, place_of_box, 0.3, 1.05, 0.2);
  scene_thing(world, &box);
}

static bool begin(scene *s, double open, double box) {
  place_of_box = box;
  next = brio_drawer_defaults(0.4, 0.15, 0.45);
  next.pose = (brio_pose){{0, 0.3, 1}, brio_quat_from_rpy(0, 0, BRIO_PI)};
  next.off = 0.06; /* room for the finger behind the bar */
  next.angle = open;
  /* With the box in it: so stiff that it stops where the finger does. */
  if (box < 1) next.friction = 15, next.damping = 60;
  return scene_begin(s, finger, fill, NULL);
}

static double number(const scene *s, const char *name) {
  double value = NAN;
  scene_fact(s, "desk", name, &value);
  return value;
}

/* Put the finger at (x, z) m. */
static void reach(scene *s, double x, double z, double seconds) {
  scene_go(s, (double[]){x + 0.3, z - 1.3}, seconds);
}

static void a_drawer_slides_as_friction_and_damping_have_it(void) {
  scene s;
  if (!begin(&s, 0.02, 2)) return;
  void *simulation;
  const brio_physics_library *library = brio_physics_library_of(s.physics, &simulation);
  scene_go(&s, NULL, 0.1);
  library->spin(simulation, library->joint(simulation, "desk#door"), 0.6);
  scene_go(&s, NULL, 1.5);
  /* m v' = -c v - f until it stands, as in the kinematic world. */
  double c = next.damping, f = next.friction, m = next.inertia, v = 0.6;
  CHECK_NEAR(number(&s, "angle"), 0.02 + m / c * (v - f / c * log(1 + v * c / f)), 2e-3, "its way");
  CHECK_NEAR(number(&s, "speed"), 0, 1e-2, "it stands");
  brio_physics_body front;
  library->read_body(simulation, library->body(simulation, "desk#door"), &front);
  brio_pose panel = brio_door_panel(brio_world_door(s.world, "desk"));
  CHECK_NEAR(panel.p.x, front.pose.p.x + next.thickness / 2, 1e-4, "where the world has it");
  scene_end(&s);
}

static void a_finger_pulls_it_out_and_pushes_it_in(void) {
  scene s;
  if (!begin(&s, 0, 0.2)) return;
  /* Over the bar, down behind it, and back. */
  reach(&s, -0.024, 1.3, 1.2);
  brio_pose before = scene_pose(&s, "box");
  reach(&s, -0.024, 1.075, 1.2);
  reach(&s, -0.25, 1.075, 2);
  /* The ball of 2 cm pushes the bar of 1.2 cm. */
  CHECK_NEAR(number(&s, "angle"), 0.25 + 0.032 - 0.06, 6e-3, "pulled out");
  CHECK_NEAR(before.p.x - scene_pose(&s, "box").p.x, number(&s, "angle"), 0.02, "the box comes along");
  reach(&s, -0.25, 1.3, 1);
  reach(&s, -0.5, 1.3, 1);
  reach(&s, -0.5, 1.03, 1.2);
  reach(&s, -0.05, 1.03, 2.5);
  CHECK_NEAR(number(&s, "angle"), 0.03, 6e-3, "pushed in");
  scene_end(&s);
}

CHECK_SUITE(CHECK_TEST(a_drawer_slides_as_friction_and_damping_have_it),
            CHECK_TEST(a_finger_pulls_it_out_and_pushes_it_in))
