/* Adaptive Golomb-Rice coding: see motor_tape_code.h.  A number costs its quotient in ones, a zero,
** and `width` low bits of the remainder; after LONGEST ones come a bit (1: raw bytes) and 64 bits. */
#include "runtime/motor/tape_code.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values of more steps are written as raw bytes: llround must stay exact. */
#define MAX_STEPS 1e12
enum { LONGEST = 20 /* ones before a number that is written whole */, MEAN = 4, LARGE = 1 << 24, WIDEST = 24 };

/* ---- bits ---- */

void brio_bits_put(brio_bits *bits, uint64_t value, int count) {
  assert(count >= 0 && count <= 32 && bits->count >= 0 && bits->count < 8);
  /* At most 7 bits are left from before, so 39 of 64 are in use here. */
  bits->bits |= (value & (((uint64_t)1 << count) - 1)) << bits->count;
  for (bits->count += count; bits->count >= 8; bits->count -= 8, bits->bits >>= 8) *bits->at++ = (unsigned char)bits->bits;
}

uint64_t brio_bits_take(brio_bits *bits, int count) {
  assert(count >= 0 && count <= 32 && bits->count >= 0 && bits->count < 8);
  for (; bits->count < count; bits->count += 8) {
    /* Behind the end zeros are read and `good` turns false, so that the caller need not check every
    ** bit. */
    bits->good = bits->good && bits->from < bits->end;
    bits->bits |= (uint64_t)(bits->good ? *bits->from++ : 0) << bits->count;
  }
  uint64_t value = bits->bits & (((uint64_t)1 << count) - 1);
  bits->bits >>= count;
  bits->count -= count;
  return value;
}

unsigned char *brio_bits_end(brio_bits *bits) {
  /* Zeros up to the next byte. */
  if (bits->count > 0) brio_bits_put(bits, 0, 8 - bits->count);
  return bits->at;
}

const unsigned char *brio_bits_over(brio_bits *bits) { return bits->from; }

/* ---- numbers ---- */

/* Whether a value is exactly a whole number of steps: as bits, so that -0 and NaN are not. */
static bool is_whole(double value, double step) {
  if (!(fabs(value) < MAX_STEPS * step)) return false;
  double back = (double)llround(value / step) * step; /* which is never -0 */
  return memcmp(&back, &value, sizeof back) == 0;
}

int64_t brio_code_steps(double value, double step) { return is_whole(value, step) ? llround(value / step) : 0; }

/* Map signed to unsigned so that small magnitudes stay small: 0, -1, 1, -2 become 0, 1, 2, 3. */
static uint64_t zigzag(int64_t n) { return (uint64_t)n << 1 ^ (uint64_t)-(n < 0); }
static int64_t zagzig(uint64_t n) { return (int64_t)(n >> 1) ^ -(int64_t)(n & 1); }

/* Moving sum over about 16 values: 16 times their mean.  Bounded, so that outliers are forgotten
** soon. */
static uint32_t follow(uint32_t mean, uint64_t now) { return mean + (uint32_t)(now < LARGE ? now : LARGE) - (mean >> MEAN); }

/* Number of low bits that are written as they are: the smallest width with 2^width >= mean size. */
static int width_of(const brio_coded *code) {
  int width = 0;
  while (width < WIDEST && (uint32_t)(16u << width) < code->size) width++;
  return width;
}

/* Linear extrapolation of the last two values, `ratio` times as far as the last difference. */
static int64_t onward(const brio_coded *code, double ratio) {
  double way = (double)(code->last - code->before) * ratio;
  return code->last + (fabs(way) < MAX_STEPS ? llround(way) : 0);
}

int64_t brio_code_foreseen(const brio_coded *code, double ratio) {
  /* Take the predictor with the smallest recent misses: nothing, the last value, or its
  ** extrapolation. */
  bool goes_on = code->miss[1] < code->miss[0];
  if (code->miss[2] <= code->miss[goes_on]) return 0;
  return goes_on ? onward(code, ratio) : code->last;
}

/* Update the misses of all three predictors, whether used or not.  Reader and writer do the same. */
static void learn(brio_coded *code, int64_t now, uint64_t left, double ratio) {
  code->size = follow(code->size, left);
  code->miss[0] = follow(code->miss[0], zigzag(now - code->last));
  code->miss[1] = follow(code->miss[1], zigzag(now - onward(code, ratio)));
  code->miss[2] = follow(code->miss[2], zigzag(now));
  code->before = code->last;
  code->last = now;
}

/* 64 bits in two halves, since a call takes 32 at most. */
static void put_eight(brio_bits *bits, uint64_t eight) {
  brio_bits_put(bits, eight & 0xffffffffu, 32);
  brio_bits_put(bits, eight >> 32, 32);
}

static uint64_t take_eight(brio_bits *bits) {
  uint64_t low = brio_bits_take(bits, 32);
  return low | brio_bits_take(bits, 32) << 32;
}

void brio_code_put(brio_bits *bits, brio_coded *code, double value, double step, brio_coded_from from) {
  uint64_t eight;
  /* No whole number of steps: raw bytes, and the predictors stay as they are. */
  if (!is_whole(value, step)) {
    memcpy(&eight, &value, sizeof eight);
    brio_bits_put(bits, (1u << LONGEST) - 1, LONGEST);
    brio_bits_put(bits, 1, 1);
    put_eight(bits, eight);
    return;
  }
  /* Code the difference from the prediction; zigzag makes it unsigned. */
  int64_t now = llround(value / step) - from.base;
  uint64_t left = zigzag(now - brio_code_foreseen(code, from.ratio) - from.once);
  int width = width_of(code);
  /* The quotient in ones, or the escape for large differences. */
  if (left >> width < LONGEST) {
    brio_bits_put(bits, ((uint64_t)1 << (left >> width)) - 1, (int)(left >> width) + 1);
    brio_bits_put(bits, left, width);
  } else {
    brio_bits_put(bits, (1u << LONGEST) - 1, LONGEST);
    brio_bits_put(bits, 0, 1);
    put_eight(bits, left);
  }
  learn(code, now, left, from.ratio);
}

double brio_code_take(brio_bits *bits, brio_coded *code, double step, brio_coded_from from) {
  /* Count the ones of the quotient; a zero ends them. */
  int ones = 0, width = width_of(code);
  double value;
  while (ones < LONGEST && brio_bits_take(bits, 1)) ones++;
  if (ones == LONGEST && brio_bits_take(bits, 1)) {
    uint64_t eight = take_eight(bits);
    memcpy(&value, &eight, sizeof value);
    return value;
  }
  uint64_t left = ones == LONGEST ? take_eight(bits) : (uint64_t)ones << width | brio_bits_take(bits, width);
  /* Unsigned arithmetic: damaged bytes may overflow, which is defined here, and is detected later. */
  int64_t now = (int64_t)((uint64_t)zagzig(left) + (uint64_t)brio_code_foreseen(code, from.ratio) + (uint64_t)from.once); /* bytes that are wrong may wrap */
  learn(code, now, left, from.ratio);
  return (double)(int64_t)((uint64_t)now + (uint64_t)from.base) * step;
}
