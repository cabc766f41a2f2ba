/* Numbers of the motor side as bits of the tape: each is predicted from those before, and what is left is Golomb-Rice coded
** with a parameter that follows its size (Rice, "Some practical universal noiseless coding techniques", 1979; as LOCO-I has it:
** Weinberger, Seroussi and Sapiro, IEEE Trans. Image Processing 9(8), 2000).  Who reads keeps the same state as who writes. */
#ifndef BRIO_RUNTIME_MOTOR_TAPE_CODE_H
#define BRIO_RUNTIME_MOTOR_TAPE_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* Bits one after the other, lowest first. */
typedef struct brio_bits {
  unsigned char *at;        /* writing: the byte that comes next */
  const unsigned char *from, *end; /* reading */
  uint64_t bits;
  int count;                /* of them */
  bool good;                /* reading: there were enough */
} brio_bits;

/* Bits that are written from `at` on. */
static inline brio_bits brio_bits_write(unsigned char *at) { return (brio_bits){.at = at, .good = true}; }
/* Bits that are read from `from` up to `end`. */
static inline brio_bits brio_bits_read(const unsigned char *from, const unsigned char *end) {
  return (brio_bits){.from = from, .end = end, .good = true};
}

/* Write or take `count` bits, up to 32. */
void brio_bits_put(brio_bits *bits, uint64_t value, int count);
uint64_t brio_bits_take(brio_bits *bits, int count);
/* Fill up the last byte; return behind it. */
unsigned char *brio_bits_end(brio_bits *bits);
const unsigned char *brio_bits_over(brio_bits *bits);

/* From where a number is predicted, in steps; how much longer it was on its way than the last time, as a ratio; and by how
** many steps it is off this once. */
typedef struct brio_coded_from {
  int64_t base;
  double ratio;
  int64_t once;
} brio_coded_from;

/* A number that changes again and again. */
typedef struct brio_coded {
  int64_t last, before;     /* the newest two, less what they were predicted from */
  uint32_t size;            /* 16 times the mean of what is left of it */
  uint32_t miss[3];         /* the same, had it been predicted as the newest, as the newest two go on, and as nothing */
} brio_coded;

enum { BRIO_CODE_LONGEST = 13 /* bytes that a number may take */ };

/* Write, or take, a value: what it is beyond its base or, where it is no whole number of steps (below 1e12 of
** them) its eight bytes. */
void brio_code_put(brio_bits *bits, brio_coded *code, double value, double step, brio_coded_from from);
double brio_code_take(brio_bits *bits, brio_coded *code, double step, brio_coded_from from);

/* What is foreseen of a number beyond its base: as the predictor that missed least has it. */
int64_t brio_code_foreseen(const brio_coded *code, double ratio);

/* How many steps a value is; 0: it is no whole number of them. */
int64_t brio_code_steps(double value, double step);

#endif
