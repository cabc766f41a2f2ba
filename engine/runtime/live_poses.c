/* The board is a triple buffer with a count of references, since the motor side and the front end in either
** order. */
#include "runtime/live_poses.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads/triple.h"

struct brio_live_poses {
  brio_triple poses;
  atomic_int users;
  atomic_bool watched;
  int axes;
  bool any; /* the reader has fetched one */
};

brio_live_poses *brio_live_poses_new(int axes) {
  assert(axes >= 0);
  if (axes > BRIO_LIVE_AXES) return NULL;
  /* Aligned for the triple buffer, whose fields have cache lines of their own. */
  brio_live_poses *board = aligned_alloc(64, (sizeof *board + 63) / 64 * 64);
  if (!board) return NULL;
  memset(board, 0, sizeof *board);
  board->axes = axes;
  atomic_init(&board->users, 1);
  size_t size = sizeof(brio_live_pose) + (size_t)axes * BRIO_LIVE_SOURCES * sizeof(float);
  if (brio_triple_start(&board->poses, size)) return board;
  free(board);
  return NULL;
}

brio_live_poses *brio_live_poses_keep(brio_live_poses *board) {
  atomic_fetch_add(&board->users, 1);
  return board;
}

void brio_live_poses_drop(brio_live_poses *board) {
  if (!board || atomic_fetch_sub(&board->users, 1) > 1) return;
  brio_triple_end(&board->poses);
  free(board);
}

int brio_live_poses_axes(const brio_live_poses *board) { return board->axes; }

void brio_live_poses_watch(brio_live_poses *board, bool watched) {
  atomic_store_explicit(&board->watched, watched, memory_order_relaxed);
}

bool brio_live_poses_watched(const brio_live_poses *board) {
  return atomic_load_explicit(&board->watched, memory_order_relaxed);
}

brio_live_pose *brio_live_poses_back(brio_live_poses *board) { return brio_triple_back(&board->poses); }

void brio_live_poses_publish(brio_live_poses *board) { brio_triple_publish(&board->poses); }

const brio_live_pose *brio_live_poses_newest(brio_live_poses *board) {
  if (brio_triple_fetch(&board->poses)) board->any = true;
  return board->any ? brio_triple_front(&board->poses) : NULL;
}

/* Write the lowest `count` bytes of a word, the lowest first; return the position behind them. */
static unsigned char *put(unsigned char *out, uint64_t word, int count) {
  for (int i = 0; i < count; i++, word >>= 8) *out++ = (unsigned char)word;
  return out;
}

size_t brio_live_pose_frame(const brio_live_pose *pose, int axes, brio_live_source source,
                            unsigned char *out) {
  assert(axes <= BRIO_LIVE_AXES && source < BRIO_LIVE_SOURCES);
  unsigned char *at = out;
  uint64_t time;
  uint32_t bits;
  /* The head. */
  memcpy(&time, &pose->time, sizeof time);
  at = put(at, BRIO_LIVE_VERSION, 1);
  at = put(at, source, 1);
  at = put(at, (uint64_t)axes, 2);
  at = put(at, pose->number, 4);
  at = put(at, time, 8);
  assert(at == out + BRIO_LIVE_HEAD);
  /* The values of this source. */
  const float *values = pose->values + (size_t)axes * source;
  for (int i = 0; i < axes; i++) {
    memcpy(&bits, &values[i], sizeof bits);
    at = put(at, bits, 4);
  }
  return (size_t)(at - out);
}
