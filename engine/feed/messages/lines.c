/* Messages out of a stream of bytes: see lines.h. O(bytes), except that an incomplete line is searched
** again with each addition. */
#include "feed/messages/lines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "feed/messages/message.h"

/* The invariants of the buffer; O(1). */
static bool is_consistent(const brio_feed_lines *lines) {
  return lines->bytes && lines->taken <= lines->count && lines->count <= lines->room;
}

bool brio_feed_lines_start(brio_feed_lines *lines, size_t room, brio_feed_binary binary) {
  *lines = (brio_feed_lines){.bytes = malloc(room), .room = room, .binary = binary};
  return lines->bytes != NULL;
}

void brio_feed_lines_end(brio_feed_lines *lines) {
  free(lines->bytes);
  lines->bytes = NULL;
}

void brio_feed_lines_clear(brio_feed_lines *lines) {
  lines->count = lines->taken = lines->skip = 0;
  lines->passing = false;
}

char *brio_feed_lines_back(brio_feed_lines *lines, size_t *room) {
  assert(is_consistent(lines));
  /* Move the bytes that are not consumed yet to the front. */
  if (lines->taken > 0) {
    memmove(lines->bytes, lines->bytes + lines->taken, lines->count - lines->taken);
    lines->count -= lines->taken;
    lines->taken = 0;
  }
  *room = lines->room - lines->count;
  return lines->bytes + lines->count;
}

void brio_feed_lines_add(brio_feed_lines *lines, size_t count) { lines->count += count; }

/* Skip the rest of a message that is too long. Return whether its end was reached. */
static bool pass(brio_feed_lines *lines) {
  size_t here = lines->count - lines->taken, most = lines->skip < here ? lines->skip : here;
  lines->taken += most;
  lines->skip -= most;
  /* Of a binary message the length is known; a line ends at its newline. */
  if (most > 0 || lines->skip > 0) return !(lines->passing = lines->skip > 0);
  char *at = lines->bytes + lines->taken, *end = memchr(at, '\n', lines->count - lines->taken);
  lines->taken = end ? (size_t)(end + 1 - lines->bytes) : lines->count;
  lines->passing = !end;
  return end;
}

/* The length of the message at `at` with its end; 0: it is incomplete. `length` is that without its end, as
** far as it is known. */
static size_t whole_length(const brio_feed_lines *lines, const char *at, size_t count, size_t *length) {
  *length = 0;
  /* A binary message: its head has the length, so wait for the whole head. An invalid one is read as a
  ** line. */
  if (at[0] == BRIO_FEED_BINARY_BEGINS && count < lines->binary.head) return 0;
  if (at[0] == BRIO_FEED_BINARY_BEGINS) *length = lines->binary.length(at);
  /* A valid head: complete only with all of its bytes. */
  if (*length > 0) return *length <= count ? *length : 0;
  /* A line, or the rest of a broken binary message up to a newline. */
  const char *end = memchr(at, '\n', count);
  if (!end) return 0;
  *length = (size_t)(end - at);
  return *length + 1;
}

brio_feed_piece brio_feed_lines_next(brio_feed_lines *lines, const char **bytes, size_t *length) {
  assert(is_consistent(lines));
  if (lines->passing && !pass(lines)) return BRIO_FEED_NOTHING;
  while (lines->taken < lines->count) {
    const char *at = lines->bytes + lines->taken;
    size_t count = lines->count - lines->taken, whole = whole_length(lines, at, count, length);
    /* Incomplete, but it could still fit: wait for further bytes. */
    bool fits = whole > 0 || *length <= lines->room;
    if (whole == 0 && fits && count < lines->room) return BRIO_FEED_NOTHING;
    /* It is longer than the buffer: report that once, and skip it. */
    if (whole == 0) {
      lines->skip = fits ? 0 : *length;
      pass(lines);
      return BRIO_FEED_TOO_LONG;
    }
    *bytes = at;
    lines->taken += whole;
    /* Empty lines are skipped. */
    if (*length > 0) return BRIO_FEED_WHOLE;
  }
  return BRIO_FEED_NOTHING;
}

bool brio_feed_lines_last(brio_feed_lines *lines, const char **bytes, size_t *length) {
  assert(is_consistent(lines));
  *bytes = lines->bytes + lines->taken;
  *length = lines->passing ? 0 : lines->count - lines->taken;
  /* Space behind the object is no part of it. */
  while (*length > 0 && strchr(" \t\r", (*bytes)[*length - 1])) --*length;
  if (*length == 0 || (*bytes)[0] == BRIO_FEED_BINARY_BEGINS || (*bytes)[*length - 1] != '}') return false;
  lines->taken = lines->count;
  return true;
}

bool brio_feed_lines_cut(const brio_feed_lines *lines) {
  return lines->passing || lines->taken < lines->count;
}
