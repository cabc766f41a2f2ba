/* Packed samples through SQL: every way to query them gives the same; sums kept while recording equal those
** of the samples; stores of older versions are read by the same names; damage is reported; a store with a
** limit drops its oldest samples. */
#include <sys/stat.h>

#include "base/hash.h"
#include "base/random.h"
#include "store/migrate.h"
#include "tests/store/store_help.h"

static brio_store *opened(const char *path, int64_t limit) {
  brio_error err = {0};
  brio_store *store = brio_store_open(path, &(brio_store_options){.wait = true, .limit = limit}, &err);
  CHECK(store, "%s", err.message);
  return store;
}

static void put_solve(brio_store *store, int64_t tick, double t) {
  brio_value row[] = {brio_value_integer(tick),
                      brio_value_real(t),
                      brio_value_text(tick % 10 ? "converged" : "cut"),
                      brio_value_real(0.5),
                      brio_value_integer(tick % 4),
                      brio_value_integer(7),
                      brio_value_integer(3),
                      tick % 2 ? brio_value_null() : brio_value_real(0.01 * (double)(tick % 100)),
                      brio_value_real(40),
                      brio_value_real(tick == 777 ? 900 : 100),
                      brio_value_real(1)};
  CHECK(brio_store_put(store, brio_store_table_find("solves"), row, 11), "solve %lld", (long long)tick);
}

/* Record a run of `ticks` ticks at 200 Hz: dof0 oscillates, dof1 is constant, dof2 has no measured values. */
static void record(brio_store *store, int ticks, uint64_t seed) {
  static const char *const columns[] = {"outcome"};
  brio_error err = {0};
  brio_random random = brio_random_stream(seed, "packed");
  help_begin(store, 3);
  for (int k = 0; k < ticks; k++) {
    double x = sin(k * 0.01), goal[] = {x, 0.5, NAN}, command[] = {x, 0.5, 0.001 * k};
    double measured[] = {x + 1e-3 * brio_random_normal(&random), 0.5, NAN};
    CHECK(brio_store_sample(store, k, k / 200.0, goal, command, measured), "sample %d", k);
    put_solve(store, k, k / 200.0);
  }
  CHECK(brio_store_end(store, columns, (brio_value[]){brio_value_text("finished")}, 1, &err), "%s",
        err.message);
}

/* A store of two runs, open for reading. */
static brio_db *two_runs(const char *path) {
  brio_error err = {0};
  brio_store *store = opened(path, 0);
  if (!store) return NULL;
  record(store, 3000, 1);
  record(store, 1500, 2);
  CHECK(brio_store_close(store, &err), "%s", err.message);
  brio_db *db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  return db;
}

static void test_every_way_to_ask_answers_alike(void) {
  brio_db *db = two_runs(help_path("ways.db"));
  if (!db) return;
  HELP_ASK(db, "SELECT count(*) FROM samples", "13500\n");
  HELP_ASK(db, "SELECT count(*), min(tick), max(tick) FROM samples(1, 'dof0', 2, 2.5)", "101|400|500\n");
  HELP_ASK(db, "SELECT count(*), min(tick), max(tick) FROM samples(1, 0, 2, 2.5)", "101|400|500\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1, 'dof0') WHERE t >= 2 AND t <= 2.5", "101\n");
  HELP_ASK(db, "SELECT count(*) FROM samples WHERE run = 1 AND name = 'dof0' AND tick BETWEEN 400 AND 500",
           "101\n");
  HELP_ASK(db, "SELECT count(*) FROM samples WHERE run = 1 AND dof = 0 AND t > 2 AND t < 2.5", "99\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1, NULL, NULL, 0.1)", "63\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1, 'dof0', 9e9)", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(7)", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1, 'nobody')", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1.5)", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1.0, 0.0)", "3000\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1, 0.5)", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1, x'00')", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM solver_ticks(1.5)", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM command_hashes(1.5)", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1, 'dof0') WHERE name = 'dof1'", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1, 0) WHERE dof = 1", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1) WHERE run = 2", "0\n");
  HELP_ASK(db, "SELECT count(*) FROM samples WHERE run = 1 AND name = 'DOF0' COLLATE NOCASE AND tick = 3",
           "1\n");
  HELP_ASK(
      db,
      "SELECT tick, goal, command, measured FROM samples(2, 'dof2') WHERE tick IN (3, 1400) ORDER BY tick",
      "3||0.0030000000000000001|\n1400||1.3999999999999999|\n");
  HELP_ASK(db,
           "SELECT group_concat(run || name, ' ') FROM (SELECT run, name FROM samples WHERE tick = 5 ORDER "
           "BY run DESC, dof)",
           "2dof0 2dof1 2dof2 1dof0 1dof1 1dof2\n");
  HELP_ASK(db,
           "SELECT sum(a.command = b.command) FROM samples(1, 'dof0') a JOIN samples(2, 'dof0') b ON b.tick "
           "= a.tick",
           "1500\n");
  HELP_ASK(db,
           "SELECT d.name, (SELECT count(*) FROM samples(d.run, d.dof)) FROM dofs d ORDER BY d.run DESC, "
           "d.dof LIMIT 2",
           "dof0|1500\ndof1|1500\n");
  HELP_ASK(db,
           "SELECT count(*) FROM (SELECT tick - lag(tick) OVER (ORDER BY tick) AS step FROM samples(1, "
           "'dof1')) WHERE step <> 1",
           "0\n");
  brio_db_close(db);
}

