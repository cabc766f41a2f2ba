/* The store's writer, from outside: rows read back as written, a full ring and a full disk cost counted rows
** and nothing else, runs that wait make equal stores, and a process killed at any moment leaves an intact
** file that lacks only rows that could not be read yet. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/random.h"
#include "store/recording/process.h"
#include "tests/store/store_help.h"

static int table(const char *name) { return brio_store_table_find(name); }

#define I brio_value_integer
#define R brio_value_real
#define T brio_value_text
#define N brio_value_null()

/* Insert a row of these values into the table. */
#define PUT(store, name, ...)                                                              \
  CHECK(brio_store_put(store, table(name), (brio_value[]){__VA_ARGS__},                    \
                       (int)(sizeof(brio_value[]){__VA_ARGS__} / sizeof(brio_value))), name)

/* One row for every table, written by hand. */
static void put_one_of_each(brio_store *store) {
  PUT(store, "activations", I(1), N, T("kiosk"), T("kiosk"), T("h"), R(0), N);
  PUT(store, "states", I(1), I(1), T("kiosk"), T("idle"), N, T("start"), N, R(0), T("h"), N);
  CHECK(help_event(store, 2480, "person_appeared"), "event");
  PUT(store, "state_end", I(1), R(12.4));
  PUT(store, "states", I(2), I(1), T("kiosk"), T("greeting"), T("idle"), T("event"),
      T("person_appeared (ann)"), R(12.4), T("h"), N);
  PUT(store, "operator", I(2500), R(12.5), T("eve"), T("nod"), T("{\"deep\":1}"), R(3.5));
  PUT(store, "solves", I(2500), R(12.5), T("optimal"), R(0.25), I(9), I(12), I(4), R(0.1), R(400),
      R(600), R(1));
  PUT(store, "faults", I(2501), R(12.505), T("error"), T("kiosk"), T("no such joint"), N, T("h"), N);
  PUT(store, "notes", R(13), T("na\xc3\xafve"));
  PUT(store, "activation_end", I(1), R(14), T("done"), N, N);
}

static void end_run(brio_store *store) {
  static const char *const columns[] = {"duration", "ticks", "outcome"};
  brio_error err = {0};
  brio_value values[] = {R(14), I(2800), T("finished")};
  CHECK(brio_store_end(store, columns, values, 3, &err), "%s", err.message);
}

static void test_round_trip(void) {
  const char *path = help_path("round.db");
  brio_error err = {0};
  char hash[65], why[100];
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  CHECK(!help_event(store, 0, "too early"), "a row before the run");
  CHECK(brio_store_lost(store, why, sizeof why) == 1, "is counted");
  CHECK(help_begin(store, 2) == 1, "first run");
  CHECK(brio_store_version(store, "kiosk.lua", "return 1", 8, NULL, 0, hash, &err), "%s", err.message);
  put_one_of_each(store);
  end_run(store);
  CHECK(!brio_store_close(store, &err), "one row was lost, which close should say");
  CHECK_HAS(err.message, "1 rows were lost");
  brio_db *db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  HELP_ASK(db, "SELECT id, robot, seed, duration, ticks, outcome, lost_rows FROM runs",
           "1|toy|7|14|2800|finished|0\n");
  HELP_ASK(db, "SELECT name, source, bytes FROM versions", "kiosk.lua|return 1|8\n");
  HELP_ASK(db, "SELECT hash = (SELECT hash FROM versions) FROM run_versions", "1\n");
  HELP_ASK(db, "SELECT * FROM activations", "1|1||kiosk|kiosk|h|0|14|done|||\n");
  HELP_ASK(db, "SELECT id, state, previous, cause, entered, left_at FROM states ORDER BY id",
           "1|idle||start|0|12.4\n2|greeting|idle|event|12.4|\n");
  HELP_ASK(db, "SELECT run, id, tick, t, name, source, data FROM events",
           "1|1|2480|12.4|person_appeared|test|\n");
  HELP_ASK(db, "SELECT text FROM notes", "na\xc3\xafve\n");
  HELP_ASK(db, "SELECT printf('%.2f', t), sentence FROM story WHERE kind = 'state' ORDER BY place",
           "0.00|kiosk: starts in idle\n12.40|kiosk: idle -> greeting, because person_appeared (ann)\n");
  HELP_ASK(db, "SELECT state, visits, printf('%.1f', seconds) FROM time_in_state ORDER BY state",
           "greeting|1|1.6\nidle|1|12.4\n");
  HELP_ASK(db, "SELECT outcome, states, events, operator_commands, faults FROM run_summary",
           "finished|2|1|1|1\n");
  brio_db_close(db);
}

