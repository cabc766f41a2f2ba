/* Four floats at once, for loops over many points.  On x86 the instructions that every 64-bit processor has;
** on others plain C that does the same, bit for bit.  A lane that is NAN compares as false.  All inline. */
#ifndef BRIO_GEOMETRY_FOUR_H
#define BRIO_GEOMETRY_FOUR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__

#include <emmintrin.h>

typedef __m128 brio_four;

/* Return four copies of a number, or four consecutive numbers from memory that need not be aligned; write
** them there. */
static inline brio_four brio_four_of(float value) { return _mm_set1_ps(value); }
static inline brio_four brio_four_load(const float *from) { return _mm_loadu_ps(from); }
static inline void brio_four_store(float *to, brio_four a) { _mm_storeu_ps(to, a); }

/* Return lane by lane a + b, a - b, a b, |a|. */
static inline brio_four brio_four_add(brio_four a, brio_four b) { return _mm_add_ps(a, b); }
static inline brio_four brio_four_sub(brio_four a, brio_four b) { return _mm_sub_ps(a, b); }
static inline brio_four brio_four_mul(brio_four a, brio_four b) { return _mm_mul_ps(a, b); }
static inline brio_four brio_four_abs(brio_four a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }

/* Return lane by lane the square root, NaN of what is below 0. */
static inline brio_four brio_four_sqrt(brio_four a) { return _mm_sqrt_ps(a); }

/* Return lane by lane the minimum or the maximum; b where one is NaN. */
static inline brio_four brio_four_min(brio_four a, brio_four b) { return _mm_min_ps(a, b); }
static inline brio_four brio_four_max(brio_four a, brio_four b) { return _mm_max_ps(a, b); }

/* Return lane by lane whether a <= b, as all bits or none; the AND of two such masks; `a` where the mask
** is set, otherwise NaN. */
static inline brio_four brio_four_at_most(brio_four a, brio_four b) { return _mm_cmple_ps(a, b); }
static inline brio_four brio_four_and(brio_four a, brio_four b) { return _mm_and_ps(a, b); }
static inline brio_four brio_four_or_nan(brio_four a, brio_four mask) {
  return _mm_or_ps(a, _mm_xor_ps(mask, _mm_castsi128_ps(_mm_set1_epi32(-1))));
}

/* Return the mask as the lowest four bits, one per lane. */
static inline unsigned brio_four_bits(brio_four mask) { return (unsigned)_mm_movemask_ps(mask); }

/* Read four points, x y z x y z ..., into one four each of x, y and z. */
static inline void brio_four_split(const float *from, brio_four *x, brio_four *y, brio_four *z) {
  __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + 4), c = _mm_loadu_ps(from + 8);
  __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)); /* x2 y2 x3 y3 */
  __m128 yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1)); /* y0 z0 y1 z1 */
  *x = _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
  *y = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  *z = _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

/* Read four points of four floats each, x y z w ..., into one four each. */
static inline void brio_four_turn(const float *from, brio_four *x, brio_four *y, brio_four *z, brio_four *w) {
  __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + 4), c = _mm_loadu_ps(from + 8),
         d = _mm_loadu_ps(from + 12);
  __m128 ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d), abh = _mm_unpackhi_ps(a, b),
         cdh = _mm_unpackhi_ps(c, d);
  *x = _mm_movelh_ps(ab, cd);
  *y = _mm_movehl_ps(cd, ab);
  *z = _mm_movelh_ps(abh, cdh);
  *w = _mm_movehl_ps(cdh, abh);
}

/* Write the whole parts of x, y and z, towards 0, as x + y << shift + z << 2 shift. */
static inline void brio_four_key(brio_four x, brio_four y, brio_four z, int shift, uint32_t to[4]) {
  __m128i key = _mm_slli_epi32(_mm_cvttps_epi32(z), shift);
  key = _mm_slli_epi32(_mm_add_epi32(key, _mm_cvttps_epi32(y)), shift);
  _mm_storeu_si128((__m128i *)to, _mm_add_epi32(key, _mm_cvttps_epi32(x)));
}

