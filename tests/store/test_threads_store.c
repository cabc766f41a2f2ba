/* The robot's thread, the store's thread and a reader at work together: under the thread
** sanitizer this proves that they share only what they may; without it, that nothing is lost and
** the ring keeps its order. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "store/recording/byte_ring.h"
#include "tests/store/store_help.h"

static atomic_bool done;

static void *read_all_along(void *argument) {
  brio_error err = {0};
  brio_db *db = brio_reader_open(argument, &err);
  while (db && !atomic_load(&done)) {
    free(help_ask(db, "SELECT count(*), max(t) FROM story"));
    usleep(5000);
  }
  brio_db_close(db);
  return NULL;
}

/* Record one run at the store's full speed. */
static void record(brio_store *store, int64_t ticks) {
  brio_error err = {0};
  char why[100], hash[65], source[32];
  help_begin(store, 4);
  for (int64_t k = 0; k < ticks; k++) {
    double x[] = {(double)k, 1, 2, NAN};
    CHECK(brio_store_sample(store, k, (double)k / 200, x, x, x), "sample");
    CHECK(help_event(store, k, k % 3 ? "tick" : "a longer name for every third event"), "event");
    if (k % 1000 == 0) {
      snprintf(source, sizeof source, "return %lld", (long long)k);
      CHECK(brio_store_version(store, "x.lua", source, strlen(source), NULL, 0, hash, &err), "%s",
            err.message);
    }
    if (k % 100 == 0) CHECK(brio_store_lost(store, why, sizeof why) == 0, "%s", why);
  }
  CHECK(brio_store_end(store, NULL, NULL, 0, &err), "%s", err.message);
}

static void test_recording_while_reading(void) {
  pthread_t reader;
  brio_error err = {0};
  char path[512];
  snprintf(path, sizeof path, "%s", help_path("threads.db"));
  brio_store *store = brio_store_open(path, &(brio_store_options){.wait = true, .ring_bytes = 32768}, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  pthread_create(&reader, NULL, read_all_along, path);
  for (int run = 0; run < 3; run++) record(store, 4000);
  atomic_store(&done, true);
  pthread_join(reader, NULL);
  CHECK(brio_store_close(store, &err), "%s", err.message);
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT run, count(*), max(id) FROM events GROUP BY run",
           "1|4000|4000\n2|4000|4000\n3|4000|4000\n");
  HELP_ASK(db, "SELECT count(*), sum(goal) FROM samples WHERE run = 2 AND name = 'dof0'", "4000|7998000\n");
  HELP_ASK(db, "SELECT (SELECT count(*) FROM versions), (SELECT count(*) FROM run_versions)", "4|12\n");
  brio_db_close(db);
}

static void *fill_ring(void *argument) {
  brio_byte_ring *ring = argument;
  for (int32_t k = 0; k < 100000;) {
    brio_record *record = brio_byte_ring_begin(ring, (size_t)(k % 977), 0);
    if (!record) {
      sched_yield();
      continue;
    }
    record->kind = k;
    memset(record + 1, k & 0xff, (size_t)(k % 977));
    brio_byte_ring_publish(ring);
    k++;
  }
  return NULL;
}

static void test_ring_keeps_order_and_content(void) {
  pthread_t writer;
  brio_byte_ring ring;
  CHECK(brio_byte_ring_start(&ring, 1), "ring");
  CHECK(!brio_byte_ring_begin(&ring, brio_byte_ring_largest(&ring) + 1, 0), "a record that never fits");
  pthread_create(&writer, NULL, fill_ring, &ring);
  uint64_t at = brio_byte_ring_oldest(&ring);
  for (int32_t k = 0; k < 100000;) {
    const brio_record *record = brio_byte_ring_next(&ring, &at);
    if (!record) {
      sched_yield();
      continue;
    }
    const unsigned char *bytes = (const unsigned char *)(record + 1);
    size_t length = (size_t)(k % 977);
    CHECK(record->kind == k, "record %d came as %d", k, record->kind);
    CHECK(length == 0 || (bytes[0] == (k & 0xff) && bytes[length - 1] == (k & 0xff)), "content of %d", k);
    brio_byte_ring_release(&ring, at);
    k++;
  }
  pthread_join(writer, NULL);
  brio_byte_ring_end(&ring);
}

CHECK_SUITE(CHECK_TEST(test_recording_while_reading), CHECK_TEST(test_ring_keeps_order_and_content))
