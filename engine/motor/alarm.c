/* The conditions that are watched on each axis: see alarm.h. */
#include "motor/alarm.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/name.h"

const brio_alarm_axis brio_alarm_unknown = {NAN, NAN, NAN, NAN, NAN, 0};

/* Where a value of brio_alarm_axis is: one function checks all conditions by it. */
#define FIELD(name) offsetof(brio_alarm_axis, name)

/* Name, unit, doc, sentence, limit, s until it counts, excess, value. */
const brio_alarm_kind brio_alarm_kinds[BRIO_ALARM_KINDS] = {
    {"tracking_error", "rad, m or 1", "An axis is off all its commands of the last 0.2 s.",
     "is off its command by %.3g, more than %.3g", 0.3, 0.05, FIELD(error), false, false},
    {"over_temperature", "C", "A motor is too hot.", "is at %.3g C, above %.3g", 80, 0.1, FIELD(temperature),
     false, false},
    {"over_current", "A", "A motor draws too much.", "draws %.3g A, above %.3g", INFINITY, 0.2,
     FIELD(current), true, false},
    {"over_load", "1", "A motor works too hard.", "is under %.3g of its greatest torque, above %.3g",
     INFINITY, 2, FIELD(load), true, false},
    {"low_voltage", "V", "A motor has too little voltage.", "has %.3g V, below %.3g", -INFINITY, 0.5,
     FIELD(voltage), false, true},
};

/* The value of a condition, or its magnitude where the sign does not matter. NaN: unknown. */
static inline double value_of(const brio_alarm_kind *kind, const brio_alarm_axis *axis) {
  double value;
  memcpy(&value, (const char *)axis + kind->field, sizeof value);
  return kind->absolute ? fabs(value) : value;
}

double brio_alarm_value(const brio_alarm_kind *kind, const brio_alarm_axis *axis) {
  return value_of(kind, axis);
}

/* In the order of brio_reaction. */
static const char *const reactions[BRIO_REACTION_COUNT + 1] = {"report", "hold", "relax", "panic", NULL};

/* Iterators for the hint in error messages: the name at index i, NULL behind the last. */
static const char *reaction_at(const void *list, int i) { return ((const char *const *)list)[i]; }
static const char *kind_at(const void *list, int i) {
  return i < BRIO_ALARM_KINDS ? ((const brio_alarm_kind *)list)[i].name : NULL;
}

const char *brio_reaction_name(brio_reaction reaction) { return reactions[reaction]; }

int brio_reaction_find(const char *name, brio_error *err) {
  char hint[96];
  for (int i = 0; i < BRIO_REACTION_COUNT; i++)
    if (strcmp(reactions[i], name) == 0) return i;
  brio_fail(err, BRIO_MISUSE, "there is no reaction '%.40s'%s: report, hold, relax or panic", name,
            brio_name_hint(name, reaction_at, reactions, hint));
  return -1;
}

/* Linear: five conditions. */
int brio_alarm_find(const char *name, brio_error *err) {
  char hint[96];
  for (int i = 0; i < BRIO_ALARM_KINDS; i++)
    if (strcmp(brio_alarm_kinds[i].name, name) == 0) return i;
  brio_fail(err, BRIO_MISUSE, "nothing named '%.40s' is watched%s", name,
            brio_name_hint(name, kind_at, brio_alarm_kinds, hint));
  return -1;
}

bool brio_alarm_start(brio_alarm *watch, brio_arena *arena, int count, brio_reaction reaction) {
  /* A timer and a flag for each axis and condition, in rows of BRIO_ALARM_KINDS. One more of each, so that no
  ** count is 0. */
  size_t n = (size_t)count * BRIO_ALARM_KINDS + 1;
  *watch = (brio_alarm){.count = count,
                        .since = BRIO_TAKE(arena, double, n),
                        .told = BRIO_TAKE(arena, bool, n),
                        .runs = BRIO_TAKE(arena, bool, (size_t)count + 1),
                        .grip = BRIO_TAKE(arena, bool, (size_t)count + 1)};
  for (int k = 0; k < BRIO_ALARM_KINDS; k++)
    watch->settings[k] = (brio_alarm_setting){brio_alarm_kinds[k].limit, brio_alarm_kinds[k].after, reaction};
  return watch->since && watch->told && watch->runs && watch->grip;
}

/* Whether any condition of an axis is wrong.  A comparison with NaN is false, so an unknown value is not. */
static inline bool is_any_wrong(const brio_alarm *watch, const brio_alarm_axis *state) {
  bool any = false;
  for (int k = 0; k < BRIO_ALARM_KINDS; k++) {
    double value = value_of(&brio_alarm_kinds[k], state), limit = watch->settings[k].limit;
    any |= brio_alarm_kinds[k].below ? value < limit : value > limit;
  }
  return any;
}

/* O(conditions) for one axis, each period. */
unsigned brio_alarm_step(brio_alarm *watch, int axis, const brio_alarm_axis *state, double dt) {
  assert(axis >= 0 && axis < watch->count);
  unsigned news = 0;
  /* Mostly nothing is wrong, and nothing was. */
  bool wrong = is_any_wrong(watch, state);
  if (!wrong && !watch->runs[axis]) return 0;
  watch->runs[axis] = wrong;
  for (int k = 0; k < BRIO_ALARM_KINDS; k++) {
    const brio_alarm_kind *kind = &brio_alarm_kinds[k];
    int at = axis * BRIO_ALARM_KINDS + k;
    double value = value_of(kind, state), limit = watch->settings[k].limit;
    bool beyond = kind->below ? value < limit : value > limit;
    /* Right again, or a hand that an object stops: the condition may be reported once more. */
    if (!beyond || (watch->grip[axis] && kind->field == FIELD(error))) {
      watch->since[at] = 0;
      watch->told[at] = false;
      continue;
    }
    /* It was wrong since the report before, which is long ago where reports are rare. */
    if (watch->since[at] == 0 && kind->field == FIELD(error)) watch->since[at] = state->since;
    watch->since[at] += dt;
    /* 1e-9 s: the sum of many periods may be less than `after` by rounding. */
    if (watch->told[at] || watch->since[at] < watch->settings[k].after - 1e-9) continue;
    watch->told[at] = true;
    news |= 1u << k;
  }
  return news;
}
