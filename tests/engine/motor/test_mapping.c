/* Mappings: known values, inverses of every kind, clamps, couplings. */
#include "motor/mapping.h"

#include "base/random.h"
#include "tests/check.h"

static brio_mapping of_kind(const char *name) {
  brio_error err;
  brio_mapping m = brio_mapping_identity();
  m.kind = brio_mapping_find(name, &err);
  CHECK(m.kind != NULL, "%s", name);
  return m;
}

/* A random mapping of a kind; all fields are filled, so that a new kind is tested, too. */
static brio_mapping random_mapping(brio_random *r, const brio_mapping_kind *kind) {
  brio_mapping m = brio_mapping_identity();
  m.kind = kind;
  m.scale = brio_random_uniform(r, 0.1, 3000);
  m.offset = brio_random_uniform(r, -2000, 2000);
  m.below = brio_random_uniform(r, 1, 900);
  m.above = brio_random_uniform(r, 1, 900);
  m.polarity = brio_random_below(r, 2) ? 1 : -1;
  m.points = 2 + (int)brio_random_below(r, BRIO_MAPPING_POINTS - 1);
  double side = brio_random_below(r, 2) ? 1 : -1;
  m.x[0] = -2;
  m.y[0] = side * -100;
  for (int i = 1; i < m.points; i++) {
    m.x[i] = m.x[i - 1] + brio_random_uniform(r, 0.01, 0.5);
    m.y[i] = m.y[i - 1] + side * brio_random_uniform(r, 0.5, 300);
  }
  return m;
}

static void every_kind_has_its_inverse(void) {
  brio_random r = brio_random_stream(1, "mapping");
  for (const brio_mapping_kind *kind = brio_mapping_kinds; kind->name; kind++)
    for (int n = 0; n < 2000; n++) {
      brio_mapping m = random_mapping(&r, kind);
      brio_error err;
      CHECK(brio_mapping_check(&m, &err), "%s: %s", kind->name, err.message);
      double x = brio_random_uniform(&r, -3, 3), y = brio_mapping_forward(&m, x), last = 0;
      CHECK_NEAR(brio_mapping_inverse(&m, y), x, 1e-9 * (1 + fabs(x)), "%s", kind->name);
      for (int i = 0; i <= 20; i++) { /* monotonic, in the direction of its slope */
        double here = brio_mapping_forward(&m, -3 + 0.3 * i);
        CHECK(i == 0 || (here - last) * brio_mapping_slope(&m, -3 + 0.3 * i - 0.15) > 0, "%s: turns",
              kind->name);
        last = here;
      }
    }
}

static void known_values(void) {
  brio_mapping m = of_kind("linear");
  m.scale = 4096 / 6.283185307179586, m.offset = 2048, m.polarity = -1;
  CHECK_NEAR(brio_mapping_forward(&m, 3.141592653589793 / 2), 1024, 1e-9, "a quarter turn of a 12 bit servo");
  CHECK_NEAR(brio_mapping_slope(&m, 0.3), -651.8986469044033, 1e-4, "slope");
  m = of_kind("asymmetric");
  m.offset = 1500, m.below = 300, m.above = 500, m.lower = 500, m.upper = 2500;
  CHECK_NEAR(brio_mapping_forward(&m, 1), 2000, 0, "mid + x max");
  CHECK_NEAR(brio_mapping_forward(&m, -1), 1200, 0, "mid - x min");
  CHECK_NEAR(brio_mapping_forward(&m, -0.5), 1350, 0, "half");
  CHECK_NEAR(brio_mapping_forward(&m, 9), 2500, 0, "a hard end");
  CHECK_NEAR(brio_mapping_forward(&m, -9), 500, 0, "a hard end");
  CHECK(isnan(brio_mapping_forward(&m, NAN)), "NaN stays");
  m = of_kind("table");
  m.points = 3, m.x[0] = 0, m.x[1] = 1, m.x[2] = 2, m.y[0] = 10, m.y[1] = 20, m.y[2] = 60;
  CHECK_NEAR(brio_mapping_forward(&m, 1.5), 40, 1e-12, "between");
  CHECK_NEAR(brio_mapping_forward(&m, -1), 0, 1e-12, "before");
  CHECK_NEAR(brio_mapping_inverse(&m, 100), 3, 1e-12, "beyond");
  CHECK_NEAR(brio_mapping_speed(0.2, 0.05, 0.1, 3), 4 < 3 ? 4 : 3, 0, "no faster than the motor can");
  CHECK_NEAR(brio_mapping_speed(-0.1, 0.05, 0.1, 3), 2, 1e-12, "reaches it in its slot");
  CHECK_NEAR(brio_mapping_speed(1e-6, 0.05, 0.1, 3), 0.1, 0, "no slower than the motor can");
  CHECK(brio_mapping_speed(0, 0.05, 0.1, 3) == 0 && brio_mapping_speed(1, 0, 0, 1) == 0 &&
            brio_mapping_speed(NAN, 1, 0, 1) == 0,
        "none");
}

