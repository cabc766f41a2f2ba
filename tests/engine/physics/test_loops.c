/* A four-bar linkage in a run: its crank is driven, the loop moves the rest, and stays closed. */
#include "physics/physics.h"

#include "tests/engine/physics/scene.h"

#define CRANK 0.1    /* m */
#define COUPLER 0.35 /* m */
#define ROCKER 0.3   /* m */
#define GROUND 0.4   /* m: between the pivots of crank and rocker */

/* Bars about y in the plane x z.  The pin between coupler and rocker is at (0.3041667, 0.2842815) where
** all joints are 0; REF moves the zero of the rocker's joint. */
static const char linkage[] =
    "<mujoco model='fourbar'><compiler angle='radian'/><worldbody><body name='frame' pos='0 0 1'>"
    "<body name='crank'><joint name='crank' axis='0 1 0' range='-3 3' limited='true'/>"
    "<inertial pos='0.05 0 0' mass='0.3' diaginertia='1e-4 4e-4 4e-4'/>"
    "<body name='coupler' pos='0.1 0 0'><joint name='coupler' axis='0 1 0' range='-3 3' limited='true'/>"
    "<inertial pos='0.1 0 0.14' mass='0.5' diaginertia='5e-3 5e-3 1e-3'/></body></body>"
    "<body name='rocker' pos='0.4 0 0'><joint name='rocker' axis='0 1 0' range='-3 3' limited='true' "
    "ref='REF'/>"
    "<inertial pos='-0.05 0 0.14' mass='0.6' diaginertia='5e-3 5e-3 1e-3'/></body></body></worldbody>"
    "<equality><connect body1='coupler' body2='rocker' anchor='0.2041667 0 0.2842815'/></equality>"
    "<actuator><motor joint='crank' ctrllimited='true' ctrlrange='-40 40'/></actuator></mujoco>";

/* The angle of the rocker for one of the crank, from 0 in both: the pin is COUPLER from the crank's end
** and ROCKER from the pivot. */
static double rocker_of(double crank) {
  double x = CRANK * cos(crank) - GROUND, z = -CRANK * sin(crank), d = hypot(x, z);
  /* The corner at the rocker's pivot between the crank's end and the pin. */
  double corner = acos((d * d + ROCKER * ROCKER - COUPLER * COUPLER) / (2 * d * ROCKER)),
         first = atan2(0.2842815, 0.3041667 - GROUND);
  return first - (atan2(z, x) < 0 ? atan2(z, x) + 2 * BRIO_PI - corner : atan2(z, x) - corner);
}

/* How far the loop is open, m. */
static double gap(const scene *s) {
  void *simulation;
  const brio_physics_library *library = brio_physics_library_of(s->physics, &simulation);
  brio_physics_body coupler, rocker;
  library->settle(simulation);
  library->read_body(simulation, library->body(simulation, "coupler"), &coupler);
  library->read_body(simulation, library->body(simulation, "rocker"), &rocker);
  const brio_vec3 pin = {0.2041667, 0, 0.2842815}, end = {0.3041667 - GROUND, 0, 0.2842815};
  return brio_vec3_norm(brio_vec3_sub(brio_pose_point(coupler.pose, pin), brio_pose_point(rocker.pose, end)));
}

/* The linkage with the zero of the rocker's joint moved by `ref`. */
static const char *linkage_of(double ref) {
  static char text[sizeof linkage + 16];
  const char *mark = strstr(linkage, "REF");
  snprintf(text, sizeof text, "%.*s%g%s", (int)(mark - linkage), linkage, ref, mark + strlen("REF"));
  return text;
}

/* Lead its crank to and fro. */
static void drive_linkage(double ref) {
  scene s;
  const double start[] = {0, 0, ref};
  if (!scene_begin(&s, linkage_of(ref), NULL, start)) return;
  double worst = 0, off = 0, farthest = 0;
  for (int i = 0; i < 400; i++) {
    const double targets[] = {1.4 * sin(BRIO_PI * i * 5e-3), 0.7, -0.4}; /* nothing follows the last two */
    brio_axis_state states[3];
    brio_error err = {0};
    scene_go(&s, targets, 5e-3);
    CHECK(s.kind->read(s.device, states, &err), "%s", err.message);
    worst = fmax(worst, gap(&s));
    off = fmax(off, fabs(states[2].position - ref - rocker_of(states[0].position)));
    farthest = fmax(farthest, fabs(states[0].position));
  }
  printf("# the loop is open by %.3g mm at most, the rocker off by %.2g rad\n", 1e3 * worst, off);
  CHECK(farthest > 1.3, "the crank turns by %g rad alone", farthest);
  CHECK(worst < 1e-3, "the loop is open by %g m", worst);
  CHECK(off < 2e-3, "the rocker is off by %g rad", off);
  scene_end(&s);
}

static void a_four_bar_stays_closed_and_its_rocker_is_where_geometry_has_it(void) {
  drive_linkage(0);
  drive_linkage(0.5);
}

static void joints_in_loops_without_a_motor_are_passive(void) {
  brio_robot *robot = robot_of(linkage_of(0));
  brio_error err;
  CHECK(!brio_model_is_passive(robot, brio_robot_variable(robot, "crank", &err)), "the crank has a motor");
  CHECK(brio_model_is_passive(robot, brio_robot_variable(robot, "coupler", &err)), "the coupler has none");
  CHECK(brio_model_is_passive(robot, brio_robot_variable(robot, "rocker", &err)), "the rocker has none");
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(a_four_bar_stays_closed_and_its_rocker_is_where_geometry_has_it),
            CHECK_TEST(joints_in_loops_without_a_motor_are_passive))
