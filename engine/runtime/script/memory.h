/* Memory of a Lua state: small blocks by size, from chunks that belong to the state alone.  Lua tells the
** size of what it gives back, so a block needs no header, and taking and giving are a few instructions, where
** the system's allocator needs a hundred.  All of it goes back to the system with the state's last block. */
#ifndef BRIO_RUNTIME_SCRIPT_MEMORY_H
#define BRIO_RUNTIME_SCRIPT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes: between two sizes; the largest small one. */
enum { BRIO_SCRIPT_GRAIN = 16, BRIO_SCRIPT_SMALL = 512 };

typedef struct brio_script_memory {
  size_t *used;       /* bytes in use of all states that its owner counts together */
  size_t live;        /* bytes in use of this state */
  bool kept;          /* it stays when the last block is given back */
  void *chunks;       /* each begins with the address of the next */
  char *free;         /* the rest of the newest chunk */
  size_t left;        /* bytes of it */
  void *spare[BRIO_SCRIPT_SMALL / BRIO_SCRIPT_GRAIN + 1]; /* free blocks by size, each the address of the
                                                          ** next */
} brio_script_memory;

/* Return an empty memory that counts in `used`, and is kept; NULL: there is none. */
brio_script_memory *brio_script_memory_new(size_t *used);

/* Free it with all its blocks. */
void brio_script_memory_free(brio_script_memory *memory);

/* Change the size of a block from `before` bytes to `size`: NULL and 0 for none.  Return it, perhaps
** elsewhere; NULL: none, or no memory, which does not happen where it gets smaller.  With the last block
** goes the memory itself, unless it is kept. */
void *brio_script_memory_move(brio_script_memory *memory, void *block, size_t before, size_t size);

#endif
