/* The momentum observer: set-up, one update, and which thresholds are exceeded.  Formulas in observer.h.
**
** Momentum and its rate are kept for the last two updates: a step needs both its ends.  Where torques are
** those of the moment they are added to the rate at once, so that a step has the mean of both ends of all
** that is known.  An update is O(joints): one pass of generalized momentum, and one filter step for each
** variable. */
#include "dynamics/observer/observer.h"

#include <assert.h>
#include <string.h>

#include "dynamics/observer/observer_internal.h"

brio_observer_options brio_observer_default_options(void) {
  return (brio_observer_options){.gain = 25, .max_gap = 0.1, .release = 0.7};
}

/* Whether a number is one, and above 0, or at least 0. */
static bool positive(double x) {
  return x > 0 && isfinite(x);
}
static bool not_negative(double x) {
  return x >= 0 && isfinite(x);
}

/* Name the option that is out of its range. */
static bool check_options(const brio_observer_options *o, brio_error *err) {
  /* One row an option: NaN fails every comparison. */
  const struct {
    const char *name, *expected;
    bool good;
    double value;
  } rows[] = {{"gain", "a number above 0 (1/s)", positive(o->gain), o->gain},
              {"max_gap", "a number above 0 (s)", positive(o->max_gap), o->max_gap},
              {"filter", "a number of at least 0 (s)", not_negative(o->filter), o->filter},
              {"time", "a number of at least 0 (s)", not_negative(o->time), o->time},
              {"release", "a number above 0 and up to 1", o->release > 0 && o->release <= 1, o->release}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!rows[i].good)
      return brio_fail(err, BRIO_MISUSE, "observer: %s must be %s, not %g", rows[i].name, rows[i].expected,
                       rows[i].value);
  return true;
}

/* NaN fails the comparison; infinity means that the variable is not watched. */
static bool check_thresholds(const brio_robot *robot, const double *thresholds, brio_error *err) {
  for (int i = 0; thresholds && i < robot->nvariable; i++)
    if (!(thresholds[i] > 0))
      return brio_fail(err, BRIO_MISUSE,
                       "observer: the threshold of variable '%.80s' must be a number above 0, not %g",
                       robot->variables[i].name, thresholds[i]);
  return true;
}

/* Allocate everything, with the thresholds as the observer's own. */
static bool make_room(brio_observer *observer) {
  const brio_robot *robot = observer->dynamics->robot;
  brio_arena *arena = &observer->arena;
  int nv = robot->nv, n = robot->nvariable;
  struct brio_observer_private *work = BRIO_TAKE(arena, struct brio_observer_private, 1);
  if (!work) return false;
  observer->work = work;
  /* Copies of the last update, and two sets that take turns. */
  work->q = BRIO_TAKE(arena, double, robot->nq);
  work->residual = BRIO_TAKE(arena, double, nv);
  work->left = BRIO_TAKE(arena, double, nv);
  for (int k = 0; k < 2; k++) {
    work->momentum[k] = BRIO_TAKE(arena, double, nv);
    work->rate[k] = BRIO_TAKE(arena, double, nv);
  }
  /* For wrenches and thresholds; a robot may have no variable. */
  work->rows = BRIO_TAKE(arena, double, 6 * nv);
  work->watches = BRIO_TAKE(arena, brio_observer_watch, n + 1);
  double *thresholds = BRIO_TAKE(arena, double, n + 1);
  if (!work->q || !work->residual || !work->left || !work->momentum[0] || !work->momentum[1] ||
      !work->rate[0] || !work->rate[1] || !work->rows || !work->watches || !thresholds)
    return false;
  /* Without thresholds no variable is watched. */
  for (int i = 0; i < n; i++)
    thresholds[i] = observer->options.thresholds ? observer->options.thresholds[i] : INFINITY;
  observer->options.thresholds = thresholds;
  observer->residual = work->residual;
  return true;
}

bool brio_observer_start(brio_observer *observer, brio_dynamics *dynamics,
                         const brio_observer_options *options, brio_error *err) {
  /* Options first: what is wrong with them needs no memory. */
  *observer = (brio_observer){.dynamics = dynamics, .options = *options};
  if (!check_options(options, err) || !check_thresholds(dynamics->robot, options->thresholds, err))
    return false;
  brio_arena_start(&observer->arena, 4096);
  if (!make_room(observer)) {
    brio_observer_end(observer);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the observer of robot '%.80s'",
                     dynamics->robot->name);
  }
  /* Without a time constant a filter passes everything. */
  for (int i = 0; i < dynamics->robot->nvariable; i++)
    brio_lowpass_start(&observer->work->watches[i].filter, options->filter > 0, options->filter, 0);
  return true;
}

