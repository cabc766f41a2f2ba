/* The tape: recorded values come back at the same query of the same tick; mismatches, damage
** and gaps are reported. */
#include "base/crc32.h"
#include "base/hash.h"
#include "base/random.h"
#include "runtime/tape/tick.h"
#include "tape_help.h"

/* The value of channel `c` at query `k` of tick `n`; 0: empty. */
static size_t said(int64_t n, int c, int k, unsigned char out[64]) {
  brio_random dice = brio_random_stream((uint64_t)(n * 7919 + c * 31 + k + 1000), "tape");
  if (brio_random_below(&dice, 4) > 0) return 0;
  size_t length = 1 + (size_t)brio_random_below(&dice, 60);
  for (size_t i = 0; i < length; i++) out[i] = (unsigned char)brio_random_below(&dice, 256);
  return length;
}

enum { TICKS = 400, ASKED = 5, TIMES = 3 };

/* Query as a run does.  Return the number of values that differ from the recorded ones. */
static int run(brio_tape *tape, bool leave_out) {
  int wrong = 0;
  for (int64_t n = -1; n < TICKS; n++) {
    unsigned char bytes[64];
    const void *got = NULL;
    size_t length = 0;
    if (n >= 0) brio_tape_tick(tape, n, (double)n / 200);
    for (int k = 0; k < TIMES; k++)
      for (int c = 0; c < ASKED; c++) {
        size_t wanted = said(n, c, k, bytes);
        if (leave_out && n == 123 && c == 2) continue;
        if (!brio_tape_replays(tape)) {
          if (wanted) CHECK(brio_tape_note(tape, c, bytes, wanted), "a record is kept");
          else brio_tape_pass(tape, c);
        } else {
          bool any = brio_tape_ask(tape, c, &got, &length);
          wrong += any != (wanted > 0) || (any && (length != wanted || memcmp(got, bytes, length) != 0));
        }
      }
    int64_t tick = n;
    if (!brio_tape_replays(tape)) CHECK(brio_tape_note(tape, ASKED, &tick, sizeof tick), "a record is kept");
    else if (!brio_tape_must(tape, ASKED, &got, &length) || memcmp(got, &tick, sizeof tick) != 0) wrong++;
  }
  return wrong;
}

static void note_and_read_back(const char *path, tape_rows *rows) {
  brio_error err = {0};
  brio_store *store = open_store(path, 0);
  brio_tape *tape = brio_tape_record(store, &err);
  CHECK(tape, "%s", err.message);
  run(tape, false);
  brio_tape_counts counts = brio_tape_count(tape);
  CHECK(counts.lost == 0 && counts.lost_at == -1 && counts.records > TICKS && counts.rows > 10,
        "all of it is kept, in rows");
  brio_tape_free(tape);
  CHECK(brio_store_close(store, &err), "%s", err.message);
  read_rows(path, rows);
  tape = replay_of(rows, -1);
  CHECK(run(tape, false) == 0 && brio_tape_parted(tape)->fault == BRIO_TAPE_SAME,
        "what was noted comes back");
  CHECK(brio_tape_over(tape), "and nothing else");
  const void *bytes;
  size_t length;
  CHECK(!brio_tape_must(tape, 1, &bytes, &length) && brio_tape_parted(tape)->fault == BRIO_TAPE_OVER,
        "then it is over");
  brio_tape_free(tape);
}

static void what_is_not_asked_for_is_told(const tape_rows *rows) {
  brio_tape *tape = replay_of(rows, -1);
  run(tape, true);
  const brio_tape_difference *d = brio_tape_parted(tape);
  CHECK(d->tick == 123 && (d->fault == BRIO_TAPE_OTHER || d->fault == BRIO_TAPE_UNHEARD) && d->found == 2,
        "channel 2 was not asked in tick 123: fault %d in tick %lld, found %d", d->fault, (long long)d->tick,
        d->found);
  brio_tape_free(tape);
}

static void holes_are_told(const tape_rows *rows) {
  int without = rows->count / 2;
  brio_tape *tape = replay_of(rows, without);
  run(tape, false);
  const brio_tape_difference *d = brio_tape_parted(tape);
  CHECK(d->fault == BRIO_TAPE_HOLE && d->tick >= rows->list[without].tick - 1 &&
            d->tick <= rows->list[without].tick,
        "row %d is missing from tick %lld on: fault %d in tick %lld", without,
        (long long)rows->list[without].tick, d->fault, (long long)d->tick);
  brio_tape_free(tape);
}

/* Any byte of any row. */
static void damage_is_told(tape_rows *rows) {
  brio_random dice = brio_random_stream(5, "damage");
  for (int round = 0; round < 40; round++) {
    int row = (int)brio_random_below(&dice, (uint64_t)rows->count);
    size_t at = (size_t)brio_random_below(&dice, rows->list[row].length);
    unsigned char bit = (unsigned char)(1 << brio_random_below(&dice, 8));
    rows->list[row].bytes[at] ^= bit;
    brio_tape *tape = replay_of(rows, -1);
    run(tape, false);
    const brio_tape_difference *d = brio_tape_parted(tape);
    CHECK(d->fault == BRIO_TAPE_DAMAGED && d->tick >= rows->list[row].tick - 1 &&
              d->tick <= rows->list[row].tick,
          "byte %zu of row %d is told: fault %d in tick %lld", at, row, d->fault, (long long)d->tick);
    brio_tape_free(tape);
    rows->list[row].bytes[at] ^= bit;
  }
}

