#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct brio_arena_block {
  brio_arena_block *older;
  size_t size, used;
  alignas(max_align_t) unsigned char bytes[];
};

static size_t rounded(size_t size) {
  size_t unit = alignof(max_align_t);
  return (size + unit - 1) & ~(unit - 1);
}

static bool add_block(brio_arena *arena, size_t size) {
  brio_arena_block *block = malloc(sizeof *block + size);
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

/* Bring to the front an older block that was cleared and holds `size` bytes. */
static bool reuse_block(brio_arena *arena, size_t size) {
  if (!arena->block) return false;
  for (brio_arena_block **at = &arena->block->older; *at; at = &(*at)->older) {
    brio_arena_block *block = *at;
    if (block->used > 0 || block->size < size) continue;
    *at = block->older;
    block->older = arena->block;
    arena->block = block;
    return true;
  }
  return false;
}

/* Make the newest block one that has room for `size` bytes. */
static bool room_for(brio_arena *arena, size_t size) {
  const brio_arena_block *block = arena->block;
  if (block && block->size - block->used >= size) return true;
  if (!arena->grow) return false;
  return reuse_block(arena, size) || add_block(arena, size > arena->grow ? size : arena->grow);
}

void *brio_arena_take(brio_arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) return NULL;
  size = rounded(size ? size : 1);
  if (arena->limit && arena->used + size > arena->limit) return NULL;
  if (!room_for(arena, size)) return NULL;
  brio_arena_block *block = arena->block;
  void *start = block->bytes + block->used;
  block->used += size;
  arena->used += size;
  if (arena->used > arena->peak) arena->peak = arena->used;
  return memset(start, 0, size);
}

char *brio_arena_text(brio_arena *arena, const char *text, size_t length) {
  char *copy = length < SIZE_MAX ? brio_arena_take(arena, length + 1) : NULL;
  if (copy) memcpy(copy, text, length);
  return copy;
}

void brio_arena_clear(brio_arena *arena) {
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
