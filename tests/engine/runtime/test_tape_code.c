/* Numbers of the motor side on the tape: any number is read back to the bit; smooth motion takes few bits,
** noise as many as its entropy; corrupt or truncated bytes are read to their end and no farther. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "runtime/motor/tape_code.h"
#include "tests/check.h"

enum { NUMBERS = 4000 };

/* Write all, read them back, and return their size in bytes. */
static size_t round_trip(const double *values, int count, brio_grid grid, int64_t base, double ratio,
                         const char *what) {
  static unsigned char bytes[NUMBERS * BRIO_CODE_LONGEST + 8];
  static brio_code_shape shapes[2];
  memset(shapes, 0, sizeof shapes);
  brio_coder out = brio_coder_write(bytes);
  brio_coded writes[2] = {0}, reads[2] = {0};
  const brio_forecast written[] = {{&writes[0], base, ratio}, {&writes[1], 3, ratio}};
  const brio_forecast read[] = {{&reads[0], base, ratio}, {&reads[1], 3, ratio}};
  for (int i = 0; i < count; i++)
    brio_code_number(&out, &shapes[0], written, 2, values[i], i ? values[i - 1] : 0, grid);
  const unsigned char *end = brio_coder_end(&out);
  brio_coder in = brio_coder_read(bytes, end);
  for (int i = 0; i < count; i++) {
    double value = brio_code_number(&in, &shapes[1], read, 2, 0, i ? values[i - 1] : 0, grid);
    CHECK(memcmp(&value, &values[i], sizeof value) == 0, "%s, number %d: %.17g is not %.17g", what, i, value,
          values[i]);
  }
  CHECK(brio_coder_is_over(&in), "%s: all is read, and no more", what);
  return (size_t)(end - bytes);
}

static void test_numbers_come_back_to_the_bit(void) {
  static double values[NUMBERS];
  const double odd[] = {NAN,    INFINITY,      -INFINITY, 1e300, -0.0, 0.1 + 1e-13,
                        5e-324, 999999.999999, -1e6,      1e12,  -1e12};
  brio_grid grid = brio_grid_of(1e-6);
  brio_random stream = brio_random_stream(1, "codes");
  for (int i = 0; i < NUMBERS; i++) {
    double wide = pow(10, brio_random_uniform(&stream, -6, 6));
    values[i] = brio_grid_round(grid, brio_random_uniform(&stream, -wide, wide));
    if (i % 7 == 0) values[i] = odd[i / 7 % (int)(sizeof odd / sizeof *odd)];
  }
  round_trip(values, NUMBERS, grid, 0, 1, "odd numbers");
  round_trip(values, NUMBERS, grid, -12345, 0.2, "odd numbers from elsewhere");
  round_trip(values, NUMBERS, brio_grid_of(0), 0, 1, "numbers that are on no grid");
  for (int i = 0; i < NUMBERS; i++) values[i] = 0;
  CHECK(round_trip(values, NUMBERS, grid, 0, 1, "nothing") <= 40, "what never changes takes next to nothing");
}

static void test_smooth_motion_takes_few_bits(void) {
  static double values[NUMBERS];
  brio_grid grid = brio_grid_of(1e-6);
  for (int i = 0; i < NUMBERS; i++) values[i] = brio_grid_round(grid, 0.5 * sin(2 * 0.005 * i));
  double bits = 8.0 * (double)round_trip(values, NUMBERS, grid, 0, 1, "a swing") / NUMBERS;
  CHECK(bits < 7, "%.1f bits for a number whose second differences are up to 50", bits);
}

/* Normal noise with a deviation of n steps has log2(n) + 2.05 bits; the prediction by
** its mean adds little. */
static void test_noise_takes_its_entropy(void) {
  static double values[NUMBERS];
  brio_grid grid = brio_grid_of(1e-6);
  brio_random stream = brio_random_stream(2, "noise");
  for (int steps = 3; steps <= 300; steps *= 10) {
    for (int i = 0; i < NUMBERS; i++)
      values[i] = brio_grid_round(grid, 1e-6 * steps * brio_random_normal(&stream));
    double bits = 8.0 * (double)round_trip(values, NUMBERS, grid, 0, 1, "noise") / NUMBERS,
           least = log2(steps) + 2.047;
    CHECK(bits > least - 0.05 && bits < least + 0.4, "%.2f bits, where %.2f is the entropy", bits, least);
  }
}

static void test_bits_come_back(void) {
  static unsigned char bytes[NUMBERS * 8 + 64];
  brio_random stream = brio_random_stream(3, "bits");
  brio_coder out = brio_coder_write(bytes);
  brio_chance rare = {0}, same = {0};
  static uint64_t numbers[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) {
    numbers[i] = (uint64_t)brio_random_below(&stream, 1u << 31) * brio_random_below(&stream, 1u << 31) >>
                 i % 64;
    brio_code_bits(&out, numbers[i], 64 - i % 64);
    brio_code_bit(&out, &rare, numbers[i] % 64 == 0);
  }
  brio_coder in = brio_coder_read(bytes, brio_coder_end(&out));
  for (int i = 0; i < NUMBERS; i++) {
    int count = 64 - i % 64;
    uint64_t wanted = count < 64 ? numbers[i] & (((uint64_t)1 << count) - 1) : numbers[i];
    CHECK(brio_code_bits(&in, 0, count) == wanted &&
              brio_code_bit(&in, &same, false) == (numbers[i] % 64 == 0),
          "number %d", i);
  }
  CHECK(brio_coder_is_over(&in), "all is read, and no more");
}

static void test_wrong_bytes_end(void) {
  unsigned char bytes[64];
  static brio_code_shape shape;
  brio_random stream = brio_random_stream(2, "wrong");
  for (int round = 0; round < 500; round++) {
    for (size_t i = 0; i < sizeof bytes; i++)
      bytes[i] = round % 3 ? (unsigned char)brio_random_uniform(&stream, 0, 256) : 0xff;
    size_t length = (size_t)brio_random_uniform(&stream, 0, sizeof bytes);
    brio_coder in = brio_coder_read(bytes, bytes + length);
    brio_coded reads[2] = {0};
    const brio_forecast forecasts[] = {{&reads[0], 0, 1e9}, {&reads[1], INT64_MAX / 4, 1e9}};
    memset(&shape, 0, sizeof shape);
    for (int i = 0; i < 600 && brio_coder_good(&in); i++) {
      brio_code_number(&in, &shape, forecasts, 2, 0, 0, brio_grid_of(1e-6));
      brio_code_bits(&in, 0, 3);
    }
    CHECK(!brio_coder_good(&in) && !brio_coder_is_over(&in) && in.in == bytes + length,
          "it ends where the bytes do");
  }
}

CHECK_SUITE(CHECK_TEST(test_numbers_come_back_to_the_bit), CHECK_TEST(test_smooth_motion_takes_few_bits),
            CHECK_TEST(test_noise_takes_its_entropy), CHECK_TEST(test_bits_come_back),
            CHECK_TEST(test_wrong_bytes_end))
