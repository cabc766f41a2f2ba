/* Goal kinds: the values that they accept, and their blending. */
#include "solver/goal.h"
#include "tests/check.h"

static const brio_goal_kind *kind_of(const char *name) {
  brio_error err = {0};
  const brio_goal_kind *kind = brio_goal_kind_find(name, &err);
  CHECK(kind != NULL, "%s", err.message);
  return kind;
}

/* Make a goal of the kind's own numbers and those of `items` items. */
static brio_goal make_list(const char *name, const double *numbers, int items) {
  const brio_goal_kind *kind = kind_of(name);
  brio_error err = {0};
  brio_goal goal = {0};
  CHECK(brio_goal_make(kind, numbers, kind->count + items * kind->item, &goal, &err), "%s: %s", name,
        err.message);
  return goal;
}

static brio_goal make(const char *name, const double *numbers) { return make_list(name, numbers, 0); }

static bool accepts(const char *name, const double *numbers, brio_error *err) {
  brio_goal goal;
  return brio_goal_make(kind_of(name), numbers, kind_of(name)->count, &goal, err);
}

static void every_kind_is_whole(void) {
  int count = 0;
  for (; brio_goal_kinds[count]; count++) {
    const brio_goal_kind *kind = brio_goal_kinds[count];
    brio_error err = {0};
    CHECK(brio_goal_kind_check(kind, &err), "%s", err.message);
    CHECK(kind->doc[0] && kind->example[0], "%s", kind->name);
    CHECK(brio_goal_kind_find(kind->name, NULL) == kind, "%s", kind->name);
  }
  CHECK(count >= 10, "%d kinds", count);
}

static void wrong_name_has_a_hint(void) {
  brio_error err = {0};
  CHECK(!brio_goal_kind_find("rotatoin", &err), "no such kind");
  CHECK_HAS(err.message, "did you mean 'rotation'?");
}

static void ends_are_met(void) {
  const double from[] = {0.1, 0.2, 0.3, 0, 0, 0.6, 0.8, 0.1, 0.2, 0.3, 0.4, 0.5};
  const double to[] = {1, 2, 3, 0.6, 0, 0, 0.8, 1, 2, 3, 4, 5};
  for (int k = 0; brio_goal_kinds[k]; k++) {
    const brio_goal_kind *kind = brio_goal_kinds[k];
    int items = kind->item ? 2 : 0, count = kind->count + items * kind->item;
    brio_goal a, b, out;
    brio_error err = {0};
    if (!brio_goal_make(kind, from, count, &a, &err) || !brio_goal_make(kind, to, count, &b, &err)) {
      CHECK(strstr(kind->name, "rotation") != NULL, "%s: %s", kind->name, err.message);
      continue;
    }
    brio_goal_blend(&a, &b, 0, &out);
    for (int i = 0; i < count; i++) CHECK_NEAR(out.v[i], a.v[i], 1e-12, "%s %d", kind->name, i);
    brio_goal_blend(&a, &b, 1, &out);
    CHECK(out.items == items, "%s: %d items", kind->name, out.items);
    for (int i = 0; i < count; i++) CHECK_NEAR(out.v[i], b.v[i], 1e-12, "%s %d", kind->name, i);
  }
}

static void lists_grow_and_shrink_evenly(void) {
  const double few[] = {0, 0, 0, 1, 0, 0}, many[] = {0, 2, 0, 1, 2, 0, 3, 2, 0, 5, 2, 0};
  brio_goal a = make_list("points", few, 2), b = make_list("points", many, 4), out = a;
  brio_goal_blend(&out, &b, 0.5, &out);
  CHECK(out.items == 4, "%d", out.items);
  CHECK_NEAR(out.v[6], 2, 1e-12, "the third comes from the last of the two, (1, 0, 0)");
  CHECK_NEAR(out.v[9], 3, 1e-12, "and so does the fourth");
  brio_goal_blend(&b, &a, 0.5, &out);
  CHECK(out.items == 4, "%d", out.items);
  CHECK_NEAR(brio_goal_item(&out, 3)[0], 3, 1e-12, "what goes, goes into the last that stays");
  brio_goal_blend(&b, &a, 1, &out);
  CHECK(out.items == 2 && brio_goal_same(&out, &a), "%d at the end", out.items);
}

