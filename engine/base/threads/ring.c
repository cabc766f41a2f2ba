/* A ring between two threads. `written` and `read` only grow, 0 <= written - read <=
** capacity; each is stored by one thread with release order, and loaded by the other
** one with acquire order, so that a record is complete before it is seen, and read
** before its slot is written again. Nothing waits, nothing allocates. */
#include "base/threads/ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool brio_ring_start(brio_ring *ring, size_t size, size_t count) {
  /* A power of two, so that a mask replaces the remainder, also when the counters overflow. */
  size_t capacity = 2;
  memset(ring, 0, sizeof *ring);
  /* Doubling cannot overflow below this. */
  if (count > SIZE_MAX / 4) return false;
  while (capacity < count) capacity *= 2;
  if (size > SIZE_MAX / 4 / capacity) return false;
  ring->records = calloc(capacity, size);
  ring->size = size;
  ring->mask = capacity - 1;
  return ring->records != NULL;
}

/* The slot of the record with a given number. */
static unsigned char *slot(const brio_ring *ring, uint64_t at) {
  assert(ring->records);
  return ring->records + (at & ring->mask) * ring->size;
}

bool brio_ring_put(brio_ring *ring, const void *record) {
  uint64_t at = atomic_load_explicit(&ring->written, memory_order_relaxed);
  /* Only the writer stores `written`, so it may load it relaxed; the reader's progress is acquired. */
  if (at - atomic_load_explicit(&ring->read, memory_order_acquire) > ring->mask) {
    atomic_fetch_add_explicit(&ring->refused, 1, memory_order_relaxed);
    /* The slot is written before `written` is stored: the reader never sees half a record. */
    return false;
  }
  memcpy(slot(ring, at), record, ring->size);
  atomic_store_explicit(&ring->written, at + 1, memory_order_release);
  return true;
}

bool brio_ring_get(brio_ring *ring, void *record) {
  uint64_t at = atomic_load_explicit(&ring->read, memory_order_relaxed);
  /* The mirror image: only the reader stores `read`. */
  if (at == atomic_load_explicit(&ring->written, memory_order_acquire)) return false;
  memcpy(record, slot(ring, at), ring->size);
  atomic_store_explicit(&ring->read, at + 1, memory_order_release);
  return true;
}

/* `read` is loaded first, so that the difference is never negative. */
size_t brio_ring_waiting(const brio_ring *ring) {
  uint64_t read = atomic_load_explicit(&ring->read, memory_order_acquire);
  return (size_t)(atomic_load_explicit(&ring->written, memory_order_acquire) - read);
}

void brio_ring_end(brio_ring *ring) {
  free(ring->records);
  ring->records = NULL;
}