static void test_tape(void) {
  tape_rows rows;
  note_and_read_back(help_path("tape.db"), &rows);
  what_is_not_asked_for_is_told(&rows);
  holes_are_told(&rows);
  damage_is_told(&rows);
  free_rows(&rows);
}

/* Rows of format 1, as brios of before wrote them: every head in full. */
static void test_rows_of_before(void) {
  brio_error err = {0};
  unsigned char row[256] = {1}, *out = row + 5;
  for (int n = 0; n < 5; n++) {
    const uint64_t numbers[] = {n > 0, 3, (uint64_t)n, (uint64_t)n};
    for (int i = 0; i < 4; i++) out = brio_tape_put_whole(out, numbers[i]);
    memset(out, 'a' + n, (size_t)n);
    out += n;
  }
  uint32_t check = brio_crc32(row + 5, (size_t)(out - row) - 5);
  for (int i = 0; i < 4; i++) row[1 + i] = (unsigned char)(check >> 8 * i);
  brio_tape *tape = brio_tape_replay(&err);
  CHECK(brio_tape_feed(tape, 1, 7, row, (size_t)(out - row), &err), "%s", err.message);
  for (int n = 0; n < 5; n++) {
    const void *bytes = NULL;
    size_t length = 99;
    brio_tape_tick(tape, 7 + n, 0);
    for (int k = 0; k < n; k++) CHECK(!brio_tape_ask(tape, 3, &bytes, &length), "nothing came at first");
    CHECK(brio_tape_ask(tape, 3, &bytes, &length) && length == (size_t)n, "record %d", n);
    CHECK(n == 0 || *(const char *)bytes == 'a' + n, "holds what it held");
  }
  CHECK(brio_tape_over(tape) && brio_tape_parted(tape)->fault == BRIO_TAPE_SAME, "that is all");
  brio_tape_free(tape);
}

/* The digest of a tick whose commands are these; `other`: they differ in their last bit. */
static uint64_t digest_of(int64_t n, bool other) {
  return brio_hash_fold(BRIO_HASH_START, &n, sizeof n) ^ (uint64_t)other << 63;
}

/* A tick with other commands is reported at once, also by digests of older versions. */
static void test_digests(void) {
  for (size_t old = 0; old <= 8; old += 4) {
    char path[512];
    brio_error err = {0};
    tape_rows rows;
    snprintf(path, sizeof path, "%s", help_path("digest.db"));
    brio_store *store = open_store(path, 0);
    brio_tape *tape = brio_tape_record(store, &err);
    for (int64_t n = 0; n < 50; n++) {
      uint64_t digest = digest_of(n, false);
      brio_tape_tick(tape, n, 0.005 * (double)n);
      if (old) brio_tape_note(tape, BRIO_CHANNEL_hash, &digest, old);
      else brio_tape_digest(tape, digest);
    }
    brio_tape_free(tape);
    brio_store_close(store, &err);
    read_rows(path, &rows);
    for (int64_t differs = -1; differs < 50; differs += 17) {
      tape = replay_of(&rows, -1);
      for (int64_t n = 0; n < 50; n++) {
        brio_tape_tick(tape, n, 0.005 * (double)n);
        bool low = old && n == differs; /* half of a digest had the low bits */
        brio_tape_digest(tape, digest_of(n, n == differs) ^ low);
      }
      const brio_tape_difference *d = brio_tape_parted(tape);
      bool same = d->fault == BRIO_TAPE_SAME;
      CHECK(same == (differs < 0) && (same || (d->fault == BRIO_TAPE_CHANGED && d->tick == differs)),
            "digests of %d bytes: tick %d is told as %d", (int)old, (int)differs, (int)d->tick);
      brio_tape_free(tape);
    }
    free_rows(&rows);
  }
}

/* A full ring loses records, which are counted, and leaves a gap. */
static void test_no_room(void) {
  const char *path = help_path("room.db");
  static unsigned char much[100000];
  brio_error err = {0};
  const void *got;
  size_t length;
  int64_t n = 0;
  brio_store *store = open_store(path, 256 * 1024);
  brio_tape *tape = brio_tape_record(store, &err);
  CHECK(tape, "%s", err.message);
  for (; n < 400; n++) {
    brio_tape_tick(tape, n, (double)n * 0.05);
    brio_tape_note(tape, 1, much, sizeof much);
  }
  CHECK(!brio_tape_note(tape, 1, much, BRIO_TAPE_LONGEST + 1), "what is too long is refused");
  brio_tape_counts counts = brio_tape_count(tape);
  CHECK(counts.lost > 1 && counts.lost_at > 0 && counts.lost_at < 400,
        "40 MB do not fit at once: %lld lost from tick %lld on", (long long)counts.lost,
        (long long)counts.lost_at);
  brio_tape_free(tape);
  brio_store_close(store, &err);
  tape_rows rows;
  read_rows(path, &rows);
  tape = replay_of(&rows, -1);
  for (n = 0; n < 400 && brio_tape_parted(tape)->fault == BRIO_TAPE_SAME; n++) {
    brio_tape_tick(tape, n, (double)n * 0.05);
    brio_tape_must(tape, 1, &got, &length);
  }
  CHECK(brio_tape_parted(tape)->fault == BRIO_TAPE_HOLE && n - 1 == counts.lost_at,
        "the hole is told at tick %lld", (long long)n - 1);
  brio_tape_free(tape);
  free_rows(&rows);
}

CHECK_SUITE(CHECK_TEST(test_tape), CHECK_TEST(test_rows_of_before), CHECK_TEST(test_digests),
            CHECK_TEST(test_no_room))
