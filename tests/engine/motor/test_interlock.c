/* Interlocks: when each begins, the range that it leaves, its duration, and its release. */
#include "motor/interlock.h"

#include "base/random.h"
#include "tests/check.h"

static brio_interlock rule_of(const char *name) {
  brio_error err;
  brio_interlock rule = {.watched = 0,
                         .limited = 1,
                         .below = -INFINITY,
                         .above = 0.8,
                         .lower = -0.2,
                         .upper = 0.2,
                         .load = 5,
                         .rest = 0,
                         .after = 1,
                         .ramp = 0.5,
                         .keep = 2,
                         .release = 1};
  rule.kind = brio_interlock_find(name, &err);
  CHECK(rule.kind && brio_interlock_check(&rule, 2, &err), "%s: %s", name, err.message);
  return rule;
}

/* Give the axes their full ranges again and apply the rule for dt; return axis 1's upper end. */
static double upper_after(brio_interlock *rule, double position, double load, double dt, bool *acts) {
  brio_interlock_axis axes[2] = {{position, load, -1, 1}, {0.5, 0, -1, 1}};
  bool does = brio_interlock_step(rule, axes, dt);
  if (acts) *acts = does;
  CHECK(axes[0].lower == -1 && axes[0].upper == 1, "the watched axis keeps its room");
  CHECK(axes[1].lower <= axes[1].upper, "room is left");
  return axes[1].upper;
}

static void prevent(void) {
  brio_interlock rule = rule_of("prevent");
  bool acts;
  CHECK(upper_after(&rule, 0.5, 0, 0.001, &acts) == 1 && !acts, "all is well");
  CHECK(upper_after(&rule, 0.81, 0, 0.001, &acts) == 0.2 && acts, "at once");
  CHECK(upper_after(&rule, 0.79, 0, 0.001, &acts) == 1 && !acts, "and lets go");
}

static void timing(void) {
  brio_interlock rule = rule_of("timing");
  double t = 0, upper = 1;
  for (int n = 0; n < 900; n++, t += 0.001)
    CHECK(upper_after(&rule, 0.9, 0, 0.001, NULL) == 1, "allowed for a second");
  CHECK(upper_after(&rule, 0.1, 0, 0.001, NULL) == 1, "back in time");
  for (int n = 0; n < 999; n++)
    CHECK(upper_after(&rule, 0.9, 0, 0.001, NULL) == 1, "the second begins anew: %d", n);
  for (int n = 0; n < 510; n++) {
    double next = upper_after(&rule, 0.9, 0, 0.001, NULL);
    CHECK(next <= upper + 1e-12 && upper - next < 0.002, "a ramp: %g to %g", upper, next);
    upper = next;
  }
  CHECK_NEAR(upper, 0.2, 1e-12, "led back");
  for (int n = 0; n < 1980; n++) CHECK(upper_after(&rule, 0, 0, 0.001, NULL) == 0.2, "kept");
  for (int n = 0; n < 1100; n++) upper = upper_after(&rule, 0, 0, 0.001, NULL);
  CHECK(upper == 1, "let go");
}

static void load(void) {
  brio_interlock rule = rule_of("load");
  for (int n = 0; n < 5000; n++)
    CHECK(upper_after(&rule, 0, NAN, 0.001, NULL) == 1, "an unknown load is none");
  for (int n = 0; n < 990; n++) CHECK(upper_after(&rule, 0, -6, 0.001, NULL) == 1, "for a second");
  for (int n = 0; n < 20; n++) upper_after(&rule, 0, -6, 0.001, NULL);
  for (int n = 0; n < 1900; n++) CHECK(upper_after(&rule, 0, 0, 0.001, NULL) == 0, "rests");
  for (int n = 0; n < 200; n++) upper_after(&rule, 0, 0, 0.001, NULL);
  CHECK(upper_after(&rule, 0, 0, 0.001, NULL) == 1, "and goes on");
}

static void never_less_than_nothing(void) {
  brio_random r = brio_random_stream(3, "interlock");
  for (int n = 0; n < 20000; n++) {
    brio_interlock rules[3];
    brio_interlock_axis axes[2] = {{0, 0, -INFINITY, INFINITY}, {0.5, 0, -0.4, 0.6}};
    for (int i = 0; i < 3; i++) {
      rules[i] = rule_of(brio_interlock_kinds[i].name);
      rules[i].lower = brio_random_uniform(&r, -2, 2);
      rules[i].upper = rules[i].lower + brio_random_uniform(&r, 0, 1);
      rules[i].rest = brio_random_uniform(&r, -3, 3);
      rules[i].after = rules[i].ramp = 0;
      axes[0].position = 1, axes[0].load = 100;
      brio_interlock_step(&rules[i], axes, 0.001);
      CHECK(axes[1].lower <= axes[1].upper && axes[1].lower >= -0.4 && axes[1].upper <= 0.6, "%g to %g",
            axes[1].lower, axes[1].upper);
    }
  }
}

static void wrong_ones_are_refused(void) {
  brio_error err;
  brio_interlock rule = rule_of("timing");
  CHECK(!brio_interlock_find("prevents", &err), "found");
  CHECK_HAS(err.message, "did you mean 'prevent'?");
  CHECK(!brio_interlock_check(&rule, 1, &err), "an axis that is not there");
  rule.after = -1;
  CHECK(!brio_interlock_check(&rule, 2, &err), "a time");
  rule = rule_of("timing"), rule.lower = 1;
  CHECK(!brio_interlock_check(&rule, 2, &err), "ends that cross");
}

CHECK_SUITE(CHECK_TEST(prevent), CHECK_TEST(timing), CHECK_TEST(load), CHECK_TEST(never_less_than_nothing),
            CHECK_TEST(wrong_ones_are_refused))
