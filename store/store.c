/* The side of the run store that the robot's thread calls. Putting a row copies it into the ring, O(bytes),
** without locks, system calls (except to wake the writer) or heap memory. What must be known at once, such as
** a run's id, uses the connection directly, under the lock that the store's thread holds while it commits. */
#include "store/store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/text.h"
#include "store/migrate.h"
#include "store/recording/machine.h"
#include "store/recording/process.h"
#include "store/store_internal.h"

enum { RING_BYTES = 4 << 20 };

/* The count of tables, for arrays. */
enum {
  TABLES = 0
#define X(name, columns, count, statement) +1
#include "store/tables.def"
#undef X
};

/* Mark runs as dead that have no end and whose process is gone. */
static bool mark_dead(brio_db *db, brio_error *err) {
  brio_step step = BRIO_STEP_FAILED;
  brio_query *runs = brio_db_prepare(
      db, "SELECT id, process FROM runs WHERE ended_at IS NULL AND alive_at IS NOT NULL", -1, err);
  brio_query *mark = brio_db_prepare(db, "UPDATE runs SET alive_at = NULL WHERE id = ?1", -1, err);
  bool good = runs && mark;
  while (good && (step = brio_query_step(runs, err)) == BRIO_STEP_ROW) {
    brio_value id = brio_query_column(runs, 0), process = brio_query_column(runs, 1);
    /* A process of another boot or namespace is not known to have ended: its run stays as it is. */
    if (process.type == BRIO_VALUE_TEXT && brio_process_ended(process.as.text.bytes))
      good = brio_query_run(mark, &id, 1, err);
  }
  brio_query_end(mark);
  brio_query_end(runs);
  return good && step == BRIO_STEP_DONE;
}

/* Rows of every tick, or large ones: the first to be refused when the ring fills. */
static const char *const bulky[] = {"solves",         "tapes",        "files",          "snapshots",
                                    "moves",          "emotions",     "watched_values", "view_states",
                                    "device_samples", "tree_records", "detections",     "detector_samples",
                                    "kept_clouds"};
/* What people say and do, and faults: only these rows may use the last eighth of the ring. */
static const char *const of_people[] = {
    "notes",       "annotations", "operator", "operators",     "operator_end",     "actions",
    "action_end",  "action_mark", "faults",   "session_steps", "session_step_cue", "session_step_end",
    "session_runs"};
enum { NBULKY = sizeof bulky / sizeof *bulky, NOF_PEOPLE = sizeof of_people / sizeof *of_people };

/* Rows of `bulky` leave a quarter of the ring free, other rows an eighth. */
static size_t bulky_spare(const brio_store *store) { return store->ring.size / 4; }

/* Set for each table how many bytes its rows leave free; every name in the lists must be a table. */
static void share_ring(brio_store *store) {
  for (int i = 0; i < TABLES; i++) store->spare[i] = store->ring.size / 8;
  for (int i = 0; i < NBULKY; i++) assert(brio_store_table_find(bulky[i]) >= 0);
  for (int i = 0; i < NOF_PEOPLE; i++) assert(brio_store_table_find(of_people[i]) >= 0);
  for (int i = 0; i < NBULKY; i++) store->spare[brio_store_table_find(bulky[i])] = bulky_spare(store);
  for (int i = 0; i < NOF_PEOPLE; i++) store->spare[brio_store_table_find(of_people[i])] = 0;
}

