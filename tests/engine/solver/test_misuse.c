/* Objectives used wrongly or unusually: a mistake is reported in a sentence, and unusual but valid use makes
** no unusual pose. */
#include "stage.h"
#include "tests/allocations.h"

#define DT 0.01

static const struct mistake {
  const char *kind, *says; /* the sentence that is expected has this piece */
  brio_argument arguments[8];
  int numbers;             /* of the goal; 0: the objective is refused already */
  double goal[10];
} mistakes[] = {
    {"distance_match",
     "link1 and link2 must be two, not both 'hand'",
     {TEXT("link1", "hand"), TEXT("link2", "hand")},
     0,
     {0}},
    {"distance_match", "at least 0 m, not -1", {TEXT("link1", "hand"), TEXT("link2", "base")}, 1, {-1}},
    {"position_mirroring", "must be two", {TEXT("link1", "hand"), TEXT("link2", "hand")}, 0, {0}},
    {"orientation_mirroring", "did you mean 'hand'", {TEXT("link1", "hnad"), TEXT("link2", "base")}, 0, {0}},
    {"joint_mirroring", "must be two", {TEXT("joint1", "joint2"), TEXT("joint2", "joint2")}, 0, {0}},
    {"joint_mirroring", "needs the argument 'joint2'", {TEXT("joint1", "joint2")}, 0, {0}},
    {"relative_motion_liveliness", "must be two", {TEXT("link1", "hand"), TEXT("link2", "hand")}, 0, {0}},
    {"joint_coupling", "some factor", {TEXT("joint1", "joint2"), NUMBER("factor1", 0)}, 0, {0}},
    {"joint_coupling",
     "joint1 and joint3 must be two",
     {TEXT("joint1", "joint2"), TEXT("joint3", "joint2")},
     0,
     {0}},
    {"joint_coupling",
     "factor1 must be a number",
     {TEXT("joint1", "joint2"), NUMBER("factor1", NAN)},
     0,
     {0}},
    {"look_at", "axis must be a direction", {TEXT("link", "hand"), VECTOR("axis", 0, 0, 0)}, 0, {0}},
    {"look_at", "axis and up", {TEXT("link", "hand"), VECTOR("axis", 0, 0, -2)}, 0, {0}},
    {"look_at", "link and target must be two", {TEXT("link", "hand"), TEXT("target", "hand")}, 0, {0}},
    {"look_at",
     "axis must be a list of three numbers",
     {TEXT("link", "hand"), VECTOR("axis", NAN, 0, 1)},
     0,
     {0}},
    {"look_at", "roll must be a number from 0 to 10", {TEXT("link", "hand"), NUMBER("roll", -1)}, 0, {0}},
    {"links_in_line",
     "link and link2 must be two",
     {TEXT("link", "hand"), TEXT("link1", "base"), TEXT("link2", "hand")},
     0,
     {0}},
    {"link_line", "direction must be one", {TEXT("link", "hand")}, 6, {0, 0, 0, 0, 0, 0}},
    {"pose_match", "quaternion", {TEXT("link", "hand")}, 7, {0}},
    {"pose_match", "7 numbers, not 4", {TEXT("link", "hand")}, 4, {0, 0, 0, 1}},
    {"pose_match",
     "rotation_tolerance must be a list",
     {TEXT("link", "hand"), VECTOR("rotation_tolerance", 0, -1, 0)},
     0,
     {0}},
    {"orientation_bounding", "delta must be from 0 to", {TEXT("link", "hand")}, 5, {0, 0, 0, 1, -0.1}},
    {"joint_bounding", "delta must be from 0", {TEXT("joint", "joint2")}, 2, {0, -0.1}},
    {"position_bounding",
     "size.y must be from",
     {TEXT("link", "hand")},
     10,
     {0, 0, 0, 0, 0, 0, 1, 0.1, 0, 0.1}},
    {"perspective_noise", "focus must be from", {TEXT("link", "hand")}, 7, {0, 0, 0, 0, 0, 0, 0}},
    {"perspective_noise",
     "octaves must be a whole number",
     {TEXT("link", "hand"), NUMBER("octaves", 2.5)},
     0,
     {0}},
    {"joint_liveliness",
     "octaves must be a number from 1 to 8",
     {TEXT("joint", "joint2"), NUMBER("octaves", 99)},
     0,
     {0}},
    {"position_liveliness", "x must be from 0", {TEXT("link", "hand")}, 3, {-0.1, 0, 0}},
    {"center_of_mass_support", "span an area", {{0}}, 9, {0, 0, 0, 1, 1, 0, 2, 2, 0}},
    {"center_of_mass_support", "span an area", {{0}}, 3, {0, 0, 0}},
    {"zero_moment_point_support", "span an area", {{0}}, 9, {0, 0, 0, 1, 1, 0, 2, 2, 0}},
    {"capture_point_support", "span an area", {{0}}, 3, {0, 0, 0}},
    {"momentum_minimization", "one of linear and angular", {NUMBER("angular", 0)}, 0, {0}},
    {"torque_limits", "share must be a number", {NUMBER("share", 0)}, 0, {0}},
    {"center_of_mass_match", "horizontal must be true or false", {NUMBER("horizontal", 1)}, 0, {0}},
    {"center_of_mass_match", "finite", {{0}}, 3, {0, NAN, 0}},
    {"smoothness_macro", "one of joints, origin and links", {FLAG("joints", 0), FLAG("links", 0)}, 0, {0}},
    {"manipulability", "softness must be a number", {TEXT("link", "hand"), NUMBER("softness", 0)}, 0, {0}},
    {"gravity", "takes no goal", {TEXT("link", "hand")}, 1, {1}},
};

