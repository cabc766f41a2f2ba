/* Positions count bytes since the start and never wrap (2^64); a record lies in one piece, so
** where the memory's end is too near, a record of kind -1 fills it up.  Sizes are multiples of
** the header's size, so there is always room for such a filler. */
#include "store/recording/byte_ring.h"

#include <stdlib.h>
#include <string.h>

enum { FILLER = -1, UNIT = sizeof(brio_record) };

bool brio_byte_ring_start(brio_byte_ring *ring, size_t size) {
  memset(ring, 0, sizeof *ring);
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

size_t brio_byte_ring_largest(const brio_byte_ring *ring) { return ring->size / 2 - UNIT; }

static brio_record *record_at(const brio_byte_ring *ring, uint64_t at) {
  return (brio_record *)(void *)(ring->bytes + (at & (ring->size - 1)));
}

/* Whether so many bytes from `at` on are free. */
static bool fits(const brio_byte_ring *ring, uint64_t at, uint64_t bytes, size_t spare) {
  return at + bytes + (at == ring->seen ? 0 : spare) - ring->seen <= ring->size;
}

brio_record *brio_byte_ring_begin(brio_byte_ring *ring, size_t bytes, size_t spare) {
  if (bytes > brio_byte_ring_largest(ring)) return NULL;
  uint64_t at = atomic_load_explicit(&ring->written, memory_order_relaxed);
  uint64_t size = (UNIT + bytes + UNIT - 1) / UNIT * UNIT;
  uint64_t left = ring->size - (at & (ring->size - 1));
  uint64_t filler = size > left ? left : 0;
  if (!fits(ring, at, filler + size, spare)) {
    ring->seen = atomic_load_explicit(&ring->read, memory_order_acquire);
    if (!fits(ring, at, filler + size, spare)) return NULL;
  }
  if (filler) *record_at(ring, at) = (brio_record){.size = (uint32_t)filler, .kind = FILLER};
  brio_record *record = record_at(ring, at + filler);
  record->size = (uint32_t)size;
  ring->begun = at + filler + size;
  return record;
}

void brio_byte_ring_publish(brio_byte_ring *ring) {
  atomic_store_explicit(&ring->written, ring->begun, memory_order_release);
}

bool brio_byte_ring_half_full(const brio_byte_ring *ring) {
  uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
  if (written - ring->seen <= ring->size / 2) return false;
  return written - atomic_load_explicit(&ring->read, memory_order_relaxed) > ring->size / 2;
}

const brio_record *brio_byte_ring_next(const brio_byte_ring *ring, uint64_t *at) {
  uint64_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
  while (*at != written) {
    const brio_record *record = record_at(ring, *at);
    *at += record->size;
    if (record->kind != FILLER) return record;
  }
  return NULL;
}

uint64_t brio_byte_ring_oldest(const brio_byte_ring *ring) {
  return atomic_load_explicit(&ring->read, memory_order_acquire);
}

void brio_byte_ring_release(brio_byte_ring *ring, uint64_t at) {
  atomic_store_explicit(&ring->read, at, memory_order_release);
}
