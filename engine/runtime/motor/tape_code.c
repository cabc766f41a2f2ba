/* See tape_code.h. Writer and reader narrow the same interval [low, low + range) by the probability of each
** bit; a carry may pass into bytes already written. O(1) for a bit. */
#include "runtime/motor/tape_code.h"

#include <math.h>
#include <string.h>

enum {
  TOP = 1 << 24 /* least range between two bits */,
  FAST = 4 /* a bit moves the fast mean by 1 / 2^4 */,
  SLOW = 7 /* and the slow mean by 1 / 2^7 */,
  MEAN = 4 /* a size moves its mean by 1 / 2^4 */,
  LARGE = 1 << 24 /* larger sizes count as this one */,
  LONGEST = 56 /* bits of a remainder */
};

#define MOST_WAY 1e12

/* ---- the range coder ---- */

brio_coder brio_coder_write(unsigned char *out) {
  return (brio_coder){.start = out, .out = out, .range = UINT32_MAX};
}

/* Reading: shift the next byte into `low`; behind the end a zero, which is counted. */
static void take_byte(brio_coder *coder) {
  bool any = coder->in < coder->end;
  coder->low = coder->low << 8 | (any ? *coder->in++ : 0);
  coder->padding += !any;
}

brio_coder brio_coder_read(const unsigned char *in, const unsigned char *end) {
  brio_coder coder = {.in = in, .end = end, .range = UINT32_MAX};
  for (int i = 0; i < 4; i++) take_byte(&coder);
  return coder;
}

/* Writing: a sum beyond 32 bits carries into the bytes before. */
static void carry(brio_coder *coder) {
  if (!(coder->low >> 32)) return;
  coder->low &= UINT32_MAX;
  for (unsigned char *at = coder->out; at > coder->start && ++*--at == 0;) {}
}

/* Narrow the interval to `range` from `below` on, and shift bytes until the range is TOP at least. */
static inline void narrow(brio_coder *coder, uint32_t below, uint32_t range) {
  coder->range = range;
  /* The reader subtracts what the writer added. */
  if (!brio_coder_writes(coder)) {
    coder->low -= below;
    for (; coder->range < TOP; coder->range <<= 8) take_byte(coder);
    return;
  }
  coder->low += below;
  carry(coder);
  for (; coder->range < TOP; coder->range <<= 8) {
    *coder->out++ = (unsigned char)(coder->low >> 24);
    coder->low = coder->low << 8 & UINT32_MAX;
  }
}

unsigned char *brio_coder_end(brio_coder *coder) {
  /* The reader's zeros stand for an interval that begins at 0. */
  if (coder->low == 0) return coder->out;
  coder->low += TOP - 1; /* the interval holds a number whose last three bytes are zero */
  carry(coder);
  *coder->out++ = (unsigned char)(coder->low >> 24);
  return coder->out;
}

bool brio_coder_is_over(const brio_coder *coder) {
  /* The reader is 4 bytes ahead: 3 zeros behind the byte of brio_coder_end, or 4 if that wrote none. */
  return coder->in == coder->end && (coder->padding == 3 || coder->padding == 4);
}

/* ---- bits ---- */

/* Move a probability by 1 / 2^rate towards the bit. Stored with the top bit flipped: 0 is even. */
static inline uint16_t follow_bit(uint16_t mean, bool bit, int rate) {
  uint32_t now = mean ^ 0x8000u;
  now = bit ? now + ((0xffffu - now) >> rate) : now - (now >> rate);
  return (uint16_t)(now ^ 0x8000u);
}

/* Code a bit with the mean of both probabilities, 16 / 65536 at least, so that the interval is never
** empty. */
static inline bool code_bit(brio_coder *coder, brio_chance *chance, bool bit) {
  uint32_t p = ((chance->fast ^ 0x8000u) + (chance->slow ^ 0x8000u)) >> 1;
  /* The lower part of the interval stands for a set bit. */
  uint32_t set = (coder->range >> 16) * (p < 16 ? 16 : p);
  if (!brio_coder_writes(coder)) bit = coder->low < set;
  if (bit)
    narrow(coder, 0, set);
  else
    narrow(coder, set, coder->range - set);
  chance->fast = follow_bit(chance->fast, bit, FAST);
  chance->slow = follow_bit(chance->slow, bit, SLOW);
  return bit;
}

