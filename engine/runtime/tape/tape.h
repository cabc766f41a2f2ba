/* The tape: every input of the script thread that does not follow from other records passes it.  In a run it
** is noted, as (tick, channel, bytes); in a replay it is read back in the same order.  A request that finds
** another channel, or nothing, is a difference, which is kept for the report.
**
** There are two kinds of requests.  One that always has an answer (`must`) has a record each time.  One that
** is mostly empty (`ask`: is there a line of the prompt?) has a record only with an answer, with the number
** of earlier requests of the channel in that tick; so an answer returns at the same request, and empty ones
** cost nothing.
**
** Noting copies bytes into a buffer that is allocated at the start, and hands full buffers to the run store's
** ring: nothing allocates, blocks or touches a file.  A record that finds no room there is counted, and
** leaves a gap that a replay cannot pass.
**
** The bytes of a row of `tapes`: 2 (the format), their CRC-32 from the fifth byte on (4 bytes, lowest first),
** then records: a head and the payload.  A head has the number of ticks since the record before (the first:
** since the row's tick), the channel, the number of earlier requests in that tick, and the payload's length.
** Mostly channels follow each other as they did before in the row, so a head is a number: 0 where all four
** are those that last came behind a record of the same channel; twice the length and 1 where only the length
** differs; or 2, and the four numbers.  Numbers have 7 bits a byte, lowest first.  In format 1 a head is the
** four numbers. */
#ifndef BRIO_RUNTIME_TAPE_TAPE_H
#define BRIO_RUNTIME_TAPE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "store/store.h"

typedef struct brio_tape brio_tape;

typedef enum brio_channel {
#define X(name, words) BRIO_CHANNEL_##name,
#include "runtime/tape/channels.def"
#undef X
  BRIO_CHANNELS
} brio_channel;

/* The name of a channel, and a description of its data; and the number of the channel of that name, -1:
** none. */
const char *brio_channel_name(int channel);
const char *brio_channel_words(int channel);
int brio_channel_find(const char *name);

/* No record is longer, bytes. */
enum { BRIO_TAPE_LONGEST = 256 * 1024 };

/* The first difference between replay and tape. */
typedef enum brio_tape_fault {
  BRIO_TAPE_SAME,     /* it did not */
  BRIO_TAPE_OTHER,    /* `wanted` was requested where the tape has `found` */
  BRIO_TAPE_UNHEARD,  /* `found` was not requested in its tick */
  BRIO_TAPE_OVER,     /* `wanted` was requested after the tape's last record */
  BRIO_TAPE_HOLE,     /* rows are missing there */
  BRIO_TAPE_DAMAGED,  /* a row cannot be read there */
  BRIO_TAPE_CHANGED,  /* a record's content is invalid, as its reader reported */
} brio_tape_fault;

typedef struct brio_tape_difference {
  brio_tape_fault fault;
  int64_t tick;       /* that ran */
  int64_t found_tick; /* of the next record */
  int wanted, found;  /* channels; -1: none */
} brio_tape_difference;

typedef struct brio_tape_counts {
  int64_t records, bytes, rows; /* so far */
  int64_t lost;                 /* records that found no room in the store */
  int64_t lost_at;              /* the tick of the first of them; -1: none */
} brio_tape_counts;

/* A tape that notes into the run of `store`, which must outlive it.  Errors: no_memory. */
brio_tape *brio_tape_record(brio_store *store, brio_error *err);

/* A tape that is read back: rows are fed first, in order.  Errors: no_memory. */
brio_tape *brio_tape_replay(brio_error *err);

/* From now on records may be requested in any order within their tick, or not at all: for another behavior
** with the same inputs.  Prompts that were not requested wait. */
void brio_tape_loosen(brio_tape *tape);
bool brio_tape_is_loose(const brio_tape *tape);

/* Free it; notes are handed over first.  NULL is allowed. */
void brio_tape_free(brio_tape *tape);

/* Whether it is a replay; false for NULL. */
bool brio_tape_replays(const brio_tape *tape);

/* Feed row number `id` of `tapes`, which begins at `tick`.  Copied.  The tape ends at a row that is damaged
** or missing.  Errors: no_memory, misuse (a tape that notes). */
bool brio_tape_feed(brio_tape *tape, int64_t id, int64_t tick, const void *bytes, size_t length,
                    brio_error *err);

/* Begin tick number `tick`, at `time` s of the run; before the first it is -1.  Records of the last tick that
** were not requested are a difference. */
void brio_tape_tick(brio_tape *tape, int64_t tick, double time);
int64_t brio_tape_now(const brio_tape *tape);

/* Note `length` bytes; false: they are lost, and counted. */
bool brio_tape_note(brio_tape *tape, int channel, const void *bytes, size_t length);

/* Noting: this request was empty. */
void brio_tape_pass(brio_tape *tape, int channel);

/* Replaying: return the answer to this request; false: none.  The bytes are valid until the tape is freed. */
bool brio_tape_ask(brio_tape *tape, int channel, const void **bytes, size_t *length);

/* Replaying: return an answer that always exists; false: a difference. */
bool brio_tape_must(brio_tape *tape, int channel, const void **bytes, size_t *length);

/* Replaying: return the `nth` record (from 0) of a channel in this tick; it still has to be requested. */
bool brio_tape_find(brio_tape *tape, int channel, int nth, const void **bytes, size_t *length);

/* Hand over the notes so far. */
void brio_tape_flush(brio_tape *tape);

/* Report that the bytes of a channel are invalid: a difference, unless there is one already. */
void brio_tape_deny(brio_tape *tape, int channel);

/* The first difference between replay and tape; the position: whether no record is left. */
const brio_tape_difference *brio_tape_parted(const brio_tape *tape);
bool brio_tape_over(const brio_tape *tape);
brio_tape_counts brio_tape_count(const brio_tape *tape);

/* The digest of all ticks so far: that of the ticks before, and `digest` of this one. */
uint64_t brio_tape_chain(brio_tape *tape, uint64_t digest);

/* Numbers as records hold them: 7 bits a byte, lowest first, and signed ones with the sign last (zigzag).
** Write at `out` (10 bytes at most) and return its end; read up to `end` and return the number's end, NULL:
** no number. */
unsigned char *brio_tape_put_whole(unsigned char *out, uint64_t value);
const unsigned char *brio_tape_take_whole(const unsigned char *at, const unsigned char *end, uint64_t *value);
static inline uint64_t brio_tape_zigzag(int64_t value) {
  return ((uint64_t)value << 1) ^ (uint64_t) - (value < 0);
}
static inline int64_t brio_tape_zagzig(uint64_t value) {
  return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#endif
