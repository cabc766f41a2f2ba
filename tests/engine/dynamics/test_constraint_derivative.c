/* Derivatives of constrained dynamics against central differences: a rigid hold in the world, a rigid hold
** between two branches and a held point, each pulled back from a gap. */
#include "dynamics/constraint.h"

#include "robot/kinematics.h"
#include "tests/engine/dynamics/creature.h"

enum { SQUARE = CREATURE_MOST * CREATURE_MOST, ROWS = 36, CONSTRAINTS = 6 };

typedef struct fixture {
  brio_robot *robot;
  brio_dynamics dynamics;
  brio_dynamics_constraints constraints;
  brio_dynamics_constraint list[CONSTRAINTS];
  int count, rows;
  double q[CREATURE_MOST], u[CREATURE_MOST], tau[CREATURE_MOST];
  bool impact; /* impacts instead of accelerations */
} fixture;

/* Return a pose a little away from one. */
static brio_pose beside(brio_pose pose, brio_random *random) {
  brio_vec3 turn = {brio_random_uniform(random, -0.4, 0.4), brio_random_uniform(random, -0.4, 0.4),
                    brio_random_uniform(random, -0.4, 0.4)};
  return brio_pose_mul(pose, (brio_pose){turn, brio_quat_exp(turn)});
}

/* Hold link `name` at its pose in `other` (NULL: the world), but for a gap. */
static void hold(fixture *f, const brio_state *state, brio_random *random, const char *name,
                 const char *other, bool rigid) {
  brio_dynamics_constraint *one = &f->list[f->count++];
  *one = (brio_dynamics_constraint){.link = brio_robot_link(f->robot, name, NULL),
                                    .other = -1,
                                    .on_link = {{0.1, -0.2, 0.1}, {0, 0, 0, 1}},
                                    .rigid = rigid,
                                    .stiffness = 40,
                                    .damping = 7};
  brio_pose base = BRIO_POSE_IDENTITY;
  if (other) one->other = brio_robot_link(f->robot, other, NULL);
  if (other) base = brio_pose_of(&state->links[one->other]);
  brio_pose held = brio_pose_mul(brio_pose_of(&state->links[one->link]), one->on_link);
  one->on_other = brio_pose_mul(brio_pose_inverse(base), beside(held, random));
  f->rows += rigid ? 6 : 3;
}

/* Solve where tangent number k of q (kind 0), u (1) or tau (2) is moved by h. */
static void evaluate(fixture *f, int kind, int k, double h, double *du, double *forces) {
  brio_error err;
  double q[CREATURE_MOST], u[CREATURE_MOST], tau[CREATURE_MOST], move[CREATURE_MOST] = {0};
  move[k] = kind == 0 ? h : 0;
  brio_robot_integrate(f->robot, f->q, move, q);
  memcpy(u, f->u, sizeof u);
  memcpy(tau, f->tau, sizeof tau);
  u[k] += kind == 1 ? h : 0;
  tau[k] += kind == 2 ? h : 0;
  bool good = f->impact ? brio_dynamics_impact(&f->dynamics, &f->constraints, f->list, f->count, q, u, du,
                                               forces, &err)
                        : brio_dynamics_constrained(&f->dynamics, &f->constraints, f->list, f->count, q, u,
                                                    tau, du, forces, &err);
  CHECK(good, "%s", err.message);
}

/* Compare a column of slopes with differences of fourth order; return the largest one, of the column's
** scale. */
static double column_difference(fixture *f, int kind, int k, const double *by_du, const double *by_forces) {
  double du[4][CREATURE_MOST], forces[4][ROWS], step = 1e-4, all[2][CREATURE_MOST + ROWS];
  int nv = f->robot->nv;
  for (int side = 0; side < 4; side++)
    evaluate(f, kind, k, step * (side < 2 ? side - 2 : side - 1), du[side], forces[side]);
  for (int i = 0; i < nv + f->rows; i++) {
    double at[4];
    for (int s = 0; s < 4; s++) at[s] = i < nv ? du[s][i] : forces[s][i - nv];
    all[0][i] = i < nv ? by_du[i * nv + k] : by_forces[(i - nv) * nv + k];
    all[1][i] = (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * step);
  }
  return creature_difference(all[0], all[1], nv + f->rows);
}

