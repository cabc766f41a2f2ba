/* Disks and memory that fail while a store is written: a power cut at any moment, refused writes and syncs, a
** disk that is full for a while, refused allocations.  In each case the file is intact, and missing rows are
** counted and reported. */
#include "tests/store/fault_vfs.h"

#include <stdatomic.h>

#include "store/migrate.h"
#include "tests/store/store_help.h"

/* ---- memory that is refused ---- */

static atomic_long allocations, refused_from, refused_till;
static sqlite3_mem_methods real_memory;

static bool refuses(void) {
  long number = atomic_fetch_add(&allocations, 1);
  return number >= atomic_load(&refused_from) && number < atomic_load(&refused_till);
}

static void *may_allocate(int size) { return refuses() ? NULL : real_memory.xMalloc(size); }

static void *may_reallocate(void *old, int size) {
  return refuses() ? NULL : real_memory.xRealloc(old, size);
}

/* Before SQLite does anything. */
__attribute__((constructor)) static void take_memory(void) {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory);
  sqlite3_mem_methods mine = real_memory;
  mine.xMalloc = may_allocate;
  mine.xRealloc = may_reallocate;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &mine);
}

/* ---- what is written, and what is found ---- */

enum { EVENTS = 150 };

/* A sample under make test: half of `few`; ten times as many under make soak. */
static int rounds(int few) { return check_scale() > 1 ? 10 * few : few / 2; }

static void copy_path(char to[512], const char *name) { snprintf(to, 512, "%s", help_path(name)); }

static void unlink_store(const char *path) {
  static const char *const ends[] = {"", "-wal", "-shm"};
  char name[600];
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    unlink(name);
  }
}

/* The number that a query answers; -1: none. */
static long ask_number(brio_db *db, const char *sql) {
  int64_t number = -1;
  brio_error err = {0};
  CHECK(brio_db_number(db, sql, &number, &err), "%s: %s", sql, err.message);
  return (long)number;
}

