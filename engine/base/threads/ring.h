/* A ring of fixed-size records between one writing and one reading thread, without
** locks.  For records that must all arrive: a full ring refuses new ones, and counts them. */
#ifndef BRIO_BASE_THREADS_RING_H
#define BRIO_BASE_THREADS_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/threads/atomic.h"

typedef struct brio_ring {
  unsigned char *records;
  size_t size;     /* bytes of one record */
  uint64_t mask;   /* capacity - 1; the capacity is a power of two */
  alignas(64) atomic_uint_fast64_t written; /* by the writer */
  atomic_uint_fast64_t refused;             /* by the writer */
  alignas(64) atomic_uint_fast64_t read;    /* by the reader */
} brio_ring;

/* Make room for at least `count` records of `size` bytes.  Return false without memory. */
bool brio_ring_start(brio_ring *ring, size_t size, size_t count);

/* Writer: copy one record in.  Return false, and count it, when the ring is full. */
bool brio_ring_put(brio_ring *ring, const void *record);

/* Reader: copy the oldest record out.  Return false when the ring is empty. */
bool brio_ring_get(brio_ring *ring, void *record);

/* Return how many records wait (either thread; may be out of date at once). */
size_t brio_ring_waiting(const brio_ring *ring);

/* Free the memory, when both threads are done. */
void brio_ring_end(brio_ring *ring);

#endif
