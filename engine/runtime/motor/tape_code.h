/* Numbers of the motor side on the tape: each is predicted from those before, and the remainder goes through
** an adaptive binary range coder (Martin, "Range encoding: an algorithm for removing redundancy from a
** digitised message", 1979; binary contexts as in CABAC: Marpe, Schwarz and Wiegand, IEEE Trans. Circuits and
** Systems for Video Technology 13(7), 2003). Writer and reader run the same code: a function of a coder that
** writes takes a value and returns it; of one that reads, it ignores the value and returns what was written.
** Both keep the same state. */
#ifndef BRIO_RUNTIME_MOTOR_TAPE_CODE_H
#define BRIO_RUNTIME_MOTOR_TAPE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/grid.h"

typedef struct brio_coder {
  unsigned char *start, *out;    /* writing: the first byte, and the next one; NULL: it reads */
  const unsigned char *in, *end; /* reading: the next byte */
  uint64_t low;                  /* of the interval; reading: where the number lies in it */
  uint32_t range;
  int padding; /* reading: zeros that stood for bytes behind the end */
} brio_coder;

/* A coder that writes from `out` on; one that reads from `in` up to `end`. */
brio_coder brio_coder_write(unsigned char *out);
brio_coder brio_coder_read(const unsigned char *in, const unsigned char *end);

/* Writing: write what is pending; return the end.  Reading: return whether all bytes were needed, and no
** others. */
unsigned char *brio_coder_end(brio_coder *coder);
bool brio_coder_is_over(const brio_coder *coder);

/* Reading: whether the bytes were enough so far. */
static inline bool brio_coder_good(const brio_coder *coder) { return coder->padding <= 4; }

/* Whether this coder writes. */
static inline bool brio_coder_writes(const brio_coder *coder) { return coder->out != NULL; }

/* Probability that a bit is set: a fast and a slow mean of those before.  All zero: even. */
typedef struct brio_chance {
  uint16_t fast, slow;
} brio_chance;

/* A bit that mostly repeats; `count` bits (up to 64) without a model. */
bool brio_code_bit(brio_coder *coder, brio_chance *chance, bool bit);
uint64_t brio_code_bits(brio_coder *coder, uint64_t bits, int count);

/* A number that mostly repeats; a new value takes 64 bits. */
double brio_code_double(brio_coder *coder, brio_chance *same, double value, double before);

enum { BRIO_CODE_SCALES = 48, BRIO_CODE_CLASSES = 24 };

/* Distribution of the remainders of one kind of numbers: the magnitude's length in bits for each expected
** size, and the bits below the highest. */
typedef struct brio_code_shape {
  brio_chance odd, same;
  brio_chance classes[BRIO_CODE_SCALES][BRIO_CODE_CLASSES], below[BRIO_CODE_CLASSES][4];
} brio_code_shape;

/* A number that changes often. */
typedef struct brio_coded {
  int64_t last, before; /* the newest two, less their prediction */
  uint32_t size;        /* 16 times the mean of its remainder */
  uint32_t miss[3];     /* the same for three predictors: as the newest, as the newest two continue, and 0 */
} brio_coded;

enum { BRIO_CODE_LONGEST = 84 /* the most bytes of a number */ };

/* A predictor: a number of steps beyond a base, of which `code` keeps the history; `ratio`: how much longer
** its interval is than the last one. */
typedef struct brio_forecast {
  brio_coded *code;
  int64_t base;
  double ratio;
} brio_forecast;

/* Code a value of a grid: its difference from the best recent forecast, of `count`; a value off the grid by
** its 64 bits, unless they are those that it had `before`. */
double brio_code_number(brio_coder *coder, brio_code_shape *shape, const brio_forecast *forecasts, int count,
                        double value, double before, brio_grid grid);

/* The same for a whole number. */
int64_t brio_code_whole(brio_coder *coder, brio_code_shape *shape, brio_coded *code, int64_t value,
                        int64_t base);

/* The forecast of a number beyond its base, by the predictor with the smallest error. */
int64_t brio_code_foreseen(const brio_coded *code, double ratio);

/* The number of steps of a value; false: it is no whole number of them. */
bool brio_code_steps(double value, brio_grid grid, int64_t *steps);

/* ---- shared with records of earlier formats (tape_before.c) ---- */

/* Learn a number's value beyond its base, of which `left` (zigzag) was the remainder. */
void brio_code_learn(brio_coded *code, int64_t now, uint64_t left, double ratio);

#endif