static void wrong_ones_are_refused(void) {
  brio_error err;
  CHECK(!brio_mapping_find("linar", &err), "found");
  CHECK_HAS(err.message, "did you mean 'linear'?");
  brio_mapping m = of_kind("linear"), bad = m;
  bad.polarity = 0;
  CHECK(!brio_mapping_check(&bad, &err), "polarity");
  bad = m, bad.scale = 0;
  CHECK(!brio_mapping_check(&bad, &err), "scale");
  bad = m, bad.lower = 1, bad.upper = 1;
  CHECK(!brio_mapping_check(&bad, &err), "ends");
  bad = of_kind("table"), bad.points = 3, bad.x[1] = 1, bad.y[1] = 1, bad.x[2] = 2, bad.y[2] = 0.5;
  CHECK(!brio_mapping_check(&bad, &err), "turns back");
  CHECK_HAS(err.message, "point 3");
  bad.points = 1;
  CHECK(!brio_mapping_check(&bad, &err), "one point");
  bad = of_kind("asymmetric");
  CHECK(!brio_mapping_check(&bad, &err), "no reach");
}

static void couplings(void) {
  brio_error err;
  brio_coupling c;
  const double differential[] = {1, 1, 1, -1}, flat[] = {1, 2, 2, 4}, none[] = {1, NAN, 0, 1};
  double axes[2] = {0.3, 0.1}, motors[2], back[2];
  CHECK(brio_coupling_start(&c, differential, 2, &err), "%s", err.message);
  brio_coupling_forward(&c, axes, motors);
  CHECK_NEAR(motors[0], 0.4, 1e-15, "both the same way");
  CHECK_NEAR(motors[1], 0.2, 1e-15, "against each other");
  brio_coupling_inverse(&c, motors, back);
  CHECK_NEAR(back[0], 0.3, 1e-15, "back");
  CHECK_NEAR(back[1], 0.1, 1e-15, "back");
  CHECK(!brio_coupling_start(&c, flat, 2, &err), "no inverse");
  CHECK_HAS(err.message, "no inverse");
  CHECK(!brio_coupling_start(&c, none, 2, &err) && !brio_coupling_start(&c, flat, 1, &err) &&
            !brio_coupling_start(&c, flat, 5, &err),
        "refused");
  brio_random r = brio_random_stream(2, "coupling");
  for (int n = 0; n < 2000; n++) {
    double m[16], in[4], out[4], again[4];
    int count = 2 + (int)brio_random_below(&r, 3);
    for (int i = 0; i < 16; i++) m[i] = brio_random_uniform(&r, -1, 1) + 3 * (i % (count + 1) == 0);
    CHECK(brio_coupling_start(&c, m, count, &err), "%s", err.message);
    for (int i = 0; i < count; i++) in[i] = brio_random_uniform(&r, -3, 3);
    brio_coupling_forward(&c, in, out);
    brio_coupling_inverse(&c, out, again);
    for (int i = 0; i < count; i++) CHECK_NEAR(again[i], in[i], 1e-9, "random %d", n);
  }
}

CHECK_SUITE(CHECK_TEST(every_kind_has_its_inverse), CHECK_TEST(known_values),
            CHECK_TEST(wrong_ones_are_refused), CHECK_TEST(couplings))