static void lists_have_their_bounds(void) {
  double numbers[BRIO_GOAL_NUMBERS + 3] = {0};
  const brio_goal_kind *kind = kind_of("points");
  brio_error err = {0};
  brio_goal goal;
  CHECK(brio_goal_make(kind, numbers, BRIO_GOAL_NUMBERS, &goal, &err) && goal.items == 64, "%s", err.message);
  CHECK(!brio_goal_make(kind, numbers, BRIO_GOAL_NUMBERS + 3, &goal, &err), "65 points");
  CHECK_HAS(err.message, "1 to 64 items, not 65");
  CHECK(!brio_goal_make(kind, numbers, 0, &goal, &err), "none");
  CHECK(!brio_goal_make(kind, numbers, 4, &goal, &err), "a point and a third");
  numbers[4] = NAN;
  CHECK(!brio_goal_make(kind, numbers, 6, &goal, &err), "not a number");
  CHECK_HAS(err.message, "goal's y must be a finite number");
}

/* A path: a speed, and the poses to go through. */
static void a_list_beside_other_numbers(void) {
  static const char *const fields[] = {"speed",  "stops.position.x", "stops.position.y", "stops.position.z",
                                       "stops.orientation.x", "stops.orientation.y", "stops.orientation.z",
                                       "stops.orientation.w"};
  brio_goal_kind path = {.name = "path", .doc = "A path.", .example = "{}", .count = 1, .fields = fields,
                         .item = 7, .least = 0, .most = 20};
  const double none[] = {1}, one[] = {3, 1, 2, 3, 0, 0, 0, 2};
  brio_error err = {0};
  brio_goal a, b, out;
  CHECK(brio_goal_kind_check(&path, &err), "%s", err.message);
  CHECK(brio_goal_make(&path, none, 1, &a, &err) && a.items == 0, "%s", err.message);
  CHECK(brio_goal_make(&path, one, 8, &b, &err) && b.items == 1, "%s", err.message);
  CHECK_NEAR(brio_goal_item(&b, 0)[6], 1, 0, "quaternions of items are put at length 1");
  brio_goal_blend(&a, &b, 0.5, &out);
  CHECK_NEAR(out.v[0], 2, 1e-12, "the speed blends");
  CHECK(out.items == 1 && out.v[2] == 2, "what comes from nothing is there at once");
  brio_goal_blend(&b, &a, 0.5, &out);
  CHECK(out.items == 1 && out.v[2] == 2, "and stays until there is nothing");
  brio_goal_blend(&b, &a, 1, &out);
  CHECK(out.items == 0, "%d", out.items);
  path.most = 28;
  CHECK(!brio_goal_kind_check(&path, &err), "more numbers than there is room for");
  path.most = 20, path.fields = (const char *const[]){"speed", "x", "y", "z", "a", "b", "c", "d"};
  CHECK(!brio_goal_kind_check(&path, &err), "the list has no name");
}

static void rotations_go_the_short_way(void) {
  double s = sin(0.1), c = cos(0.1);
  brio_goal a = make("rotation", (double[]){0, 0, s, c}), b = make("rotation", (double[]){0, 0, s, -c}), out;
  brio_goal_blend(&a, &b, 0.5, &out);
  CHECK_NEAR(fabs(out.v[3]), 1, 1e-12, "from 0.2 rad to -0.2 rad, half way is none");
  for (double share = 0; share <= 1; share += 0.1) {
    brio_goal_blend(&a, &b, share, &out);
    double angle = 2 * atan2(out.v[2], out.v[3]);
    if (angle > BRIO_PI) angle -= 2 * BRIO_PI;
    CHECK_NEAR(angle, 0.2 - 0.4 * share, 1e-12, "even speed");
  }
}

static void blending_may_overwrite(void) {
  brio_goal a = make("ellipse", (double[]){0, 0, 0, 0, 0, 0, 1, 1, 1, 1});
  brio_goal b = make("ellipse", (double[]){2, 4, 6, 0, 0, 1, 0, 3, 3, 3});
  brio_goal_blend(&a, &b, 0.5, &a);
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
  brio_goal_blend(&a, &b, 0.5, &out);
  CHECK(isfinite(out.v[0]), "%g", out.v[0]);
}

CHECK_SUITE(CHECK_TEST(every_kind_is_whole), CHECK_TEST(wrong_name_has_a_hint), CHECK_TEST(ends_are_met),
            CHECK_TEST(lists_grow_and_shrink_evenly), CHECK_TEST(lists_have_their_bounds),
            CHECK_TEST(a_list_beside_other_numbers), CHECK_TEST(rotations_go_the_short_way),
            CHECK_TEST(blending_may_overwrite), CHECK_TEST(wrong_numbers_are_refused),
            CHECK_TEST(huge_blends_are_finite))
