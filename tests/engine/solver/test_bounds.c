/* The interval of a tick: no limit is ever exceeded, whatever the goals, and the interval is never empty.
** The argument in bounds.c is an induction; this test walks it: goals that jump every tick, ticks of changing
** length, random and odd limits. */
#include <stdbool.h>

#include "base/random.h"
#include "solver/limits/bounds.h"
#include "tests/check.h"

static const double SLACK = 1e-9;

/* Draw limits; every fourth has an infinite member. */
static brio_bounds draw(brio_random *stream) {
  brio_bounds bounds = {brio_random_uniform(stream, -3, 0), brio_random_uniform(stream, 0, 3),
                        exp(brio_random_uniform(stream, -3, 3)), exp(brio_random_uniform(stream, -2, 5))};
  int odd = (int)brio_random_below(stream, 12);
  if (odd == 0) bounds.velocity = INFINITY;
  if (odd == 1) bounds.acceleration = INFINITY;
  if (odd == 2) bounds.lower = -INFINITY, bounds.upper = INFINITY;
  if (odd == 3) bounds.upper = bounds.lower + 1e-6;
  return bounds;
}

/* The goal of one tick: far off, at an end, at random, or none. */
static double wish(brio_random *stream, double lo, double hi, int mood) {
  if (mood == 0) return brio_random_uniform(stream, lo, hi);
  if (mood == 1) return hi;
  if (mood == 2) return lo;
  double goal = brio_random_uniform(stream, -4, 4);
  return goal < lo ? lo : goal > hi ? hi : goal;
}

static void walk(brio_random *stream, const brio_bounds *bounds, bool steady) {
  double x = isfinite(bounds->lower) ? brio_random_uniform(stream, bounds->lower, bounds->upper) : 0, v = 0;
  int mood = 3;
  for (int tick = 0; tick < 2000; tick++) {
    double dt = steady ? 0.005 : brio_random_uniform(stream, 0.001, 0.05), lo, hi;
    if (tick % 50 == 0 || brio_random_below(stream, 10) == 0) mood = (int)brio_random_below(stream, 4);
    brio_bounds_interval(bounds, x, v, dt, &lo, &hi);
    CHECK(lo <= hi, "empty: %g %g", lo, hi);
    double next = wish(stream, lo, hi, mood), speed = (next - x) / dt;
    CHECK(next >= bounds->lower && next <= bounds->upper, "position %g beyond [%g, %g]", next, bounds->lower,
          bounds->upper);
    double rounding = 0x1p-51 * fabs(x) / dt; /* of speeds taken from positions */
    CHECK(fabs(speed) <= bounds->velocity + SLACK + rounding, "speed %.17g beyond %g", speed,
          bounds->velocity);
    CHECK(fabs(speed - v) / dt <= bounds->acceleration + SLACK + rounding / dt,
          "acceleration %.17g beyond %.17g", (speed - v) / dt, bounds->acceleration);
    x = next;
    v = speed;
  }
}

static void limits_hold(void) {
  brio_random stream = brio_random_stream(7, "test_bounds");
  int count = (int)(200 * check_scale());
  printf("# seed 7, %d walks of 2000 ticks\n", count);
  for (int i = 0; i < count; i++) {
    brio_bounds bounds = draw(&stream);
    walk(&stream, &bounds, i % 2);
  }
}

/* Limits within `hard`, each of them tighter or the same. */
static brio_bounds tighten(brio_random *stream, const brio_bounds *hard) {
  brio_bounds now = *hard;
  double from = fmax(hard->lower, -3), to = fmin(hard->upper, 3);
  if (brio_random_below(stream, 2)) now.lower = brio_random_uniform(stream, from, to);
  if (brio_random_below(stream, 2)) now.upper = brio_random_uniform(stream, fmax(now.lower, from), to);
  if (brio_random_below(stream, 2))
    now.velocity = fmin(hard->velocity, 20) * brio_random_uniform(stream, 0.05, 1);
  if (brio_random_below(stream, 2))
    now.acceleration = fmin(hard->acceleration, 100) * brio_random_uniform(stream, 0.05, 1);
  if (now.upper < now.lower) now.upper = now.lower;
  return now;
}

/* Whether the limits were kept: the motion to x at v broke none. */
static bool keeps(const brio_bounds *now, double x, double v) {
  double room = v > 0 ? now->upper - x : x - now->lower;
  return x >= now->lower - SLACK && x <= now->upper + SLACK && fabs(v) <= now->velocity + SLACK &&
         (v == 0 || isinf(now->acceleration) || v * v <= 2 * now->acceleration * room);
}

/* The allowed duration of the way back, s: braking, then an approach from where that ends. */
static double longest_return(const brio_bounds *now, double x, double v) {
  double a = now->acceleration, braking = fabs(v) / a;
  double way = fmax(fmax(x - now->upper, now->lower - x), 0) + v * v / (2 * a);
  return braking + way / now->velocity + now->velocity / a + 2 * sqrt(way / a) + 0.5;
}

