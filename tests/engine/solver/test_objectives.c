/* Every objective, whoever added it, on every robot: the Jacobian and the gradient of its cost agree with
** differences at random states and at near-singular ones (stretched, turned as asked, turned half a turn
** away), with both forms of the terms and both losses.
**
** What is trusted: forward kinematics and distances (tested in their own rooms) and that a
** smooth function's central difference at h = 2e-6, with its error of h^2 taken out, is right to about
** 1e-9 of its size; where its curvature jumps, that at a tenth or a hundredth of the step is nearer.  Where
** the two sides disagree there is a corner: only terms whose record says so (`kinks`) may have one, there the
** slope must be that of one side, or between, and it must be rare. */
#include "stage.h"

#include <glob.h>

/* Poses to judge at: drawn; stretched (all joints at 0, or as near as may be), and nearly so. */
enum { DRAWN, STRETCHED, NEARLY_STRETCHED, NPOSE };

static void pose(stage *s, int which, brio_random *stream) {
  demo_draw(s->robot, stream, s->q);
  double *drawn = stage_numbers(s->robot->nq), step[MAX_NV];
  memcpy(drawn, s->q, (size_t)s->robot->nq * sizeof *drawn);
  if (which != DRAWN) brio_robot_neutral(s->robot, s->q);
  if (which == NEARLY_STRETCHED) {
    brio_robot_difference(s->robot, s->q, drawn, step);
    for (int j = 0; j < s->robot->nv; j++) step[j] *= 1e-4;
    brio_robot_integrate(s->robot, s->q, step, s->q);
  }
  free(drawn);
  stage_past(s, stream);
}

/* The first link among an instance's parameters; -1: none. */
static int link_of(const brio_objective_kind *kind, const void *self) {
  int link = -1;
  for (const brio_param *p = kind->params; p->name && link < 0; p++)
    if (p->type == BRIO_PARAM_LINK) memcpy(&link, (const char *)self + p->offset, sizeof link);
  return link;
}

/* A random goal; a rotation in it, with `turn` below 4, is at that angle from the orientation of `link`. */
static brio_goal draw_goal(const stage *s, const brio_goal_kind *kind, int link, double turn,
                           brio_random *stream) {
  brio_goal goal = {0};
  double numbers[BRIO_GOAL_NUMBERS] = {0};
  int items = kind && kind->item ? (kind->least + kind->most) / 2 : 0, count = kind ? kind->count : 0;
  if (items > 5) items = 5;
  if (items) count += items * kind->item;
  for (int i = 0; i < count; i++) numbers[i] = brio_random_uniform(stream, 0.05, 0.6);
  for (int i = 0; kind && i + 3 < kind->count; i++) {
    const char *name = kind->fields[i + 3];
    if (name[strlen(name) - 1] != 'w' || link < 0 || turn > 4) continue;
    brio_vec3 axis =
        brio_vec3_unit((brio_vec3){numbers[i], numbers[i + 1] - 0.3, numbers[i + 2]}, (brio_vec3){1, 0, 0});
    brio_quat q = brio_quat_mul(brio_quat_from_matrix(s->state.links[link].r),
                                brio_quat_exp(brio_vec3_scale(turn, axis)));
    memcpy(numbers + i, (double[]){q.x, q.y, q.z, q.w}, 4 * sizeof *numbers);
  }
  brio_error err = {0};
  if (kind) CHECK(brio_goal_make(kind, numbers, count, &goal, &err), "%s: %s", kind->name, err.message);
  return goal;
}

/* The results on one robot. */
typedef struct figures {
  int entries, corners; /* slopes of costs judged; of these, at a corner */
  int pairs, rough;     /* of terms about distances; of these, off by more than FINE */
  double worst;         /* greatest error, of max(1, length of the gradient) */
  const char *worst_kind, *corner_kind;
} figures;