bool brio_code_bit(brio_coder *coder, brio_chance *chance, bool bit) { return code_bit(coder, chance, bit); }

/* Code `count` (up to 16) bits without a model: 2^count equal parts of the interval. */
static uint32_t code_some(brio_coder *coder, uint32_t bits, int count) {
  uint32_t one = coder->range >> count;
  if (!brio_coder_writes(coder)) {
    /* The reader's number lies in one of 2^count equal parts. */
    bits = (uint32_t)coder->low / one;
    if (bits >> count) bits = (1u << count) - 1; /* bytes that are wrong */
  }
  narrow(coder, bits * one, one);
  return bits;
}

uint64_t brio_code_bits(brio_coder *coder, uint64_t bits, int count) {
  uint64_t made = 0;
  /* Pieces of 16 bits, as the range has at least 24. */
  for (int at = 0; at < count; at += 16) {
    int some = count - at < 16 ? count - at : 16;
    made |= (uint64_t)code_some(coder, (uint32_t)(bits >> at) & ((1u << some) - 1), some) << at;
  }
  return made;
}

double brio_code_double(brio_coder *coder, brio_chance *same, double value, double before) {
  uint64_t bits;
  if (code_bit(coder, same, memcmp(&value, &before, sizeof value) == 0)) return before;
  memcpy(&bits, &value, sizeof bits);
  bits = brio_code_bits(coder, bits, 64);
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* ---- remainders ---- */

/* Signed to unsigned: the sign becomes the lowest bit. */
static uint64_t zigzag(int64_t n) { return (uint64_t)n << 1 ^ (uint64_t) - (n < 0); }

/* The class of the expected remainder: twice the binary logarithm of its mean size, rounded down. */
static int scale_of(const brio_coded *code) {
  uint32_t size = code->size;
  int top = size ? 31 - __builtin_clz(size) : 0, half = top ? size >> (top - 1) & 1 : 0,
      scale = 2 * top + half;
  return scale < BRIO_CODE_SCALES ? scale : BRIO_CODE_SCALES - 1;
}

/* The `count` bits of a magnitude below its highest; only the first two have a model. */
static uint64_t code_below(brio_coder *coder, brio_chance known[4], uint64_t magnitude, int count) {
  int node = 1;
  /* A tree of three nodes: the second bit's probability depends on the first. */
  for (int k = 0; k < 2 && count > 0; k++)
    node = 2 * node + code_bit(coder, &known[node], magnitude >> --count & 1);
  uint64_t top = (uint64_t)node << count;
  return top | brio_code_bits(coder, magnitude & (((uint64_t)1 << count) - 1), count);
}

/* Code a remainder: the length of its magnitude in unary, by class; the bits below the highest; the sign. */
static int64_t code_left(brio_coder *coder, brio_code_shape *shape, const brio_coded *code, int64_t left) {
  brio_chance *classes = shape->classes[scale_of(code)];
  uint64_t magnitude = left < 0 ? -(uint64_t)left : (uint64_t)left;
  int length = 0, most = magnitude ? 64 - __builtin_clzll(magnitude) : 0;
  /* One adaptive bit for each bit of the length; long ones share the last class. */
  while (length < LONGEST &&
         code_bit(coder, &classes[length < BRIO_CODE_CLASSES ? length : BRIO_CODE_CLASSES - 1],
                       length < most))
    length++;
  if (length == 0) return 0;
  magnitude = code_below(coder, shape->below[length < BRIO_CODE_CLASSES ? length : BRIO_CODE_CLASSES - 1],
                         magnitude, length - 1);
  return brio_code_bits(coder, left < 0, 1) ? -(int64_t)magnitude : (int64_t)magnitude;
}

/* ---- numbers ---- */

bool brio_code_steps(double value, brio_grid grid, int64_t *steps) {
  if (!brio_grid_count(grid, value, steps)) return false;
  double back = brio_grid_value(grid, *steps);
  return memcmp(&back, &value, sizeof back) == 0;
}

/* Sum and difference wrap around: damaged bytes may lead beyond 64 bits. */
static int64_t sum(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t less(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }

/* Follow a mean size: `mean` is 2^MEAN times the mean. */
static uint32_t follow(uint32_t mean, uint64_t now) {
  return mean + (uint32_t)(now < LARGE ? now : LARGE) - (mean >> MEAN);
}

/* The number if it changes as it did last, times the ratio of the intervals. */
static int64_t onward(const brio_coded *code, double ratio) {
  double way = (double)less(code->last, code->before) * ratio;
  return sum(code->last, fabs(way) < MOST_WAY ? (int64_t)(way + copysign(0.5, way)) : 0);
}

/* The forecast of the predictor with the least mean error: 0, as the last, or onward. */
static inline int64_t foreseen_of(const brio_coded *code, double ratio) {
  bool goes_on = code->miss[1] < code->miss[0];
  if (code->miss[2] <= code->miss[goes_on]) return 0;
  return goes_on ? onward(code, ratio) : code->last;
}

int64_t brio_code_foreseen(const brio_coded *code, double ratio) { return foreseen_of(code, ratio); }

/* Update the mean sizes of remainder and errors, and the last two numbers. */
static inline void learn(brio_coded *code, int64_t now, uint64_t left, double ratio) {
  code->size = follow(code->size, left);
  /* Errors of the three predictors: as the last, onward, 0. */
  code->miss[0] = follow(code->miss[0], zigzag(less(now, code->last)));
  code->miss[1] = follow(code->miss[1], zigzag(less(now, onward(code, ratio))));
  code->miss[2] = follow(code->miss[2], zigzag(now));
  code->before = code->last;
  code->last = now;
}

void brio_code_learn(brio_coded *code, int64_t now, uint64_t left, double ratio) {
  learn(code, now, left, ratio);
}

/* A forecast in steps: its base, and what its history adds. */
static inline int64_t foreseen_by(const brio_forecast *forecast) {
  return sum(forecast->base, foreseen_of(forecast->code, forecast->ratio));
}

/* Code a number as the remainder of its best forecast; then every forecast learns from it. */
static int64_t code_steps(brio_coder *coder, brio_code_shape *shape, const brio_forecast *forecasts,
                          int count, int64_t value) {
  /* The forecast with the smallest recent remainders. */
  const brio_forecast *best = forecasts;
  for (int i = 1; i < count; i++)
    if (forecasts[i].code->size < best->code->size) best = &forecasts[i];
  int64_t foreseen = foreseen_by(best);
  value = sum(foreseen, code_left(coder, shape, best->code, less(value, foreseen)));
  /* All of them, also those that were not used. */
  for (int i = 0; i < count; i++) {
    const brio_forecast *one = &forecasts[i];
    learn(one->code, less(value, one->base), zigzag(less(value, foreseen_by(one))), one->ratio);
  }
  return value;
}

double brio_code_number(brio_coder *coder, brio_code_shape *shape, const brio_forecast *forecasts, int count,
                        double value, double before, brio_grid grid) {
  /* A value off the grid is coded by its bits. */
  int64_t steps = 0;
  bool odd = brio_coder_writes(coder) && !brio_code_steps(value, grid, &steps);
  if (!code_bit(coder, &shape->odd, odd))
    return brio_grid_value(grid, code_steps(coder, shape, forecasts, count, steps));
  return brio_code_double(coder, &shape->same, value, before);
}

int64_t brio_code_whole(brio_coder *coder, brio_code_shape *shape, brio_coded *code, int64_t value,
                        int64_t base) {
  return code_steps(coder, shape, &(brio_forecast){code, base, 1}, 1, value);
}
