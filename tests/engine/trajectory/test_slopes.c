/* Analytic slopes against central differences: of both schemes and of every row of terms.def, on a robot that
** has everything, floating, held by a sole and by a point, in two phases, while time stretches. */
#include "tests/engine/dynamics/creature.h"
#include "trajectory/backend.h"
#include "trajectory/interior/interior.h"
#include "trajectory/scheme.h"
#include "trajectory/term.h"

enum { NODES = 3, KINDS = 32, MOST = 400 };

typedef struct bench {
  brio_robot *robot;
  brio_trajectory_contact contacts[2];
  brio_trajectory_phase phases[2];
  brio_trajectory_term terms[KINDS];
  brio_trajectory trajectory;
  brio_interior interior;
  brio_random random;
  brio_arena arena;
  double way[CREATURE_MOST]; /* of a cycle */
} bench;

/* Random arguments of every type, as a binding would write them. */
static void *arguments_of(bench *b, const brio_trajectory_term_kind *kind) {
  char *self = brio_arena_take(&b->arena, kind->size + 1);
  int nq = b->robot->nq, nv = b->robot->nv;
  for (const brio_trajectory_param *p = kind->params; p->name; p++) {
    void *at = self + p->offset;
    double *list = BRIO_TAKE(&b->arena, double, 2 * NODES * (nq + nv));
    if (p->type == BRIO_TRAJECTORY_NUMBER) *(double *)at = p->fallback;
    if (p->type == BRIO_TRAJECTORY_LINK) *(int *)at = b->robot->nlink - 1;
    if (p->type == BRIO_TRAJECTORY_VECTOR)
      *(brio_vec3 *)at = (brio_vec3){p->fallback, p->fallback, p->fallback};
    if (p->type < BRIO_TRAJECTORY_JOINTS) continue;
    *(double **)at = list;
    if (p->type == BRIO_TRAJECTORY_JOINTS || p->type == BRIO_TRAJECTORY_NUMBERS)
      for (int i = 0; i < nv; i++) list[i] = brio_random_uniform(&b->random, 0.5, 2);
    else
      for (int k = 0; k < 2 * NODES; k++) creature_pose(b->robot, &b->random, list + k * nq);
  }
  return self;
}

static void hold(bench *b, int i, const char *link, bool rigid) {
  brio_error err;
  b->contacts[i] = (brio_trajectory_contact){.friction = 0.6, .half = {0.1, 0.05}, .torsion = 0.02};
  b->contacts[i].hold =
      (brio_dynamics_constraint){.link = brio_robot_link(b->robot, link, &err),
                                 .on_link = {{0.1, 0.02, -0.1}, brio_quat_exp((brio_vec3){0.3, 0.2, -0.4})},
                                 .other = -1,
                                 .on_other = {{0.1, 0.3, 0.2}, brio_quat_exp((brio_vec3){-0.2, 0.5, 0.1})},
                                 .rigid = rigid};
}

/* Make it, with random numbers at all nodes; a cycle has impacts at the beginning of both phases. */
static void start_as(bench *b, const char *scheme, bool cycle) {
  brio_error err;
  memset(b, 0, sizeof *b);
  brio_arena_start(&b->arena, 65536);
  b->random = brio_random_stream(7, "trajectory slopes");
  b->robot = creature_load(false, BRIO_BASE_FREE);
  hold(b, 0, "tip", true), hold(b, 1, "e", false);
  for (int p = 0; p < 2; p++)
    b->phases[p] = (brio_trajectory_phase){NODES, 0.1, {0.5, 2}, b->contacts, 2 - p, cycle};
  brio_trajectory_setup setup = {
      .robot = b->robot, .phases = b->phases, .nphase = 2, .terms = b->terms, .stiffness = 40, .damping = 10};
  setup.scheme = brio_trajectory_scheme_find(scheme, &err);
  for (int v = 0; v < b->robot->nv; v++) b->way[v] = v < 3 ? 0.1 * v : v < 6 ? 0 : 0.02 * v;
  if (cycle) setup.cycle = b->way;
  for (int i = 0; brio_trajectory_term_kinds[i]; i++) {
    const brio_trajectory_term_kind *kind = brio_trajectory_term_kinds[i];
    b->terms[setup.nterm++] = (brio_trajectory_term){kind, arguments_of(b, kind), -1, -1, 0.7, i % 2 == 0};
  }
  bool good = brio_trajectory_start(&b->trajectory, &setup, &err) &&
              brio_interior_start(&b->interior, &b->trajectory, &err);
  CHECK(good, "%s", err.message);
  if (!good) exit(1);
  const brio_trajectory_motion *m = &b->interior.now;
  for (int k = 0; k < b->trajectory.nnode; k++) {
    double *q = m->q + k * b->robot->nq, step[CREATURE_MOST];
    if (k == 0)
      creature_pose(b->robot, &b->random, q);
    else {
      for (int v = 0; v < b->robot->nv; v++) step[v] = 0.1 * brio_random_normal(&b->random);
      brio_robot_integrate(b->robot, q - b->robot->nq, step, q);
    }
    creature_rates(b->robot, &b->random, m->u + k * b->robot->nv);
    for (int i = 0; i < b->trajectory.nmotor; i++)
      m->torque[k * b->trajectory.nmotor + i] = 3 * brio_random_normal(&b->random);
    m->stretch[k] = 1.3;
  }
}

