/* Arenas: blocks in a list, newest first. Memory is handed out from the newest block only: O(1), unless a
** block must be added. Clearing keeps the blocks, and a growing arena uses them again. */
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a block begin aligned for any type, and all sizes are multiples of that alignment. */
struct brio_arena_block {
  brio_arena_block *older;
  size_t size, used;
  size_t touched; /* bytes that were handed out once: those behind are still 0, and perhaps no memory yet */
  alignas(max_align_t) unsigned char bytes[];
};

/* Round up to a multiple of the alignment, a power of two. */
static size_t rounded(size_t size) {
  size_t unit = alignof(max_align_t);
  return (size + unit - 1) & ~(unit - 1);
}

/* Put a new block of `size` bytes, a multiple of the alignment, in front. False: no memory. */
static bool add_block(brio_arena *arena, size_t size) {
  assert(size == rounded(size));
  brio_arena_block *block = calloc(1, sizeof *block + size);
  if (!block) return false;
  *block = (brio_arena_block){.older = arena->block, .size = size};
  arena->block = block;
  return true;
}

void brio_arena_start(brio_arena *arena, size_t grow) {
  *arena = (brio_arena){.grow = grow ? rounded(grow) : 4096};
}

bool brio_arena_reserve(brio_arena *arena, size_t size) {
  *arena = (brio_arena){0};
  return size <= SIZE_MAX / 2 && add_block(arena, rounded(size));
}

/* Bring to the front an older block that was cleared and holds `size` bytes. O(blocks) */
static bool reuse_block(brio_arena *arena, size_t size) {
  if (!arena->block) return false;
  for (brio_arena_block **at = &arena->block->older; *at; at = &(*at)->older) {
    brio_arena_block *block = *at;
    if (block->used > 0 || block->size < size) continue;
    /* Unlink the block, then make it the newest one. */
    *at = block->older;
    block->older = arena->block;
    arena->block = block;
    return true;
  }
  return false;
}

/* Make sure that the newest block has room for `size` bytes; a block is at least `grow` long. */
static bool room_for(brio_arena *arena, size_t size) {
  const brio_arena_block *block = arena->block;
  if (block && block->size - block->used >= size) return true;
  /* A fixed arena has one block. */
  if (!arena->grow) return false;
  return reuse_block(arena, size) || add_block(arena, size > arena->grow ? size : arena->grow);
}

void *brio_arena_take(brio_arena *arena, size_t size) {
  /* Rounding up cannot overflow below this. */
  if (size > SIZE_MAX / 2) return NULL;
  /* At least a unit, so that each call returns a pointer of its own. */
  size = rounded(size ? size : 1);
  /* The limit counts bytes handed out, not bytes of blocks. */
  assert(arena->used <= arena->peak);
  if (arena->limit && arena->used + size > arena->limit) return NULL;
  if (!room_for(arena, size)) return NULL;
  brio_arena_block *block = arena->block;
  /* `used` is a multiple of the alignment, and so is the address. */
  void *start = block->bytes + block->used;
  assert(block->used + size <= block->size && block->used <= block->touched);
  /* Only what was handed out before has to be cleared. */
  size_t old = block->touched - block->used;
  memset(start, 0, old < size ? old : size);
  block->used += size;
  if (block->used > block->touched) block->touched = block->used;
  arena->used += size;
  if (arena->used > arena->peak) arena->peak = arena->used;
  return start;
}

char *brio_arena_text(brio_arena *arena, const char *text, size_t length) {
  /* The closing 0 is there already: bytes of an arena are zeroed. */
  char *copy = length < SIZE_MAX ? brio_arena_take(arena, length + 1) : NULL;
  if (copy) memcpy(copy, text, length);
  return copy;
}

/* Whether the blocks add up to what was handed out. O(blocks), as clearing is. */
static bool is_consistent(const brio_arena *arena) {
  size_t used = 0;
  for (const brio_arena_block *block = arena->block; block; block = block->older) {
    if (block->used > block->size) return false;
    used += block->used;
  }
  return used == arena->used && used <= arena->peak;
}

void brio_arena_clear(brio_arena *arena) {
  assert(is_consistent(arena));
  /* Contents stay as they are: brio_arena_take zeroes what it hands out again. */
  arena->used = 0;
  for (brio_arena_block *block = arena->block; block; block = block->older) block->used = 0;
}

void brio_arena_end(brio_arena *arena) {
  for (brio_arena_block *block = arena->block, *older; block; block = older) {
    older = block->older;
    free(block);
  }
  *arena = (brio_arena){0};
}
