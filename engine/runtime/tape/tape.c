/* Recording and replaying the tape: see tape.h for its format. A channel counts its queries in each tick; a
** record is identified by tick, channel and that count. Recording costs O(bytes), a query in a replay O(1);
** on a loose tape a query costs O(records of the tick). Script thread only. */
#include "runtime/tape/tape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32.h"
#include "base/hash.h"

enum { FORMAT = 2, OLDEST_FORMAT = 1, HEAD = 5, RECORD_HEAD = 50, /* bytes */
       ROOM = 128 * 1024 + BRIO_TAPE_LONGEST, FULL = 128 * 1024 };

#define HANDED_OVER_EVERY 0.05 /* s: what was recorded waits no longer in the buffer */

/* A row as it was fed: its number, the tick that it begins at, and its bytes. */
typedef struct tape_row {
  int64_t id, tick;
  unsigned char *bytes;
  size_t length;
} tape_row;

/* The numbers in the head of a record. */
typedef struct tape_head {
  uint64_t ticks, channel, askings, length;
} tape_head;

/* The heads by which the next one is predicted: what followed a record of each channel last in this row;
** the entry behind the channels is for the first record. */
typedef struct tape_heads {
  tape_head behind[BRIO_CHANNELS + 1];
  uint64_t channel; /* of the record before; BRIO_CHANNELS: no record yet */
} tape_heads;

enum { SAME_HEAD = 0, OTHER_HEAD = 2 };

/* A record as it is on the tape; the bytes are those of its row. */
typedef struct tape_record {
  int64_t tick;
  int channel;
  uint64_t askings;
  const unsigned char *bytes;
  size_t length;
} tape_record;

struct brio_tape {
  brio_store *store;         /* NULL: it replays */
  int table;
  int64_t tick;              /* that runs */
  double time;
  uint64_t askings[BRIO_CHANNELS]; /* queries in this tick */
  brio_tape_counts counts;
  uint64_t chain;            /* digest of all ticks so far */
  /* Noting. */
  tape_heads heads;          /* of the row that is written, or read */
  unsigned char *buffer;     /* ROOM */
  size_t used;               /* bytes of it; HEAD: no record */
  int64_t row_tick, last_tick; /* of its first and newest record */
  double row_time;
  int64_t records;           /* in the buffer */
  int64_t row;               /* rows handed to the store */
  /* Replaying. */
  tape_row *rows;
  size_t nrow, room;
  size_t at;                 /* the row that is read */
  const unsigned char *next, *end; /* in it */
  int format;                /* of it */
  int64_t before;            /* the tick of the record before */
  bool any;                  /* `record` is the next */
  tape_record record;
  bool loose;
  tape_record *pile;         /* loose: the npile records that may be requested now; tick -1: handed out */
  size_t npile, pile_room;
  brio_tape_fault ends;      /* why there is no next record; SAME: the end */
  brio_tape_difference parted;
};

/* The invariants; O(1). */
static bool is_consistent(const brio_tape *tape) {
  bool noted = tape->records == 0 ? tape->used <= HEAD : tape->used > HEAD;
  bool reads = tape->store || (tape->at <= tape->nrow && tape->nrow <= tape->room && tape->next <= tape->end);
  return noted && reads && tape->used <= ROOM && tape->npile <= tape->pile_room;
}

/* ---- channels ---- */

static const struct {
  const char *name, *words;
} channels[BRIO_CHANNELS] = {
#define X(name, words) {#name, words},
#include "runtime/tape/channels.def"
#undef X
};

const char *brio_channel_name(int channel) {
  return channel >= 0 && channel < BRIO_CHANNELS ? channels[channel].name : "?";
}

const char *brio_channel_words(int channel) {
  return channel >= 0 && channel < BRIO_CHANNELS ? channels[channel].words : "?";
}

int brio_channel_find(const char *name) {
  for (int i = 0; i < BRIO_CHANNELS; i++)
    if (strcmp(channels[i].name, name) == 0) return i;
  return -1;
}

/* ---- numbers ---- */

/* 7 bits per byte, lowest first; the top bit is set if more follow. */
unsigned char *brio_tape_put_whole(unsigned char *out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *out++ = (unsigned char)(value | 0x80);
  *out++ = (unsigned char)value;
  return out;
}