static void test_sums_are_those_of_the_samples(void) {
  brio_db *db = two_runs(help_path("sums.db"));
  if (!db) return;
  HELP_ASK(
      db,
      "SELECT d.dof, d.samples = s.n, d.measured = s.m, d.least = s.least, d.greatest = s.greatest, "
      "abs(d.mean - s.mean) < 1e-12,"
      " coalesce(abs(d.rms_error - s.rms) < 1e-12, s.rms IS NULL), d.greatest_error IS s.worst FROM "
      "dof_summary d JOIN"
      " (SELECT dof, count(*) AS n, count(measured) AS m, min(coalesce(measured, command)) AS least,"
      "  max(coalesce(measured, command)) AS greatest, avg(coalesce(measured, command)) AS mean,"
      "  sqrt(avg((measured - command) * (measured - command))) AS rms, max(abs(measured - command)) AS worst"
      "  FROM samples WHERE run = 1 GROUP BY dof) s ON s.dof = d.dof WHERE d.run = 1 ORDER BY d.dof",
      "0|1|1|1|1|1|1|1\n1|1|1|1|1|1|1|1\n2|1|1|1|1|1|1|1\n");
  HELP_ASK(db,
           "SELECT d.path - s.path < 1e-9 AND abs(d.top_speed - s.speed) < 1e-6 FROM dof_summary d, (SELECT "
           "sum(abs(step)) AS path,"
           " max(abs(step)) * 200 AS speed FROM (SELECT measured - lag(measured) OVER (ORDER BY tick) AS "
           "step FROM samples(1, 0))) s"
           " WHERE d.run = 1 AND d.dof = 0",
           "1\n");
  HELP_ASK(db,
           "SELECT count(*), sum(ticks), min(ticks), max(tick_max_us), min(distance), sum(iterations) FROM "
           "solve_seconds WHERE run = 1",
           "15|3000|200|900|0|22.5\n");
  HELP_ASK(db, "SELECT second, slowest, tick_us FROM solve_seconds WHERE run = 1 AND tick_max_us > 100",
           "3|777|104\n");
  HELP_ASK(db,
           "SELECT status, count(*), count(distance), sum(iterations) FROM solves WHERE run = 1 GROUP BY "
           "status ORDER BY status",
           "converged|2700|1200|4200\ncut|300|300|300\n");
  HELP_ASK(db, "SELECT tick, t, status, distance, tick_us FROM solver_ticks(1, 3.885, 3.89)",
           "777|3.8849999999999998|converged||900\n"
           "778|3.8900000000000001|converged|0.78000000000000003|100\n");
  brio_db_close(db);
}

static void test_hashes_are_of_the_exact_commands(void) {
  char expected[100];
  brio_db *db = two_runs(help_path("hashes.db"));
  if (!db) return;
  double command[] = {sin(7 * 0.01), 0.5, 0.001 * 7};
  snprintf(expected, sizeof expected, "7|%lld\n",
           (long long)brio_hash_fold(BRIO_HASH_START, command, sizeof command));
  HELP_ASK(db, "SELECT tick, hash FROM command_hashes(1) WHERE tick = 7", expected);
  HELP_ASK(db,
           "SELECT count(*), sum(a.hash = b.hash) FROM command_hashes(1) a JOIN command_hashes(2) b ON "
           "a.tick = b.tick",
           "1500|1500\n");
  brio_db_close(db);
}