static void test_every_table_has_its_columns(void) {
  char last[16], next[16];
  for (int i = 0; brio_store_tables[i].name; i++) {
    const brio_store_table *row = &brio_store_tables[i];
    int commas = 0;
    for (const char *c = row->columns; *c; c++) commas += *c == ',';
    snprintf(last, sizeof last, "?%d", row->count + 1);
    snprintf(next, sizeof next, "?%d", row->count + 2);
    CHECK(commas + 1 == row->count, "%s", row->name);
    CHECK(brio_store_table_find(row->name) == i, "%s", row->name);
    if (!row->statement) CHECK(strcmp(row->name, "solves") == 0, "%s is packed", row->name);
    else if (strcmp(row->statement, BRIO_INSERT) == 0)
      CHECK(!strstr(row->columns, " run,"), "%s has its run twice", row->name);
    else CHECK(strstr(row->statement, last) && !strstr(row->statement, next), "parameters of %s", row->name);
  }
  CHECK(brio_store_table_find("no such") == -1, "unknown table");
}

/* Samples of every kind: moving, constant, missing at times, always missing, huge. */
static void test_samples(void) {
  brio_error err = {0};
  const char *path = help_path("samples.db");
  brio_store *store = brio_store_open(path, &(brio_store_options){.wait = true}, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 3);
  for (int k = 0; k < 25; k++) {
    double x = 0.1 * k - 1, goal[] = {x, 0.5, k % 2 ? NAN : 1}, measured[] = {x + 1e-7, 1e300, -0.0000015};
    CHECK(brio_store_sample(store, k, k / 200.0, goal, NULL, measured), "sample %d", k);
  }
  CHECK(brio_store_sample(store, 40, 0.2, (double[]){9, 9, 9}, NULL, (double[]){9, 9, 9}), "after a gap");
  end_run(store);
  CHECK(brio_store_close(store, &err), "%s", err.message);
  brio_db *db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  HELP_ASK(db, "SELECT count(*), count(goal), count(command), count(measured) FROM samples", "78|66|0|78\n");
  HELP_ASK(db,
           "SELECT tick, t, goal, measured FROM samples"
           " WHERE name = 'dof0' AND tick IN (0, 13, 40) ORDER BY tick",
           "0|0|-1|-1\n13|0.065000000000000002|0.29999999999999999|0.29999999999999999\n"
           "40|0.20000000000000001|9|9\n");
  HELP_ASK(db, "SELECT DISTINCT goal, measured FROM samples WHERE name = 'dof1' AND tick < 40",
           "0.5|1.0000000000000001e+300\n");
  HELP_ASK(db, "SELECT goal, measured FROM samples WHERE name = 'dof2' AND tick < 2 ORDER BY tick",
           "1|-1.9999999999999999e-06\n|-1.9999999999999999e-06\n");
  HELP_ASK(db, "SELECT tick, last, samples, t1 FROM sample_ticks", "0|40|26|0.20000000000000001\n");
  HELP_ASK(db, "SELECT dof, length(bytes) < 400 FROM sample_blocks", "0|1\n1|1\n2|1\n");
  HELP_ASK(db, "SELECT count(*) FROM sample_tails", "0\n");
  brio_db_close(db);
}

static void test_full_ring_is_counted(void) {
  brio_error err = {0};
  char why[100];
  const char *path = help_path("full.db");
  brio_store *store = brio_store_open(path, &(brio_store_options){.ring_bytes = 4096}, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 1);
  int64_t kept = 0, tried = 2000;
  for (int64_t i = 0; i < tried; i++) kept += help_event(store, i, "flood");
  int64_t lost = brio_store_lost(store, why, sizeof why);
  CHECK(lost > 0 && kept + lost == tried, "%lld kept, %lld lost", (long long)kept, (long long)lost);
  CHECK_HAS(why, "faster than they could be written");
  char *huge = calloc(1, 8192);
  memset(huge, 'x', 8191);
  CHECK(!help_event(store, 1, huge), "a row larger than the ring");
  brio_store_lost(store, why, sizeof why);
  CHECK_HAS(why, "a row was larger than the ");
  free(huge);
  end_run(store);
  CHECK(!brio_store_close(store, &err), "close should say that rows were lost");
  brio_db *db = brio_reader_open(path, &err);
  char expected[64];
  snprintf(expected, sizeof expected, "%lld|%lld\n", (long long)kept, (long long)lost + 1);
  HELP_ASK(db, "SELECT (SELECT count(*) FROM events), lost_rows FROM runs", expected);
  brio_db_close(db);
}