const unsigned char *brio_tape_take_whole(const unsigned char *at, const unsigned char *end,
                                          uint64_t *value) {
  *value = 0;
  /* 64 bits are 10 bytes: a longer number, like one that the end cuts short, is damaged. */
  for (int shift = 0; at < end && shift < 64; shift += 7) {
    *value |= (uint64_t)(*at & 0x7f) << shift;
    if (!(*at++ & 0x80)) return at;
  }
  return NULL;
}

/* ---- heads ---- */

/* No record yet: every prediction is 0. */
static void start_heads(tape_heads *heads) {
  memset(heads, 0, sizeof *heads);
  heads->channel = BRIO_CHANNELS;
}

/* Learn that this head followed the record before. */
static void note_head(tape_heads *heads, const tape_head *head) {
  heads->behind[heads->channel] = *head;
  heads->channel = head->channel;
}

/* Write a head: one number if only the length differs from the prediction, else five. */
static unsigned char *put_head(unsigned char *out, tape_heads *heads, const tape_head *head) {
  const tape_head *was = &heads->behind[heads->channel];
  /* The same head but for its length takes one number. */
  bool same = head->ticks == was->ticks && head->channel == was->channel && head->askings == was->askings;
  if (!same) {
    const uint64_t numbers[] = {OTHER_HEAD, head->ticks, head->channel, head->askings, head->length};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) out = brio_tape_put_whole(out, numbers[i]);
  } else {
    out = brio_tape_put_whole(out, head->length == was->length ? SAME_HEAD : head->length << 1 | 1);
  }
  note_head(heads, head);
  return out;
}

/* Read the four numbers of a head; NULL: they are cut short. */
static const unsigned char *take_numbers(const unsigned char *at, const unsigned char *end, tape_head *head) {
  uint64_t *numbers[] = {&head->ticks, &head->channel, &head->askings, &head->length};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers && at; i++)
    at = brio_tape_take_whole(at, end, numbers[i]);
  return at;
}

/* Read a head; return the position behind it, NULL: it is damaged. */
static const unsigned char *take_head(const unsigned char *at, const unsigned char *end, int format,
                                      tape_heads *heads, tape_head *head) {
  uint64_t code = OTHER_HEAD;
  /* Format 1 has the four numbers alone. */
  if (format != OLDEST_FORMAT) at = brio_tape_take_whole(at, end, &code);
  if (at) *head = heads->behind[heads->channel];
  if (at && code & 1) head->length = code >> 1;
  else if (at && code != SAME_HEAD) at = code == OTHER_HEAD ? take_numbers(at, end, head) : NULL;
  /* The channel is an index from here on, so it is checked first. */
  if (!at || head->channel >= BRIO_CHANNELS) return NULL;
  note_head(heads, head);
  return at;
}

/* ---- the tape ---- */

/* Allocate a tape before its first tick, for recording or replaying. */
static brio_tape *new_tape(brio_error *err) {
  brio_tape *tape = calloc(1, sizeof *tape);
  if (!tape) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the tape");
    return NULL;
  }
  /* No tick has begun, no record was lost. */
  tape->tick = tape->before = -1;
  tape->chain = BRIO_HASH_START;
  tape->counts.lost_at = -1;
  return tape;
}

brio_tape *brio_tape_record(brio_store *store, brio_error *err) {
  brio_tape *tape = new_tape(err);
  if (!tape) return NULL;
  tape->store = store;
  tape->table = brio_store_table_find("tapes");
  tape->buffer = malloc(ROOM);
  /* The head of a row is written when it is sealed. */
  tape->used = HEAD;
  if (tape->buffer) return tape;
  brio_fail(err, BRIO_NO_MEMORY, "no memory for the tape");
  brio_tape_free(tape);
  return NULL;
}

brio_tape *brio_tape_replay(brio_error *err) { return new_tape(err); }

void brio_tape_free(brio_tape *tape) {
  if (!tape) return;
  brio_tape_flush(tape);
  /* A replay has rows, a recording has a buffer. */
  for (size_t i = 0; i < tape->nrow; i++) free(tape->rows[i].bytes);
  free(tape->rows);
  free(tape->pile);
  free(tape->buffer);
  free(tape);
}

