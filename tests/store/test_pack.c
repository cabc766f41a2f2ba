/* Columns of samples: packed values read back unchanged, for every kind of numbers, in the expected size. */
#include "base/random.h"
#include "store/packing/block.h"
#include "tests/check.h"

enum { MOST = 1024 };

static brio_pack_room room;
static double values[MOST], other[MOST], back[MOST], back_other[MOST];

static bool same(double a, double b) { return a == b || (a != a && b != b); }

/* Pack two columns, the second next to the first, and read them back; return their size in bytes. */
static size_t round_trip(const char *what, int count, double step) {
  brio_text out = {0};
  brio_grid grid = brio_grid_of(step);
  brio_pack_column(&out, values, count, grid, false, &room);
  brio_pack_column(&out, other, count, grid, true, &room);
  brio_pack_bytes in = {(uint8_t *)out.bytes, (uint8_t *)out.bytes + out.length};
  room.referable = false;
  bool good = brio_unpack_column(&in, back, count, grid, &room) &&
              brio_unpack_column(&in, back_other, count, grid, &room);
  CHECK(good && in.at == in.end, "%s, %d numbers", what, count);
  for (int i = 0; i < count && good; i++) {
    good = same(back[i], values[i]) && same(back_other[i], other[i]);
    CHECK(good, "%s: number %d of %d: %.17g and %.17g, not %.17g and %.17g", what, i, count, back[i],
          back_other[i], values[i], other[i]);
  }
  size_t length = out.length;
  brio_text_end(&out);
  return length;
}

typedef double maker(brio_random *random, int i);

static double still(brio_random *random, int i) { return (void)random, (void)i, 0.25; }
static double moving(brio_random *random, int i) {
  return (void)random, 0.7 * sin(i * 0.02) + 0.1 * cos(i * 0.11);
}
static double noisy(brio_random *random, int i) {
  return 0.3 * sin(i * 0.01) + 1e-4 * brio_random_normal(random);
}
static double jumping(brio_random *random, int i) {
  return (i / 50) % 2 ? brio_random_uniform(random, -3, 3) : 1e6;
}
static double gappy(brio_random *random, int i) {
  return (i / 7) % 3 ? NAN : brio_random_uniform(random, -1, 1);
}
static double none(brio_random *random, int i) { return (void)random, (void)i, NAN; }
static double any(brio_random *random, int i) {
  static const double odd[] = {INFINITY, -INFINITY, 1e300, -1e300, 5e-324, 0, 2251799813.685248, NAN};
  return i % 3 ? odd[brio_random_below(random, 8)] : brio_random_uniform(random, -1e12, 1e12);
}

static const struct { const char *name; maker *make; double bits; } kinds[] = {
    {"still", still, 0.2}, {"moving", moving, 9.5}, {"noisy", noisy, 11}, {"jumping", jumping, 40},
    {"gappy", gappy, 12}, {"none", none, 0.1}, {"any", any, 80}};
enum { NKIND = sizeof kinds / sizeof *kinds };

static void test_what_is_packed_is_what_is_read(void) {
  static const int counts[] = {1, 2, 3, 4, 5, 63, 64, 65, 66, 67, 68, 200, MOST};
  static const double steps[] = {1e-6, 0, 1e-9, 2 * 3.14159265358979 / 4096, 3};
  brio_random random = brio_random_stream(1, "pack");
  for (int k = 0; k < NKIND * NKIND; k++)
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
      for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        brio_grid grid = brio_grid_of(steps[s]);
        for (int i = 0; i < counts[c]; i++) {
          values[i] = kinds[k / NKIND].make(&random, i);
          other[i] = kinds[k % NKIND].make(&random, i);
        }
        for (int i = 0; i < counts[c]; i++) {
          values[i] = brio_grid_round(grid, values[i]), other[i] = brio_grid_round(grid, other[i]);
          CHECK(same(brio_grid_round(grid, values[i]), values[i]), "rounding %.17g twice is rounding it once",
                values[i]);
        }
        round_trip(kinds[k / NKIND].name, counts[c], steps[s]);
      }
}

static void test_columns_are_small(void) {
  brio_random random = brio_random_stream(2, "small");
  for (int k = 0; k < NKIND; k++) {
    for (int i = 0; i < MOST; i++)
      values[i] = other[i] = brio_grid_round(brio_grid_of(1e-6), kinds[k].make(&random, i));
    double bits = 8.0 * (double)round_trip(kinds[k].name, MOST, 1e-6) / MOST;
    bool gaps = kinds[k].make == gappy || kinds[k].make == any;
    CHECK(bits < kinds[k].bits * (gaps ? 2 : 1) + 0.2, "%s takes %.2f bits a number", kinds[k].name, bits);
  }
}