void brio_observer_end(brio_observer *observer) {
  brio_arena_end(&observer->arena);
  *observer = (brio_observer){0};
}

void brio_observer_reset(brio_observer *observer) {
  struct brio_observer_private *work = observer->work;
  const brio_robot *robot = observer->dynamics->robot;
  /* Filters start at rest, and what was reported ends without an event of its own. */
  work->begun = false;
  memset(work->residual, 0, (size_t)robot->nv * sizeof *work->residual);
  for (int i = 0; i < robot->nvariable; i++) {
    brio_observer_watch *watch = &work->watches[i];
    brio_lowpass_place(&watch->filter, 0);
    watch->above = watch->since = 0, watch->hit = false;
  }
}

/* Whether a number can be computed with: what is larger, or not finite, would stay in the residual for good.
 */
static bool usable(double x) {
  return fabs(x) < 1e100;
}

/* Name the first of `count` numbers that is not usable: `base` numbers of the base, then the variables. */
static bool check_numbers(const brio_robot *robot, const char *what, const double *numbers, int count,
                          int base, brio_error *err) {
  for (int i = 0; i < count; i++) {
    if (usable(numbers[i])) continue;
    const char *name = i < base ? "the base" : robot->variables[i - base].name;
    return brio_fail(err, BRIO_MISUSE,
                     "observer: the %s of %.80s must be a finite number below 1e100, not %g", what, name,
                     numbers[i]);
  }
  return true;
}

/* Whether the input can be taken in. */
static bool check_input(const brio_observer *observer, const double *q, const double *u, const double *tau,
                        double dt, brio_error *err) {
  const brio_robot *robot = observer->dynamics->robot;
  if (observer->work->begun && !positive(dt))
    return brio_fail(err, BRIO_MISUSE,
                     "observer: dt must be a number above 0 (s since the update before), not %g", dt);
  return check_numbers(robot, "configuration", q, robot->nq, BRIO_BASE_NQ, err) &&
         check_numbers(robot, "velocity", u, robot->nv, BRIO_BASE_NV, err) &&
         (!tau || check_numbers(robot, "force", tau, robot->nv, BRIO_BASE_NV, err));
}

/* Write momentum and rate of the state now into set `k`. Errors: misuse: numbers that grow beyond all use. */
static bool find_momentum(brio_observer *observer, const double *q, const double *u, const double *tau, int k,
                          brio_error *err) {
  brio_dynamics *dynamics = observer->dynamics;
  double *p = observer->work->momentum[k], *rate = observer->work->rate[k];
  brio_dynamics_generalized_momentum(dynamics, q, u, p, rate);
  for (int i = dynamics->work->first; i < dynamics->robot->nv; i++) {
    if (!usable(p[i]) || !usable(rate[i]))
      return brio_fail(
          err, BRIO_MISUSE,
          "observer: the motion has a momentum of %g that changes by %g; expected numbers below 1e100", p[i],
          rate[i]);
    if (tau && !observer->options.held) rate[i] += tau[i];
  }
  return true;
}

/* One step of the residual: the mean external force of the step, through a low-pass that holds it.  A fixed
** base has no rows. */
static void step_residual(brio_observer *observer, const double *tau, double dt) {
  struct brio_observer_private *work = observer->work;
  const brio_dynamics *dynamics = observer->dynamics;
  const double *p = work->momentum[work->now], *before = work->momentum[1 - work->now];
  const double *rate = work->rate[work->now], *rate_before = work->rate[1 - work->now];
  /* expm1 keeps the digits of short steps; share / dt is at most the gain, however short they are. */
  double share = -expm1(-observer->options.gain * dt), speed = share / dt;
  for (int i = dynamics->work->first; i < dynamics->robot->nv; i++) {
    double known = (rate[i] + rate_before[i]) / 2;
    /* A torque that was held is its own mean; others are in the rates of both ends. */
    if (observer->options.held && tau) known += tau[i];
    work->residual[i] += speed * (p[i] - before[i]) - share * (known + work->residual[i]);
  }
}