/* Open the file, migrate it, and prepare all statements that write to it. */
static bool open_file(brio_store *store, const char *path, bool durable, int64_t limit, brio_error *err) {
  if (!(store->db = brio_store_open_file(path, err))) return false;
  share_ring(store);
  brio_writer_know_file(store);
  return brio_db_run(store->db, durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", err) &&
         mark_dead(store->db, err) && brio_writer_prepare(store, err) &&
         brio_limit_prepare(&store->limit, store->db, limit, err);
}

brio_store *brio_store_open(const char *path, const brio_store_options *options, brio_error *err) {
  brio_store_options none = {0};
  if (!options) options = &none;
  /* Aligned to a cache line: the positions of the ring are on lines of their own. */
  brio_store *store = aligned_alloc(64, (sizeof *store + 63) / 64 * 64);
  if (!store) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory to open %s", path);
    return NULL;
  }
  memset(store, 0, sizeof *store);
  store->wait = options->wait;
  /* The ring, then the file, then the thread that moves records from one to the other. */
  if (!brio_byte_ring_start(&store->ring, options->ring_bytes ? options->ring_bytes : RING_BYTES))
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the ring of %s", path);
  else if (open_file(store, path, options->durable, options->limit, err) && brio_writer_start(store, err))
    return store;
  brio_writer_end(store);
  free(store);
  return NULL;
}

/* Count a row that is not kept; return false. */
static bool lose(brio_store *store) {
  atomic_fetch_add_explicit(&store->lost, 1, memory_order_relaxed);
  return false;
}

/* Wake the writer, at most once for each time it sleeps. */
static void nudge(brio_store *store) {
  /* A failing writer keeps its own pauses. */
  if (atomic_load_explicit(&store->failing, memory_order_relaxed)) return;
  /* The exchange lets one caller through until the writer has cleared it. */
  if (!atomic_exchange_explicit(&store->nudged, true, memory_order_acq_rel)) sem_post(&store->wake);
}

/* Begin a record that leaves `spare` bytes free. With the option `wait`, wait for room while the writer
** works. NULL: no room, or no run has begun. O(1) without waiting. */
static brio_record *begin_record(brio_store *store, int kind, size_t bytes, size_t spare) {
  /* Rows belong to a run. */
  if (store->run == 0) return NULL;
  brio_record *record = brio_byte_ring_begin(&store->ring, bytes, spare);
  /* 200 us between attempts. A writer that fails makes no room, so waiting would be in vain. */
  while (!record && store->wait && bytes <= brio_byte_ring_largest(&store->ring) &&
         !atomic_load_explicit(&store->failing, memory_order_acquire)) {
    nudge(store);
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    record = brio_byte_ring_begin(&store->ring, bytes, spare);
  }
  /* A row that never fits is reported differently from a full ring. */
  if (!record && bytes > brio_byte_ring_largest(&store->ring))
    atomic_store_explicit(&store->oversized, true, memory_order_relaxed);
  if (!record) return NULL;
  record->kind = kind;
  record->run = store->run;
  return record;
}

/* Make the record visible to the writer, and wake it if the ring is half full. */
static void publish(brio_store *store) {
  brio_byte_ring_publish(&store->ring);
  if (brio_byte_ring_half_full(&store->ring)) nudge(store);
}

bool brio_store_put(brio_store *store, int table, const brio_value *values, int count) {
  if (table < 0 || table >= TABLES || count != brio_store_tables[table].count) return lose(store);
  /* The size first: all values, then the bytes of their texts. */
  size_t head = sizeof *values * (size_t)count, bytes = head;
  for (int i = 0; i < count; i++)
    if (brio_value_has_bytes(&values[i])) bytes += values[i].as.text.length;
  brio_record *record = begin_record(store, table, bytes, store->spare[table]);
  if (!record) return lose(store);
  /* Values as they are; the pointers of texts in them are of no use to the writer. */
  memcpy(record + 1, values, head);
  /* Texts in the order of their values, without separators: write_row of recording/writer.c splits them by
  ** length. */
  char *text = (char *)(record + 1) + head;
  for (int i = 0; i < count; i++) {
    if (!brio_value_has_bytes(&values[i]) || !values[i].as.text.length) continue;
    memcpy(text, values[i].as.text.bytes, values[i].as.text.length);
    text += values[i].as.text.length;
  }
  publish(store);
  return true;
}