static void test_rounding_is_exact(void) {
  brio_random random = brio_random_stream(3, "grid");
  brio_grid micro = brio_grid_of(1e-6), odd = brio_grid_of(0.0015339807878856412),
            none_at_all = brio_grid_of(0);
  int64_t count;
  CHECK(brio_grid_value(micro, 300000) == 0.3 && brio_grid_value(micro, -1) == -1e-6,
        "millionths are the nearest doubles");
  CHECK(brio_grid_round(none_at_all, 0.1) == 0.1 && !brio_grid_count(none_at_all, 0.1, &count), "no step");
  CHECK(!brio_grid_count(micro, NAN, &count) && !brio_grid_count(micro, INFINITY, &count) &&
            !brio_grid_count(micro, 1e10, &count),
        "what fits no step");
  for (int i = 0; i < 20000; i++) {
    int64_t n = (int64_t)brio_random_below(&random, (uint64_t)1 << (1 + i % 50)) - (i % 2 ? 0 : 1 << 20),
            micros = 0, odds = 0;
    CHECK(brio_grid_count(micro, brio_grid_value(micro, n), &micros) && micros == n, "%lld", (long long)n);
    CHECK(brio_grid_count(odd, brio_grid_value(odd, n), &odds) && odds == n, "%lld", (long long)n);
  }
  for (double bad = -1; bad < 3; bad++)
    CHECK(brio_grid_of(bad == 1 ? NAN : bad == 2 ? INFINITY : bad).size == 0, "%g", bad);
}

static void test_a_block_says_what_is_wrong(void) {
  brio_text out = {0};
  brio_pack_bytes in;
  int count;
  const char *why;
  for (int i = 0; i < MOST; i++) values[i] = i, other[i] = i / 200.0;
  size_t start = brio_block_begin(&out, 't', MOST);
  brio_block_put_ticks(&out, values, other, MOST, &room);
  brio_block_end(&out, start);
  CHECK(out.length < 120, "%zu bytes for a thousand even ticks", out.length);
  CHECK(brio_block_open(out.bytes, out.length, 't', &in, &count, &why) && count == MOST, "%s", why);
  CHECK(brio_block_take_ticks(&in, back, back_other, MOST, &room) && in.at == in.end && back[7] == 7 &&
            back_other[7] == 0.035,
        "ticks");
  CHECK(!brio_block_open(out.bytes, out.length, 'd', &in, &count, &why), "another kind");
  CHECK_HAS(why, "another kind");
  CHECK(!brio_block_open(out.bytes, out.length - 1, 't', &in, &count, &why), "cut off");
  CHECK_HAS(why, "checksum");
  CHECK(!brio_block_open(out.bytes, 3, 't', &in, &count, &why) &&
            !brio_block_open(NULL, 0, 't', &in, &count, &why),
        "nothing");
  CHECK_HAS(why, "cut off");
  for (size_t i = 0; i < out.length; i++) {
    out.bytes[i] ^= 16;
    CHECK(!brio_block_open(out.bytes, out.length, 't', &in, &count, &why), "byte %zu turned over", i);
    out.bytes[i] ^= 16;
  }
  out.bytes[1] = 2;
  out.length -= 4;
  brio_block_end(&out, start);
  CHECK(!brio_block_open(out.bytes, out.length, 't', &in, &count, &why), "of a newer brio");
  CHECK_HAS(why, "newer brio");
  brio_text_end(&out);
}

static void test_steps_are_kept(void) {
  static const double steps[] = {1, 1e-3, 1e-6, 1e-15, 0, 0.25, 0.0015339807878856412};
  brio_text out = {0};
  for (int i = 0; i < 7; i++) brio_block_put_step(&out, brio_grid_of(steps[i]));
  brio_pack_bytes in = {(uint8_t *)out.bytes, (uint8_t *)out.bytes + out.length};
  for (int i = 0; i < 7; i++) {
    brio_grid step;
    CHECK(brio_block_take_step(&in, &step) && step.size == steps[i], "%g", steps[i]);
  }
  brio_grid step;
  CHECK(in.at == in.end && !brio_block_take_step(&in, &step), "no more");
  brio_text_end(&out);
}

CHECK_SUITE(CHECK_TEST(test_what_is_packed_is_what_is_read), CHECK_TEST(test_columns_are_small),
            CHECK_TEST(test_rounding_is_exact), CHECK_TEST(test_a_block_says_what_is_wrong),
            CHECK_TEST(test_steps_are_kept))
