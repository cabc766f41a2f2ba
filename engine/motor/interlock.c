/* The kinds of interlock: see interlock.h. Each rule is an automaton: `phase` is its state, `since` the time
** in it, s. A step is O(1). */
#include "motor/interlock.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/name.h"
#include "math/scalar.h"

enum { WELL, NOTICED, RAMPING, KEPT, RELEASING }; /* phases; from RAMPING on the room is narrowed */

/* Whether the watched axis is beyond its extremes. NaN is not: a comparison with it is false. */
static bool is_extreme(const brio_interlock *rule, const brio_interlock_axis *axes) {
  double position = axes[rule->watched].position;
  return position < rule->below || position > rule->above;
}

/* Narrow the range of the limited axis towards [lower, upper]: `share` 0 changes nothing, 1 is all the way.
** An axis without limits has nothing to interpolate from and is narrowed at once. */
static void narrow(const brio_interlock *rule, brio_interlock_axis *axes, double lower, double upper,
                   double share) {
  brio_interlock_axis *axis = &axes[rule->limited];
  if (!(share > 0)) return;
  double from = share < 1 && isfinite(axis->lower) ? axis->lower : lower,
         to = share < 1 && isfinite(axis->upper) ? axis->upper : upper;
  /* Two rules on one axis: the range never becomes empty, and the earlier rule prevails. */
  axis->lower = fmax(axis->lower, fmin(axis->upper, from + share * (lower - from)));
  axis->upper = fmin(axis->upper, fmax(axis->lower, to + share * (upper - to)));
}

/* Enter a phase: its time starts at 0. */
static void enter(brio_interlock *rule, int phase) {
  rule->phase = phase;
  rule->since = 0;
}

/* prevent: narrow while the watched axis is extreme, at once and without memory. */
static void step_prevent(brio_interlock *rule, brio_interlock_axis *axes, double dt) {
  (void)dt;
  rule->phase = is_extreme(rule, axes) ? KEPT : WELL;
  if (rule->phase) narrow(rule, axes, rule->lower, rule->upper, 1);
}

/* Go to phase `next` if the present one has lasted long enough. */
static void pass(brio_interlock *rule, double lasts, int next) {
  if (rule->since >= lasts) enter(rule, next);
}

/* timing: WELL -> NOTICED -> RAMPING -> KEPT -> RELEASING -> WELL; NOTICED returns if it was short. */
static void step_timing(brio_interlock *rule, brio_interlock_axis *axes, double dt) {
  bool extreme = is_extreme(rule, axes);
  rule->since += dt;
  /* Times of 0 s let several phases pass in one step, hence no `else`. */
  if (rule->phase == WELL && extreme) enter(rule, NOTICED);
  if (rule->phase == NOTICED && !extreme) enter(rule, WELL);
  if (rule->phase == NOTICED) pass(rule, rule->after, RAMPING);
  if (rule->phase == RAMPING) pass(rule, rule->ramp, KEPT);
  if (rule->phase == KEPT) pass(rule, rule->keep, RELEASING);
  if (rule->phase == RELEASING) pass(rule, rule->release, WELL);
  /* since < ramp and since < release here, so the divisors are above 0. */
  if (rule->phase == RAMPING) narrow(rule, axes, rule->lower, rule->upper, rule->since / rule->ramp);
  if (rule->phase == KEPT) narrow(rule, axes, rule->lower, rule->upper, 1);
  if (rule->phase == RELEASING) narrow(rule, axes, rule->lower, rule->upper, 1 - rule->since / rule->release);
}

/* load: WELL -> NOTICED -> KEPT -> WELL, resting at one position while KEPT. */
static void step_load(brio_interlock *rule, brio_interlock_axis *axes, double dt) {
  bool extreme = fabs(axes[rule->watched].load) > rule->load; /* an unknown load (NaN) is not extreme */
  rule->since += dt;
  if (rule->phase == WELL && extreme) enter(rule, NOTICED);
  if (rule->phase == NOTICED && !extreme) enter(rule, WELL);
  if (rule->phase == NOTICED) pass(rule, rule->after, KEPT);
  if (rule->phase == KEPT) pass(rule, rule->keep, WELL);
  if (rule->phase == KEPT) narrow(rule, axes, rule->rest, rule->rest, 1);
}

const brio_interlock_kind brio_interlock_kinds[] = {
    {"prevent", "while one axis is extreme, another has less room", step_prevent},
    {"timing", "an axis that was extreme for long is led back for a while", step_timing},
    {"load", "an axis under a great load for long rests for a while", step_load},
    {NULL, NULL, NULL},
};

/* For brio_name_hint: NULL behind the last kind. */
static const char *name_at(const void *kinds, int i) { return ((const brio_interlock_kind *)kinds)[i].name; }

const brio_interlock_kind *brio_interlock_find(const char *name, brio_error *err) {
  for (const brio_interlock_kind *kind = brio_interlock_kinds; kind->name; kind++)
    if (strcmp(kind->name, name) == 0) return kind;
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no interlock '%.64s'%s", name,
            brio_name_hint(name, name_at, brio_interlock_kinds, hint));
  return NULL;
}

/* Reject indices out of range, an empty room, NaN, and times below 0 or without end. */
bool brio_interlock_check(const brio_interlock *rule, int count, brio_error *err) {
  const double times[] = {rule->after, rule->ramp, rule->keep, rule->release};
  if (rule->watched < 0 || rule->watched >= count || rule->limited < 0 || rule->limited >= count)
    return brio_fail(err, BRIO_MISUSE, "an interlock is between two of %d axes, not %d and %d", count,
                     rule->watched, rule->limited);
  if (!(rule->lower <= rule->upper) || isnan(rule->below) || isnan(rule->above) || isnan(rule->load) ||
      !isfinite(rule->rest))
    return brio_fail(err, BRIO_MISUSE,
                     "interlock '%s': lower may not be above upper, and every number must be one",
                     rule->kind->name);
  for (int i = 0; i < 4; i++)
    if (!(times[i] >= 0 && times[i] < INFINITY))
      return brio_fail(err, BRIO_MISUSE, "interlock '%s': its times must be at least 0 s, not %g",
                       rule->kind->name, times[i]);
  return true;
}

bool brio_interlock_step(brio_interlock *rule, brio_interlock_axis *axes, double dt) {
  assert(rule->kind && rule->phase >= WELL && rule->phase <= RELEASING && dt >= 0);
  /* Motion thread: each rule changes its own state and the range of one axis. */
  rule->kind->step(rule, axes, dt);
  return rule->phase > NOTICED;
}
