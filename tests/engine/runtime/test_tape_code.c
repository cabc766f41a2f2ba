/* Numbers of the motor side as bits: what is written is read back to the bit, whatever it is; smooth motion takes few bits;
** bytes that are wrong or cut are read to their end and no farther. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "runtime/motor/tape_code.h"
#include "tests/check.h"

enum { NUMBERS = 4000 };

static const brio_coded_from plain = {0, 1, 0};

/* Write all, read them back, and return how many bytes they took. */
static size_t round_trip(const double *values, int count, double step, brio_coded_from from, const char *what) {
  static unsigned char bytes[NUMBERS * BRIO_CODE_LONGEST + 8];
  brio_bits out = brio_bits_write(bytes);
  brio_coded writes = {0}, reads = {0};
  for (int i = 0; i < count; i++) brio_code_put(&out, &writes, values[i], step, from);
  const unsigned char *end = brio_bits_end(&out);
  brio_bits in = brio_bits_read(bytes, end);
  for (int i = 0; i < count; i++) {
    double value = brio_code_take(&in, &reads, step, from);
    CHECK(memcmp(&value, &values[i], sizeof value) == 0, "%s, number %d: %.17g is not %.17g", what, i, value, values[i]);
  }
  CHECK(in.good && brio_bits_over(&in) == end, "%s: all is read, and no more", what);
  return (size_t)(end - bytes);
}

static void test_numbers_come_back_to_the_bit(void) {
  static double values[NUMBERS];
  const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -0.0, 0.1 + 1e-13, 5e-324, 999999.999999, -1e6, 1e12, -1e12};
  brio_random stream = brio_random_stream(1, "codes");
  for (int i = 0; i < NUMBERS; i++) {
    double wide = pow(10, brio_random_uniform(&stream, -6, 6));
    values[i] = round(brio_random_uniform(&stream, -wide, wide) / 1e-6) * 1e-6;
    if (i % 7 == 0) values[i] = odd[i / 7 % (int)(sizeof odd / sizeof *odd)];
  }
  round_trip(values, NUMBERS, 1e-6, plain, "odd numbers");
  round_trip(values, NUMBERS, 1e-6, (brio_coded_from){-12345, 0.2, 77}, "odd numbers from elsewhere");
  for (int i = 0; i < NUMBERS; i++) values[i] = 0;
  CHECK(round_trip(values, NUMBERS, 1e-6, plain, "nothing") <= NUMBERS / 8 + 8, "nothing takes more than a bit");
}

static void test_smooth_motion_takes_few_bits(void) {
  static double values[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) values[i] = round(0.5 * sin(2 * 0.005 * i) / 1e-6) * 1e-6;
  double bits = 8.0 * (double)round_trip(values, NUMBERS, 1e-6, plain, "a swing") / NUMBERS;
  CHECK(bits < 8, "%.1f bits for a number whose second differences are up to 50", bits);
}

static void test_wrong_bytes_end(void) {
  unsigned char bytes[64];
  brio_random stream = brio_random_stream(2, "wrong");
  for (int round = 0; round < 500; round++) {
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = round % 3 ? (unsigned char)brio_random_uniform(&stream, 0, 256) : 0xff;
    size_t length = (size_t)brio_random_uniform(&stream, 0, sizeof bytes);
    brio_bits in = brio_bits_read(bytes, bytes + length);
    brio_coded reads = {0};
    for (int i = 0; i < 600 && in.good; i++) brio_code_take(&in, &reads, 1e-6, plain);
    CHECK(!in.good && brio_bits_over(&in) == bytes + length, "it ends where the bytes do");
  }
}

CHECK_SUITE(CHECK_TEST(test_numbers_come_back_to_the_bit), CHECK_TEST(test_smooth_motion_takes_few_bits),
            CHECK_TEST(test_wrong_bytes_end))
