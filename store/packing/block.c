/* A block in the store may be damaged: nothing is read from it before its check code fits, and every length
** in it is checked against the bytes that are there. */
#include "store/packing/block.h"

#include <assert.h>
#include <string.h>

#include "base/crc32.h"

/* Codes of a step: 0 to 15 for 10^-code; STEP_NONE; STEP_OTHER: eight bytes of a double follow. */
enum { STEP_NONE = 16, STEP_OTHER = 255, CHECK_BYTES = 4 };

static const double steps_of[STEP_NONE] = {1,    1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,
                                           1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15};

/* Append one byte. */
static void put_byte(brio_text *out, int byte) {
  char c = (char)byte;
  brio_text_add(out, &c, 1);
}

/* Append the `count` low bytes of a number, the lowest first. */
static void put_low_first(brio_text *out, uint64_t number, int count) {
  assert(count >= 0 && count <= 8);
  for (int i = 0; i < count; i++) put_byte(out, (int)(number >> (8 * i) & 255));
}

/* The inverse of put_low_first; the caller has checked that `count` bytes are there. */
static uint64_t take_low_first(const uint8_t *at, int count) {
  assert(count >= 0 && count <= 8);
  uint64_t number = 0;
  for (int i = 0; i < count; i++) number |= (uint64_t)at[i] << (8 * i);
  return number;
}

size_t brio_block_begin(brio_text *out, char kind, int count) {
  assert(count > 0 && count <= BRIO_PACK_MOST);
  /* The check code covers the block from here on. */
  size_t start = out->length;
  /* Kind, version and count: brio_block_open reads them back. */
  put_byte(out, kind);
  put_byte(out, BRIO_BLOCK_VERSION);
  brio_pack_varint(out, (uint64_t)count);
  return start;
}

void brio_block_end(brio_text *out, size_t start) {
  assert(start <= out->length || out->failed);
  if (!out->failed) put_low_first(out, brio_crc32(out->bytes + start, out->length - start), CHECK_BYTES);
}

bool brio_block_open(const void *bytes, size_t length, char kind, brio_pack_bytes *in, int *count,
                     const char **why) {
  const uint8_t *at = bytes;
  /* The shortest block: kind, version, count, check code. Before each check `why` is set to the reason of its
  ** failure. */
  uint64_t samples = 0;
  *why = "it is cut off";
  if (length < 3 + CHECK_BYTES) return false;
  const uint8_t *end = at + length - CHECK_BYTES;
  /* The check code first: of a damaged block no other field means anything. */
  *why = "its checksum does not match its data";
  if (take_low_first(end, CHECK_BYTES) != brio_crc32(bytes, length - CHECK_BYTES)) return false;
  *why = "it is another kind of block";
  if (at[0] != (uint8_t)kind) return false;
  *why = "a newer brio packed it";
  if (at[1] != BRIO_BLOCK_VERSION) return false;
  *in = (brio_pack_bytes){at + 2, end};
  /* The count bounds all columns that follow, so their buffers suffice. */
  *why = "its count of samples is none";
  if (!brio_unpack_varint(in, &samples) || samples < 1 || samples > BRIO_PACK_MOST) return false;
  *count = (int)samples;
  *why = "its data are invalid";
  return true;
}

/* A power of ten down to 1e-15 takes one byte, any other step nine. */
void brio_block_put_step(brio_text *out, brio_grid step) {
  int code = step.size == 0 ? STEP_NONE : 0;
  while (code < STEP_NONE && steps_of[code] != step.size) code++;
  if (code < STEP_NONE || step.size == 0) {
    put_byte(out, code);
    return;
  }
  /* Another step: its double, bit for bit. */
  uint64_t bits;
  memcpy(&bits, &step.size, sizeof bits);
  put_byte(out, STEP_OTHER);
  put_low_first(out, bits, 8);
}

bool brio_block_take_step(brio_pack_bytes *in, brio_grid *step) {
  if (in->at == in->end) return false;
  int code = *in->at++;
  /* Any other code begins as no step. */
  *step = brio_grid_of(code < STEP_NONE ? steps_of[code] : 0);
  if (code <= STEP_NONE) return true;
  if (code != STEP_OTHER || in->end - in->at < 8) return false;
  uint64_t bits = take_low_first(in->at, 8);
  double size;
  memcpy(&size, &bits, sizeof size);
  in->at += 8;
  /* An invalid size becomes no step, for which exact columns are still read. */
  *step = brio_grid_of(size);
  return true;
}

void brio_block_put_dof(brio_text *out, const brio_block_dof *values, int count, const brio_grid steps[2],
                        brio_pack_room *room) {
  assert(values->goal && values->command && values->measured && count > 0);
  brio_block_put_step(out, steps[0]);
  brio_block_put_step(out, steps[1]);
  /* Commands are near goals and measured values near commands: each column may refer to the one before it, if
  ** both have the same step. */
  brio_pack_column(out, values->goal, count, steps[0], false, room);
  brio_pack_column(out, values->command, count, steps[0], true, room);
  brio_pack_column(out, values->measured, count, steps[1], steps[0].size == steps[1].size, room);
}

bool brio_block_take_dof(brio_pack_bytes *in, const brio_block_dof *values, int count, brio_pack_room *room) {
  brio_grid steps[2];
  if (!brio_block_take_step(in, &steps[0]) || !brio_block_take_step(in, &steps[1])) return false;
  /* In the order of the block. */
  double *columns[] = {values->goal, values->command, values->measured};
  /* A column may refer to the one before it: read up to the last one that is wanted, and ignore the rest. */
  int wanted = values->measured ? 3 : values->command ? 2 : values->goal ? 1 : 0;
  for (int i = 0; i < wanted; i++) {
    /* The first column has no reference.  Goals and commands share a step. */
    if (i == 0) room->referable = false;
    if (!brio_unpack_column(in, columns[i], count, steps[i / 2], room)) return false;
  }
  return true;
}

void brio_block_put_ticks(brio_text *out, const double *ticks, const double *times, int count,
                          brio_pack_room *room) {
  brio_pack_column(out, ticks, count, brio_grid_of(BRIO_BLOCK_TICK_STEP), false, room);
  brio_pack_column(out, times, count, brio_grid_of(BRIO_BLOCK_TIME_STEP), false, room);
}

bool brio_block_take_ticks(brio_pack_bytes *in, double *ticks, double *times, int count,
                           brio_pack_room *room) {
  /* Without `ticks` that column is skipped: the times do not refer to it. */
  brio_grid step = brio_grid_of(BRIO_BLOCK_TICK_STEP);
  return (ticks ? brio_unpack_column(in, ticks, count, step, room) : brio_unpack_skip(in)) &&
         brio_unpack_column(in, times, count, brio_grid_of(BRIO_BLOCK_TIME_STEP), room);
}

void brio_block_put_hashes(brio_text *out, const uint64_t *hashes, int count) {
  for (int i = 0; i < count; i++) put_low_first(out, hashes[i], 8);
}

bool brio_block_take_hashes(brio_pack_bytes *in, int64_t *hashes, int count) {
  assert(count >= 0);
  if (in->end - in->at < (ptrdiff_t)count * 8) return false;
  /* Eight bytes each. */
  for (int i = 0; i < count; i++, in->at += 8)
    if (hashes) hashes[i] = (int64_t)take_low_first(in->at, 8);
  return true;
}