static void mistakes_are_told(void) {
  brio_robot *robot = demo_arm(false);
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    const struct mistake *m = &mistakes[i];
    brio_solver *solver = demo_solver(robot, NULL);
    brio_error err = {0};
    int slot = brio_solver_add(solver, "x", m->kind, m->arguments, stage_count(m->arguments), &err);
    CHECK((slot >= 0) == (m->numbers > 0), "%s (%s): %s", m->kind, m->says, err.message);
    if (slot >= 0)
      CHECK(!brio_solver_set_goal(solver, slot, m->goal, m->numbers, 0, &err), "%s: taken", m->kind);
    CHECK_HAS(err.message, m->says);
    CHECK(err.code == BRIO_MISUSE, "%s: code %d", m->says, (int)err.code);
    brio_solver_free(solver);
  }
  brio_robot_free(robot);
}

static void robots_without_mass_are_told(void) {
  static const char *const kinds[] = {"center_of_mass_match", "center_of_mass_support",
                                      "gravity_effort",       "zero_moment_point_support",
                                      "torque_limits",        "capture_point_support",
                                      "momentum_minimization"};
  static const char text[] =
      "<robot name='light'><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/>"
      "<child link='b'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' velocity='1' "
      "effort='1'/></joint></robot>";
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(text, sizeof text - 1, "light.urdf", NULL, &err);
  brio_solver *solver = demo_solver(robot, NULL);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    CHECK(brio_solver_add(solver, "x", kinds[i], NULL, 0, &err) < 0, "%s", kinds[i]);
    CHECK_HAS(err.message, "has no link with a mass");
  }
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* --- odd, but allowed --- */