static void test_wrong_rows_are_counted(void) {
  brio_error err = {0};
  char why[300];
  brio_store *store = brio_store_open(help_path("wrong.db"), NULL, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 1);
  CHECK(!brio_store_put(store, 99, NULL, 0) && !brio_store_put(store, -1, NULL, 0), "no such table");
  CHECK(!brio_store_put(store, table("notes"), (brio_value[]){R(1)}, 1), "too few values");
  CHECK(help_event(store, 1, "good"), "put");
  CHECK(help_event(store, 2, NULL), "put: that the row has no name is seen later");
  CHECK(help_event(store, 3, "good"), "put");
  end_run(store);
  CHECK(brio_store_lost(store, why, sizeof why) == 4, "four rows lost");
  CHECK_HAS(why, "NOT NULL constraint failed: events.name");
  static const char *const nonsense[] = {"nonsense"};
  CHECK(brio_store_begin(store, nonsense, (brio_value[]){I(1)}, 1, &err) == -1, "no such column");
  CHECK_HAS(err.message, "nonsense");
  brio_store_close(store, &err);
}

/* Write a run of 400 ticks, with pauses by `seed`. */
static void write_paced(const char *path, uint64_t seed) {
  brio_error err = {0};
  char hash[65];
  brio_random pace = brio_random_stream(seed, "pace");
  brio_store *store = brio_store_open(path, &(brio_store_options){.wait = true, .ring_bytes = 16384}, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 4);
  for (int k = 0; k < 4000; k++) {
    double x[] = {k * 1e-3, 1, -k * 1e-4, NAN};
    CHECK(brio_store_sample(store, k, k / 200.0, x, x, x), "sample %d", k);
    if (k % 7 == 0) CHECK(help_event(store, k, "tock"), "event %d", k);
    PUT(store, "solves", I(k), R(k / 200.0), T(k % 9 ? "optimal" : "budget"), R(0.25 / (1 + k)), I(k % 5), N,
        I(4), N, N, N, N);
    if (k % 500 == 0) brio_store_version(store, "a.lua", (char *)&k, sizeof k, NULL, k / 200.0, hash, &err);
    /* random pauses: the variation under test */
    if (brio_random_below(&pace, 300) == 0) usleep((useconds_t)brio_random_below(&pace, 30000));
  }
  end_run(store);
  CHECK(brio_store_close(store, &err), "%s", err.message);
}

static void test_waiting_runs_make_equal_stores(void) {
  static const char *const contents[] = {
      "SELECT id, robot, seed, duration, ticks, outcome, lost_rows FROM runs",
      "SELECT * FROM events",
      "SELECT run, tick, last, samples, t0, t1, hex(times), hex(hashes) FROM sample_ticks",
      "SELECT id, run, tick, dof, hex(bytes) FROM sample_blocks",
      "SELECT * FROM dof_summary",
      "SELECT run, tick, hex(bytes) FROM solve_blocks",
      "SELECT * FROM solve_seconds",
      "SELECT * FROM run_versions",
      "SELECT rowid, hash, name, parent, hex(source) FROM versions",
      "SELECT * FROM dofs"};
  char path[2][512];
  brio_error err = {0};
  brio_db *db[2];
  for (int i = 0; i < 2; i++) {
    snprintf(path[i], sizeof path[i], "%s", help_path(i ? "equal1.db" : "equal0.db"));
    write_paced(path[i], (uint64_t)i);
    db[i] = brio_reader_open(path[i], &err);
    CHECK(db[i], "%s", err.message);
    if (!db[i]) return;
  }
  for (size_t c = 0; c < sizeof contents / sizeof *contents; c++) {
    char *first = help_ask(db[0], contents[c]), *second = help_ask(db[1], contents[c]);
    CHECK(strlen(first) > 4 && strcmp(first, second) == 0, "%s differs", contents[c]);
    free(first);
    free(second);
  }
  HELP_ASK(db[0], "SELECT count(*) FROM samples", "16000\n");
  HELP_ASK(db[0], "SELECT (SELECT count(*) FROM sample_tails), count(*), sum(ticks) FROM solve_blocks",
           "0|4|4000\n");
  HELP_ASK(db[0], "SELECT count(*), sum(status = 'budget'), sum(iterations) FROM solves WHERE run = 1",
           "4000|445|8000\n");
  brio_db_close(db[0]);
  brio_db_close(db[1]);
}

