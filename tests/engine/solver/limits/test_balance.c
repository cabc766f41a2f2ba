/* Balance as a constraint: goals that jump anywhere, at any tempo, never bring the centre of mass beyond its
** area, nor the zero moment point where that is limited; without the constraint the same goals do.  This test
** computes both points from the poses itself. */
#include "base/random.h"
#include "tests/engine/solver/demo.h"

#define DT 0.005
#define MARGIN 0.02
#define GENTLE 3.0 /* rad/s^2: what the ground allows this arm to brake with */

/* A plate of 24 cm under an arm of 14 kg. */
static const brio_vec3 plate[] = {{-0.12, -0.12, 0}, {0.12, -0.12, 0}, {0.12, 0.12, 0}, {-0.12, 0.12, 0}};

/* A solver with a goal for each joint, which begins upright. */
typedef struct rig {
  brio_robot *robot;
  brio_solver *solver;
  int slots[7];
  brio_vec3 masses[3][16]; /* of links, at the last three ticks, newest first */
  brio_state state;
} rig;

static void note(rig *r) {
  memmove(r->masses[1], r->masses[0], 2 * sizeof *r->masses);
  brio_state_update(&r->state, brio_solver_configuration_of(r->solver));
  for (int i = 0; i < r->robot->nlink; i++)
    r->masses[0][i] = brio_transform_point(&r->state.links[i], r->robot->links[i].com);
}

static bool begin(rig *r, double acceleration, const brio_balance_options *balance) {
  brio_error err = {0};
  *r = (rig){.robot = demo_arm(false)};
  demo_accelerations(r->robot, acceleration);
  const brio_solver_options options = {.unguarded = true};
  r->solver = brio_solver_new(r->robot, &options, &err);
  CHECK(r->solver && brio_state_start(&r->state, r->robot, &err), "%s", err.message);
  if (!r->solver) return false;
  for (int i = 0; i < 7; i++) {
    brio_argument joint = {.name = "joint", .text = r->robot->variables[i].name};
    r->slots[i] = brio_solver_add(r->solver, joint.text, "joint_match", &joint, 1, &err);
    brio_solver_set_weight(r->solver, r->slots[i], 20, 0, NULL);
  }
  CHECK(!balance || brio_solver_set_balance(r->solver, balance, &err), "%s", err.message);
  for (int k = 0; k < 3; k++) note(r);
  return true;
}

static void end(rig *r) {
  brio_state_end(&r->state);
  brio_solver_free(r->solver);
  brio_robot_free(r->robot);
}

/* How far inside of the plate a point is, m. */
static double inside(double x, double y) { return 0.12 - fmax(fabs(x), fabs(y)); }

static double inside_of_com(const rig *r) {
  brio_vec3 com = brio_robot_com(r->robot, r->state.links);
  return inside(com.x, com.y);
}

/* The zero moment point at the tick before the last, by second differences. */
static double inside_of_moment(const rig *r) {
  double x = 0, y = 0, press = 0;
  for (int i = 0; i < r->robot->nlink; i++) {
    double m = r->robot->links[i].mass;
    brio_vec3 p = r->masses[1][i], two = brio_vec3_add(r->masses[0][i], r->masses[2][i]);
    brio_vec3 a = brio_vec3_scale(1 / (DT * DT), brio_vec3_add_scaled(two, -2, p));
    x += m * ((a.z + 9.81) * p.x - p.z * a.x);
    y += m * ((a.z + 9.81) * p.y - p.z * a.y);
    press += m * (a.z + 9.81);
  }
  return inside(x / press, y / press);
}

/* Jump from goal to goal; return the least that centre of mass and zero moment point were inside, and how far
** the joints went. */
static void jump(rig *r, int ticks, brio_random *random, double *com, double *moment, double *way) {
  brio_solution solution;
  *com = *moment = INFINITY;
  *way = 0;
  for (int k = 0; k < ticks; k++) {
    if (k % 60 == 0)
      for (int i = 0; i < 7; i++) {
        const brio_variable *v = &r->robot->variables[i];
        double goal = brio_random_uniform(random, v->lower, v->upper);
        /* Mostly stretched to one side. */
        if (i == 1) goal = brio_random_below(random, 2) ? 1.7 : -1.7;
        if (i == 3) goal = brio_random_uniform(random, 0, 0.5);
        brio_solver_set_goal(r->solver, r->slots[i], &goal, 1, 0, NULL);
      }
    if (k % 150 == 149) brio_solver_set_tempo(r->solver, brio_random_uniform(random, 0.3, 1), NULL);
    double before = brio_solver_configuration_of(r->solver)[BRIO_BASE_NQ + 1];
    brio_solver_solve(r->solver, k * DT, DT, &solution);
    *way += fabs(solution.q[BRIO_BASE_NQ + 1] - before);
    note(r);
    *com = fmin(*com, inside_of_com(r));
    *moment = fmin(*moment, inside_of_moment(r));
  }
}