/* Residuals and cost at q (+) h e_j; return the number of rows. */
static int at_offset(stage *s, const judged *term, int j, double h, double *r, double *cost) {
  double step[MAX_NV] = {0}, here[MAX_NV + 1];
  step[j] = h;
  memcpy(here, s->q, (size_t)s->robot->nq * sizeof *here);
  brio_robot_integrate(s->robot, here, step, s->q);
  stage_bring(s);
  int rows = term->kind->residual(term->self, &term->goal, &s->at, r, NULL);
  memcpy(s->q, here, (size_t)s->robot->nq * sizeof *here);
  *cost = stage_cost(s, term, r, rows, NULL);
  return rows;
}

/* Values of a function at 0, h, -h, 2 h, -2 h. */
typedef struct values {
  double at, up, down, up2, down2;
} values;

/* The error of `slope` against the difference; at a corner, against the range between the
** two one-sided ones. */
static double miss(const values *v, double h, double slope, bool *corner) {
  double near = (v->up - v->down) / (2 * h), far = (v->up2 - v->down2) / (4 * h),
         rounding = 4e-15 * fabs(v->at) / h;
  double right = (4 * v->up - v->up2 - 3 * v->at) / (2 * h),
         left = (3 * v->at - 4 * v->down + v->down2) / (2 * h);
  double size = fmax(1, fabs(near)), central = fabs(slope - (near + (near - far) / 3));
  *corner = fabs(right - left) > 1e-3 * size + rounding;
  double beyond = fmax(fmin(left, right) - slope, slope - fmax(left, right)); /* several corners may meet */
  return fmax(0, (*corner ? fmin(central, fmax(0, beyond)) : central) - rounding);
}

/* Steps to try, the finest first where values are exact to rounding; distances between round shapes are found
** by iteration, to about 1e-10, and need larger ones. */
enum { NSTEP = 4 };
static const double STEPS[2][NSTEP] = {{2e-6, 2e-5, 2e-7, 2e-8}, {2e-6, 2e-5, 1e-4, 5e-4}};

/* What an error may be, of max(1, length of the gradient); of terms about distances, few of which may be
** above the former. */
static const double FINE = 1e-6, FINE_OF_PAIRS = 5e-5;
static const double COARSE = 1e-3, COARSE_OF_PAIRS = 0.1; /* at corners, where several may meet */

/* Check column `j` with step `h`: the error of the cost's slope, relative to `scale`; and the worst error of
** the rows' slopes, as a share of the allowed one. */
static double look(stage *s, const judged *term, int j, int rows, const double *jacobian, double h,
                   double gradient, double scale, bool *corner, double *worst_row) {
  static double r[5][MAX_ROWS];
  static const double steps[5] = {0, 1, -1, 2, -2};
  double cost[5];
  bool bent, same = true;
  *worst_row = 0;
  for (int k = 0; k < 5; k++) same &= at_offset(s, term, j, steps[k] * h, r[k], &cost[k]) == rows;
  for (int i = 0; same && i < rows && !(s->needs & BRIO_NEEDS_PAIRS); i++) { /* rows of pairs are reordered */
    values v = {r[0][i], r[1][i], r[2][i], r[3][i], r[4][i]};
    double value = jacobian[i * s->robot->nv + j], error = miss(&v, h, value, &bent);
    *worst_row = fmax(*worst_row, error / ((bent ? 1e-4 : FINE) * fmax(1, fabs(value))));
  }
  values v = {cost[0], cost[1], cost[2], cost[3], cost[4]};
  double error = miss(&v, h, gradient, corner);
  return error / scale;
}

