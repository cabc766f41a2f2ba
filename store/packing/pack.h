/* Whole numbers in few bits: a column of samples becomes differences of the order with the least sum, and
** these are Rice-coded in groups of sixty-four, each with its best parameter (Rice 1979; the predictors are
** those of lossless audio coders: Robinson, "SHORTEN", 1994).  Exact for all 64-bit
** numbers: sums wrap round.
**
** A column, at a byte's border: its length (varint), then a byte with its form and flags:
**   form, low three bits: 0 no number is there; 1 one number, kept throughout; 2..5 differences of order 0..3
**   8   the numbers are the bits of doubles    16  there are gaps
**   32  the numbers are above those of the reference
** then, with gaps, runs of there, absent, there, ... (their number, then each; varints); then what the form
** needs: zigzag varints of the first numbers, then the groups: six bits of parameter (63: all zero), then
** each difference. */
#ifndef BRIO_STORE_PACKING_PACK_H
#define BRIO_STORE_PACKING_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/grid.h"
#include "base/text.h"

/* The most numbers in a column. */
enum { BRIO_PACK_MOST = 4096 };

/* Scratch for packing and unpacking: one for a thread. */
typedef struct brio_pack_room {
  int64_t numbers[BRIO_PACK_MOST], reference[BRIO_PACK_MOST], rest[BRIO_PACK_MOST];
  /* the column packed or unpacked last can be another's reference: no gaps, no doubles' bits */
  bool referable;
} brio_pack_room;

/* Bytes that are read; `at` moves. */
typedef struct brio_pack_bytes {
  const uint8_t *at, *end;
} brio_pack_bytes;

/* Append a number of up to 64 bits, seven bits a byte. */
void brio_pack_varint(brio_text *out, uint64_t number);

/* Read one.  False: the bytes end, or are invalid. */
bool brio_unpack_varint(brio_pack_bytes *in, uint64_t *number);

/* Add a column of `count` numbers (at most BRIO_PACK_MOST) at this step; NaN: none.  One that does not fit
** the step makes the whole column be kept to the last bit.  With `again`, the column packed before, with the
** same room, is the reference, if it can be. */
void brio_pack_column(brio_text *out, const double *values, int count, brio_grid step, bool again,
                      brio_pack_room *room);

/* Read a column of `count` numbers into `values`; NULL: only as far as a column that refers to it needs.
** False: the bytes are no such column. */
bool brio_unpack_column(brio_pack_bytes *in, double *values, int count, brio_grid step, brio_pack_room *room);

/* Skip a column. */
bool brio_unpack_skip(brio_pack_bytes *in);

#endif