/* Stores from before samples were packed: thirteen migrations, and a view and a table with the names that are
** functions and views now. */
static const char *old_store(const char *name) {
  enum { AGE = 13 };
  const char *schema[AGE + 1] = {NULL};
  brio_error err = {0};
  const char *path = help_path(name);
  for (int i = 0; i < AGE; i++) schema[i] = brio_store_schema[i];
  brio_db *db = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(db && brio_store_migrate(db, schema, brio_store_schema_names, &err), "%s", err.message);
  CHECK(brio_db_run(db,
                    "INSERT INTO runs(robot, duration) VALUES('toy', 1); INSERT INTO dofs VALUES(1, 0, 'a', "
                    "'rad'), (1, 1, 'b', 'rad');"
                    "INSERT INTO sample_chunks VALUES(1, 0, 1, '[0,5000,10000]'), (1, 6, 2, '[30000,40000]');"
                    "INSERT INTO sample_values VALUES(1, 0, 0, '[1,2,3]', 5, NULL), (1, 6, 0, NULL, "
                    "'[7,null]', 250000),"
                    " (1, 0, 1, 0, 0, 0), (1, 6, 1, 0, 0, 0);"
                    "INSERT INTO solves(run, tick, t, status, cost) VALUES(1, 0, 0, 'cut', 0.25), (1, 1, "
                    "0.005, NULL, 0.5);"
                    "CREATE VIEW samples AS SELECT run, tick FROM sample_chunks; CREATE VIEW mine AS SELECT "
                    "sum(cost) AS cost FROM solves",
                    &err),
        "%s", err.message);
  brio_db_close(db);
  return path;
}

static void ask_old(brio_db *db) {
  HELP_ASK(db, "SELECT tick, t, goal, command, measured FROM samples(1, 'a')",
           "0|0|9.9999999999999995e-07|5.0000000000000004e-06|\n1|0.0050000000000000001|1.9999999999999999e-"
           "06|5.0000000000000004e-06|\n"
           "2|0.01|3.0000000000000001e-06|5.0000000000000004e-06|\n6|0.029999999999999999||6."
           "9999999999999999e-06|0.25\n8|0.040000000000000001|||0.25\n");
  HELP_ASK(db, "SELECT count(*), sum(tick) FROM samples WHERE run = 1 AND t > 0.009", "6|32\n");
  HELP_ASK(db, "SELECT tick, status, cost FROM solves", "0|cut|0.25\n1||0.5\n");
  HELP_ASK(db, "SELECT tick, status, cost FROM solver_ticks(1, 0.001)", "1||0.5\n");
  HELP_ASK(db, "SELECT cost FROM mine", "0.75\n");
}

static void test_old_stores_are_read_by_the_same_names(void) {
  brio_error err = {0};
  const char *path = old_store("old.db");
  brio_db *db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  ask_old(db);
  brio_db_close(db);
  brio_store *store = opened(path, 0);
  CHECK(store && brio_store_close(store, &err), "%s", err.message);
  db = brio_reader_open(path, &err);
  CHECK(db, "%s", err.message);
  if (!db) return;
  ask_old(db);
  HELP_ASK(db, "SELECT duration, ticks FROM run_summary", "1|2\n");
  brio_db_close(db);
}

static void test_damage_is_told(void) {
  brio_error err = {0};
  const char *path = help_path("damaged.db");
  brio_db *db = two_runs(path);
  if (!db) return;
  brio_db_close(db);
  db = brio_db_open(path, BRIO_DB_WRITE, &err);
  CHECK(db && brio_db_run(db,
                          "UPDATE sample_blocks SET bytes = CAST(substr(bytes, 1, 50) || x'00' || "
                          "substr(bytes, 52) AS BLOB)"
                          " WHERE run = 1 AND dof = 0 AND tick = 1024; UPDATE solve_blocks SET bytes = x'' "
                          "WHERE run = 2 AND tick = 0",
                          &err),
        "%s", err.message);
  brio_db_close(db);
  db = brio_reader_open(path, &err);
  char *told = help_ask(db, "SELECT count(*) FROM samples(1, 'dof0')");
  CHECK_HAS(told, "samples of DOF 0 in run 1 from tick 1024 on cannot be unpacked: its checksum does not "
                  "match its data");
  free(told);
  told = help_ask(db, "SELECT count(*) FROM solves WHERE run = 2");
  CHECK_HAS(told, "solver_ticks in run 2 from tick 0 on cannot be unpacked: it is cut off");
  free(told);
  HELP_ASK(db, "SELECT count(*) FROM samples(1, 'dof0', 0, 5)", "1001\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1, 'dof1')", "3000\n");
  HELP_ASK(db, "SELECT count(*) FROM solves WHERE run = 1", "3000\n");
  brio_db_close(db);
}

