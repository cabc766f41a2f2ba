/* The whole posture near one that suits the robot: rows (q - nominal) / range for every variable, with half
** the range of its values (a radian or a meter where it has no ends), so that each joint counts by the
** share of its range. The nominal posture is the neutral one or, with `here`, that of the first solve after
** a reset. It is for what other goals leave open. */
#include "solver/terms/term.h"

typedef struct nominal_posture {
  bool here, taken;
  double nominal[]; /* nvariable */
} nominal_posture;

/* Room for a whole configuration, as the neutral posture is written in full before it is moved up. */
static size_t more(const brio_robot *robot) { return (size_t)robot->nq * sizeof(double); }

/* The neutral posture, without the base's numbers. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed, (void)err;
  nominal_posture *term = self;
  brio_robot_neutral(robot, term->nominal); /* nq, then moved up */
  for (int k = 0; k < robot->nvariable; k++) term->nominal[k] = term->nominal[BRIO_BASE_NQ + k];
  return true;
}

/* The next solve takes the posture that the robot has then, with `here`. */
static void reset(void *self) { ((nominal_posture *)self)->taken = false; }

/* With `here` the posture is that of the first solve after each reset. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  nominal_posture *term = self;
  (void)goal;
  if (!term->here || term->taken) return;
  for (int k = 0; k < last->robot->nvariable; k++) term->nominal[k] = last->past[0][BRIO_BASE_NQ + k];
  term->taken = true;
}

/* Inverse of half the range of a variable, or 1 per rad or m where it has no ends. */
static double scale_of(const brio_variable *variable) {
  double range = 0.5 * (variable->upper - variable->lower);
  return !variable->circular && range > 1e-6 && range < HUGE_VAL ? 1 / range : 1;
}

/* One row a variable; each depends on its own coordinate alone. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const nominal_posture *term = self;
  (void)goal;
  int n = at->robot->nvariable, nv = at->robot->nv;
  for (int k = 0; k < n; k++) {
    double scale = scale_of(&at->robot->variables[k]);
    r[k] = scale * (at->q[BRIO_BASE_NQ + k] - term->nominal[k]);
    if (jacobian) jacobian[k * nv + BRIO_BASE_NV + k] = scale;
  }
  return n;
}

static const brio_param params[] = {{.name = "here",
                                     .unit = "",
                                     .doc =
                                         "Whether the reference is the posture at the time when it was first "
                                         "wanted.",
                                     .type = BRIO_PARAM_FLAG,
                                     .offset = offsetof(nominal_posture, here)},
                                    {0}};

const brio_objective_kind brio_objective_nominal_posture = {
    .name = "nominal_posture",
    .doc = "Keeps the whole posture near the neutral one, or near that of the start, where other goals "
           "leave it open.",
    .example = "{here = true}",
    .category = "basic",
    .params = params,
    .size = sizeof(nominal_posture),
    .more = more,
    .bind = bind,
    .update = update,
    .reset = reset,
    .loss = &brio_loss_quadratic,
    .lively = &brio_loss_quadratic,
    .rows = brio_term_variable_rows,
    .residual = residual,
};
