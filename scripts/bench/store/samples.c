/* What the run store costs: an hour of a robot of sixty DOFs, twenty of which move, with goal, command and
** measured of each at 200 Hz, the solver's results and ten events a second.  Size on disk, CPU time of both
** threads, rows lost, and how long it takes to read one DOF again, beside the same numbers in a plain table
** of SQLite.
**
**   samples FOLDER [HOURS]
** One line of JSON for each row; values in bytes, shares of a core, or ms of CPU time. */
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "scripts/bench/bench.h"
#include "store/reader.h"
#include "store/store.h"

enum { NDOF = 60, MOVING = 20, RATE = 200, LIVE = 8 /* s recorded at its own pace */ };

typedef struct robot {
  brio_random random;
  double goal[NDOF], command[NDOF], measured[NDOF], speed[MOVING], phase[MOVING];
} robot;

static void start_robot(robot *r) {
  *r = (robot){.random = brio_random_stream(1, "bench samples")};
  for (int i = 0; i < MOVING; i++) {
    r->speed[i] = brio_random_uniform(&r->random, 0.6, 5);
    r->phase[i] = brio_random_uniform(&r->random, 0, 6);
  }
  for (int i = MOVING; i < NDOF; i++) r->goal[i] = r->command[i] = r->measured[i] = 0.01 * i;
}

/* Moving DOFs swing in two ways at once, never twice alike; the command follows the goal, the sensor is off
** by 1e-4 rad. */
static void move_robot(robot *r, double t) {
  for (int i = 0; i < MOVING; i++) {
    r->goal[i] = 0.4 * sin(r->speed[i] * t + r->phase[i]) +
                 0.2 * sin(0.77 * r->speed[i] * t * (1 + 0.01 * i));
    r->command[i] += 0.2 * (r->goal[i] - r->command[i]);
    r->measured[i] = r->measured[i] + 0.3 * (r->command[i] - r->measured[i]) +
                     1e-4 * brio_random_normal(&r->random);
  }
}

static bool begin(brio_store *store, brio_error *err) {
  static char names[NDOF][16];
  const char *list[NDOF];
  static const char *const columns[] = {"robot"};
  for (int i = 0; i < NDOF; i++) snprintf(names[i], sizeof names[i], "dof%d", i), list[i] = names[i];
  return brio_store_begin(store, columns, (brio_value[]){brio_value_text("bench")}, 1, err) > 0 &&
         brio_store_dofs(store, list, NULL, NULL, NDOF, err);
}

static void put_tick(brio_store *store, robot *r, int64_t tick) {
  double t = (double)tick / RATE;
  brio_value solve[] = {brio_value_integer(tick),
                        brio_value_real(t),
                        brio_value_text("converged"),
                        brio_value_real(0.3 + 0.1 * sin(t)),
                        brio_value_integer(3),
                        brio_value_integer(4),
                        brio_value_integer(20),
                        brio_value_real(0.05),
                        brio_value_real(50 + 5 * brio_random_normal(&r->random)),
                        brio_value_real(150 + 10 * brio_random_normal(&r->random)),
                        brio_value_real(2)};
  brio_value event[] = {brio_value_integer(tick),
                        brio_value_real(t),
                        brio_value_text("person_moved"),
                        brio_value_text("perception"),
                        brio_value_text("{\"id\":\"ann\",\"distance\":1.25}"),
                        brio_value_null(),
                        brio_value_integer(tick)};
  brio_store_put(store, brio_store_table_find("solves"), solve, 11);
  brio_store_sample(store, tick, t, r->goal, r->command, r->measured);
  if (tick % (RATE / 10) == 0) brio_store_put(store, brio_store_table_find("events"), event, 7);
}

static double cpu_of_process(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void say(const char *row, double value) {
  printf("{\"row\":\"%s\",\"value\":%.6g}\n", row, value);
  fflush(stdout);
}

static double size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (double)status.st_size : NAN;
}

/* An hour, as fast as it goes. */
static bool record_hours(const char *path, double hours, brio_error *err) {
  robot r;
  brio_store *store = brio_store_open(path, &(brio_store_options){.wait = true}, err);
  if (!store || !begin(store, err)) return false;
  start_robot(&r);
  int64_t ticks = (int64_t)(hours * 3600 * RATE);
  for (int64_t tick = 0; tick < ticks; tick++) {
    move_robot(&r, (double)tick / RATE);
    put_tick(store, &r, tick);
  }
  if (!brio_store_end(store, NULL, NULL, 0, err) || !brio_store_close(store, err)) return false;
  say("size", size_of(path) / hours);
  return true;
}

