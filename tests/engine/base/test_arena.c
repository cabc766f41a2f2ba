/* Memory with one lifetime: zeroed, aligned, counted, refused beyond its limit. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>

#include "base/random.h"
#include "tests/check.h"

static void memory_is_zeroed_aligned_and_apart(void) {
  brio_arena arena;
  brio_random r = brio_random_stream(1, "arena");
  unsigned char *piece[300];
  size_t size[300];
  brio_arena_start(&arena, 1000);
  for (int i = 0; i < 300; i++) {
    size[i] = brio_random_below(&r, 3000);
    piece[i] = brio_arena_take(&arena, size[i]);
    CHECK(piece[i] && (uintptr_t)piece[i] % alignof(max_align_t) == 0, "piece %d", i);
    if (!piece[i]) return;
    for (size_t k = 0; k < size[i]; k++) CHECK(piece[i][k] == 0, "piece %d byte %zu", i, k);
    memset(piece[i], i & 255, size[i]);
  }
  for (int i = 0; i < 300; i++)
    for (size_t k = 0; k < size[i]; k++) CHECK(piece[i][k] == (i & 255), "piece %d was overwritten", i);
  CHECK(arena.peak == arena.used && arena.used > 0, "used %zu, peak %zu", arena.used, arena.peak);
  brio_arena_end(&arena);
  CHECK(arena.used == 0 && !arena.block, "given back");
}

static void reserved_arena_never_grows(void) {
  brio_arena arena;
  CHECK(brio_arena_reserve(&arena, 1024), "reserve");
  void *first = brio_arena_take(&arena, 512);
  CHECK(first && brio_arena_take(&arena, 512), "two halves fit");
  CHECK(!brio_arena_take(&arena, 1), "a full arena gave more");
  memset(first, 7, 512);
  brio_arena_clear(&arena);
  unsigned char *again = brio_arena_take(&arena, 1024);
  CHECK(again == first, "cleared, the same memory is handed out");
  for (int i = 0; again && i < 1024; i++) CHECK(again[i] == 0, "byte %d is not zero again", i);
  CHECK(arena.peak == 1024, "peak %zu", arena.peak);
  brio_arena_end(&arena);
}

static void cleared_arena_reuses_all_its_blocks(void) {
  brio_arena arena;
  brio_arena_start(&arena, 4096);
  void *blocks[8] = {0};
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 8; i++) {
      void *p = brio_arena_take(&arena, 4096);
      CHECK(p != NULL, "round %d", round);
      if (round == 0) blocks[i] = p;
      bool known = false;
      for (int k = 0; k < 8; k++) known = known || p == blocks[k];
      CHECK(known, "round %d piece %d took new memory", round, i);
    }
    brio_arena_clear(&arena);
  }
  brio_arena_end(&arena);
}

static void limit_and_absurd_sizes_are_refused(void) {
  brio_arena arena;
  brio_arena_start(&arena, 0);
  arena.limit = 10000;
  CHECK(brio_arena_take(&arena, 9000), "below the limit");
  CHECK(!brio_arena_take(&arena, 2000), "above the limit");
  CHECK(brio_arena_take(&arena, 500), "a refusal spoils nothing");
  CHECK(!brio_arena_take(&arena, SIZE_MAX) && !brio_arena_take(&arena, SIZE_MAX / 2), "absurd");
  CHECK(!brio_arena_take(&arena, SIZE_MAX / 2 - 8), "nearly absurd");
  CHECK(!brio_arena_text(&arena, "x", SIZE_MAX), "a text of absurd length");
  brio_arena_end(&arena);
  CHECK(!brio_arena_reserve(&arena, SIZE_MAX - 3), "reserve of an absurd size");
}

static void text_is_copied_and_closed(void) {
  brio_arena arena;
  brio_arena_start(&arena, 64);
  char *text = brio_arena_text(&arena, "torso and head", 5);
  CHECK(text && strcmp(text, "torso") == 0, "'%s'", text);
  brio_arena_end(&arena);
}

CHECK_SUITE(CHECK_TEST(memory_is_zeroed_aligned_and_apart), CHECK_TEST(reserved_arena_never_grows),
            CHECK_TEST(cleared_arena_reuses_all_its_blocks), CHECK_TEST(limit_and_absurd_sizes_are_refused),
            CHECK_TEST(text_is_copied_and_closed))