static void start(bench *b, const char *scheme) {
  start_as(b, scheme, false);
}

static void end(bench *b) {
  brio_interior_end(&b->interior);
  brio_trajectory_end(&b->trajectory);
  brio_robot_free(b->robot);
  brio_arena_end(&b->arena);
}

/* What depends on the z of node k: rows of the stage, both defects, the cost. */
typedef struct values {
  double row[MOST], before[MOST], after[MOST], cost;
} values;

/* The stage before that of node k; of the first one the last, whose defect is empty without a cycle. */
static const brio_interior_stage *before(const bench *b, int k) {
  return &b->interior.stages[(k > 0 ? k : b->trajectory.nnode) - 1];
}

static void linearize(bench *b, int k, values *out) {
  brio_error err;
  brio_interior_merit merit;
  CHECK(brio_interior_linearize(&b->interior, &merit, &err), "%s", err.message);
  const brio_interior_stage *s = &b->interior.stages[k];
  memcpy(out->row, s->row, (size_t)s->nrow * sizeof *s->row);
  memcpy(out->after, s->defect, (size_t)s->ndefect * sizeof *s->row);
  const brio_interior_stage *last = before(b, k);
  memcpy(out->before, last->defect, (size_t)last->ndefect * sizeof *s->row);
  out->cost = merit.cost;
}

/* The same with entry i of z moved. */
static void moved(bench *b, int k, int i, double step, values *out) {
  const brio_trajectory *t = &b->trajectory;
  const brio_trajectory_motion *m = &b->interior.now;
  double keep[CREATURE_MOST], tangent[CREATURE_MOST] = {0}, *q = m->q + k * b->robot->nq, old = 0;
  double *at = i < t->ndof        ? NULL
               : i < 2 * t->ndof  ? m->u + k * b->robot->nv + i - t->ndof
               : i == 2 * t->ndof ? m->stretch + k
                                  : m->torque + k * t->nmotor + i - t->nstate;
  memcpy(keep, q, (size_t)b->robot->nq * sizeof *q);
  if (at)
    old = *at, *at += step;
  else
    tangent[i] = step, brio_robot_integrate(b->robot, q, tangent, q);
  linearize(b, k, out);
  memcpy(q, keep, (size_t)b->robot->nq * sizeof *q);
  if (at) *at = old;
}

/* Compare a column of slopes (rows of nz) with a difference. */
static void compare(const double *slope, int nz, int rows, const double *above, const double *below, double h,
                    const char *what, int k, int i) {
  for (int r = 0; r < rows; r++) {
    double by = (above[r] - below[r]) / (2 * h);
    CHECK_NEAR(slope[r * nz + i], by, 2e-5 * (1 + fabs(by)), "%s: row %d by z[%d], node %d", what, r, i, k);
  }
}

static void slopes_are_differences(const char *scheme, bool cycle) {
  static bench b;
  static values own, above, below;
  const double h = 1e-6;
  start_as(&b, scheme, cycle);
  /* inside, on both sides of the join, and of the end of the cycle */
  int nz = b.trajectory.nz, nodes[5] = {1, 2, 3, 0, b.trajectory.nnode - 1};
  for (int n = cycle ? 1 : 0; n < (cycle ? 5 : 3); n++)
    for (int i = 0; i < nz; i++) {
      int k = nodes[n];
      moved(&b, k, i, h, &above), moved(&b, k, i, -h, &below), linearize(&b, k, &own);
      const brio_interior_stage *s = &b.interior.stages[k];
      compare(s->slope, nz, s->nrow, above.row, below.row, h, "constraints", k, i);
      compare(s->left, nz, s->ndefect, above.after, below.after, h, "defect after", k, i);
      compare(before(&b, k)->right, nz, before(&b, k)->ndefect, above.before, below.before, h,
              "defect before", k, i);
      double by = (above.cost - below.cost) / (2 * h);
      CHECK_NEAR(s->gradient[i], by, 1e-4 * (1 + fabs(by)), "cost by z[%d], node %d", i, k);
    }
  end(&b);
}

