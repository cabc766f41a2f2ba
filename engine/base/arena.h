/* Memory with one lifetime: blocks that are filled upward and freed together.  Models are built in one; the
** tick's scratch lives in another, reserved at set-up so that the hot path never calls malloc. */
#ifndef BRIO_BASE_ARENA_H
#define BRIO_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct brio_arena_block brio_arena_block;

typedef struct brio_arena {
  brio_arena_block *block; /* newest block; NULL: nothing yet */
  size_t grow;             /* bytes of a new block; 0: fixed, never grows */
  size_t used, peak;       /* bytes handed out: now, and at most so far */
  size_t limit;            /* the most bytes that may be handed out; 0: no limit */
} brio_arena;

/* Start an arena that takes blocks of `grow` bytes from malloc as it needs them. */
void brio_arena_start(brio_arena *arena, size_t grow);

/* Start an arena of exactly `size` bytes that never calls malloc again.
** Return false when there is no memory. */
bool brio_arena_reserve(brio_arena *arena, size_t size);

/* Return `size` zeroed bytes, aligned for any type, or NULL when there are none. */
void *brio_arena_take(brio_arena *arena, size_t size);

/* Return a copy of `length` bytes of `text` and a closing 0, or NULL. */
char *brio_arena_text(brio_arena *arena, const char *text, size_t length);

/* Free everything handed out, keeping the memory (a fixed arena, between ticks). */
void brio_arena_clear(brio_arena *arena);

/* Give all memory back.  The arena may be started again. */
void brio_arena_end(brio_arena *arena);

/* Typed allocation: `count` zeroed objects of type T. */
#define BRIO_TAKE(arena, T, count) ((T *)brio_arena_take((arena), (size_t)(count) * sizeof(T)))

#endif