/* A child that records at 200 Hz until it is killed; `*last` is the last time that it recorded. */
static void record_until_killed(const char *path, volatile double *last) {
  brio_error err = {0};
  brio_store *store = brio_store_open(path, NULL, &err);
  if (!store) _exit(1);
  help_begin(store, 4);
  int64_t start = brio_clock_monotonic();
  for (int64_t k = 0;; k++) {
    double t = (double)k / 200, x[] = {t, 1, 2, 3};
    int64_t left = start + k * 5000000 - brio_clock_monotonic();
    if (left > 0) usleep((useconds_t)(left / 1000));
    brio_store_sample(store, k, t, x, x, x);
    help_event(store, k, "tick");
    *last = t;
  }
}

/* The number that a query returns; -1: no number, or no store yet. */
static double number_of(const char *path, const char *sql) {
  brio_error err = {0};
  brio_db *db = brio_reader_open(path, &err);
  char *text = db ? help_ask(db, sql) : NULL;
  double number = text && *text >= '0' && *text <= '9' ? atof(text) : -1;
  free(text);
  brio_db_close(db);
  return number;
}

/* The store of a killed run: it has all that could be read before, without a gap up to its end.  The loss is
** printed, not judged: the writing thread of a busy machine may get no time for a while. */
static double inspect_killed(const char *path, double seen) {
  brio_error err = {0};
  brio_db *db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  if (!db) return 0;
  HELP_ASK(db, "PRAGMA integrity_check", "ok\n");
  HELP_ASK(db, "SELECT count(*) = max(tick) + 1, count(*) = max(id) FROM events", "1|1\n");
  HELP_ASK(db, "SELECT count(*) = 4 * (max(tick) + 1) FROM samples", "1\n");
  char *stored = help_ask(db, "SELECT min((SELECT max(t) FROM samples), (SELECT max(t) FROM events))");
  double left = atof(stored);
  CHECK(left >= seen, "%g s are left, %g s were read before", left, seen);
  free(stored);
  brio_db_close(db);
  return left;
}

static void test_kill_loses_a_tenth_of_a_second(void) {
  brio_random random = brio_random_stream(20, "kill");
  volatile double *last =
      mmap(NULL, sizeof *last, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int moments = (int)(20 * check_scale());
  double worst = 0, seen;
  for (int i = 0; i < moments; i++) {
    const char *path = help_path("kill.db");
    *last = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) record_until_killed(path, last);
    CHECK_AWAIT((seen = number_of(path, "SELECT max(t) FROM events")) > 0, (void)0, "it recorded up to %g s",
                *last);
    usleep((useconds_t)brio_random_below(&random, 150000)); /* the moment of the kill, within some commits */
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    worst = fmax(worst, *last - inspect_killed(path, seen));
  }
  printf("#   %d kills, at most %.0f ms lost\n", moments, worst * 1e3);
  munmap((void *)last, sizeof *last);
}

static void test_killed_run_is_shown(void) {
  brio_error err = {0};
  const char *path = help_path("killed.db");
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 1);
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT outcome FROM run_summary", "runs\n");
  brio_db_close(db);
  CHECK(brio_store_close(store, &err), "%s", err.message);
  db = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(brio_db_run(db, "UPDATE runs SET alive_at = '2020-01-01T00:00:00Z'", &err), "%s", err.message);
  HELP_ASK(db, "SELECT outcome FROM run_summary", "killed\n");
  brio_db_close(db);
}

/* The next program that records here detects at once that a run's process is gone. */
static void test_next_writer_finds_the_dead(void) {
  brio_error err = {0};
  const char *path = help_path("dead.db");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    brio_store *store = brio_store_open(path, NULL, &err);
    if (store) help_begin(store, 1);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, NULL, 0);
  brio_store *store = brio_store_open(path, NULL, &err);
  CHECK(store, "%s", err.message);
  if (!store) return;
  help_begin(store, 1);
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT run, outcome FROM run_summary ORDER BY run", "1|killed\n2|runs\n");
  brio_db_close(db);
  CHECK(brio_store_close(store, &err), "%s", err.message);
}

static void test_process_names(void) {
  char name[BRIO_PROCESS_SIZE];
  brio_process_self(name);
  CHECK(!brio_process_ended(name), "this process has not ended: %s", name);
  strcat(name, "9");
  CHECK(brio_process_ended(name), "another began at that time: %s", name);
  CHECK(!brio_process_ended("somewhere pid:[1] 1 1") && !brio_process_ended("") && !brio_process_ended(NULL),
        "nothing is known of processes elsewhere");
}