static void slopes_of_the_trapezoid_are_differences(void) {
  slopes_are_differences("trapezoidal", false);
}
static void slopes_of_hermite_and_simpson_are_differences(void) {
  slopes_are_differences("hermite_simpson", false);
}
static void slopes_of_impacts_in_a_cycle_are_differences(void) {
  slopes_are_differences("trapezoidal", true);
}

/* Two points of one foot, at rest where they are held: one of their six rows repeats the others. The forces
** are the least ones, which repeat nothing, and their slopes are differences, though the range of forces
** turns. */
static void forces_of_two_points_of_a_foot_have_slopes(void) {
  static bench b;
  brio_error err;
  const double h = 1e-5;
  start(&b, "trapezoidal");
  brio_trajectory *t = &b.trajectory;
  const brio_trajectory_motion *m = &b.interior.now;
  double u[CREATURE_MOST] = {0}, du[CREATURE_MOST], forces[2][12];
  double *slope = BRIO_TAKE(&b.arena, double, 12 * t->nz);
  double *du_slope = BRIO_TAKE(&b.arena, double, t->ndof * t->nz);
  brio_dynamics_constraint list[2];
  brio_state_update(&t->state, m->q);
  for (int i = 0; i < 2; i++) {
    list[i] = b.contacts[0].hold, list[i].rigid = false, list[i].on_link.p.x += 0.15 * i;
    list[i].on_other.p = brio_transform_point(&t->state.links[list[i].link], list[i].on_link.p);
  }
  t->work->holds[0] = (brio_trajectory_hold){list, 2, 6};
  CHECK(brio_trajectory_accelerate(t, 0, m->q, u, m->torque, du, forces[0], du_slope, slope, &err), "%s",
        err.message);
  double along = 0, size = 0;
  brio_vec3 apart = brio_vec3_sub(list[1].on_other.p, list[0].on_other.p);
  const double line[3] = {apart.x, apart.y, apart.z};
  for (int i = 0; i < 3; i++)
    along += line[i] * (forces[0][3 + i] - forces[0][i]), size += fabs(forces[0][i]);
  CHECK(fabs(along) < 1e-6 * size, "%g N m between the points", along);
  for (int i = 0; i < t->ndof; i++) {
    double q[CREATURE_MOST], step[CREATURE_MOST] = {0};
    for (int k = 0; k < 2; k++) {
      step[i] = k ? -h : h;
      brio_robot_integrate(b.robot, m->q, step, q);
      brio_trajectory_accelerate(t, 0, q, u, m->torque, du, forces[k], NULL, NULL, &err);
    }
    for (int r = 0; r < 6; r++) {
      double by = (forces[0][r] - forces[1][r]) / (2 * h);
      CHECK_NEAR(slope[r * t->nz + i], by, 1e-3 * (size + fabs(by)), "force %d by q[%d]", r, i);
    }
  }
  end(&b);
}

/* A step of Newton over the chain solves the whole system: the defects' linear form is 0 along it. */
static void steps_keep_the_linear_constraints(void) {
  static bench b;
  static values own;
  start(&b, "trapezoidal");
  b.interior.barrier = 0.1, b.interior.damping = 1e-3;
  linearize(&b, 0, &own);
  brio_interior_start_slacks(&b.interior);
  linearize(&b, 0, &own);
  CHECK(brio_interior_solve(&b.interior), "the recursion");
  int nz = b.trajectory.nz;
  for (int k = 0; k + 1 < b.trajectory.nnode; k++) {
    const brio_interior_stage *s = &b.interior.stages[k];
    for (int r = 0; r < s->ndefect; r++) {
      double sum = s->defect[r], scale = 1;
      for (int i = 0; i < nz; i++) {
        sum += s->left[r * nz + i] * s->step[i] + s->right[r * nz + i] * s[1].step[i];
        scale = fmax(scale, fabs(s->left[r * nz + i] * s->step[i]));
      }
      CHECK(fabs(sum) <= 1e-8 * scale, "interval %d row %d: %g of %g", k, r, sum, scale);
    }
  }
  end(&b);
}

CHECK_SUITE(CHECK_TEST(slopes_of_the_trapezoid_are_differences),
            CHECK_TEST(slopes_of_hermite_and_simpson_are_differences),
            CHECK_TEST(slopes_of_impacts_in_a_cycle_are_differences),
            CHECK_TEST(forces_of_two_points_of_a_foot_have_slopes),
            CHECK_TEST(steps_keep_the_linear_constraints))
