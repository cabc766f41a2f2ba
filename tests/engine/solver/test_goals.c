/* Goal kinds: what they accept and how they blend. */
#include "solver/goal.h"
#include "tests/check.h"

static brio_goal make(const char *kind, const double *numbers) {
  brio_error err = {0};
  brio_goal goal = {.kind = brio_goal_kind_find(kind, &err)};
  CHECK(goal.kind != NULL, "%s", err.message);
  memcpy(goal.v, numbers, (size_t)goal.kind->count * sizeof *numbers);
  return goal;
}

static bool accepts(const char *kind, const double *numbers, brio_error *err) {
  brio_goal goal = make(kind, numbers);
  return goal.kind->check(&goal, err);
}

static void every_kind_is_whole(void) {
  int count = 0;
  for (; brio_goal_kinds[count]; count++) {
    const brio_goal_kind *kind = brio_goal_kinds[count];
    CHECK(kind->doc[0] && kind->example[0], "%s", kind->name);
    CHECK(kind->count > 0 && kind->count <= BRIO_GOAL_NUMBERS, "%s", kind->name);
    for (int i = 0; i < kind->count; i++) CHECK(kind->fields[i] != NULL, "%s", kind->name);
    CHECK(brio_goal_kind_find(kind->name, NULL) == kind, "%s", kind->name);
  }
  CHECK(count == 7, "%d kinds", count);
}

static void wrong_name_has_a_hint(void) {
  brio_error err = {0};
  CHECK(!brio_goal_kind_find("rotatoin", &err), "no such kind");
  CHECK_HAS(err.message, "did you mean 'rotation'?");
}

static void ends_are_met(void) {
  const double from[] = {0.1, 0.2, 0.3, 0, 0, 0.6, 0.8, 0.1, 0.2, 0.3};
  const double to[] = {1, 2, 3, 0.6, 0, 0, 0.8, 1, 2, 3};
  for (int k = 0; brio_goal_kinds[k]; k++) {
    brio_goal a = make(brio_goal_kinds[k]->name, from), b = make(brio_goal_kinds[k]->name, to), out;
    brio_error err = {0};
    if (!a.kind->check(&a, &err) || !b.kind->check(&b, &err)) {
      CHECK(strstr(a.kind->name, "rotation") != NULL, "%s: %s", a.kind->name, err.message);
      continue;
    }
    a.kind->blend(&a, &b, 0, &out);
    for (int i = 0; i < a.kind->count; i++) CHECK_NEAR(out.v[i], a.v[i], 1e-12, "%s %d", a.kind->name, i);
    a.kind->blend(&a, &b, 1, &out);
    for (int i = 0; i < a.kind->count; i++) CHECK_NEAR(out.v[i], b.v[i], 1e-12, "%s %d", a.kind->name, i);
  }
}

static void rotations_go_the_short_way(void) {
  double s = sin(0.1), c = cos(0.1);
  brio_goal a = make("rotation", (double[]){0, 0, s, c}), b = make("rotation", (double[]){0, 0, s, -c}), out;
  a.kind->blend(&a, &b, 0.5, &out);
  CHECK_NEAR(fabs(out.v[3]), 1, 1e-12, "from 0.2 rad to -0.2 rad, half way is none");
  for (double share = 0; share <= 1; share += 0.1) {
    a.kind->blend(&a, &b, share, &out);
    double angle = 2 * atan2(out.v[2], out.v[3]);
    if (angle > BRIO_PI) angle -= 2 * BRIO_PI;
    CHECK_NEAR(angle, 0.2 - 0.4 * share, 1e-12, "even speed");
  }
}

static void blending_may_overwrite(void) {
  brio_goal a = make("ellipse", (double[]){0, 0, 0, 0, 0, 0, 1, 1, 1, 1});
  brio_goal b = make("ellipse", (double[]){2, 4, 6, 0, 0, 1, 0, 3, 3, 3});
  a.kind->blend(&a, &b, 0.5, &a);
  CHECK_NEAR(a.v[0], 1, 1e-12, "position");
  CHECK_NEAR(a.v[5], sqrt(0.5), 1e-12, "orientation");
  CHECK_NEAR(a.v[9], 2, 1e-12, "size");
}

static void wrong_numbers_are_refused(void) {
  brio_error err = {0};
  CHECK(!accepts("rotation", (double[]){0, 0, 0, 0}, &err), "no length");
  CHECK_HAS(err.message, "quaternion");
  CHECK(!accepts("size", (double[]){0.1, -0.1, 0}, &err), "negative");
  CHECK_HAS(err.message, "size goal's y");
  CHECK(!accepts("ellipse", (double[]){0, 0, 0, 0, 0, 0, 1, 0.1, 0, 0.1}, &err), "flat ellipsoid");
  CHECK_HAS(err.message, "size.y");
  CHECK(!accepts("rotation_range", (double[]){0, 0, 0, 1, 4}, &err), "more than half a turn");
  CHECK(!accepts("scalar_range", (double[]){0, -1}, &err), "negative delta");
  CHECK(accepts("size", (double[]){0, 0, 0}, &err), "no size is a size");
}

static void huge_blends_are_finite(void) {
  brio_goal a = make("translation", (double[]){-1.7e308, 0, 0}), out;
  brio_goal b = make("translation", (double[]){1.7e308, 0, 0});
  a.kind->blend(&a, &b, 0.5, &out);
  CHECK(isfinite(out.v[0]), "%g", out.v[0]);
}

CHECK_MAIN(CHECK_TEST(every_kind_is_whole), CHECK_TEST(wrong_name_has_a_hint), CHECK_TEST(ends_are_met),
           CHECK_TEST(rotations_go_the_short_way), CHECK_TEST(blending_may_overwrite),
           CHECK_TEST(wrong_numbers_are_refused), CHECK_TEST(huge_blends_are_finite))
