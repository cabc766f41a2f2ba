/* The board is two triple buffers, as two threads write, with a count of references, since the motor side and
** the front end in either order. */
#include "runtime/live_poses.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads/triple.h"

struct brio_live_poses {
  brio_triple poses, bases;
  atomic_int users;
  atomic_bool watched;
  int axes;
  bool any, based; /* the reader has fetched a pose, and one of the base */
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
  if (brio_triple_start(&board->poses, size)) {
    if (brio_triple_start(&board->bases, BRIO_LIVE_BASE * sizeof(float))) return board;
    brio_triple_end(&board->poses);
  }
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
  brio_triple_end(&board->bases);
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

void brio_live_poses_stand(brio_live_poses *board, const brio_pose *base) {
  float *at = brio_triple_back(&board->bases);
  const double numbers[BRIO_LIVE_BASE] = {base->p.x, base->p.y, base->p.z, base->q.x,
                                          base->q.y, base->q.z, base->q.w};
  for (int i = 0; i < BRIO_LIVE_BASE; i++) at[i] = (float)numbers[i];
  brio_triple_publish(&board->bases);
}

const float *brio_live_poses_base(brio_live_poses *board) {
  if (brio_triple_fetch(&board->bases)) board->based = true;
  return board->based ? brio_triple_front(&board->bases) : NULL;
}

/* Write the lowest `count` bytes of a word, the lowest first; return the position behind them. */
static unsigned char *put(unsigned char *out, uint64_t word, int count) {
  for (int i = 0; i < count; i++, word >>= 8) *out++ = (unsigned char)word;
  return out;
}

/* Write numbers in single precision; return the position behind them. */
static unsigned char *put_floats(unsigned char *out, const float *values, int count) {
  uint32_t bits;
  for (int i = 0; i < count; i++) {
    memcpy(&bits, &values[i], sizeof bits);
    out = put(out, bits, 4);
  }
  return out;
}

size_t brio_live_pose_frame(const brio_live_pose *pose, const float *base, int axes, brio_live_source source,
                            unsigned char *out) {
  assert(axes <= BRIO_LIVE_AXES && source < BRIO_LIVE_SOURCES);
  unsigned char *at = out;
  uint64_t time;
  /* The head. */
  memcpy(&time, &pose->time, sizeof time);
  at = put(at, BRIO_LIVE_VERSION, 1);
  at = put(at, (unsigned)source | (base ? BRIO_LIVE_BASED : 0), 1);
  at = put(at, (uint64_t)axes, 2);
  at = put(at, pose->number, 4);
  at = put(at, time, 8);
  assert(at == out + BRIO_LIVE_HEAD);
  /* The values of this source, and the base. */
  at = put_floats(at, pose->values + (size_t)axes * source, axes);
  if (base) at = put_floats(at, base, BRIO_LIVE_BASE);
  return (size_t)(at - out);
}