/* Some seconds at the robot's pace: what it costs of a core, without what making up the motion does. */
static bool record_live(const char *path, brio_error *err) {
  robot r;
  char why[200];
  brio_store *store = brio_store_open(path, NULL, err);
  if (!store || !begin(store, err)) return false;
  start_robot(&r);
  double made_up = 0, before = cpu_of_process();
  int64_t start = brio_clock_monotonic();
  for (int64_t tick = 0; tick < LIVE * RATE; tick++) {
    double from = bench_clock();
    move_robot(&r, (double)tick / RATE);
    made_up += (bench_clock() - from) * 1e-9;
    put_tick(store, &r, tick);
    int64_t left = start + (tick + 1) * (1000000000 / RATE) - brio_clock_monotonic();
    if (left > 0) usleep((useconds_t)(left / 1000));
  }
  say("share", (cpu_of_process() - before - made_up) / LIVE);
  say("lost", (double)brio_store_lost(store, why, sizeof why));
  return brio_store_close(store, err);
}

/* Read all rows of a query, a few times, and say how long the quickest took. */
static bool ask(const char *row, brio_db *db, const char *sql, brio_error *err) {
  double best = INFINITY;
  for (int i = 0; i < 5; i++) {
    double from = bench_clock();
    brio_query *query = brio_reader_prepare(db, sql, -1, err);
    brio_step step = query ? brio_query_step(query, err) : BRIO_STEP_FAILED;
    while (step == BRIO_STEP_ROW) step = brio_query_step(query, err);
    brio_query_end(query);
    if (step == BRIO_STEP_FAILED) return false;
    best = fmin(best, (bench_clock() - from) * 1e-6);
  }
  say(row, best);
  return true;
}

/* The same numbers of one DOF as rows of a table. */
static bool make_plain(const char *store, const char *path, brio_error *err) {
  char attach[800];
  snprintf(
      attach, sizeof attach,
      "ATTACH '%s' AS plain; CREATE TABLE plain.rows(tick INTEGER PRIMARY KEY, t, goal, command, measured);"
      "INSERT INTO plain.rows SELECT tick, t, goal, command, measured FROM samples(1, 'dof3')",
      path);
  brio_db *db = brio_db_open(store, BRIO_DB_WRITE, err);
  bool good = db && brio_db_unpack(db, err) && brio_db_run(db, attach, err);
  brio_db_close(db);
  return good;
}

static bool read_again(const char *path, const char *plain, double hours, brio_error *err) {
  if (!make_plain(path, plain, err)) return false;
  say("plain size", size_of(plain) * NDOF / hours);
  brio_db *db = brio_reader_open(path, err), *other = brio_db_open(plain, BRIO_DB_READ, err);
  bool good =
      db && other && ask("read", db, "SELECT t, goal, command, measured FROM samples(1, 'dof3')", err) &&
      ask("read plain", other, "SELECT t, goal, command, measured FROM rows", err) &&
      ask("extremes", db,
          "SELECT min(measured), max(measured), max(abs(measured - command)) FROM samples(1, 'dof3')", err) &&
      ask("extremes plain", other,
          "SELECT min(measured), max(measured), max(abs(measured - command)) FROM rows", err) &&
      ask("at", db, "SELECT * FROM samples(1, NULL, 300, 300.004)", err) &&
      ask("summary", db, "SELECT least, greatest, greatest_error FROM dof_summary WHERE run = 1", err);
  brio_db_close(db);
  brio_db_close(other);
  return good;
}

int main(int argc, char **argv) {
  brio_error err = {0};
  char path[3][500];
  double hours = argc > 2 ? atof(argv[2]) : 1;
  static const char *const names[] = {"hour.db", "live.db", "plain.db"};
  for (int i = 0; i < 3; i++) snprintf(path[i], sizeof path[i], "%s/%s", argc > 1 ? argv[1] : ".", names[i]);
  bool good = record_hours(path[0], hours, &err) && record_live(path[1], &err) &&
              read_again(path[0], path[2], hours, &err);
  for (int i = 0; i < 3; i++) remove(path[i]);
  if (!good) fprintf(stderr, "samples: %s\n", err.message);
  return good ? 0 : 1;
}