/* `scale`: length of the whole gradient, at least 1. */
static void check_column(stage *s, const judged *term, int j, int rows, const double *jacobian,
                         double gradient, double scale, figures *seen) {
  double error = INFINITY, worst_row = INFINITY;
  bool corner = true;
  for (int k = 0; k < NSTEP && (error > FINE / 2 || worst_row > 0.5 || corner); k++) {
    bool bent;
    double row, h = STEPS[(s->needs & BRIO_NEEDS_PAIRS) != 0][k];
    double now = look(s, term, j, rows, jacobian, h, gradient, scale, &bent, &row);
    worst_row = fmin(worst_row, row);
    if (bent && !corner) continue;
    error =
        bent == corner ? fmin(error, now) : now; /* a step that sees no corner counts before those that do */
    corner = bent;
  }
  const char *name = term->kind->name, *form = s->at.lively ? " (lively)" : "", *file = s->robot->file;
  CHECK(worst_row <= 1, "%s%s on %s: column %d of a row is off by %g of what it may be", name, form, file, j,
        worst_row);
  double most = s->needs & BRIO_NEEDS_PAIRS ? corner ? COARSE_OF_PAIRS : FINE_OF_PAIRS
                : corner                    ? COARSE
                                            : FINE;
  CHECK(error <= most, "%s%s on %s: slope %d is %.12g, off by %g", name, form, file, j,
        gradient, error);
  CHECK(!corner || term->kind->kinks, "%s%s on %s: a corner in column %d, and its record names none", name,
        form, file, j);
  seen->entries++;
  seen->corners += corner;
  if (corner) seen->corner_kind = name;
  seen->pairs += (s->needs & BRIO_NEEDS_PAIRS) != 0;
  seen->rough += !corner && error > FINE;
  if (!corner && error > seen->worst) seen->worst = error, seen->worst_kind = name;
}

static void check_term(stage *s, const judged *term, figures *seen) {
  int nv = s->robot->nv, room = term->kind->rows(term->self, s->robot);
  static double r[MAX_ROWS], slopes[MAX_ROWS];
  double *jacobian = stage_numbers(room * nv);
  CHECK(room <= MAX_ROWS && nv <= MAX_NV, "%s: %d rows", term->kind->name, room);
  stage_bring(s);
  int rows = term->kind->residual(term->self, &term->goal, &s->at, r, jacobian);
  CHECK(rows <= room, "%s: %d rows of %d", term->kind->name, rows, room);
  CHECK(isfinite(stage_cost(s, term, r, rows, slopes)), "%s on %s: not finite", term->kind->name,
        s->robot->file);
  double gradient[MAX_NV] = {0}, length = 0;
  for (int j = 0; j < nv; j++) {
    for (int i = 0; i < rows; i++) gradient[j] += slopes[i] * jacobian[i * nv + j];
    length += gradient[j] * gradient[j];
  }
  for (int j = 0; j < nv; j++)
    if (j >= BRIO_BASE_NV || s->robot->base != BRIO_BASE_FIXED)
      check_column(s, term, j, rows, jacobian, gradient[j], fmax(1, sqrt(length)), seen);
  free(jacobian);
}

/* Judge an instance at the stage's pose. */
static void check_here(stage *s, judged *term, double turn, brio_random *stream, figures *seen) {
  term->goal = draw_goal(s, term->kind->goal, link_of(term->kind, term->self), turn, stream);
  if (term->kind->reset) term->kind->reset(term->self);
  if (term->kind->update) term->kind->update(term->self, &term->goal, &s->at);
  for (int lively = 0; lively < 2; lively++) {
    s->at.lively = lively;
    check_term(s, term, seen);
  }
}

static void check_kind(stage *s, const brio_objective_kind *kind, brio_random *stream, int poses,
                       figures *seen) {
  static const double turns[] = {5, 1e-5, BRIO_PI - 1e-3, 0, BRIO_PI, 0.3};
  s->needs = kind->needs;
  for (int full = 0; full < 2; full++) {
    judged term = {.kind = kind, .self = stage_instance(kind, s->robot, full)};
    brio_error err = {0};
    bool fits = !kind->bind || kind->bind(term.self, s->robot, 42, &err);
    CHECK(fits || err.message[0], "%s refuses without a reason", kind->name);
    for (int i = 0; fits && i < poses; i++) {
      pose(s, i % NPOSE, stream);
      check_here(s, &term, turns[i % 6], stream, seen);
    }
    if (kind->end) kind->end(term.self);
    free(term.self);
  }
}