/* Tighten limits (and restore them) while a variable moves at will: the hard ones always hold, the
** new ones from when the variable is within them, which takes no longer than it must, with no more
** than its acceleration. */
static void walk_tightened(brio_random *stream, const brio_bounds *hard, bool steady) {
  brio_bounds now = *hard;
  double x = isfinite(hard->lower) ? brio_random_uniform(stream, hard->lower, hard->upper) : 0, v = 0;
  double since = 0, longest = 0;
  bool kept = true;
  for (int tick = 0, mood = 3; tick < 3000; tick++) {
    double dt = steady ? 0.005 : brio_random_uniform(stream, 0.001, 0.02), lo, hi;
    if (tick % 50 == 0 || brio_random_below(stream, 10) == 0) mood = (int)brio_random_below(stream, 4);
    if (kept && tick % 97 == 96) {
      now = brio_random_below(stream, 3) ? tighten(stream, hard) : *hard;
      since = 0, longest = longest_return(&now, x, v), kept = false;
    }
    brio_bounds_tightened(hard, &now, x, v, dt, &lo, &hi);
    CHECK(lo <= hi, "empty: %g %g", lo, hi);
    double next = wish(stream, lo, hi, mood), speed = (next - x) / dt,
           rounding = 0x1p-50 * fabs(x) / dt + SLACK;
    CHECK(next >= hard->lower && next <= hard->upper, "position %g beyond [%g, %g]", next, hard->lower,
          hard->upper);
    CHECK(fabs(speed) <= hard->velocity + rounding, "speed %g beyond %g", speed, hard->velocity);
    bool must = now.acceleration < hard->acceleration && !kept; /* a hard end may need more */
    double most = must ? hard->acceleration : now.acceleration;
    CHECK(fabs(speed - v) / dt <= most + rounding / dt, "acceleration %.17g beyond %.17g", (speed - v) / dt,
          most);
    if (kept) {
      CHECK(next >= now.lower - SLACK && next <= now.upper + SLACK, "%g leaves [%g, %g]", next, now.lower,
            now.upper);
      CHECK(fabs(speed) <= now.velocity + rounding, "speed %g beyond the new %g", speed, now.velocity);
    }
    x = next, v = speed, since += dt;
    kept = kept || keeps(&now, x, v);
    CHECK(kept || since <= longest, "not brought in after %g s: at %g, %g per s, of [%g, %g], %g, %g", since,
          x, v, now.lower, now.upper, now.velocity, now.acceleration);
    if (since > longest) kept = true;
  }
}

static void tightened_limits_are_reached_without_a_jump(void) {
  brio_random stream = brio_random_stream(9, "test_bounds.tightened");
  int count = (int)(300 * check_scale());
  printf("# seed 9, %d walks of 3000 ticks, tightened every 97\n", count);
  for (int i = 0; i < count; i++) {
    brio_bounds bounds = draw(&stream);
    walk_tightened(&stream, &bounds, i % 2);
  }
}

static void the_range_is_used(void) {
  brio_bounds bounds = {-1, 1, 2, 10};
  double x = 0, v = 0, lo, hi, time = 0;
  for (; x < 0.999 && time < 5; time += 0.005) {
    brio_bounds_interval(&bounds, x, v, 0.005, &lo, &hi);
    v = (hi - x) / 0.005;
    x = hi;
  }
  /* accelerate 0.2 s over 0.2 m, cruise 0.6 m in 0.3 s, brake 0.2 s: 0.7 s if time were continuous */
  CHECK(time < 0.85, "reaches its end in %g s", time);
}

static void infinite_limits_do_not_bind(void) {
  brio_bounds bounds = {-INFINITY, INFINITY, INFINITY, INFINITY};
  double lo, hi;
  brio_bounds_interval(&bounds, 5, 100, 0.01, &lo, &hi);
  CHECK(isinf(lo) && isinf(hi), "%g %g", lo, hi);
}

static void standing_still_is_always_allowed(void) {
  brio_bounds bounds = {-1, 1, 2, 10};
  for (double x = -1; x <= 1; x += 0.125) {
    double lo, hi;
    brio_bounds_interval(&bounds, x, 0, 0.005, &lo, &hi);
    CHECK(lo <= x && x <= hi, "at %g: [%g, %g]", x, lo, hi);
  }
}

static void bounds_without_acceleration(void) {
  brio_bounds bounds = {-1, 1, 2, INFINITY};
  double slope;
  CHECK(brio_bounds_rest(&bounds, 0, 0.01, 0.5) == 0.5, "it stops at once");
  CHECK(brio_bounds_next(&bounds, 0, 0.01, 0.5, &slope) == 0.5 && slope == 1, "it goes at once");
}

/* The stopping point is the one that braking tick by tick reaches, and the inverse gives it too. */
static void rest_is_where_braking_ends(void) {
  brio_random stream = brio_random_stream(11, "test_bounds.rest");
  for (int i = 0; i < 2000; i++) {
    brio_bounds bounds = {-INFINITY, INFINITY, INFINITY, brio_random_uniform(&stream, 0.5, 50)};
    double dt = brio_random_uniform(&stream, 0.001, 0.02), x = brio_random_uniform(&stream, -3, 3), slope;
    double v = brio_random_uniform(&stream, -6, 6) * (i % 3 == 0 ? 1e-3 : 1), next = x + v * dt;
    double rest = brio_bounds_rest(&bounds, x, dt, next), at = next, speed = fabs(v);
    while ((speed -= bounds.acceleration * dt) > 0) at += copysign(speed * dt, v);
    CHECK_NEAR(rest, at, 1e-11, "from %g at %g per s, braking %g", x, v, bounds.acceleration);
    CHECK_NEAR(brio_bounds_next(&bounds, x, dt, rest, &slope), next, 1e-11, "the inverse");
    double beyond = brio_bounds_rest(&bounds, x, dt, next + 1e-7);
    CHECK(beyond > rest, "not rising");
    CHECK(slope > 0 && slope <= 1, "slope %g", slope);
  }
  bounds_without_acceleration();
}

CHECK_SUITE(CHECK_TEST(limits_hold), CHECK_TEST(tightened_limits_are_reached_without_a_jump),
            CHECK_TEST(the_range_is_used), CHECK_TEST(infinite_limits_do_not_bind),
            CHECK_TEST(standing_still_is_always_allowed), CHECK_TEST(rest_is_where_braking_ends))
