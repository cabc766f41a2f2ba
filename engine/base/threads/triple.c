/* A triple buffer. The numbers 0 to 2 of the buffers are always shared out: one to the writer, one
** to the reader, one in between. An exchange releases what the writer wrote and acquires what the
** reader is to read; the number of a buffer and whether it is fresh travel in one word. */
#include "base/threads/triple.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The bits of `between`: the number of a buffer, and whether nobody has fetched it. */
enum { NUMBER = 3, FRESH = 4 };

bool brio_triple_start(brio_triple *triple, size_t size) {
  memset(triple, 0, sizeof *triple);
  /* Whole cache lines and one more, so that the two threads never share a line. */
  triple->stride = (size + 63) / 64 * 64 + 64;
  triple->buffers = calloc(3, triple->stride);
  triple->mine = 0;
  triple->yours = 1;
  atomic_store(&triple->between, 2);
  return triple->buffers != NULL;
}

void *brio_triple_back(brio_triple *triple) { return triple->buffers + triple->mine * triple->stride; }

/* Writer: put the finished buffer in between, and continue with the one that was there. O(1), never waits. */
void brio_triple_publish(brio_triple *triple) {
  triple->mine = atomic_exchange_explicit(&triple->between, triple->mine | FRESH, memory_order_acq_rel) &
                 NUMBER;
  assert(triple->mine < 3);
}

/* Reader: a relaxed load suffices for the test; the exchange below acquires the contents. */
bool brio_triple_fetch(brio_triple *triple) {
  if (!(atomic_load_explicit(&triple->between, memory_order_relaxed) & FRESH)) return false;
  /* Exchange the old buffer for the fresh one; what goes back is not marked as fresh. */
  triple->yours = atomic_exchange_explicit(&triple->between, triple->yours, memory_order_acq_rel) & NUMBER;
  assert(triple->yours < 3);
  return true;
}

const void *brio_triple_front(const brio_triple *triple) {
  return triple->buffers + triple->yours * triple->stride;
}

void brio_triple_end(brio_triple *triple) {
  free(triple->buffers);
  triple->buffers = NULL;
}