bool brio_tape_replays(const brio_tape *tape) { return tape && !tape->store; }

int64_t brio_tape_now(const brio_tape *tape) { return tape->tick; }

uint64_t brio_tape_chain(brio_tape *tape, uint64_t digest) {
  tape->chain = brio_hash_fold(tape->chain, &digest, sizeof digest);
  return tape->chain;
}

brio_tape_counts brio_tape_count(const brio_tape *tape) { return tape->counts; }

const brio_tape_difference *brio_tape_parted(const brio_tape *tape) { return &tape->parted; }

/* ---- noting ---- */

/* Count lost records; a replay has to end at the tick of the first one. */
static void lose(brio_tape *tape, int64_t records, int64_t tick) {
  if (tape->counts.lost_at < 0) tape->counts.lost_at = tick;
  tape->counts.lost += records;
}

void brio_tape_flush(brio_tape *tape) {
  /* Seal the buffer as a row: format, CRC-32 of the rest, records. */
  if (!tape->store || tape->records == 0) return;
  uint32_t check = brio_crc32(tape->buffer + HEAD, tape->used - HEAD);
  tape->buffer[0] = FORMAT;
  for (int i = 0; i < 4; i++) tape->buffer[1 + i] = (unsigned char)(check >> 8 * i);
  brio_value row[] = {brio_value_integer(++tape->row), brio_value_integer(tape->row_tick),
                      brio_value_real(tape->row_time), brio_value_integer(tape->records),
                      brio_value_blob(tape->buffer, tape->used)};
  /* Without room in the store the row is lost; its number is used up, so that a replay notices the
  ** gap. */
  if (brio_store_put(tape->store, tape->table, row, (int)(sizeof row / sizeof *row))) {
    tape->counts.rows++;
    tape->counts.bytes += (int64_t)tape->used;
  } else {
    lose(tape, tape->records, tape->row_tick);
  }
  /* The next record begins a new row. */
  tape->used = HEAD;
  tape->records = 0;
}

bool brio_tape_note(brio_tape *tape, int channel, const void *bytes, size_t length) {
  assert(channel >= 0 && channel < BRIO_CHANNELS);
  uint64_t askings = tape->askings[channel]++;
  if (!tape->store) return false;
  if (length > BRIO_TAPE_LONGEST) {
    /* Too long for any row: leave a gap in the rows' numbers, at which a replay ends. */
    brio_tape_flush(tape);
    tape->row++; /* a hole */
    lose(tape, 1, tape->tick);
    return false;
  }
  assert(is_consistent(tape));
  /* ROOM holds the longest record behind FULL bytes, so after a flush there is always room. */
  if (tape->used + RECORD_HEAD + length > ROOM) brio_tape_flush(tape);
  if (tape->records == 0) {
    tape->row_tick = tape->last_tick = tape->tick;
    tape->row_time = tape->time;
    start_heads(&tape->heads);
  }
  /* A run that continues after it came to rest counts from an earlier tick again, and cannot be replayed. */
  uint64_t passed = tape->tick > tape->last_tick ? (uint64_t)(tape->tick - tape->last_tick) : 0;
  tape_head head = {passed, (uint64_t)channel, askings, length};
  unsigned char *out = put_head(tape->buffer + tape->used, &tape->heads, &head);
  if (length) memcpy(out, bytes, length);
  assert((size_t)(out - tape->buffer) + length <= ROOM);
  tape->used = (size_t)(out - tape->buffer) + length;
  if (tape->tick > tape->last_tick) tape->last_tick = tape->tick;
  tape->records++;
  tape->counts.records++;
  return true;
}

/* Count the query: a later record in this tick needs the number. */
void brio_tape_pass(brio_tape *tape, int channel) { tape->askings[channel]++; }

/* ---- reading back ---- */

