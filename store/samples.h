/* Packing samples: a few ticks of all DOFs become one row of `sample_chunks` and one row a DOF
** of `sample_values`.  Where a chunk ends depends on ticks only, never on the clock. */
#ifndef BRIO_STORE_SAMPLES_H
#define BRIO_STORE_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/db.h"

enum { BRIO_CHUNK_TICKS = 10 };

/* The chunk that is being filled. */
typedef struct brio_chunk {
  int64_t run, tick, step; /* of its first sample; ticks between samples */
  int count;               /* samples in it */
  int ndof;
  double t[BRIO_CHUNK_TICKS];
  double *values; /* sample x (goal, command, measured) x dof */
  int room;       /* DOFs that `values` has memory for */
} brio_chunk;

/* Add a sample of `ndof` DOFs (`values`: goal, command, measured, each ndof).  False: it does not
** belong to this chunk, which must be written first. */
bool brio_chunk_add(brio_chunk *chunk, int64_t run, int64_t tick, double t, int ndof, const double *values);

/* Make room for samples of `ndof` DOFs in an empty chunk.  Return false without memory. */
bool brio_chunk_reserve(brio_chunk *chunk, int ndof);

/* Write the chunk's rows, if it has any, and empty it.  The statements are
** BRIO_CHUNK_SQL and BRIO_CHUNK_VALUES_SQL, prepared. */
bool brio_chunk_write(brio_chunk *chunk, brio_query *chunks, brio_query *values, brio_error *err);
#define BRIO_CHUNK_SQL "INSERT INTO sample_chunks(run, tick, step, times) VALUES(?1, ?2, ?3, ?4)"
#define BRIO_CHUNK_VALUES_SQL \
  "INSERT INTO sample_values(run, tick, dof, goal, command, measured) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"

/* Make `copy` the same as `chunk`.  Return false without memory. */
bool brio_chunk_copy(brio_chunk *copy, const brio_chunk *chunk);

/* Give the memory back. */
void brio_chunk_end(brio_chunk *chunk);

#endif
