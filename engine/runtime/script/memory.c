/* Lists of free blocks, one for each multiple of 16 bytes up to 512; larger blocks are the system's.  A free
** block holds the address of the next one.  Everything is O(1). */
#include "runtime/script/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GRAIN = BRIO_SCRIPT_GRAIN, SMALL = BRIO_SCRIPT_SMALL, CHUNK = 32 << 10 /* bytes */ };

brio_script_memory *brio_script_memory_new(size_t *used) {
  brio_script_memory *memory = calloc(1, sizeof *memory);
  if (memory) *memory = (brio_script_memory){.used = used, .kept = true};
  return memory;
}

void brio_script_memory_free(brio_script_memory *memory) {
  for (void *chunk = memory->chunks, *next; chunk; chunk = next) {
    memcpy(&next, chunk, sizeof next);
    free(chunk);
  }
  free(memory);
}

/* The number of the list of blocks of `size` bytes. */
static inline size_t list_of(size_t size) { return (size + GRAIN - 1) / GRAIN; }

/* Put a block into a list: the block itself holds the pointer to the next one. */
static inline void give(brio_script_memory *memory, void *block, size_t list) {
  memcpy(block, &memory->spare[list], sizeof memory->spare[list]);
  memory->spare[list] = block;
}

/* Begin another chunk; the rest of the last one becomes a free block. */
static bool extend(brio_script_memory *memory) {
  char *chunk = malloc(CHUNK);
  if (!chunk) return false;
  if (memory->left > 0) give(memory, memory->free, memory->left / GRAIN);
  memcpy(chunk, &memory->chunks, sizeof memory->chunks);
  memory->chunks = chunk;
  memory->free = chunk + GRAIN;
  memory->left = CHUNK - GRAIN;
  return true;
}

/* Take a block out of a list, or out of the newest chunk. */
static void *take(brio_script_memory *memory, size_t list) {
  void *block = memory->spare[list];
  if (block) {
    memcpy(&memory->spare[list], block, sizeof memory->spare[list]);
    return block;
  }
  size_t size = list * GRAIN;
  if (memory->left < size && !extend(memory)) return NULL;
  block = memory->free;
  memory->free += size;
  memory->left -= size;
  return block;
}

/* Take a block of any size, and give one back. */
static void *take_any(brio_script_memory *memory, size_t size) {
  return size <= SMALL ? take(memory, list_of(size)) : malloc(size);
}

static void give_any(brio_script_memory *memory, void *block, size_t size) {
  if (size <= SMALL) give(memory, block, list_of(size));
  else free(block);
}

/* Move what is in a block to another one, of a size for which there is another list. */
static void *change(brio_script_memory *memory, void *block, size_t before, size_t size) {
  if (before > SMALL && size > SMALL) return realloc(block, size);
  void *moved = take_any(memory, size);
  /* What gets smaller may stay: its end is lost until the state is closed. */
  if (!moved) return size < before ? block : NULL;
  memcpy(moved, block, size < before ? size : before);
  give_any(memory, block, before);
  return moved;
}

void *brio_script_memory_move(brio_script_memory *memory, void *block, size_t before, size_t size) {
  assert(memory->live >= before && (block || before == 0));
  void *moved = NULL;
  if (size == 0 && block) give_any(memory, block, before);
  else if (size > 0 && !block) moved = take_any(memory, size);
  else if (before <= SMALL && size <= SMALL && list_of(before) == list_of(size)) moved = block;
  else if (size > 0) moved = change(memory, block, before, size);
  if (!moved && size > 0) return NULL;
  memory->live += size - before;
  *memory->used += size - before;
  if (memory->live == 0 && !memory->kept) brio_script_memory_free(memory);
  return moved;
}
