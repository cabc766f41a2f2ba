/* Losses: Lively's published curves, their derivatives, and their relation to ours. */
#include "solver/terms/loss.h"
#include "tests/check.h"

static double at(const brio_loss_kind *loss, double x) {
  double slope, bend;
  return loss->cost(x * x, &slope, &bend);
}

static void lively_values(void) {
  static const struct { const brio_loss_kind *loss; double x, cost; } rows[] = {
    {&brio_loss_groove_cartesian, 0, -1},       {&brio_loss_groove_cartesian, 0.1, -0.506531},
    {&brio_loss_groove_cartesian, 0.2, 0.264665}, {&brio_loss_groove_cartesian, 0.5, 2.499996},
    {&brio_loss_groove_joint, 0, -1},           {&brio_loss_groove_joint, 0.1, -0.953991},
    {&brio_loss_groove_joint, 0.5, -0.291216},  {&brio_loss_groove_joint, 1, 0.090001},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_NEAR(at(rows[i].loss, rows[i].x), rows[i].cost, 5e-7, "%s at %g", rows[i].loss->name, rows[i].x);
}

static void ours_are_raised_by_one(void) {
  for (double x = 0; x < 2; x += 0.01) {
    CHECK_NEAR(at(&brio_loss_cartesian, x), at(&brio_loss_groove_cartesian, x) + 1, 1e-12, "at %g", x);
    CHECK_NEAR(at(&brio_loss_joint, x), at(&brio_loss_groove_joint, x) + 1, 1e-12, "at %g", x);
    CHECK(at(&brio_loss_cartesian, x) >= 0 && at(&brio_loss_joint, x) >= 0, "at %g", x);
  }
  CHECK(at(&brio_loss_cartesian, 0) == 0 && at(&brio_loss_joint, 0) == 0, "best is 0");
}

static void bounding_is_a_step(void) {
  double slope, bend, out = brio_loss_bounding.cost(4, &slope, &bend);
  CHECK_NEAR(out, 1 / (1 + exp(4 - 8.0)) + 0.4, 1e-12, "Lively's formula at D = 4");
  CHECK(brio_loss_bounding.cost(0.25, &slope, &bend) < 0.1, "inside costs little");
  CHECK(brio_loss_bounding.cost(4, &slope, &bend) > 1, "outside costs");
}

static void derivatives_are_right(void) {
  for (int k = 0; brio_loss_kinds[k]; k++)
    for (double s = 1e-3; s < 9; s *= 1.3) {
      const brio_loss_kind *loss = brio_loss_kinds[k];
      double h = 1e-6 * s, slope, bend, slope_up, slope_down, unused;
      loss->cost(s, &slope, &bend);
      double up = loss->cost(s + h, &slope_up, &unused), down = loss->cost(s - h, &slope_down, &unused);
      CHECK_NEAR(slope, (up - down) / (2 * h), 1e-6 * fmax(1, fabs(slope)), "%s slope at %g", loss->name, s);
      CHECK_NEAR(bend, (slope_up - slope_down) / (2 * h), 1e-5 * fmax(1, fabs(bend)), "%s bend at %g",
                 loss->name, s);
      CHECK(slope >= 0, "%s never falls", loss->name);
    }
}

static void huge_is_not_nan(void) {
  for (int k = 0; brio_loss_kinds[k]; k++) {
    double slope, bend, cost = brio_loss_kinds[k]->cost(1e300, &slope, &bend);
    CHECK(isfinite(cost) && isfinite(slope) && isfinite(bend), "%s", brio_loss_kinds[k]->name);
    CHECK(!isnan(brio_loss_kinds[k]->cost(INFINITY, &slope, &bend)), "%s", brio_loss_kinds[k]->name);
  }
}

CHECK_SUITE(CHECK_TEST(lively_values), CHECK_TEST(ours_are_raised_by_one), CHECK_TEST(bounding_is_a_step),
            CHECK_TEST(derivatives_are_right), CHECK_TEST(huge_is_not_nan))
