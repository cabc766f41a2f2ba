/* Alarms: each condition is reported once after its time, and again only after it was cleared. */
#include "motor/alarm.h"

#include "tests/check.h"

static brio_arena arena;

static brio_alarm watching(brio_reaction reaction) {
  brio_alarm watch;
  brio_arena_start(&arena, 4096);
  CHECK(brio_alarm_start(&watch, &arena, 2, reaction), "memory");
  return watch;
}

/* An axis with only this known. */
static brio_alarm_axis knows(int kind, double value) {
  brio_alarm_axis a = brio_alarm_unknown;
  double *fields[BRIO_ALARM_KINDS] = {&a.error, &a.temperature, &a.current, &a.load, &a.voltage};
  *fields[kind] = value;
  return a;
}

static void each_condition(void) {
  const double limits[] = {0.3, 70, 2, 0.8, 6}, wrong[] = {0.31, 71, -2.1, -0.9, 5.9},
               right[] = {0.29, 69, 1.9, 0.7, 6.1};
  for (int k = 0; k < BRIO_ALARM_KINDS; k++) {
    brio_alarm watch = watching(BRIO_REACTION_HOLD);
    watch.settings[k].limit = limits[k];
    watch.settings[k].after = 0.1;
    brio_alarm_axis bad = knows(k, wrong[k]), good = knows(k, right[k]), unknown = knows(k, NAN);
    unsigned news = 0;
    int told_at = 0;
    for (int n = 1; n <= 300; n++) {
      unsigned now = brio_alarm_step(&watch, 1, &bad, 0.001);
      CHECK(brio_alarm_step(&watch, 0, &good, 0.001) == 0, "the other axis is well");
      if (now && !told_at) told_at = n;
      CHECK(!(news & now), "told once");
      news |= now;
    }
    CHECK(news == 1u << k && told_at == 100, "%s after %d ms", brio_alarm_kinds[k].name, told_at);
    CHECK(brio_alarm_step(&watch, 1, &unknown, 1) == 0, "unknown is not wrong");
    brio_alarm_step(&watch, 1, &good, 0.001);
    for (int n = 0; n < 99; n++) CHECK(!brio_alarm_step(&watch, 1, &bad, 0.001), "its time begins anew");
    CHECK(brio_alarm_step(&watch, 1, &bad, 0.001) == 1u << k, "told again");
    brio_arena_end(&arena);
  }
}

static void names(void) {
  brio_error err;
  for (int k = 0; k < BRIO_ALARM_KINDS; k++)
    CHECK(brio_alarm_find(brio_alarm_kinds[k].name, &err) == k, "%d", k);
  for (int r = 0; r < BRIO_REACTION_COUNT; r++)
    CHECK(brio_reaction_find(brio_reaction_name((brio_reaction)r), &err) == r, "%d", r);
  CHECK(brio_alarm_find("over_temperatur", &err) == -1, "found");
  CHECK_HAS(err.message, "did you mean 'over_temperature'?");
  CHECK(brio_reaction_find("panik", &err) == -1, "found");
  CHECK_HAS(err.message, "panic");
}

static void nothing_is_wrong_by_default_where_nothing_is_known(void) {
  brio_alarm watch = watching(BRIO_REACTION_REPORT);
  brio_alarm_axis unknown = brio_alarm_unknown, usual = {0.1, 40, 30, 1, 0, 0};
  for (int n = 0; n < 5000; n++)
    CHECK(!brio_alarm_step(&watch, 0, &unknown, 0.001) && !brio_alarm_step(&watch, 1, &usual, 0.001),
          "after %d ms", n);
  brio_arena_end(&arena);
}

CHECK_SUITE(CHECK_TEST(each_condition), CHECK_TEST(names),
            CHECK_TEST(nothing_is_wrong_by_default_where_nothing_is_known))