bool brio_tape_feed(brio_tape *tape, int64_t id, int64_t tick, const void *bytes, size_t length,
                    brio_error *err) {
  if (tape->store) return brio_fail(err, BRIO_MISUSE, "a tape that notes is fed nothing");
  /* Grow by doubling, so that feeding n rows costs O(n). */
  if (tape->nrow == tape->room) {
    size_t room = tape->room ? 2 * tape->room : 64;
    tape_row *rows = realloc(tape->rows, room * sizeof *rows);
    if (!rows) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the tape");
    tape->rows = rows;
    tape->room = room;
  }
  /* One byte more, so that an empty row has memory, too. */
  unsigned char *copy = malloc(length + 1);
  if (!copy) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the tape");
  if (length) memcpy(copy, bytes, length);
  tape->rows[tape->nrow++] = (tape_row){id, tick, copy, length};
  /* cppcheck-suppress memleak ; the row has it */
  return true;
}

/* Why a row cannot be read: its number does not follow, or its format or checksum is wrong.  SAME:
** it can. */
static brio_tape_fault check_row(const brio_tape *tape, size_t index) {
  const tape_row *row = &tape->rows[index];
  uint32_t check = 0;
  if (row->id != (index ? tape->rows[index - 1].id + 1 : 1)) return BRIO_TAPE_HOLE;
  if (row->length < HEAD || row->bytes[0] < OLDEST_FORMAT || row->bytes[0] > FORMAT) return BRIO_TAPE_DAMAGED;
  for (int i = 0; i < 4; i++) check |= (uint32_t)row->bytes[1 + i] << 8 * i;
  return brio_crc32(row->bytes + HEAD, row->length - HEAD) == check ? BRIO_TAPE_SAME : BRIO_TAPE_DAMAGED;
}

/* Open the next row.  False: no further row, or it cannot be read (`ends` has the reason). */
static bool next_row(brio_tape *tape) {
  if (tape->at >= tape->nrow || tape->ends != BRIO_TAPE_SAME) return false;
  const tape_row *row = &tape->rows[tape->at];
  tape->ends = check_row(tape, tape->at++);
  if (tape->ends != BRIO_TAPE_SAME) return false;
  /* The records of this row; its first head counts from the row's tick. */
  tape->next = row->bytes + HEAD;
  tape->end = row->bytes + row->length;
  tape->before = row->tick;
  tape->format = row->bytes[0];
  start_heads(&tape->heads);
  return true;
}

/* Decode the record at `next`.  False: it is damaged.  Every length is checked against the row's
** end. */
static bool read_record(brio_tape *tape) {
  tape_record *record = &tape->record;
  tape_head head;
  const unsigned char *at = take_head(tape->next, tape->end, tape->format, &tape->heads, &head);
  if (!at || head.length > (uint64_t)(tape->end - at) || head.ticks > INT64_MAX / 2) return false;
  /* Ticks are differences along the row. */
  record->tick = tape->before += (int64_t)head.ticks;
  record->channel = (int)head.channel;
  record->askings = head.askings;
  record->bytes = at;
  record->length = (size_t)head.length;
  tape->next = at + head.length;
  return true;
}

/* Make `record` the next record, if there is one. */
static bool peek(brio_tape *tape) {
  if (tape->any) return true;
  /* Rows without records are legal: continue with the next. */
  while (tape->next == tape->end)
    if (!next_row(tape)) return false;
  tape->any = read_record(tape);
  if (!tape->any) tape->ends = BRIO_TAPE_DAMAGED, tape->next = tape->end;
  return tape->any;
}

/* Record a difference; only the first one counts, since all others follow from it. */
static void part(brio_tape *tape, brio_tape_fault fault, int wanted) {
  if (tape->parted.fault != BRIO_TAPE_SAME) return;
  bool found = peek(tape);
  tape->parted = (brio_tape_difference){fault, tape->tick, found ? tape->record.tick : tape->tick, wanted,
                                        found ? tape->record.channel : -1};
}

bool brio_tape_over(const brio_tape *tape) { return !peek((brio_tape *)tape); }

void brio_tape_deny(brio_tape *tape, int channel) {
  if (!tape->loose) part(tape, BRIO_TAPE_CHANGED, channel);
}

/* Whether the next record is of this tick and channel. */
static bool is_next(brio_tape *tape, int channel) {
  return peek(tape) && tape->record.tick == tape->tick && tape->record.channel == channel;
}

/* Return the next record's bytes and step past it. */
static bool hand_out(brio_tape *tape, const void **bytes, size_t *length) {
  *bytes = tape->record.bytes;
  *length = tape->record.length;
  tape->any = false;
  tape->counts.records++;
  return true;
}

