/* The newest value of one writing thread for one reading thread, without locks: three
** buffers, of which the writer has one, the reader one, and one lies between them.  Handing over
** and fetching are one atomic exchange each.  For values of which only the newest matters; use a ring if all
** must arrive. */
#ifndef BRIO_BASE_THREADS_TRIPLE_H
#define BRIO_BASE_THREADS_TRIPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/threads/atomic.h"

typedef struct brio_triple {
  unsigned char *buffers;           /* 3 x stride bytes */
  size_t stride;                    /* bytes from one to the next */
  alignas(64) atomic_uint between; /* number of the buffer between them; FRESH when not fetched yet */
  alignas(64) unsigned mine;       /* the writer's buffer */
  alignas(64) unsigned yours;      /* the reader's buffer */
} brio_triple;

/* Make three zeroed buffers of `size` bytes.  Return false without memory. */
bool brio_triple_start(brio_triple *triple, size_t size);

/* Writer: the buffer to fill.  It contains an old value. */
void *brio_triple_back(brio_triple *triple);

/* Writer: hand the filled buffer over; an earlier one that was not fetched is lost. */
void brio_triple_publish(brio_triple *triple);

/* Reader: fetch the newest buffer.  Return false if nothing was handed over since the last time. */
bool brio_triple_fetch(brio_triple *triple);

/* Reader: the value fetched last; zeroes before the first. */
const void *brio_triple_front(const brio_triple *triple);

/* Free the memory, when both threads are done. */
void brio_triple_end(brio_triple *triple);

#endif