/* Compare the residual of a variable with its threshold. */
static void step_watch(brio_observer_watch *watch, double torque, double threshold,
                       const brio_observer_options *options, double dt) {
  assert(watch->hit || watch->since == 0);
  watch->torque = brio_lowpass_step(&watch->filter, torque, dt);
  double size = fabs(watch->torque);
  watch->above = size > threshold ? watch->above + dt : 0;
  /* What is reported stays so until it is well below. */
  bool hit =
      watch->hit ? size >= options->release * threshold : size > threshold && watch->above >= options->time;
  watch->since = hit && watch->hit ? watch->since + dt : 0;
  watch->hit = hit;
}

bool brio_observer_update(brio_observer *observer, const double *q, const double *u, const double *tau,
                          double dt, brio_error *err) {
  struct brio_observer_private *work = observer->work;
  const brio_robot *robot = observer->dynamics->robot;
  /* The two ends of a step take turns.  Nothing of the last one is touched before all input is checked. */
  int next = 1 - work->now;
  if (!check_input(observer, q, u, tau, dt, err) || !find_momentum(observer, q, u, tau, next, err))
    return false;
  work->now = next;
  if (work->begun && dt > observer->options.max_gap) {
    observer->gaps++;
    brio_observer_reset(observer);
  }
  memcpy(work->q, q, (size_t)robot->nq * sizeof *q);
  /* The first update, and that after a gap, only begins a step. */
  if (work->begun) {
    step_residual(observer, tau, dt);
    for (int i = 0; i < robot->nvariable; i++)
      step_watch(&work->watches[i], work->residual[BRIO_BASE_NV + i], observer->options.thresholds[i],
                 &observer->options, dt);
  }
  work->begun = true;
  return true;
}

/* Take the mark off the variables that carry the joint of a variable.  O(depth) */
static void unmark_carriers(const brio_robot *robot, int variable, brio_observer_watch *watches) {
  /* From the joint's parent inward: its own variables are on the same place of the branch. */
  int own = robot->variables[variable].joint;
  for (int link = robot->joints[own].parent; link > 0; link = robot->links[link].parent) {
    const brio_joint *joint = &robot->joints[robot->links[link].joint];
    /* A mimic joint has its source's variable, which may be this one. */
    for (int k = 0; k < joint->nvariable; k++)
      if (joint->variable + k != variable) watches[joint->variable + k].outermost = false;
  }
}

int brio_observer_collisions(const brio_observer *observer, brio_observer_collision *list) {
  const struct brio_observer_private *work = observer->work;
  const brio_robot *robot = observer->dynamics->robot;
  /* All begin as the outermost; each takes the mark off those that carry it. */
  int count = 0;
  for (int i = 0; i < robot->nvariable; i++) work->watches[i].outermost = work->watches[i].hit;
  for (int i = 0; i < robot->nvariable; i++)
    if (work->watches[i].hit) unmark_carriers(robot, i, work->watches);
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_observer_watch *watch = &work->watches[i];
    if (!watch->hit) continue;
    list[count++] = (brio_observer_collision){.variable = i,
                                              .torque = watch->torque,
                                              .threshold = observer->options.thresholds[i],
                                              .since = watch->since,
                                              .link = robot->joints[robot->variables[i].joint].child,
                                              .outermost = watch->outermost};
  }
  return count;
}

void brio_observer_noise(const brio_observer *observer, const double *q, const double *of_u,
                         const double *of_tau, double dt, double *out) {
  brio_dynamics *dynamics = observer->dynamics;
  const double *mass = brio_dynamics_mass(dynamics, q);
  int nv = dynamics->robot->nv, first = dynamics->work->first;
  /* The filter of a difference, and of a mean. */
  double a = exp(-observer->options.gain * dt), difference = 2 * (1 - a) * (1 - a) / (dt * dt * (1 + a));
  double mean = observer->options.held ? (1 - a) / (1 + a) : (1 - a) / 2;
  /* Momentum mixes the velocities by the mass matrix; torques reach their own row. */
  for (int i = 0; i < nv; i++) {
    double sum = 0;
    for (int k = first; of_u && k < nv; k++) sum += mass[i * nv + k] * of_u[k] * mass[i * nv + k] * of_u[k];
    double torque = of_tau && i >= first ? of_tau[i] : 0;
    out[i] = sqrt(difference * sum + mean * torque * torque);
  }
}
