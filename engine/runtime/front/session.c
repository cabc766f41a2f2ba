/* Sessions: a client that was lost comes back under its number, receives what it missed, and its requests
** are not executed twice. Front thread only.
**
** The newest lines sent to it are kept in a ring of bytes; both sides count lines, so no confirmations are
** needed as long as the connection lasts. A client that comes back reports how many lines it has, and
** receives the others; those that were overwritten are counted. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "runtime/front/client.h"

/* The invariants of a session's ring; O(1). */
static bool is_consistent(const brio_front_session *s) {
  return s->kept && s->head < BRIO_FRONT_KEPT && s->used <= BRIO_FRONT_KEPT && s->first >= 1;
}

static const int64_t longest_away = 120 * (int64_t)1000000000; /* ns */

/* The time depends on the length of `given` alone: no early exit, no branch on the secret. An empty secret
** equals nothing. */
bool brio_front_same(const char *secret, const char *given) {
  size_t length = strlen(secret), said = strlen(given);
  volatile unsigned char differ = length != said;
  /* Each byte of `given` is compared, whatever came before. */
  for (size_t i = 0; i < said; i++)
    differ = (unsigned char)(differ | (unsigned char)(secret[length ? i % length : 0] ^ given[i]));
  return !differ && length > 0;
}

/* Write 128 random bits as hexadecimal digits. False rather than waiting for randomness. */
static bool make_id(char *id) {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) != (ssize_t)sizeof bytes) return false;
  /* Two digits a byte. */
  for (size_t i = 0; i < sizeof bytes; i++) {
    id[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
    id[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
  }
  id[32] = 0;
  return true;
}

brio_front_session *brio_front_session_new(brio_front_loop *loop) {
  /* A free slot first, else the session that has been away for the longest. */
  brio_front_session *best = NULL;
  for (int i = 0; i < BRIO_FRONT_CLIENTS; i++) {
    brio_front_session *s = &loop->sessions[i];
    /* Sessions whose client is connected are not replaced. */
    if (s->id[0] && !s->away) continue;
    if (!best || (best->id[0] && (!s->id[0] || s->away < best->away))) best = s;
  }
  if (!best) return NULL;
  /* The ring of the slot's former session is reused. */
  char *kept = best->kept ? best->kept : malloc(BRIO_FRONT_KEPT);
  *best = (brio_front_session){.kept = kept, .first = 1, .next = 1};
  return kept && make_id(best->id) ? best : NULL;
}

brio_front_session *brio_front_session_find(brio_front_loop *loop, const char *id) {
  /* Compare with all, so that the time does not reveal which one matched. */
  brio_front_session *found = NULL;
  for (int i = 0; i < BRIO_FRONT_CLIENTS; i++)
    if (brio_front_same(loop->sessions[i].id, id)) found = &loop->sessions[i];
  return found;
}

/* Length of the oldest line with its newline; it may wrap around the end of the ring. */
static size_t oldest(const brio_front_session *s) {
  size_t to_end = BRIO_FRONT_KEPT - s->head;
  /* A line that does not wrap, else the part at the ring's beginning. */
  const char *end = memchr(s->kept + s->head, '\n', to_end < s->used ? to_end : s->used);
  if (end) return (size_t)(end - (s->kept + s->head)) + 1;
  end = s->used > to_end ? memchr(s->kept, '\n', s->used - to_end) : NULL;
  return end ? to_end + (size_t)(end - s->kept) + 1 : s->used;
}

/* Drop the oldest line; the ring must not be empty. */
static void drop_oldest(brio_front_session *s) {
  size_t length = oldest(s);
  s->head = (s->head + length) % BRIO_FRONT_KEPT;
  s->used -= length;
  s->first++;
}

void brio_front_session_keep(brio_front_session *s, const char *line, size_t length) {
  assert(is_consistent(s) && length <= BRIO_FRONT_KEPT);
  /* Make room by dropping whole lines, then copy in up to two pieces. */
  while (s->used > 0 && s->used + length > BRIO_FRONT_KEPT) drop_oldest(s);
  /* The ring's end, then its beginning. */
  size_t at = (s->head + s->used) % BRIO_FRONT_KEPT, piece = BRIO_FRONT_KEPT - at;
  if (piece > length) piece = length;
  memcpy(s->kept + at, line, piece);
  memcpy(s->kept, line + piece, length - piece);
  s->used += length;
  s->next++;
}

bool brio_front_session_repeats(brio_front_session *s, int64_t id, bool *lost) {
  /* O(BRIO_FRONT_ASKED); an id that fell out of the ring counts as new. */
  for (int i = 0; i < BRIO_FRONT_ASKED; i++) {
    if (s->asked[i].id != id) continue;
    /* An answer that was overwritten cannot be sent again. */
    *lost = s->asked[i].answer > 0 && s->asked[i].answer < s->first;
    return true;
  }
  /* A new request takes the entry of the oldest one. */
  unsigned at = s->asked_next++ % BRIO_FRONT_ASKED;
  s->asked[at].id = id;
  s->asked[at].answer = 0;
  return false;
}

void brio_front_session_answered(brio_front_session *s, int64_t id) {
  /* The line that is kept next has the number `next`. */
  for (int i = 0; i < BRIO_FRONT_ASKED && id; i++)
    if (s->asked[i].id == id) s->asked[i].answer = s->next;
}

uint64_t brio_front_session_rest(const brio_front_session *s, uint64_t seen, brio_text *text) {
  assert(is_consistent(s));
  /* Work on a copy of the indices: the session keeps its lines until they are overwritten. */
  brio_front_session rest = *s;
  /* Lines between the client's last and the oldest one kept are gone. */
  uint64_t lost = seen + 1 < s->first ? s->first - seen - 1 : 0;
  while (rest.used > 0 && rest.first <= seen) drop_oldest(&rest);
  /* The rest in one or two pieces. */
  size_t piece = BRIO_FRONT_KEPT - rest.head;
  if (piece > rest.used) piece = rest.used;
  brio_text_add(text, rest.kept + rest.head, piece);
  brio_text_add(text, rest.kept, rest.used - piece);
  return lost;
}

void brio_front_session_forget(brio_front_loop *loop, int64_t now, bool all) {
  int count = 0;
  for (int i = 0; i < BRIO_FRONT_CLIENTS; i++) {
    brio_front_session *s = &loop->sessions[i];
    /* Sessions away for too long lose their id; those without one give their memory back. */
    if (s->id[0] && s->away && now - s->away > longest_away) s->id[0] = 0;
    if (all || !s->id[0]) {
      free(s->kept);
      *s = (brio_front_session){0};
    }
    count += s->id[0] != 0;
  }
  atomic_store(&loop->front->sessions, count);
}