bool brio_store_sample(brio_store *store, int64_t tick, double t, const double *goal, const double *command,
                       const double *measured) {
  const double *given[] = {goal, command, measured};
  size_t n = (size_t)store->ndof;
  /* Without declared DOFs a sample has no columns. */
  if (n == 0) return lose(store);
  /* One sample of all DOFs is one record. */
  size_t bytes = sizeof(brio_sample_head) + 3 * n * sizeof(double);
  brio_record *record = begin_record(store, BRIO_RECORD_SAMPLE, bytes, bulky_spare(store));
  if (!record) return lose(store);
  brio_sample_head *head = (brio_sample_head *)(void *)(record + 1);
  *head = (brio_sample_head){tick, t, store->ndof};
  double *values = (double *)(void *)(head + 1);
  /* goal, command, measured, n numbers each; an array that is NULL is all NaN. */
  for (int what = 0; what < 3; what++, values += n) {
    if (given[what]) memcpy(values, given[what], n * sizeof *values);
    else memset(values, 0xff, n * sizeof *values); /* all bits set: NaN */
  }
  publish(store);
  return true;
}

/* Return a copy that ends with 0 and belongs to the caller; NULL without memory. */
static char *copy_of(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  /* An empty text may be NULL. */
  if (length) memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

/* Return a version with copies of all texts, to be freed by brio_version_free; NULL without memory. */
static brio_version *make_version(const char *name, const char *source, size_t length,
                                  const char *parent) {
  brio_version *version = calloc(1, sizeof *version);
  if (!version) return NULL;
  version->name = copy_of(name, strlen(name));
  version->source = copy_of(source, length);
  /* The source may contain zeros, so its length is kept. */
  version->length = length;
  if (parent) version->parent = copy_of(parent, strlen(parent));
  if (version->name && version->source && (version->parent || !parent)) return version;
  brio_version_free(version);
  return NULL;
}

bool brio_store_version(brio_store *store, const char *name, const char *source, size_t length,
                        const char *parent, double t, char hash[65], brio_error *err) {
  /* The hash is the version's name: equal sources are stored once. */
  brio_hash_sha256(source, length, hash);
  if (store->run == 0) return brio_fail(err, BRIO_MISUSE, "a version was recorded before a run began");
  brio_version *version = make_version(name, source, length, parent);
  if (!version) return brio_fail(err, BRIO_NO_MEMORY, "no memory to record a version of %s", name);
  version->t = t;
  memcpy(version->hash, hash, 65);
  assert(strlen(version->hash) == 64);
  /* The ring gets the pointer; from publish on, the writer owns the version. */
  brio_record *record = begin_record(store, BRIO_RECORD_VERSION, sizeof(brio_version *), 0);
  if (!record) {
    brio_version_free(version);
    lose(store);
    return brio_fail(err, BRIO_LIMIT, "no room to record a version of %s: the store cannot keep up", name);
  }
  memcpy(record + 1, &version, sizeof version);
  publish(store);
  return true;
}

/* Append a name in SQL's quotation marks; those within it are doubled. */
static void add_name(brio_text *sql, const char *name) {
  brio_text_add(sql, "\"", 1);
  for (const char *c = name; *c; c++) brio_text_add(sql, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
  brio_text_add(sql, "\"", 1);
}

/* Run the statement in `sql`, and free its text in any case. */
static bool run_built(brio_store *store, brio_text *sql, const brio_value *values, int count,
                      brio_error *err) {
  brio_query *query = sql->failed ? NULL : brio_db_prepare(store->db, sql->bytes, -1, err);
  if (sql->failed) brio_fail(err, BRIO_NO_MEMORY, "no memory for a row of runs");
  brio_text_end(sql);
  bool good = query && brio_query_run(query, values, count, err);
  brio_query_end(query);
  return good;
}

/* Insert a row into `runs` with the caller's columns; the store adds process, uuid and machine. */
static bool insert_run(brio_store *store, const char *const *columns, const brio_value *values, int count,
                       brio_error *err) {
  brio_text sql = {0};
  char process[BRIO_PROCESS_SIZE], machine[BRIO_MACHINE_SIZE];
  brio_process_self(process);
  brio_machine_self(machine);
  /* The caller's columns are named by text, so that the store knows no robot. */
  brio_text_format(&sql, "INSERT INTO runs(process, uuid, machine");
  for (int i = 0; i < count; i++) {
    brio_text_format(&sql, ", ");
    add_name(&sql, columns[i]);
  }
  /* Both texts are free of quotation marks (recording/process.c, recording/machine.c). */
  brio_text_format(&sql, ") VALUES('%s', lower(hex(randomblob(16))), '%s'", process, machine);
  for (int i = 0; i < count; i++) brio_text_format(&sql, ", ?%d", i + 1);
  brio_text_format(&sql, ")");
  return run_built(store, &sql, values, count, err);
}

int64_t brio_store_begin(brio_store *store, const char *const *columns, const brio_value *values, int count,
                         brio_error *err) {
  /* Commit all rows of the last run before the new one begins. */
  pthread_mutex_lock(&store->lock);
  bool good = brio_writer_drain(store, true, err) && insert_run(store, columns, values, count, err);
  if (good) store->alive_run = brio_db_last_id(store->db);
  int64_t run = store->alive_run;
  pthread_mutex_unlock(&store->lock);
  if (!good) return -1;
  /* The robot's thread changes to the new run only now: when beginning fails, the last run stays current. */
  store->run = run;
  store->ndof = 0;
  store->lost_before = atomic_load_explicit(&store->lost, memory_order_relaxed);
  return run;
}

/* Insert all DOFs of the run, or none: one transaction. */
static bool insert_dofs(brio_store *store, const char *const *names, const char *const *units,
                        const brio_grid (*steps)[2], int count, brio_error *err) {
  /* Each DOF has two steps: of goals and commands, and of measured values. */
  static const char sql[] =
      "INSERT INTO dofs(run, dof, name, unit, step, measured_step) VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
  brio_query *query = brio_db_prepare(store->db, sql, -1, err);
  bool good = query && brio_db_run(store->db, "BEGIN IMMEDIATE", err);
  for (int i = 0; good && i < count; i++) {
    brio_value row[] = {brio_value_integer(store->run), brio_value_integer(i), brio_value_text(names[i]),
                        brio_value_text(units ? units[i] : NULL), brio_value_real(steps[i][0].size),
                        brio_value_real(steps[i][1].size)};
    good = brio_query_run(query, row, 6, err);
  }
  brio_query_end(query);
  good = good && brio_db_run(store->db, "COMMIT", err);
  if (brio_db_in_transaction(store->db)) brio_db_run(store->db, "ROLLBACK", NULL);
  return good;
}

bool brio_store_dofs(brio_store *store, const char *const *names, const char *const *units,
                     const double (*steps)[2], int count, brio_error *err) {
  if (store->run == 0) return brio_fail(err, BRIO_MISUSE, "DOFs were declared before a run began");
  /* Steps of samples in the ring must not change. */
  if (store->ndof) return brio_fail(err, BRIO_MISUSE, "the DOFs of this run were declared already");
  brio_grid(*grids)[2] = calloc((size_t)count + 1, sizeof *grids);
  if (!grids) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d DOFs", count);
  /* The default grid where no steps are given. */
  for (int i = 0; i < 2 * count; i++)
    grids[i / 2][i % 2] = brio_grid_of(steps ? steps[i / 2][i % 2] : BRIO_GRID_DEFAULT);
  /* Under the lock: the writer must not pack samples while their steps change. */
  pthread_mutex_lock(&store->lock);
  bool good = insert_dofs(store, names, units, (const brio_grid(*)[2])grids, count, err) &&
              brio_samples_dofs(&store->samples, count, (const brio_grid(*)[2])grids, err);
  pthread_mutex_unlock(&store->lock);
  free(grids);
  if (good) store->ndof = count;
  return good;
}

int brio_store_dof_count(const brio_store *store) { return store->ndof; }

/* Write the end of the run, its lost rows and the caller's columns into its row of `runs`. Errors: no_memory,
** io. */
static bool update_run(brio_store *store, const char *const *columns, const brio_value *values, int count,
                       brio_error *err) {
  brio_text sql = {0};
  /* `lost` counts since the store was opened; the row has the losses of this run. */
  long long lost = atomic_load_explicit(&store->lost, memory_order_relaxed) - store->lost_before;
  brio_text_format(&sql, "UPDATE runs SET ended_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', 'now')");
  brio_text_format(&sql, ", lost_rows = %lld", lost);
  for (int i = 0; i < count; i++) {
    brio_text_format(&sql, ", ");
    add_name(&sql, columns[i]);
    brio_text_format(&sql, " = ?%d", i + 1);
  }
  brio_text_format(&sql, " WHERE id = %lld", (long long)store->run);
  return run_built(store, &sql, values, count, err);
}

bool brio_store_end(brio_store *store, const char *const *columns, const brio_value *values, int count,
                    brio_error *err) {
  if (store->run == 0) return brio_fail(err, BRIO_MISUSE, "a run was ended, but none has begun");
  pthread_mutex_lock(&store->lock);
  /* Commit all rows of the run before it ends. */
  bool good = brio_writer_drain(store, true, err) && update_run(store, columns, values, count, err);
  /* From now on the writer marks no run as alive. */
  if (good) store->alive_run = 0;
  pthread_mutex_unlock(&store->lock);
  if (good) store->run = 0;
  if (good) store->ndof = 0;
  return good;
}

int64_t brio_store_lost(brio_store *store, char *why, size_t size) {
  int64_t lost = atomic_load_explicit(&store->lost, memory_order_relaxed);
  bool noted = atomic_load_explicit(&store->has_why, memory_order_acquire);
  /* Never wait for the writer: if it holds the lock, report the reason that was read last. */
  if (noted && pthread_mutex_trylock(&store->why_lock) == 0) {
    memcpy(store->told, store->why, sizeof store->told);
    pthread_mutex_unlock(&store->why_lock);
  }
  /* A row that was too large is the reason, unless the writer has noted one. */
  if (!noted && atomic_load_explicit(&store->oversized, memory_order_relaxed))
    snprintf(store->told, sizeof store->told,
             "a row was larger than the %zu kB that one may have, such as an event with a long text",
             brio_byte_ring_largest(&store->ring) / 1000);
  const char *reason = store->told[0] ? store->told
                       : lost         ? "rows came faster than they could be written, or before a run began"
                                      : "";
  size_t length = strlen(reason);
  /* `size` 0: only the number is wanted. */
  if (size) {
    length = length < size ? length : size - 1;
    memcpy(why, reason, length);
    why[length] = 0;
  }
  return lost;
}

bool brio_store_failing(const brio_store *store) {
  return atomic_load_explicit(&store->failing, memory_order_acquire);
}

int64_t brio_store_dropped(const brio_store *store, bool *beyond) {
  *beyond = atomic_load_explicit(&store->beyond, memory_order_relaxed);
  return atomic_load_explicit(&store->dropped, memory_order_relaxed);
}

bool brio_store_close(brio_store *store, brio_error *err) {
  if (!store) return true;
  char why[BRIO_WHY_SIZE], path[256];
  /* Stop the thread, then write the rest from this one. */
  atomic_store_explicit(&store->stop, true, memory_order_release);
  sem_post(&store->wake);
  pthread_join(store->thread, NULL);
  brio_writer_drain(store, true, NULL);
  /* The path is needed for the message, when the connection is closed. */
  snprintf(path, sizeof path, "%s", brio_db_path(store->db));
  sem_destroy(&store->wake);
  pthread_mutex_destroy(&store->lock);
  brio_writer_end(store);
  /* brio_writer_end has counted what was left in the ring. */
  int64_t lost = brio_store_lost(store, why, sizeof why);
  pthread_mutex_destroy(&store->why_lock);
  free(store);
  return lost == 0 || brio_fail(err, BRIO_IO, "%s: %lld rows were lost: %s", path, (long long)lost, why);
}