static void test_a_limit_drops_the_oldest(void) {
  enum { LIMIT = 3 << 20 };
  brio_error err = {0};
  struct stat status;
  bool beyond = true;
  const char *path = help_path("limit.db");
  brio_store *store = opened(path, LIMIT);
  if (!store) return;
  int64_t before = brio_store_dropped(store, &beyond);
  CHECK(before == 0 && !beyond, "nothing is dropped yet");
  for (int run = 0; run < 6; run++) record(store, 40000, (uint64_t)run);
  CHECK(brio_store_dropped(store, &beyond) > 50000 && !beyond, "%lld dropped",
        (long long)brio_store_dropped(store, &beyond));
  CHECK(brio_store_close(store, &err), "%s", err.message);
  CHECK(stat(path, &status) == 0 && status.st_size < LIMIT + LIMIT / 4, "%lld bytes",
        (long long)status.st_size);
  brio_db *db = brio_reader_open(path, &err);
  HELP_ASK(db, "SELECT run, ticks, t1 FROM dropped WHERE run = 1", "1|40000|199.995\n");
  HELP_ASK(db, "SELECT sum(d.ticks) + (SELECT sum(samples) FROM sample_ticks), min(what) FROM dropped d",
           "240000|samples\n");
  HELP_ASK(db, "SELECT count(*), max(t) FROM samples(6, 'dof0', 150)", "10000|199.995\n");
  HELP_ASK(db, "SELECT count(*) FROM samples(1)", "0\n");
  HELP_ASK(db, "SELECT sum(samples) FROM dof_summary WHERE run = 1", "120000\n");
  HELP_ASK(db, "PRAGMA integrity_check", "ok\n");
  HELP_ASK(db, "PRAGMA foreign_key_check", "");
  brio_db_close(db);
}

/* Record 3,000 ticks into a store that refuses rows of `table` where `when` holds; return how many samples
** and results it says are lost. */
static int64_t record_refused(const char *path, const char *table, const char *when) {
  enum { TICKS = 3000 };
  brio_error err = {0};
  char sql[256];
  brio_store *store = opened(path, 0);
  brio_db *other = store ? brio_db_open(path, BRIO_DB_WRITE, &err) : NULL;
  snprintf(sql, sizeof sql,
           "CREATE TRIGGER refuse BEFORE INSERT ON %s WHEN %s BEGIN SELECT RAISE(ABORT, 'refused'); END",
           table, when);
  CHECK(other && brio_db_run(other, sql, &err), "%s: %s", sql, err.message);
  brio_db_close(other);
  if (!store) return 0;
  record(store, TICKS, 1);
  char why[300];
  int64_t lost = brio_store_lost(store, why, sizeof why);
  CHECK_HAS(why, "refused");
  CHECK(!brio_store_close(store, &err), "close should say that rows were lost");
  return lost;
}

/* What a store refuses is counted, and everything else is there once. */
static void test_refused_blocks_are_counted(void) {
  static const struct { const char *table, *when; } refusals[] = {
      {"sample_ticks", "new.tick > 500"}, {"sample_blocks", "new.dof = 1"}, {"sample_tails", "1"},
      {"dof_summary", "new.dof = 2"},     {"solve_blocks", "new.ticks > 1000"}, {"solve_seconds", "1"}};
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    brio_error err = {0};
    const char *path = help_path("refused.db");
    long long lost = (long long)record_refused(path, refusals[i].table, refusals[i].when);
    brio_db *db = brio_reader_open(path, &err);
    char sql[256];
    snprintf(sql, sizeof sql,
             "SELECT (SELECT count(*) FROM samples(1, 'dof0')) + (SELECT count(*) FROM solves) + %lld,"
             " (SELECT count(DISTINCT tick) = count(*) FROM samples(1, 'dof0'))", lost);
    printf("#   %s: %lld lost\n", refusals[i].table, lost);
    HELP_ASK(db, sql, "6000|1\n");
    brio_db_close(db);
  }
}

CHECK_SUITE(CHECK_TEST(test_refused_blocks_are_counted), CHECK_TEST(test_every_way_to_ask_answers_alike),
            CHECK_TEST(test_sums_are_those_of_the_samples), CHECK_TEST(test_hashes_are_of_the_exact_commands),
            CHECK_TEST(test_old_stores_are_read_by_the_same_names), CHECK_TEST(test_damage_is_told),
            CHECK_TEST(test_a_limit_drops_the_oldest))
