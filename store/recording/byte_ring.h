/* A ring of records of any size between one writing and one reading thread, without locks.
** The reader reads records in place and frees their room only when they are committed, so a failed
** transaction can read them again. */
#ifndef BRIO_STORE_RECORDING_BYTE_RING_H
#define BRIO_STORE_RECORDING_BYTE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/threads/atomic.h"

/* Head of every record; its own bytes follow. */
typedef struct brio_record {
  uint32_t size; /* bytes, this header included; a multiple of 16 */
  int32_t kind;  /* the writer's; -1: no record, the rest of the ring's memory */
  int64_t run;
} brio_record;

typedef struct brio_byte_ring {
  unsigned char *bytes;
  uint64_t size; /* a power of two */
  alignas(64) atomic_uint_fast64_t written; /* bytes ever published, by the writer */
  uint64_t begun;                           /* end of the record under construction */
  uint64_t seen;                            /* the writer's last copy of `read` */
  alignas(64) atomic_uint_fast64_t read;    /* bytes released so far, by the reader */
} brio_byte_ring;

/* Make room for `size` bytes, at least 4096, rounded up to a power of two, and touch it all. */
bool brio_byte_ring_start(brio_byte_ring *ring, size_t size);

/* Free the memory, when both threads are done. */
void brio_byte_ring_end(brio_byte_ring *ring);

/* Return the bytes of the largest record that surely fits an empty ring. */
size_t brio_byte_ring_largest(const brio_byte_ring *ring);

/* Writer: begin a record with `bytes` bytes after its header that leaves `spare` bytes free, unless nothing
** waits. NULL: no room now. */
brio_record *brio_byte_ring_begin(brio_byte_ring *ring, size_t bytes, size_t spare);

/* Writer: publish the record begun last. */
void brio_byte_ring_publish(brio_byte_ring *ring);

/* Writer: return true when more than half the ring waits for the reader. */
bool brio_byte_ring_half_full(const brio_byte_ring *ring);

/* Reader: return the record at `*at` and move `*at` behind it, or NULL when there is none yet.
** `*at` starts as what brio_byte_ring_oldest returns. */
const brio_record *brio_byte_ring_next(const brio_byte_ring *ring, uint64_t *at);
uint64_t brio_byte_ring_oldest(const brio_byte_ring *ring);

/* Reader: free the room of all records before `at`. */
void brio_byte_ring_release(brio_byte_ring *ring, uint64_t at);

#endif