static void limit_file_size(rlim_t bytes) {
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

/* Whether rows were lost because of the disk. */
static bool lost_to_the_disk(const brio_store *store, char why[300]) {
  return brio_store_lost((brio_store *)store, why, 300) > 0 &&
         (strstr(why, "full") || strstr(why, "disk I/O") || strstr(why, "File too large"));
}

/* Record through a full disk and after it, in a child whose files may not grow for a while: a store that
** delayed its caller would never come to its end.  Return 0 when all is correct. */
static int record_on_full_disk(const char *path) {
  brio_error err = {0};
  char why[300] = "";
  int64_t tick = 0;
  signal(SIGXFSZ, SIG_IGN);
  brio_store *store = brio_store_open(path, &(brio_store_options){.ring_bytes = 1 << 18}, &err);
  if (!store) return 1;
  help_begin(store, 1);
  limit_file_size(250000); /* the schema has its room, a few thousand events have not */
  for (; tick < 8000 * CHECK_PATIENCE && !lost_to_the_disk(store, why); tick++) {
    help_event(store, tick, "an event with a name that takes some room on the disk");
    if (tick % 8 == 0) usleep(1000); /* no faster than a busy machine writes */
  }
  if (!lost_to_the_disk(store, why)) {
    printf("#   said: %s\n", why);
    fflush(stdout);
    return 2;
  }
  /* events are refused by now, and what a person notes still finds room */
  brio_value note[] = {brio_value_real(1), brio_value_text("noted while the disk was full")};
  if (help_event(store, tick, "no room") || !brio_store_put(store, brio_store_table_find("notes"), note, 2))
    return 6;
  limit_file_size(RLIM_INFINITY);
  bool room = false;
  CHECK_AWAIT((room = help_event(store, tick, "room again")), (void)0, "the store takes nothing more");
  if (!room) return 3;
  if (!brio_store_end(store, NULL, NULL, 0, &err)) return 4;
  return brio_store_close(store, &err) ? 5 : 0;
}

static void test_full_disk(void) {
  const char *path = help_path("disk.db");
  brio_error err = {0};
  int status = -1;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(record_on_full_disk(path));
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child: status %x", (unsigned)status);
  brio_db *db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  HELP_ASK(db, "PRAGMA integrity_check", "ok\n");
  HELP_ASK(db, "SELECT count(*) > 100, max(name = 'room again'), count(*) = max(id) FROM events", "1|1|1\n");
  HELP_ASK(db, "SELECT lost_rows > 0 FROM runs", "1\n");
  HELP_ASK(db, "SELECT text FROM notes", "noted while the disk was full\n");
  brio_db_close(db);
}

static void test_two_runs_in_one_store(void) {
  brio_error err = {0};
  char hash[2][65];
  const char *path = help_path("two.db");
  for (int i = 0; i < 2; i++) {
    brio_store *store = brio_store_open(path, &(brio_store_options){.durable = true}, &err);
    CHECK(store && help_begin(store, 1) == i + 1, "%s", err.message);
    if (!store) return;
    CHECK(brio_store_version(store, "a.lua", "same", 4, NULL, 0, hash[i], &err), "%s", err.message);
    CHECK(help_event(store, 1, "once"), "event");
    end_run(store);
    CHECK(brio_store_close(store, &err), "%s", err.message);
  }
  CHECK(strcmp(hash[0], hash[1]) == 0, "equal texts have equal hashes");
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT count(*) FROM versions", "1\n");
  HELP_ASK(db, "SELECT run, id FROM events ORDER BY run", "1|1\n2|1\n");
  HELP_ASK(db, "SELECT count(*) FROM versions_used", "2\n");
  brio_db_close(db);
}

CHECK_SUITE(CHECK_TEST(test_round_trip), CHECK_TEST(test_every_table_has_its_columns),
            CHECK_TEST(test_samples), CHECK_TEST(test_full_ring_is_counted),
            CHECK_TEST(test_wrong_rows_are_counted),
            CHECK_TEST(test_waiting_runs_make_equal_stores), CHECK_TEST(test_kill_loses_a_tenth_of_a_second),
            CHECK_TEST(test_killed_run_is_shown), CHECK_TEST(test_next_writer_finds_the_dead),
            CHECK_TEST(test_process_names), CHECK_TEST(test_full_disk),
            CHECK_TEST(test_two_runs_in_one_store))