/* The demo arm with a link that is where the hand is. */
static brio_robot *twins(void) {
  static char text[sizeof DEMO_ARM + 400];
  brio_error err = {0};
  snprintf(text, sizeof text, "%.*s%s", (int)(sizeof DEMO_ARM - 1 - strlen("</robot>")), DEMO_ARM,
           "<link name='twin'/><joint name='tie' type='fixed'><parent link='hand'/><child "
           "link='twin'/></joint></robot>");
  brio_robot *robot = brio_robot_parse(text, strlen(text), "twins.urdf", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  return robot;
}

/* Fill `out` with a goal that its kind accepts, of size `huge`. */
static int odd_goal(const brio_goal_kind *kind, double huge, double *out) {
  int count = kind->count + (kind->item ? 3 * kind->item : 0);
  for (int i = 0; i < count; i++) out[i] = i % 4 < 2 ? huge : -huge;
  for (int sign = 0; sign < 2; sign++) {
    brio_goal goal;
    if (brio_goal_make(kind, out, count, &goal, NULL)) return count;
    for (int i = 0; i < count; i++) out[i] = fabs(out[i]);
  }
  for (int i = 0; i < count; i++) out[i] = i % 2;
  return count;
}

/* Add every objective there is, on different links and joints, each with a goal that its kind shows. */
static void add_all(brio_solver *solver, const brio_robot *robot) {
  for (int k = 0; brio_objective_kinds[k]; k++) {
    const brio_objective_kind *kind = brio_objective_kinds[k];
    brio_argument arguments[16] = {{0}};
    int count = 0, link = robot->nlink - 1, joint = 0;
    for (const brio_param *p = kind->params; p->name; p++)
      if (p->type == BRIO_PARAM_LINK)
        arguments[count++] = (brio_argument)TEXT(p->name, robot->links[link--].name);
      else if (p->type == BRIO_PARAM_JOINT)
        arguments[count++] = (brio_argument)TEXT(p->name, robot->variables[joint++].name);
    brio_error err = {0};
    int slot = brio_solver_add(solver, kind->name, kind->name, arguments, count, &err);
    CHECK(slot >= 0, "%s", err.message);
    double goal[BRIO_GOAL_NUMBERS];
    if (kind->goal) {
      int numbers = odd_goal(kind->goal, 0.3, goal);
      CHECK(brio_solver_set_goal(solver, slot, goal, numbers, 0, &err), "%s", err.message);
    }
    brio_solver_set_weight(solver, slot, 1, 0.1, NULL);
  }
}

/* All objectives at once, on a base that is fixed and one that is not, in both forms: nothing is allocated,
** and two runs are the same to the bit. */
static void all_at_once(void) {
  for (int which = 0; which < 4; which++) {
    brio_robot *robot = demo_arm(which & 1);
    brio_solver_options options = {.lively_losses = which & 2, .seed = 3};
    static double last[2][64];
    for (int run = 0; run < 2; run++) {
      brio_solver *solver = demo_solver(robot, &options);
      double time = 0;
      add_all(solver, robot);
      size_t before = allocations;
      brio_solution found = demo_run(solver, &time, DT, 150);
      CHECK(allocations == before, "%d allocations", (int)(allocations - before));
      CHECK(isfinite(found.cost) && found.status != BRIO_SOLVER_HELD, "cost %g, status %d", found.cost,
            (int)found.status);
      memcpy(last[run], found.q, (size_t)robot->nq * sizeof(double));
      brio_solver_free(solver);
    }
    CHECK(memcmp(last[0], last[1], (size_t)robot->nq * sizeof(double)) == 0, "two runs differ");
    brio_robot_free(robot);
  }
}

/* Every objective on links in one place, with enormous goals and weights, in both forms: poses stay finite
** and within limits. */
static void odd_goals_never_make_an_odd_pose(void) {
  static const double sizes[] = {0, 1e-300, 1e8, 1e150, 1.7e308};
  brio_robot *robot = twins();
  for (int lively = 0; lively < 2; lively++)
    for (int k = 0; brio_objective_kinds[k]; k++)
      for (int i = 0; i < 5; i++) {
        const brio_objective_kind *kind = brio_objective_kinds[k];
        brio_solver_options options = {.lively_losses = lively};
        brio_solver *solver = demo_solver(robot, &options);
        brio_argument arguments[16] = {{0}};
        static const char *const links[] = {"hand", "twin", "link2"}, *const joints[] = {"joint2", "joint4",
                                                                                         "joint6"};
        int count = 0, nlink = 0, njoint = 0;
        for (const brio_param *p = kind->params; p->name; p++)
          if (p->type == BRIO_PARAM_LINK && nlink < 3)
            arguments[count++] = (brio_argument)TEXT(p->name, links[nlink++]);
          else if (p->type == BRIO_PARAM_JOINT && njoint < 3)
            arguments[count++] = (brio_argument)TEXT(p->name, joints[njoint++]);
        brio_error err = {0};
        int slot = brio_solver_add(solver, "odd", kind->name, arguments, count, &err);
        CHECK(slot >= 0, "%s", err.message);
        double goal[BRIO_GOAL_NUMBERS] = {0}, time = 0;
        if (kind->goal)
          brio_solver_set_goal(solver, slot, goal, odd_goal(kind->goal, sizes[i], goal), 0, NULL);
        brio_solver_set_weight(solver, slot, 1e12, 0, NULL);
        for (int tick = 0; tick < 10; tick++) {
          brio_solution found = demo_run(solver, &time, DT, 1);
          for (int j = 0; j < robot->nvariable; j++) {
            double q = found.q[BRIO_BASE_NQ + j];
            CHECK(q >= robot->variables[j].lower && q <= robot->variables[j].upper, "%s: joint %d at %g",
                  kind->name, j, q);
          }
          CHECK(!isnan(found.cost), "%s: cost is no number, goals of %g", kind->name, sizes[i]);
        }
        brio_solver_free(solver);
      }
  brio_robot_free(robot);
}

/* A joint whose range is one value is not free: when it is coupled to another, the number
** of free ones stays. */
static void a_locked_joint_may_follow(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 6);
  CHECK(brio_robot_set_limits(robot, 2, &(brio_limits){0, 0, NAN, NAN}, NULL), "limits");
  brio_solver *solver = demo_solver(robot, NULL);
  brio_error err = {0};
  CHECK(brio_solver_couple(solver, (int[]){0, 2}, (double[]){1, -2}, 2, 0, &err), "%s", err.message);
  demo_add(solver, "turn", "joint_match", "joint2", (double[]){0.4}, 50);
  double time = 0;
  const double *q = demo_run(solver, &time, 0.005, 600).q;
  CHECK_NEAR(q[BRIO_BASE_NQ + 1], 0.4, 1e-6, "a joint that is not tied");
  CHECK_NEAR(q[BRIO_BASE_NQ] - 2 * q[BRIO_BASE_NQ + 2], 0, 1e-9, "the coupling");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(mistakes_are_told), CHECK_TEST(robots_without_mass_are_told), CHECK_TEST(all_at_once),
            CHECK_TEST(odd_goals_never_make_an_odd_pose), CHECK_TEST(a_locked_joint_may_follow))