static void the_centre_of_mass_stays_above_its_area(void) {
  const brio_balance_options balance = {plate, 4, MARGIN, false};
  double com, moment, way, free_com;
  rig r;
  brio_random random = brio_random_stream(3, "balance");
  int ticks = (int)(1500 * check_scale());
  if (!begin(&r, 12, &balance)) return;
  jump(&r, ticks, &random, &com, &moment, &way);
  /* Half a resolution between two moments, and the ticks' own bending. */
  CHECK(com > MARGIN - 5e-4, "the centre of mass is %g m inside", com);
  CHECK(com < MARGIN + 0.01, "it hardly leans: %g m", com);
  CHECK(way > 1.0 * check_scale(), "it hardly moves: %g rad", way);
  end(&r);
  /* The same goals without it. */
  random = brio_random_stream(3, "balance");
  if (!begin(&r, 12, NULL)) return;
  jump(&r, ticks, &random, &free_com, &moment, &way);
  CHECK(free_com < -0.05, "without the constraint it would not tip: %g m", free_com);
  end(&r);
}

static void so_does_the_zero_moment_point(void) {
  const brio_balance_options balance = {plate, 4, MARGIN, true};
  double com, moment, way, other;
  rig r;
  brio_random random = brio_random_stream(4, "balance");
  int ticks = (int)(1000 * check_scale());
  if (!begin(&r, GENTLE, &balance)) return;
  jump(&r, ticks, &random, &com, &moment, &way);
  CHECK(moment > MARGIN - 2e-3, "the zero moment point is %g m inside", moment);
  CHECK(com > MARGIN - 5e-4 && way > 0.4 * check_scale(), "%g m, %g rad", com, way);
  end(&r);
  /* With the centre of mass alone it leaves the area. */
  const brio_balance_options slow = {plate, 4, MARGIN, false};
  random = brio_random_stream(4, "balance");
  if (!begin(&r, GENTLE, &slow)) return;
  jump(&r, ticks, &random, &com, &other, &way);
  CHECK(other < -0.02, "%g m", other);
  end(&r);
}

/* A robot that leans too far already may come back, and goes no farther. */
static void what_is_outside_goes_no_farther(void) {
  static const brio_vec3 small[] = {{-0.01, -0.2, 0}, {0.01, -0.2, 0}, {0.01, 0.2, 0}, {-0.01, 0.2, 0}};
  const brio_balance_options balance = {small, 4, 0, false};
  rig r;
  brio_solution solution;
  if (!begin(&r, 12, NULL)) return;
  double out = 0.8, back = 0;
  brio_solver_set_goal(r.solver, r.slots[1], &out, 1, 0, NULL);
  for (int k = 0; k < 300; k++) brio_solver_solve(r.solver, k * DT, DT, &solution);
  brio_error err;
  CHECK(brio_solver_set_balance(r.solver, &balance, &err), "%s", err.message);
  double at = solution.q[BRIO_BASE_NQ + 1];
  out = 1.5;
  brio_solver_set_goal(r.solver, r.slots[1], &out, 1, 0, NULL);
  for (int k = 300; k < 500; k++) brio_solver_solve(r.solver, k * DT, DT, &solution);
  CHECK(solution.q[BRIO_BASE_NQ + 1] < at + 2e-3, "from %g to %g rad", at, solution.q[BRIO_BASE_NQ + 1]);
  brio_solver_set_goal(r.solver, r.slots[1], &back, 1, 0, NULL);
  for (int k = 500; k < 800; k++) brio_solver_solve(r.solver, k * DT, DT, &solution);
  CHECK_NEAR(solution.q[BRIO_BASE_NQ + 1], 0, 0.02, "it comes back");
  end(&r);
}

static void what_is_no_area_is_refused(void) {
  static const brio_vec3 line[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  rig r;
  brio_error err;
  if (!begin(&r, 12, NULL)) return;
  brio_balance_options wrong = {line, 3, 0.02, false};
  CHECK(!brio_solver_set_balance(r.solver, &wrong, &err) && err.code == BRIO_MISUSE, "taken");
  CHECK_HAS(err.message, "must span an area");
  wrong = (brio_balance_options){plate, 2, 0.02, false};
  CHECK(!brio_solver_set_balance(r.solver, &wrong, &err), "taken");
  CHECK_HAS(err.message, "3 to 64 points");
  wrong = (brio_balance_options){plate, 4, NAN, false};
  CHECK(!brio_solver_set_balance(r.solver, &wrong, &err), "taken");
  CHECK_HAS(err.message, "margin");
  CHECK(brio_solver_set_balance(r.solver, NULL, &err), "none");
  end(&r);
}

CHECK_SUITE(CHECK_TEST(the_centre_of_mass_stays_above_its_area), CHECK_TEST(so_does_the_zero_moment_point),
            CHECK_TEST(what_is_outside_goes_no_farther), CHECK_TEST(what_is_no_area_is_refused))
