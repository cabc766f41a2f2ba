/* Paths of the shared planning problems, judged by FCL: at joint steps that move no point over 1 mm, no
** sphere of the robot touches an obstacle, or another sphere that it must not touch.  A pair is asked only
** where a plain bound of both solids lets it touch.  `make test`: one problem of each environment for the
** Panda, at every eighth step of all but the first; `make soak`: four of each, for three robots, at every
** step. */
#include "plan/joints/search.h"
#include "robot/kinematics.h"
#include "tests/check.h"
#include "tests/engine/plan/plain.h"
#include "tests/engine/plan/problems.h"
#include "tests/peers/fcl.h"

static const double STEP = 1e-3; /* m */

/* What is judged: pairs of the plain check, each body as FCL has it. */
typedef struct judge {
  plain *truth;
  fcl_solid *solids; /* nbody */
  double *radii;     /* nbody: around the middle of a body */
  long asked;
  double least; /* m */
} judge;

static void start(judge *j, const problem *task, const problem_robot *robot) {
  j->truth = plain_new(&(brio_joint_checker_request){.robot = robot->robot,
                                                     .q = robot->q,
                                                     .variables = robot->variables,
                                                     .nvariable = robot->nx,
                                                     .obstacles = task->obstacles,
                                                     .nobstacle = task->nobstacle,
                                                     .allowed = robot->allowed,
                                                     .nallowed = robot->nallowed});
  j->solids = calloc((size_t)j->truth->nbody, sizeof *j->solids);
  j->radii = calloc((size_t)j->truth->nbody, sizeof *j->radii);
  j->least = INFINITY, j->asked = 0;
  for (int i = 0; i < j->truth->nbody; i++) {
    const brio_shape *shape = &j->truth->bodies[i].shape;
    CHECK(shape->kind == BRIO_SHAPE_SPHERE || shape->kind == BRIO_SHAPE_BOX ||
              shape->kind == BRIO_SHAPE_CYLINDER,
          "a shape of these problems");
    j->solids[i].kind = shape->kind == BRIO_SHAPE_SPHERE ? 0 : shape->kind == BRIO_SHAPE_BOX ? 2 : 3;
    memcpy(j->solids[i].size, &shape->size, sizeof j->solids[i].size);
    j->radii[i] = brio_shape_radius(shape);
  }
}

static void end(judge *j) {
  plain_free(j->truth);
  free(j->solids);
  free(j->radii);
}

/* Ask about all pairs that may touch at a configuration. */
static void look(judge *j, const double *x) {
  plain *p = j->truth;
  for (int i = 0; i < p->nx; i++) p->q[BRIO_BASE_NQ + p->variables[i]] = x[i];
  brio_state_update(&p->state, p->q);
  for (int i = 0; i < p->nbody; i++) {
    const brio_body *body = &p->bodies[i];
    brio_transform at =
        body->frame < 0 ? body->pose : brio_transform_mul(&p->state.links[body->frame], &body->pose);
    memcpy(j->solids[i].rotation, at.r, sizeof at.r);
    memcpy(j->solids[i].position, &at.p, sizeof at.p);
  }
  for (int k = 0; k < p->npair; k++) {
    int a = p->pairs[k].body_a, b = p->pairs[k].body_b;
    double square = 0, reach = j->radii[a] + j->radii[b];
    for (int i = 0; i < 3; i++) {
      double d = j->solids[a].position[i] - j->solids[b].position[i];
      square += d * d;
    }
    if (square > reach * reach) continue;
    j->asked++;
    j->least = fmin(j->least, fcl_ask(&j->solids[a], &j->solids[b]).distance);
  }
}

/* Judge a path at every n-th step. */
static void judge_path(judge *j, const double *path, int count, int each) {
  plain *p = j->truth;
  for (int i = 0; i + 1 < count; i++) {
    const double *x = path + (size_t)i * (size_t)p->nx;
    double far = 0, at[BRIO_JOINTS_PLANNED];
    for (int k = 0; k < p->nx; k++) far += p->levers[p->variables[k]] * fabs(x[p->nx + k] - x[k]);
    int n = (int)ceil(far / STEP) + 1;
    for (int s = 0; s <= n; s += each) {
      for (int k = 0; k < p->nx; k++) at[k] = x[k] + (x[p->nx + k] - x[k]) * s / n;
      look(j, at);
    }
  }
}

static void solve(const problem *task, const problem_robot *robot, const char *where, int each) {
  brio_error err = {0};
  brio_joint_checker *checker = problem_checker(task, robot, &err);
  brio_joint_search_request request = {.checker = checker,
                                       .start = task->start,
                                       .goals = task->goal,
                                       .ngoal = 1,
                                       .seed = 1,
                                       .settings = brio_joint_search_settings_default()};
  brio_joint_search *search = brio_joint_search_new(&request, &err);
  while (search && !brio_joint_search_over(search)) brio_joint_search_work(search, 1000, &err);
  int count = 0;
  const double *path = search ? brio_joint_search_path(search, &count) : NULL;
  if (path) {
    judge j;
    start(&j, task, robot);
    judge_path(&j, path, count, each);
    CHECK(!(j.least <= 0), "%s %d: FCL has %g m", where, task->index, j.least);
    CHECK(j.asked > 0, "%s %d: nothing was near", where, task->index);
    end(&j);
  }
  brio_joint_search_free(search);
  brio_joint_checker_free(checker);
}

static void fcl_finds_no_contact_on_planned_paths(void) {
  static problem list[PROBLEMS];
  char path[600];
  snprintf(path, sizeof path, "%s/data/planning/README.md", check_shared() ? check_shared() : "");
  if (!check_shared() || access(path, R_OK) || system("xzcat --version >/dev/null 2>&1"))
    SKIP("no shared planning problems, or no xzcat");
  bool soak = check_scale() > 1;
  for (int r = 0; r < (soak ? PROBLEM_ROBOTS : 1); r++) {
    problem_robot robot;
    brio_error err = {0};
    CHECK(problem_robot_load(&robot, check_shared(), problem_robots[r], &err), "%s", err.message);
    for (int e = 0; e < PROBLEM_ENVIRONMENTS; e++) {
      int count = problems_read(list, &robot, check_shared(), problem_robots[r], problem_environments[e]);
      for (int i = 0; i < count && i < (soak ? 4 : 1); i++)
        solve(&list[i], &robot, problem_environments[e], soak || e == 0 ? 1 : 8);
    }
    problem_robot_free(&robot);
  }
}

CHECK_SUITE(CHECK_TEST(fcl_finds_no_contact_on_planned_paths))