static figures check_robot(brio_robot *robot, int poses) {
  figures seen = {0};
  brio_random stream = brio_random_stream(11, robot->name);
  stage s;
  stage_start(&s, robot);
  for (int k = 0; brio_objective_kinds[k]; k++)
    check_kind(&s, brio_objective_kinds[k], &stream, poses, &seen);
  CHECK(seen.corners <= 0.03 * seen.entries, "%s: %d corners among %d slopes", robot->file, seen.corners,
        seen.entries);
  CHECK(seen.rough <= 0.1 * seen.pairs, "%s: %d of %d slopes of distances are off", robot->file, seen.rough,
        seen.pairs);
  if (getenv("BRIO_TEST_FIGURES"))
    printf("#   %s: %d slopes, %d corners (%s), %d rough, greatest error %.2e max(1, |g|) (%s)\n",
           robot->file, seen.entries, seen.corners, seen.corners ? seen.corner_kind : "none", seen.rough,
           seen.worst, seen.worst > 0 ? seen.worst_kind : "none");
  stage_end(&s);
  brio_robot_free(robot);
  return seen;
}

static void slopes_on_a_fixed_arm(void) {
  check_robot(demo_arm(false), 15);
}
static void slopes_on_a_moving_base(void) {
  check_robot(demo_arm(true), 15);
}

/* Judge every robot whose file fits, on a base of this type. */
static void check_files(const char *pattern, brio_base_type base, int poses) {
  brio_robot_options options = {.base = base};
  glob_t found = {0};
  int judged_robots = 0;
  glob(pattern, 0, NULL, &found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    brio_robot *robot = brio_robot_load(found.gl_pathv[i], &options, NULL);
    if (!robot) continue;
    check_robot(robot, poses);
    judged_robots++;
  }
  CHECK(judged_robots > 0, "no robots at %s", pattern);
  globfree(&found);
}

static int poses_by_scale(void) {
  return (int)fmax(3, 3 * check_scale());
}

static void slopes_on_robots_that_ship(void) {
  check_files("drivers/robots/*/model.urdf", BRIO_BASE_FIXED, poses_by_scale());
}

static void slopes_on_shared_robots(void) {
  char pattern[1024];
  if (!check_shared()) SKIP("no shared robots here");
  snprintf(pattern, sizeof pattern, "%s/data/robots/*/*.urdf", check_shared());
  check_files(pattern, BRIO_BASE_FIXED, poses_by_scale());
}

static void slopes_on_robots_that_walk(void) {
  static const char *const walkers[] = {"h1/h1", "cassie/cassie", "lively/nao"};
  char pattern[1024];
  if (!check_shared()) SKIP("no shared robots here");
  for (int i = 0; i < 3; i++) {
    snprintf(pattern, sizeof pattern, "%s/data/robots/%s.urdf", check_shared(), walkers[i]);
    check_files(pattern, BRIO_BASE_FREE, poses_by_scale());
  }
}

static void every_row_is_whole(void) {
  for (int k = 0; brio_objective_kinds[k]; k++) {
    const brio_objective_kind *kind = brio_objective_kinds[k];
    CHECK(kind->doc[0] && kind->example[0] == '{' && kind->category[0], "%s", kind->name);
    CHECK(kind->loss && kind->lively && kind->rows && kind->residual && kind->params, "%s", kind->name);
    for (const brio_param *p = kind->params; p->name; p++) {
      CHECK(p->doc && p->unit, "%s.%s", kind->name, p->name);
      if (p->type != BRIO_PARAM_NUMBER) continue;
      CHECK(p->lower <= p->fallback && p->fallback <= p->upper, "%s.%s", kind->name, p->name);
    }
    CHECK(brio_objective_kind_find(kind->name, NULL) == kind, "%s", kind->name);
  }
  brio_error err = {0};
  CHECK(!brio_objective_kind_find("position_mach", &err), "no such kind");
  CHECK_HAS(err.message, "did you mean 'position_match'?");
}

