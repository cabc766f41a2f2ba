/* Memory for structures with rings and triple buffers in them, whose indices have cache lines of their own:
** malloc and arenas align less strictly. */
#ifndef BRIO_BASE_THREADS_LINES_H
#define BRIO_BASE_THREADS_LINES_H

#include <stdlib.h>
#include <string.h>

enum { BRIO_LINE = 64 }; /* bytes of a cache line */

/* Return `size` zeroed bytes that begin on a cache line, to be freed with free(); NULL: no memory. */
static inline void *brio_lines_new(size_t size) {
  size_t bytes = (size + BRIO_LINE - 1) / BRIO_LINE * BRIO_LINE;
  void *memory = aligned_alloc(BRIO_LINE, bytes);
  return memory ? memset(memory, 0, bytes) : NULL;
}

#endif
