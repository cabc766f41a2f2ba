/* Four floats at once, for loops over many points.  On x86 the instructions that every 64-bit processor has; on
** others plain C that does the same, bit for bit.  A lane that is NAN compares as false.  All inline. */
#ifndef BRIO_GEOMETRY_FOUR_H
#define BRIO_GEOMETRY_FOUR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__

#include <emmintrin.h>

typedef __m128 brio_four;

/* Return four times the same, or four in a row from memory that need not be aligned; write them there. */
static inline brio_four brio_four_of(float value) { return _mm_set1_ps(value); }
static inline brio_four brio_four_load(const float *from) { return _mm_loadu_ps(from); }
static inline void brio_four_store(float *to, brio_four a) { _mm_storeu_ps(to, a); }

/* Return lane by lane a + b, a - b, a b, |a|. */
static inline brio_four brio_four_add(brio_four a, brio_four b) { return _mm_add_ps(a, b); }
static inline brio_four brio_four_sub(brio_four a, brio_four b) { return _mm_sub_ps(a, b); }
static inline brio_four brio_four_mul(brio_four a, brio_four b) { return _mm_mul_ps(a, b); }
static inline brio_four brio_four_abs(brio_four a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }

/* Return lane by lane the lesser or the greater; b where one is NAN. */
static inline brio_four brio_four_min(brio_four a, brio_four b) { return _mm_min_ps(a, b); }
static inline brio_four brio_four_max(brio_four a, brio_four b) { return _mm_max_ps(a, b); }

/* Return lane by lane whether a <= b, as all bits or none; both of two such; NAN where one is not, else a. */
static inline brio_four brio_four_at_most(brio_four a, brio_four b) { return _mm_cmple_ps(a, b); }
static inline brio_four brio_four_and(brio_four a, brio_four b) { return _mm_and_ps(a, b); }
static inline brio_four brio_four_or_nan(brio_four a, brio_four mask) {
  return _mm_or_ps(a, _mm_xor_ps(mask, _mm_castsi128_ps(_mm_set1_epi32(-1))));
}

/* Return the lanes' truths in the lowest four bits. */
static inline unsigned brio_four_bits(brio_four mask) { return (unsigned)_mm_movemask_ps(mask); }

/* Write the whole part of each lane, towards 0. */
static inline void brio_four_whole(brio_four a, int32_t to[4]) { _mm_storeu_si128((__m128i *)to, _mm_cvttps_epi32(a)); }

/* Read four points, x y z x y z ..., into one four each of x, y and z. */
static inline void brio_four_split(const float *from, brio_four *x, brio_four *y, brio_four *z) {
  __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + 4), c = _mm_loadu_ps(from + 8);
  __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)); /* x2 y2 x3 y3 */
  __m128 yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1)); /* y0 z0 y1 z1 */
  *x = _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
  *y = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  *z = _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

#else

typedef struct brio_four { float lane[4]; } brio_four;

#define BRIO_FOUR_LANES(type, ...)                                            \
  type to;                                                                    \
  for (int i = 0; i < 4; i++) { __VA_ARGS__; }                                \
  return to

/* Return all bits or none. */
static inline float brio_four_truth(int truth) {
  uint32_t bits = truth ? UINT32_MAX : 0;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Return the bits of a float. */
static inline uint32_t brio_four_word(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* As above. */
static inline brio_four brio_four_of(float value) { BRIO_FOUR_LANES(brio_four, to.lane[i] = value); }

/* As above. */
static inline brio_four brio_four_load(const float *from) { BRIO_FOUR_LANES(brio_four, to.lane[i] = from[i]); }

/* As above. */
static inline void brio_four_store(float *to, brio_four a) { memcpy(to, a.lane, sizeof a.lane); }

/* As above. */
static inline brio_four brio_four_add(brio_four a, brio_four b) { BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] + b.lane[i]); }

/* As above. */
static inline brio_four brio_four_sub(brio_four a, brio_four b) { BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] - b.lane[i]); }

/* As above. */
static inline brio_four brio_four_mul(brio_four a, brio_four b) { BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] * b.lane[i]); }

/* As above. */
static inline brio_four brio_four_abs(brio_four a) { BRIO_FOUR_LANES(brio_four, to.lane[i] = fabsf(a.lane[i])); }

/* As above. */
static inline brio_four brio_four_min(brio_four a, brio_four b) { BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]); }

/* As above. */
static inline brio_four brio_four_max(brio_four a, brio_four b) { BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]); }

/* As above. */
static inline brio_four brio_four_at_most(brio_four a, brio_four b) { BRIO_FOUR_LANES(brio_four, to.lane[i] = brio_four_truth(a.lane[i] <= b.lane[i])); }

/* As above. */
static inline brio_four brio_four_and(brio_four a, brio_four b) {
  BRIO_FOUR_LANES(brio_four, uint32_t both = brio_four_word(a.lane[i]) & brio_four_word(b.lane[i]); memcpy(&to.lane[i], &both, 4));
}

/* As above. */
static inline brio_four brio_four_or_nan(brio_four a, brio_four mask) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = brio_four_word(mask.lane[i]) ? a.lane[i] : NAN);
}

/* As above. */
static inline unsigned brio_four_bits(brio_four mask) {
  unsigned bits = 0;
  for (int i = 0; i < 4; i++) bits |= (brio_four_word(mask.lane[i]) >> 31) << i;
  return bits;
}

/* As above. */
static inline void brio_four_whole(brio_four a, int32_t to[4]) {
  for (int i = 0; i < 4; i++) to[i] = (int32_t)a.lane[i];
}

/* As above. */
static inline void brio_four_split(const float *from, brio_four *x, brio_four *y, brio_four *z) {
  for (int i = 0; i < 4; i++) x->lane[i] = from[3 * i], y->lane[i] = from[3 * i + 1], z->lane[i] = from[3 * i + 2];
}

#endif

#endif