/* Check that the store at `path` is intact, and return its number of events: the first
** ones, without a gap. */
static long inspect(const char *path, const char *what) {
  brio_error err = {0};
  brio_db *db = brio_reader_open(path, &err);
  if (!db) { /* it was cut before it was a store */
    bool said = strstr(err.message, "empty") || strstr(err.message, "killed in the midst") ||
                err.code == BRIO_NO_FILE;
    CHECK(said, "%s: %s", what, err.message);
    return 0;
  }
  char *words = help_ask(db, "PRAGMA integrity_check");
  CHECK(strcmp(words, "ok\n") == 0, "%s: %s", what, words);
  free(words);
  if (ask_number(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'runs'") != 1) {
    brio_db_close(db);
    return 0;
  }
  long events = ask_number(db, "SELECT count(*) FROM events");
  CHECK(events == ask_number(db, "SELECT coalesce(max(id), 0) FROM events"), "%s: events have a hole", what);
  brio_db_close(db);
  return events;
}

/* ---- a power cut ---- */

/* Record, and check the store that a power cut leaves, at many moments. */
static void cut_again_and_again(bool durable) {
  char path[512], cut[512];
  brio_error err = {0};
  long oldest = 0;
  copy_path(cut, "after.cut");
  copy_path(path, "power.db");
  fault_watch(path);
  brio_store *store = brio_store_open(path, &(brio_store_options){.durable = durable}, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 2);
  brio_db *reader = brio_reader_open(path, &err), *folder = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(reader && folder, "%s", err.message);
  long put = 0;
  for (int round = 0; round < rounds(24); round++) {
    for (int i = 0; i < 12; i++, put++) {
      double x[] = {(double)put, 1};
      help_event(store, put + 1, "an event");
      brio_store_sample(store, put, (double)put / 200, x, x, x);
      usleep(700);
    }
    if (round % 3 == 2) brio_db_run(folder, "PRAGMA wal_checkpoint(PASSIVE)", NULL);
    long seen = ask_number(reader, "SELECT count(*) FROM events");
    unlink_store(cut);
    CHECK(fault_cut(cut, round % 2 ? FAULT_NONE : FAULT_SOME), "cannot write the cut");
    long left = inspect(cut, durable ? "durable" : "not durable");
    CHECK(!durable || left >= seen, "%ld of %ld events that were committed are left", left, seen);
    oldest = seen - left > oldest ? seen - left : oldest;
  }
  printf("#   %d power cuts, %s: at most %ld committed events lost\n", rounds(24),
         durable ? "durable" : "not durable", oldest);
  brio_db_close(folder);
  brio_db_close(reader);
  CHECK(brio_store_end(store, NULL, NULL, 0, &err) && brio_store_close(store, &err), "%s", err.message);
  CHECK(inspect(path, "in the end") == put, "not all %ld events are there in the end", put);
}

static void test_power_cut(void) { cut_again_and_again(false); }

static void test_power_cut_durable(void) { cut_again_and_again(true); }

/* ---- writes and memory that are refused ---- */

/* Record a run.  Return the number of events that are certain to be stored; below EVENTS,
** `why` has the reason. */
static long record(const char *path, char why[1024]) {
  static const char *const columns[] = {"robot"};
  brio_value robot = brio_value_text("toy");
  brio_error err = {0};
  why[0] = 0;
  brio_store *store = brio_store_open(path, NULL, &err);
  int64_t run = store ? brio_store_begin(store, columns, &robot, 1, &err) : -1;
  if (run < 0) {
    brio_store_close(store, NULL);
    snprintf(why, 1024, "%s", err.message);
    return 0;
  }
  for (int i = 0; i < EVENTS; i++) help_event(store, i + 1, "an event with a name that is longer than most");
  for (int tries = 0; tries < 200 && !brio_store_end(store, NULL, NULL, 0, &err); tries++) usleep(500);
  long lost = (long)brio_store_lost(store, why, 1024);
  if (brio_store_close(store, &err)) return EVENTS - lost;
  snprintf(why, 1024, "%s", err.message); /* "...db: 150 rows were lost: ..." */
  const char *number = strstr(why, ".db: ");
  CHECK(number && strstr(why, " rows were lost") && atol(number + 5) >= lost, "it says '%s'", why);
  return number ? EVENTS - atol(number + 5) : 0;
}

/* Compare a file with the report of its writer. */
static void judge(const char *path, long kept, const char *why, const char *what) {
  long found = access(path, F_OK) == 0 ? inspect(path, what) : 0;
  CHECK(kept == EVENTS || why[0], "%s: %ld events are missing, and nothing is said", what, EVENTS - kept);
  CHECK(found >= kept, "%s: %ld events are there, %ld should be", what, found, kept);
}

static void test_nth_write_fails(void) {
  char path[512], why[1024], what[100];
  static const int codes[] = {SQLITE_FULL, SQLITE_IOERR_WRITE};
  copy_path(path, "writes.db");
  fault_watch(path);
  CHECK(record(path, why) == EVENTS, "%s", why);
  long all = fault.operations, told = 0;
  CHECK(all > 20, "%ld operations", all);
  for (int round = 0; round < rounds(30); round++) {
    long after = (long)(fault_draw() % (unsigned)all), count = round % 3 == 0   ? 1
                                                               : round % 3 == 1 ? 12
                                                                                : 1 << 30;
    unlink_store(path);
    fault_watch(path);
    fault_order(after, count, codes[round % 2]);
    long kept = record(path, why);
    told += why[0] != 0;
    fault_order(0, 0, SQLITE_OK);
    snprintf(what, sizeof what, "%ld operations fail after %ld", count, after);
    judge(path, kept, why, what);
    CHECK(count > 12 || record(path, why) == EVENTS, "%s: the next run is recorded: %s", what, why);
  }
  printf("#   a fault at one of %ld writes and syncs, %d times; %ld of them were said\n", all, rounds(30),
         told);
}

static void test_nth_allocation_fails(void) {
  char path[512], why[1024], what[100];
  copy_path(path, "memory.db");
  fault_watch("");
  CHECK(record(path, why) == EVENTS, "%s", why);
  unlink_store(path);
  long before = atomic_load(&allocations), told = 0;
  CHECK(record(path, why) == EVENTS, "%s", why);
  long all = atomic_load(&allocations) - before;
  for (int round = 0; round < rounds(24); round++) {
    long after = (long)(fault_draw() % (unsigned)all), count = round % 2 ? 1 : 200;
    /* more in the run itself than in making the store */
    if (round % 4 > 1) after = all - after % (all / 8 + 1) - 1;
    unlink_store(path);
    long now = atomic_load(&allocations);
    atomic_store(&refused_from, now + after);
    atomic_store(&refused_till, now + after + count);
    long kept = record(path, why);
    atomic_store(&refused_till, 0);
    told += why[0] != 0;
    snprintf(what, sizeof what, "%ld allocations fail after %ld", count, after);
    judge(path, kept, why, what);
    CHECK(record(path, why) == EVENTS, "%s: the next run is recorded: %s", what, why);
  }
  printf("#   a fault at one of %ld allocations, %d times; %ld of them were said\n", all, rounds(24), told);
}

/* ---- a migration that is killed ---- */

/* A store of the oldest schema, with rows. */
static void make_old(const char *path) {
  const char *const oldest[] = {brio_store_schema[0], NULL};
  brio_error err = {0};
  unlink_store(path);
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(
      db && brio_db_run(db, "PRAGMA journal_mode = WAL", &err) &&
          brio_store_migrate(db, oldest, brio_store_schema_names, &err) &&
          brio_db_run(db,
                      "INSERT INTO runs(robot) VALUES('toy'), ('other'); INSERT INTO events(run, id, t, name)"
                      " VALUES(1, 1, 0, 'a'), (1, 2, 1, 'b')",
                      &err),
      "%s", err.message);
  brio_db_close(db);
}

static void test_migration_killed_midway(void) {
  char path[512], cut[512], what[100];
  brio_error err = {0};
  copy_path(cut, "old.cut");
  copy_path(path, "old.db");
  fault_watch("");
  make_old(path);
  fault_watch(path);
  brio_db_close(brio_store_open_file(path, &err));
  long all = fault.operations;
  CHECK(all > 20 && !err.message[0], "%ld operations: %s", all, err.message);
  for (int round = 0; round < rounds(16); round++) {
    long after = (long)(fault_draw() % (unsigned)all);
    fault_watch("");
    make_old(path);
    fault_watch(path);
    fault_order(after, 1 << 30, SQLITE_IOERR_WRITE);
    brio_db *db = brio_store_open_file(path, &err); /* its last writes may belong to closing */
    unlink_store(cut);
    CHECK(fault_cut(cut, (fault_kept)(round % 3)), "cannot write the cut");
    brio_db_close(db);
    snprintf(what, sizeof what, "killed after %ld operations", after);
    brio_store *store = brio_store_open(cut, NULL, &err);
    CHECK(store && brio_store_close(store, &err), "%s: %s", what, err.message);
    CHECK(inspect(cut, what) == 2, "%s: events are missing", what);
    brio_db *again = brio_reader_open(cut, &err);
    CHECK(again && ask_number(again, "SELECT count(*) FROM run_summary") == 2, "%s: runs are missing", what);
    brio_db_close(again);
  }
}

CHECK_SUITE(CHECK_TEST(test_power_cut), CHECK_TEST(test_power_cut_durable), CHECK_TEST(test_nth_write_fails),
            CHECK_TEST(test_nth_allocation_fails), CHECK_TEST(test_migration_killed_midway))
