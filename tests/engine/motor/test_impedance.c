/* Commands of impedance: the law, and that no command, however absurd, asks for more torque than the limit.
** */
#include "base/random.h"
#include "motor/impedance.h"
#include "tests/check.h"

static double law(const brio_impedance_command *c, double position, double velocity) {
  return c->impedance.stiffness * (c->target - position) + c->impedance.damping * (c->speed - velocity) +
         c->impedance.torque;
}

static void the_law_is_a_spring_a_damper_and_a_torque(void) {
  const brio_impedance i = {200, 10, 3, 50};
  CHECK_NEAR(brio_impedance_torque(&i, 0.3, 0.5, 0.2, 0.1), 200 * 0.1 + 10 * 0.4 + 3, 1e-12, "within");
  CHECK(brio_impedance_torque(&i, 9, 0, 0, 0) == 50 && brio_impedance_torque(&i, -9, 0, 0, 0) == -50,
        "beyond");
  CHECK(brio_impedance_torque(&i, NAN, 0, 0, 0) == 0, "NaN is no torque");
  CHECK(brio_impedance_is(&i) && !brio_impedance_is(&brio_impedance_none), "none is a position servo");
}

static void what_is_within_the_limits_stays(void) {
  const brio_impedance hard = {400, 20, 0, 60};
  const brio_impedance_command whole = {{300, 15, -8, 55}, 0.4, 0.2};
  brio_impedance_command c = whole;
  CHECK(!brio_impedance_guard(&c, &hard, 0.35, 0.1), "changed");
  CHECK(memcmp(&c, &whole, sizeof c) == 0, "to the bit");
  c.target = NAN;
  CHECK(!brio_impedance_guard(&c, &hard, 0.35, 0.1) && isnan(c.target), "none stays none");
}

/* A number as a broken script, a bug or a bit flip would make it. */
static double absurd(brio_random *random) {
  static const double odd[] = {0, -1, 1e300, -1e300, INFINITY, -INFINITY, NAN, 1e-300, 5e-324};
  uint64_t k = brio_random_below(random, 20);
  if (k < sizeof odd / sizeof *odd) return odd[k];
  return brio_random_uniform(random, -1, 1) * exp(brio_random_uniform(random, -20, 20));
}

static void no_command_asks_for_more_than_the_limit(void) {
  brio_random random = brio_random_stream(7, "absurd");
  int changed = 0, whole = 0;
  for (int k = 0; k < 100000; k++) {
    const brio_impedance hard = {exp(brio_random_uniform(&random, 0, 8)),
                                 exp(brio_random_uniform(&random, -3, 5)), 0,
                                 exp(brio_random_uniform(&random, -2, 6))};
    double position = brio_random_uniform(&random, -3, 3), velocity = brio_random_uniform(&random, -20, 20);
    brio_impedance_command c = {{absurd(&random), absurd(&random), absurd(&random), absurd(&random)},
                                absurd(&random), absurd(&random)};
    bool none = isnan(c.target);
    changed += brio_impedance_guard(&c, &hard, position, velocity);
    const brio_impedance *i = &c.impedance;
    CHECK(i->stiffness >= 0 && i->stiffness <= hard.stiffness && i->damping >= 0 &&
              i->damping <= hard.damping,
          "%d: gains %g, %g", k, i->stiffness, i->damping);
    CHECK(i->limit >= 0 && i->limit <= hard.limit && fabs(i->torque) <= i->limit, "%d: %g of %g", k,
          i->torque, i->limit);
    CHECK(isfinite(c.speed) && isnan(c.target) == none && !isinf(c.target), "%d: %g, %g", k, c.target,
          c.speed);
    double torque = none ? 0 : law(&c, position, velocity);
    CHECK(fabs(torque) <= hard.limit * (1 + 1e-6), "%d: %g of %g", k, torque, hard.limit);
    whole += fabs(torque) > 0;
  }
  CHECK(changed > 50000 && whole > 20000, "%d were changed, %d do something", changed, whole);
}

/* The target moves towards the motor, never past it, and no farther than the limit asks for. */
static void a_far_target_is_moved_towards_the_motor(void) {
  const brio_impedance hard = {400, 20, 0, 60};
  brio_impedance_command c = {{400, 20, 5, 60}, 2, 0};
  CHECK(brio_impedance_guard(&c, &hard, 0, 0), "unchanged");
  CHECK_NEAR(law(&c, 0, 0), 60, 1e-9, "the whole limit is used");
  CHECK_NEAR(c.target, 55.0 / 400, 1e-12, "by the spring");
  /* Where the motor is not known, the device's own limit remains. */
  c = (brio_impedance_command){{400, 20, 5, 1e9}, 2, 0};
  CHECK(brio_impedance_guard(&c, &hard, NAN, NAN) && c.target == 2 && c.impedance.limit == 60, "%g",
        c.target);
  /* Without a spring a speed that is too high is lowered. */
  c = (brio_impedance_command){{0, 20, 0, 60}, 0, 100};
  CHECK(brio_impedance_guard(&c, &hard, 0, 1) && c.target == 0, "%g", c.target);
  CHECK_NEAR(law(&c, 0, 1), 60, 1e-9, "the whole limit");
}

static void what_may_not_be_is_told(void) {
  const struct {
    brio_impedance impedance;
    const char *says;
  } wrong[] = {{{-1, 0, 0, 1}, "stiffness"},     {{NAN, 0, 0, 1}, "stiffness"},
               {{0, INFINITY, 0, 1}, "damping"}, {{0, 0, NAN, 1}, "torque"},
               {{0, 0, 0, 0}, "greatest"},       {{0, 0, 0, INFINITY}, "greatest"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    const char *fault = brio_impedance_fault(&wrong[k].impedance);
    CHECK(fault, "%d is no fault", (int)k);
    if (fault) CHECK_HAS(fault, wrong[k].says);
  }
  CHECK(!brio_impedance_fault(&(brio_impedance){0, 0, -5, 1}), "a fault");
}

CHECK_SUITE(CHECK_TEST(the_law_is_a_spring_a_damper_and_a_torque),
            CHECK_TEST(what_is_within_the_limits_stays), CHECK_TEST(no_command_asks_for_more_than_the_limit),
            CHECK_TEST(a_far_target_is_moved_towards_the_motor), CHECK_TEST(what_may_not_be_is_told))
