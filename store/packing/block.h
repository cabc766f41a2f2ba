/* Blocks of packed samples and solver results, as stored.  Each block describes itself:
**
**   a letter, the version of the format (1), the count of samples (varint), what its kind has, and a check
**   code
**
**   'd'  samples of one DOF: the step of goals and commands, that of measured values, then three columns
**   't'  when they were taken: column of ticks, column of times
**   'a'  samples of all DOFs that were not put into blocks of their own yet: the columns of 't', a hash for
**        each tick (eight bytes), then for each DOF the length of what 'd' has, and that
**   's'  solver results: how many texts of status, each with its length; then columns, each behind its step
**
** Columns: see store/packing/pack.h.  A step is a byte: n for 10^-n, 16 for none (numbers are kept as they
** are), 255 for the double that follows.  Varints: seven bits a byte, the low ones first.  The check code:
** CRC-32 of all before it. */
#ifndef BRIO_STORE_PACKING_BLOCK_H
#define BRIO_STORE_PACKING_BLOCK_H

#include "store/packing/pack.h"

enum { BRIO_BLOCK_VERSION = 1 };

/* The step of times, and of ticks. */
#define BRIO_BLOCK_TIME_STEP 1e-6
#define BRIO_BLOCK_TICK_STEP 1.0

/* Goal, command and measured values of one DOF; NULL when reading: not wanted. */
typedef struct brio_block_dof {
  double *goal, *command, *measured;
} brio_block_dof;

/* Begin a block; return where it begins in `out`. */
size_t brio_block_begin(brio_text *out, char kind, int count);

/* End the block that begins there: add its check code. */
void brio_block_end(brio_text *out, size_t start);

/* Open a block of `length` bytes: check it, and set `in` after its head.  False: `why` has the error in a few
** words. */
bool brio_block_open(const void *bytes, size_t length, char kind, brio_pack_bytes *in, int *count,
                     const char **why);

/* Add and read a step. */
void brio_block_put_step(brio_text *out, brio_grid step);
bool brio_block_take_step(brio_pack_bytes *in, brio_grid *step);

/* Add and read what 'd' has behind its head. */
void brio_block_put_dof(brio_text *out, const brio_block_dof *values, int count, const brio_grid steps[2],
                        brio_pack_room *room);
bool brio_block_take_dof(brio_pack_bytes *in, const brio_block_dof *values, int count, brio_pack_room *room);

/* Add and read the columns of 't'; `ticks` NULL when reading: not wanted. */
void brio_block_put_ticks(brio_text *out, const double *ticks, const double *times, int count,
                          brio_pack_room *room);
bool brio_block_take_ticks(brio_pack_bytes *in, double *ticks, double *times, int count,
                           brio_pack_room *room);

/* Read `count` hashes, eight bytes each, the low ones first; add them. */
void brio_block_put_hashes(brio_text *out, const uint64_t *hashes, int count);
bool brio_block_take_hashes(brio_pack_bytes *in, int64_t *hashes, int count);

#endif
