/* Shared by the tests of tapes: a store that records a tape, and its rows read back. */
#ifndef BRIO_TESTS_TAPE_HELP_H
#define BRIO_TESTS_TAPE_HELP_H

#include "runtime/tape/tape.h"
#include "store/reader.h"
#include "tests/store/store_help.h"

enum { MOST_ROWS = 2048 };

typedef struct tape_rows {
  struct {
    int64_t id, tick;
    unsigned char *bytes;
    size_t length;
  } list[MOST_ROWS];
  int count;
} tape_rows;

/* A store with a run of the fast clock; `ring`: bytes of its ring, which may be full then (0: it waits). */
static inline brio_store *open_store(const char *path, size_t ring) {
  brio_error err = {0};
  brio_store_options options = {.wait = ring == 0, .ring_bytes = ring};
  brio_store *store = brio_store_open(path, &options, &err);
  CHECK(store, "%s", err.message);
  const char *columns[] = {"behavior", "robot", "driver", "seed", "clock", "tick_rate", "engine_version"};
  brio_value values[] = {brio_value_text("b"),  brio_value_text("r"),    brio_value_text("sim"),
                         brio_value_integer(1), brio_value_text("fast"), brio_value_real(200),
                         brio_value_text("0")};
  CHECK(brio_store_begin(store, columns, values, 7, &err) == 1, "%s", err.message);
  return store;
}

/* The rows of run 1. */
static inline void read_rows(const char *path, tape_rows *rows) {
  brio_error err = {0};
  brio_db *db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  brio_query *query = brio_db_prepare(db, "SELECT id, tick, bytes FROM tapes WHERE run = 1 ORDER BY id", -1,
                                      &err);
  CHECK(query, "%s", err.message);
  rows->count = 0;
  while (brio_query_step(query, &err) == BRIO_STEP_ROW && rows->count < MOST_ROWS) {
    brio_value bytes = brio_query_column(query, 2);
    unsigned char *copy = malloc(bytes.as.text.length + 1);
    memcpy(copy, bytes.as.text.bytes, bytes.as.text.length);
    rows->list[rows->count].id = brio_query_column(query, 0).as.integer;
    rows->list[rows->count].tick = brio_query_column(query, 1).as.integer;
    rows->list[rows->count].bytes = copy;
    rows->list[rows->count++].length = bytes.as.text.length;
  }
  brio_query_end(query);
  brio_db_close(db);
}

static inline void free_rows(tape_rows *rows) {
  for (int i = 0; i < rows->count; i++) free(rows->list[i].bytes);
}

/* A tape that is read back from all rows but one (-1: from all). */
static inline brio_tape *replay_of(const tape_rows *rows, int without) {
  brio_error err = {0};
  brio_tape *tape = brio_tape_replay(&err);
  for (int i = 0; i < rows->count; i++)
    if (i != without)
      CHECK(brio_tape_feed(tape, rows->list[i].id, rows->list[i].tick, rows->list[i].bytes,
                           rows->list[i].length, &err),
            "%s", err.message);
  return tape;
}

#endif