/* What Lively's page says of its joint limits, velocity and collision terms. */
static void lively_values(void) {
  brio_robot *robot = demo_arm(false);
  stage s;
  stage_start(&s, robot);
  brio_robot_neutral(robot, s.q);
  for (int i = 0; i < robot->nvariable; i++)
    s.q[BRIO_BASE_NQ + i] = 0.5 * (robot->variables[i].lower + robot->variables[i].upper);
  double middle = s.q[BRIO_BASE_NQ], r[MAX_ROWS];
  const brio_objective_kind *kind = brio_objective_kind_find("joint_limits", NULL);
  s.q[BRIO_BASE_NQ] = middle + 0.9 * (robot->variables[0].upper - middle);
  kind->residual(NULL, NULL, &s.at, r, NULL);
  CHECK_NEAR(r[0], 0.05, 1e-9, "at 90 %% of the range");
  s.q[BRIO_BASE_NQ] = robot->variables[0].upper;
  kind->residual(NULL, NULL, &s.at, r, NULL);
  CHECK_NEAR(r[0], 9.70, 0.005, "at the end");
  double jacobian[MAX_NV] = {0};
  s.limits[0] = (brio_limits){middle - 0.1, middle + 0.1, 1, 1}; /* tightened: it is outside now */
  s.q[BRIO_BASE_NQ] = middle + 0.09;
  kind->residual(NULL, NULL, &s.at, r, NULL);
  CHECK_NEAR(r[0], 0.05, 1e-9, "at 90 %% of the range that holds now");
  double steep = 0.05 * pow(1.1 / 0.9, 50), slope = 50 * steep / 1.1;
  for (int i = 1; i < 20; i++) {
    s.q[BRIO_BASE_NQ] = middle + 0.1 * (1.1 + 0.5 * i);
    kind->residual(NULL, NULL, &s.at, r, jacobian);
    CHECK_NEAR(r[0], steep + slope * 0.5 * i, 1e-6 * r[0], "far beyond it, a straight line");
    CHECK_NEAR(jacobian[BRIO_BASE_NV], slope / 0.1, 1e-6 * slope * 10, "that leads back");
  }
  for (int i = 0; i < 3; i++) {
    memcpy(s.past[i], s.q, (size_t)robot->nq * sizeof *s.q);
    s.at.past[i] = s.past[i];
  }
  s.at.lively = true;
  s.at.dt = 0.02;
  s.step[BRIO_BASE_NV] = -0.03;
  brio_objective_kind_find("joint_velocity_minimization", NULL)->residual(NULL, NULL, &s.at, r, NULL);
  CHECK_NEAR(r[0], -0.03 / (30 * 0.02), 1e-12, "step over 30 dt");
  stage_end(&s);
  brio_robot_free(robot);
}

/* A hand is open or shut at an end of its range: nothing pushes a grip away from there. */
static void a_grip_may_be_at_its_end(void) {
  brio_robot *robot = demo_arm(false);
  stage s;
  stage_start(&s, robot);
  brio_robot_neutral(robot, s.q);
  for (int i = 0; i < robot->nvariable; i++)
    s.q[BRIO_BASE_NQ + i] = 0.5 * (robot->variables[i].lower + robot->variables[i].upper);
  s.q[BRIO_BASE_NQ] = robot->variables[0].upper;
  const brio_objective_kind *kind = brio_objective_kind_find("joint_limits", NULL);
  double r[MAX_ROWS], jacobian[MAX_NV] = {0};
  kind->residual(NULL, NULL, &s.at, r, jacobian);
  CHECK(r[0] > 9 && jacobian[BRIO_BASE_NV] > 1, "a joint is pushed away: %g, %g", r[0],
        jacobian[BRIO_BASE_NV]);
  brio_robot_set_grip(robot, 0);
  memset(jacobian, 0, sizeof jacobian);
  kind->residual(NULL, NULL, &s.at, r, jacobian);
  CHECK(r[0] == 0 && jacobian[BRIO_BASE_NV] == 0, "a grip is not: %g, %g", r[0], jacobian[BRIO_BASE_NV]);
  stage_end(&s);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(every_row_is_whole), CHECK_TEST(slopes_on_a_fixed_arm),
            CHECK_TEST(slopes_on_a_moving_base), CHECK_TEST(slopes_on_robots_that_ship),
            CHECK_TEST(slopes_on_shared_robots), CHECK_TEST(slopes_on_robots_that_walk),
            CHECK_TEST(lively_values), CHECK_TEST(a_grip_may_be_at_its_end))