/* Of the 64 words, take those whose bit is set in `in`, and add their lowest, second and third bytes to
** `sums`. */
static inline void brio_four_add_bytes(const uint32_t words[64], uint64_t in, uint32_t sums[3]) {
  const __m128i low = _mm_set1_epi32(0xff), lanes = _mm_set_epi32(8, 4, 2, 1);
  __m128i sum[3] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
  for (int i = 0; i < 64; i += 4) {
    __m128i mask = _mm_and_si128(_mm_set1_epi32((int)(in >> i & 15)), lanes);
    __m128i word = _mm_and_si128(_mm_loadu_si128((const __m128i *)(words + i)), _mm_cmpeq_epi32(mask, lanes));
    sum[0] = _mm_add_epi32(sum[0], _mm_and_si128(word, low));
    sum[1] = _mm_add_epi32(sum[1], _mm_and_si128(_mm_srli_epi32(word, 8), low));
    sum[2] = _mm_add_epi32(sum[2], _mm_and_si128(_mm_srli_epi32(word, 16), low));
  }
  for (int k = 0; k < 3; k++) {
    uint32_t part[4];
    _mm_storeu_si128((__m128i *)part, sum[k]);
    sums[k] += part[0] + part[1] + part[2] + part[3];
  }
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
static inline brio_four brio_four_load(const float *from) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = from[i]);
}

/* As above. */
static inline void brio_four_store(float *to, brio_four a) { memcpy(to, a.lane, sizeof a.lane); }

/* As above. */
static inline brio_four brio_four_add(brio_four a, brio_four b) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] + b.lane[i]);
}

/* As above. */
static inline brio_four brio_four_sub(brio_four a, brio_four b) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] - b.lane[i]);
}

/* As above. */
static inline brio_four brio_four_mul(brio_four a, brio_four b) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] * b.lane[i]);
}

/* As above. */
static inline brio_four brio_four_abs(brio_four a) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = fabsf(a.lane[i]));
}

/* As above. */
static inline brio_four brio_four_sqrt(brio_four a) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = sqrtf(a.lane[i]));
}

/* As above. */
static inline brio_four brio_four_min(brio_four a, brio_four b) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}

/* As above. */
static inline brio_four brio_four_max(brio_four a, brio_four b) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}

/* As above. */
static inline brio_four brio_four_at_most(brio_four a, brio_four b) {
  BRIO_FOUR_LANES(brio_four, to.lane[i] = brio_four_truth(a.lane[i] <= b.lane[i]));
}

/* As above. */
static inline brio_four brio_four_and(brio_four a, brio_four b) {
  BRIO_FOUR_LANES(brio_four, uint32_t both = brio_four_word(a.lane[i]) & brio_four_word(b.lane[i]);
                  memcpy(&to.lane[i], &both, 4));
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
static inline void brio_four_split(const float *from, brio_four *x, brio_four *y, brio_four *z) {
  for (int i = 0; i < 4; i++)
    x->lane[i] = from[3 * i], y->lane[i] = from[3 * i + 1], z->lane[i] = from[3 * i + 2];
}

/* As above. */
static inline void brio_four_turn(const float *from, brio_four *x, brio_four *y, brio_four *z, brio_four *w) {
  brio_four *const to[4] = {x, y, z, w};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++) memcpy(&to[k]->lane[i], &from[4 * i + k], sizeof(float));
}

/* As above. */
static inline void brio_four_key(brio_four x, brio_four y, brio_four z, int shift, uint32_t to[4]) {
  for (int i = 0; i < 4; i++)
    to[i] = (uint32_t)x.lane[i] + ((uint32_t)y.lane[i] << shift) + ((uint32_t)z.lane[i] << 2 * shift);
}

/* As above. */
static inline void brio_four_add_bytes(const uint32_t words[64], uint64_t in, uint32_t sums[3]) {
  for (int i = 0; i < 64; i++)
    for (int k = 0; k < 3 && in >> i & 1; k++) sums[k] += words[i] >> 8 * k & 0xff;
}

#endif

/* Return how many bits are set. */
static inline int brio_four_count(uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555u;
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int)(bits * 0x0101010101010101u >> 56);
}

#endif
