/* Positions count bytes since the start and never wrap: 2^64 bytes take centuries. A record is contiguous:
** where it would cross the end of the memory, a filler (kind -1) occupies the rest before it. Sizes are
** multiples of the header's size, so a filler always has room for its header. All calls are O(1), except for
** fillers that next() skips. */
#include "store/recording/byte_ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FILLER = -1, UNIT = sizeof(brio_record) };

/* The invariants in the writer's thread between its calls: what is not released by the reader fits into the
** ring. */
static bool is_consistent(const brio_byte_ring *ring) {
  uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
  return ring->bytes && ring->size >= 4096 && (ring->size & (ring->size - 1)) == 0 && written % UNIT == 0 &&
         ring->seen <= written && written - ring->seen <= ring->size && ring->begun >= written;
}

bool brio_byte_ring_start(brio_byte_ring *ring, size_t size) {
  memset(ring, 0, sizeof *ring);
  /* A power of two, at least one page of memory. */
  for (ring->size = 4096; ring->size < size;) ring->size *= 2;
  ring->bytes = malloc(ring->size);
  if (!ring->bytes) return false;
  memset(ring->bytes, 0, ring->size); /* page faults now, not in a tick */
  return true;
}

void brio_byte_ring_end(brio_byte_ring *ring) {
  free(ring->bytes);
  ring->bytes = NULL;
}

/* Half the ring, so that a record always fits into an empty one, with any filler. */
size_t brio_byte_ring_largest(const brio_byte_ring *ring) { return ring->size / 2 - UNIT; }

/* Return the record at a position; the mask is the remainder by the size, which is a power of two. */
static brio_record *record_at(const brio_byte_ring *ring, uint64_t at) {
  assert(at % UNIT == 0);
  return (brio_record *)(void *)(ring->bytes + (at & (ring->size - 1)));
}

/* Whether `bytes` from `at` on fit while `spare` more stay free. An empty ring need not spare any: else a
** large record would never fit. */
static bool fits(const brio_byte_ring *ring, uint64_t at, uint64_t bytes, size_t spare) {
  /* Bytes in use after this call, at + bytes - seen, and the spare ones: together at most the size. */
  return at + bytes + (at == ring->seen ? 0 : spare) - ring->seen <= ring->size;
}

brio_record *brio_byte_ring_begin(brio_byte_ring *ring, size_t bytes, size_t spare) {
  assert(is_consistent(ring));
  if (bytes > brio_byte_ring_largest(ring)) return NULL;
  uint64_t at = atomic_load_explicit(&ring->written, memory_order_relaxed);
  /* Round up to the header's size, and place a filler where the record would cross the end. */
  uint64_t size = (UNIT + bytes + UNIT - 1) / UNIT * UNIT;
  /* Bytes up to the end of the memory. */
  uint64_t left = ring->size - (at & (ring->size - 1));
  uint64_t filler = size > left ? left : 0;
  /* Load the reader's position, a cache line of another core, only when the one loaded last does not
  ** suffice. */
  if (!fits(ring, at, filler + size, spare)) {
    ring->seen = atomic_load_explicit(&ring->read, memory_order_acquire);
    if (!fits(ring, at, filler + size, spare)) return NULL;
  }
  /* Nothing is visible to the reader before publish. */
  if (filler) *record_at(ring, at) = (brio_record){.size = (uint32_t)filler, .kind = FILLER};
  brio_record *record = record_at(ring, at + filler);
  /* `kind` and `run` are the caller's to fill in. */
  record->size = (uint32_t)size;
  /* `begun` becomes `written` when the record is published. */
  ring->begun = at + filler + size;
  assert(is_consistent(ring));
  return record;
}

void brio_byte_ring_publish(brio_byte_ring *ring) {
  assert(is_consistent(ring));
  /* Release: the record's bytes are visible before the position is. */
  atomic_store_explicit(&ring->written, ring->begun, memory_order_release);
}

bool brio_byte_ring_half_full(const brio_byte_ring *ring) {
  /* A cheap test first: the reader may have given back more than the writer has seen, never less. */
  uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
  if (written - ring->seen <= ring->size / 2) return false;
  return written - atomic_load_explicit(&ring->read, memory_order_relaxed) > ring->size / 2;
}

const brio_record *brio_byte_ring_next(const brio_byte_ring *ring, uint64_t *at) {
  /* Acquire: pairs with publish. */
  uint64_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
  assert(*at <= written);
  /* Step over fillers to the next record. */
  while (*at != written) {
    const brio_record *record = record_at(ring, *at);
    assert(record->size >= UNIT && record->size % UNIT == 0 && record->size <= written - *at);
    *at += record->size;
    if (record->kind != FILLER) return record;
  }
  return NULL;
}

uint64_t brio_byte_ring_oldest(const brio_byte_ring *ring) {
  return atomic_load_explicit(&ring->read, memory_order_acquire);
}

void brio_byte_ring_release(brio_byte_ring *ring, uint64_t at) {
  assert(at >= brio_byte_ring_oldest(ring));
  assert(at <= atomic_load_explicit(&ring->written, memory_order_relaxed));
  /* Release: all reads of the records are done before the writer may overwrite them. */
  atomic_store_explicit(&ring->read, at, memory_order_release);
}