static void check(fixture *f) {
  static double slopes[6][SQUARE];
  const brio_dynamics_constrained_slopes out = {slopes[0], slopes[1], slopes[2],
                                                slopes[3], slopes[4], slopes[5]};
  double du[CREATURE_MOST], forces[ROWS], again[CREATURE_MOST], more[ROWS];
  static const char *const kinds[] = {"q", "u", "tau"};
  brio_error err;
  bool good = f->impact
                  ? brio_dynamics_impact_derivatives(&f->dynamics, &f->constraints, f->list, f->count, f->q,
                                                     f->u, du, forces, &out, &err)
                  : brio_dynamics_constrained_derivatives(&f->dynamics, &f->constraints, f->list, f->count,
                                                          f->q, f->u, f->tau, du, forces, &out, &err);
  CHECK(good, "%s", err.message);
  evaluate(f, 0, 0, 0, again, more);
  CHECK(creature_difference(du, again, f->robot->nv) < 1e-12, "another acceleration");
  CHECK(creature_difference(forces, more, f->rows) < 1e-9, "other forces");
  int first = f->robot->base == BRIO_BASE_FIXED ? BRIO_BASE_NV : 0;
  for (int kind = 0; kind < (f->impact ? 2 : 3); kind++)
    for (int k = first; k < f->robot->nv; k++) {
      double worst = column_difference(f, kind, k, slopes[kind], slopes[3 + kind]);
      CHECK(worst < 1e-6, "by %s %d: %g", kinds[kind], k, worst);
    }
}

/* With every constraint twice the robot moves in the same way, and so do the slopes. */
static void check_repeated(fixture *f) {
  static double slopes[2][6][SQUARE];
  double du[CREATURE_MOST], forces[ROWS];
  brio_error err;
  int count = f->count, size = f->robot->nv * f->robot->nv;
  memcpy(f->list + count, f->list, (size_t)count * sizeof *f->list);
  for (int k = 0; k < 2; k++) {
    const brio_dynamics_constrained_slopes out = {slopes[k][0], slopes[k][1], slopes[k][2],
                                                  slopes[k][3], slopes[k][4], slopes[k][5]};
    bool good = brio_dynamics_constrained_derivatives(&f->dynamics, &f->constraints, f->list, count * (k + 1),
                                                      f->q, f->u, f->tau, du, forces, &out, &err);
    CHECK(good, "%s", err.message);
  }
  for (int kind = 0; kind < 3; kind++)
    CHECK(creature_difference(slopes[1][kind], slopes[0][kind], size) < 1e-7, "kind %d: %g", kind,
          creature_difference(slopes[1][kind], slopes[0][kind], size));
}

static void slopes_are_differences(void) {
  for (int i = 0; i < 4; i++) {
    fixture f = {.robot = creature_load(i & 1, i & 2 ? BRIO_BASE_FREE : BRIO_BASE_FIXED)};
    brio_random random = brio_random_stream(17, "test.constraint");
    brio_state state;
    brio_error err;
    CHECK(brio_dynamics_start(&f.dynamics, f.robot, NULL, &err), "%s", err.message);
    CHECK(brio_dynamics_constraints_start(&f.constraints, &f.dynamics, ROWS, &err), "%s", err.message);
    CHECK(brio_state_start(&state, f.robot, &err), "%s", err.message);
    for (int k = 0; k < 4; k++) {
      creature_pose(f.robot, &random, f.q);
      creature_rates(f.robot, &random, f.u);
      creature_rates(f.robot, &random, f.tau);
      brio_state_update(&state, f.q);
      f.count = f.rows = 0;
      if (k != 1) hold(&f, &state, &random, "e", NULL, false);
      if (k != 2) hold(&f, &state, &random, "f", NULL, i & 2);
      if (k == 3) hold(&f, &state, &random, "g", "d", false);
      for (int impact = 0; impact < 2; impact++) f.impact = impact, check(&f);
      f.impact = false;
      check_repeated(&f);
    }
    brio_state_end(&state);
    brio_dynamics_constraints_end(&f.constraints);
    brio_dynamics_end(&f.dynamics);
    brio_robot_free(f.robot);
  }
}

CHECK_SUITE(CHECK_TEST(slopes_are_differences))