void brio_tape_loosen(brio_tape *tape) { tape->loose = true; }

bool brio_tape_is_loose(const brio_tape *tape) { return tape && tape->loose; }

/* Add the next record to those that may be requested in any order. */
static bool add_to_pile(brio_tape *tape) {
  /* At least doubled, so that n records cost O(n). */
  if (tape->npile == tape->pile_room) {
    size_t room = tape->pile_room ? 2 * tape->pile_room : 64;
    tape_record *pile = realloc(tape->pile, room * sizeof *pile);
    if (!pile) return false;
    tape->pile = pile;
    tape->pile_room = room;
  }
  tape->pile[tape->npile++] = tape->record;
  return true;
}

/* Loose: collect the records of this tick.  Prompts wait until they are requested;
** everything else of earlier ticks is dropped.  Without memory records are left out. */
static void pile_up(brio_tape *tape, int64_t tick) {
  size_t kept = 0;
  for (size_t i = 0; i < tape->npile; i++)
    if (tape->pile[i].tick >= 0 && tape->pile[i].channel == BRIO_CHANNEL_prompt)
      tape->pile[kept++] = tape->pile[i];
  tape->npile = kept;
  for (; peek(tape) && tape->record.tick <= tick; tape->any = false) add_to_pile(tape);
}

/* Take the oldest record of a channel from the pile; O(npile). */
static bool take_from_pile(brio_tape *tape, int channel, const void **bytes, size_t *length) {
  for (size_t i = 0; i < tape->npile; i++) {
    tape_record *record = &tape->pile[i];
    if (record->tick < 0 || record->channel != channel) continue;
    *bytes = record->bytes;
    *length = record->length;
    record->tick = -1;
    tape->counts.records++;
    return true;
  }
  return false;
}

bool brio_tape_ask(brio_tape *tape, int channel, const void **bytes, size_t *length) {
  /* The count of queries is part of a record's address: it rises whether or not anything came. */
  uint64_t askings = tape->askings[channel]++;
  if (tape->loose) return take_from_pile(tape, channel, bytes, length);
  if (!is_next(tape, channel) || tape->record.askings != askings) return false;
  return hand_out(tape, bytes, length);
}

bool brio_tape_must(brio_tape *tape, int channel, const void **bytes, size_t *length) {
  uint64_t askings = tape->askings[channel]++;
  if (tape->loose) return take_from_pile(tape, channel, bytes, length);
  if (is_next(tape, channel) && tape->record.askings == askings) return hand_out(tape, bytes, length);
  /* Nothing left, a damaged row, or another record: the difference has the kind. */
  bool more = peek(tape);
  part(tape, more ? BRIO_TAPE_OTHER : tape->ends != BRIO_TAPE_SAME ? tape->ends : BRIO_TAPE_OVER, channel);
  return false;
}

bool brio_tape_find(brio_tape *tape, int channel, int nth, const void **bytes, size_t *length) {
  brio_tape ahead = *tape; /* a copy reads ahead, and is dropped */
  bool found = false;
  for (; !found && peek(&ahead) && ahead.record.tick <= tape->tick; ahead.any = false)
    found = ahead.record.tick == tape->tick && ahead.record.channel == channel && nth-- == 0;
  if (found) *bytes = ahead.record.bytes, *length = ahead.record.length;
  return found;
}

void brio_tape_tick(brio_tape *tape, int64_t tick, double time) {
  assert(is_consistent(tape));
  /* Loose: renew the pile.  Replaying: records that the last tick did not request are a difference.
  ** Recording: hand the buffer over when it is full or old. */
  if (tape->loose) {
    pile_up(tape, tick);
  } else if (!tape->store) {
    if (peek(tape) && tape->record.tick < tick) part(tape, BRIO_TAPE_UNHEARD, -1);
    else if (!peek(tape) && tape->ends != BRIO_TAPE_SAME) part(tape, tape->ends, -1);
  } else if (tape->records > 0 && (tape->used > FULL || time - tape->row_time >= HANDED_OVER_EVERY)) {
    brio_tape_flush(tape);
  }
  tape->tick = tick;
  tape->time = time;
  memset(tape->askings, 0, sizeof tape->askings);
}
