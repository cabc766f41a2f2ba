/* The store's own thread. Every 50 ms, or when the ring is half full, it writes the waiting records in
** transactions of at most a megabyte. Records are released to the ring only when they are committed: when the
** disk is full, the transaction is rolled back, the records stay, and the next attempt, after a pause that
** doubles up to a second, begins with them again. Only rows that the full ring then refuses are lost.
**
** A row that SQLite can never accept (a constraint) is counted as lost and left out. */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "store/store_internal.h"

/* Periods in ns. */
static const int64_t second = 1000000000, commit_period = 50000000;
enum { TRANSACTION_BYTES = 1 << 20 };

#define X(name, columns, count, statement)                                                                   \
  _Static_assert(count <= BRIO_COLUMNS_MAX, "a row of " #name " is longer than the writer's");
#include "store/tables.def"
#undef X
#define X(name, columns, count, statement) +1
_Static_assert((0
#include "store/tables.def"
) <= BRIO_TABLES_MAX, "tables.def has more rows than the writer");
#undef X

void brio_version_free(brio_version *version) {
  if (!version) return;
  free(version->name);
  free(version->source);
  free(version->parent);
  free(version);
}

/* Free a list of versions, linked by `next`; may be NULL. */
static void free_versions(brio_version *version) {
  while (version) {
    brio_version *next = version->next;
    brio_version_free(version);
    version = next;
  }
}

/* Note a failure for brio_store_lost. The robot's thread only tries this lock, so it never waits here. */
void brio_writer_note(brio_store *store, const brio_error *err) {
  /* A longer message is cut. */
  size_t length = strnlen(err->message, BRIO_WHY_SIZE - 1);
  pthread_mutex_lock(&store->why_lock);
  memcpy(store->why, err->message, length);
  store->why[length] = 0;
  pthread_mutex_unlock(&store->why_lock);
  atomic_store_explicit(&store->has_why, true, memory_order_release);
}

/* Prepare the statement of a table, which BRIO_INSERT leaves to be made of its columns: O(columns). */
static brio_query *prepare_table(brio_db *db, const brio_store_table *table, brio_error *err) {
  if (strcmp(table->statement, BRIO_INSERT) != 0) return brio_db_prepare(db, table->statement, -1, err);
  brio_text sql = {0};
  brio_text_format(&sql, "INSERT INTO %s(run, %s) VALUES(?1", table->name, table->columns);
  for (int i = 0; i < table->count; i++) brio_text_format(&sql, ", ?%d", i + 2);
  brio_text_add(&sql, ")", 1);
  brio_query *query = NULL;
  if (sql.failed) brio_fail(err, BRIO_NO_MEMORY, "no memory for the statement of %s", table->name);
  else query = brio_db_prepare(db, sql.bytes, (int)sql.length, err);
  brio_text_end(&sql);
  return query;
}

/* Prepare the statement of each table that has one, by the table's number; solver results have none
** (packing/solves.c). */
bool brio_writer_prepare(brio_store *store, brio_error *err) {
  /* Statements for versions, for their use by a run, and for the mark of life. */
  const struct { brio_query **query; const char *sql; } others[] = {
      {&store->version_row,
       "INSERT OR IGNORE INTO versions(hash, name, parent, source, bytes) VALUES(?1, ?2, ?3, ?4, ?5)"},
      {&store->run_version_row, brio_store_tables[brio_store_table_find("run_versions")].statement},
      {&store->alive_row, "UPDATE runs SET alive_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?1"},
  };
  /* Looked up once, not for each row. */
  store->files_table = brio_store_table_find("files");
  for (int i = 0; brio_store_tables[i].name; i++)
    if (brio_store_tables[i].statement &&
        !(store->rows[i] = prepare_table(store->db, &brio_store_tables[i], err))) return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!(*others[i].query = brio_db_prepare(store->db, others[i].sql, -1, err))) return false;
  return brio_samples_prepare(&store->samples, store->db, err) &&
         brio_solves_prepare(&store->solves, store->db, err);
}

/* Return the version that a record carries: the ring has only a pointer to it. */
static brio_version *version_of(const brio_record *record) {
  return *(brio_version *const *)(const void *)(record + 1);
}

/* Bind and run a row: O(columns). Its values are behind the record's header, and their texts behind them in
** order. */
static bool write_row(brio_store *store, const brio_record *record, brio_error *err) {
  assert(record->kind >= 0 && record->kind < BRIO_TABLES_MAX);
  brio_query *query = store->rows[record->kind];
  int count = brio_store_tables[record->kind].count;
  assert(record->size >= sizeof *record + (size_t)count * sizeof(brio_value));
  const brio_value *values = (const brio_value *)(const void *)(record + 1);
  const char *text = (const char *)(values + count);
  brio_value row[BRIO_COLUMNS_MAX + 1];
  /* ?1 of each statement is the run. */
  row[0] = brio_value_integer(record->run);
  /* The pointers of texts were the caller's; their bytes are in the ring. */
  for (int i = 0; i < count; i++) {
    row[i + 1] = values[i];
    if (!brio_value_has_bytes(&values[i])) continue;
    row[i + 1].as.text.bytes = text;
    text += values[i].as.text.length;
  }
  assert(text <= (const char *)record + record->size);
  /* Contents of files are bytes, whatever type the caller gave them: SQLite must not treat them as text. */
  if (record->kind == store->files_table && row[3].type == BRIO_VALUE_TEXT) row[3].type = BRIO_VALUE_BLOB;
  return query ? brio_query_run(query, row, count + 1, err)
               : brio_solves_add(&store->solves, record->run, row + 1, err);
}

/* Add a sample: goal, command and measured of each DOF, behind its head. */
static bool write_sample(brio_store *store, const brio_record *record, brio_error *err) {
  const brio_sample_head *head = (const brio_sample_head *)(const void *)(record + 1);
  const double *values = (const double *)(const void *)(head + 1);
  assert(record->size >= sizeof *record + sizeof *head + 3 * (size_t)head->ndof * sizeof *values);
  return brio_samples_add(&store->samples, record->run, head->tick, head->t, (int)head->ndof, values, err);
}

/* Keep the bytes of a version whose text is not UTF-8, as a file. Its row in `versions` has a repaired text,
** which other programs can read. */
static bool write_exact(brio_store *store, int64_t run, const brio_version *v, brio_error *err) {
  if (brio_text_utf8(v->source, v->length) == v->length) return true;
  brio_value length = brio_value_integer((int64_t)v->length), bytes = brio_value_blob(v->source, v->length);
  brio_value file[] = {brio_value_integer(run), brio_value_text(v->hash), length, bytes, brio_value_null()};
  return brio_query_run(store->rows[store->files_table], file, 5, err);
}

/* Write a version, if its hash is new, and its use by the run. Its memory is freed after the commit, as
** SQLite reads from it until then. */
static bool write_version(brio_store *store, const brio_record *record, brio_error *err) {
  brio_version *v = version_of(record);
  brio_value name = brio_value_text(v->name), hash = brio_value_text(v->hash);
  /* The source may contain zeros: its length is given. */
  brio_value source = {.type = BRIO_VALUE_TEXT}, bytes = brio_value_integer((int64_t)v->length);
  source.as.text.bytes = v->source;
  source.as.text.length = v->length;
  assert(strlen(v->hash) == sizeof v->hash - 1);
  brio_value version[] = {hash, name, brio_value_text(v->parent), source, bytes};
  brio_value use[] = {brio_value_integer(record->run), brio_value_real(v->t), name, hash};
  /* The list of what this transaction wrote: freed by the commit, handed back by a rollback. */
  v->next = store->versions;
  store->versions = v;
  return brio_query_run(store->version_row, version, 5, err) && write_exact(store, record->run, v, err) &&
         brio_query_run(store->run_version_row, use, 4, err);
}

/* Write one record into the open transaction. A row that can never be written is noted, counted in `lost` and
** left out. */
static bool write_record(brio_store *store, const brio_record *record, int64_t *lost, brio_error *err) {
  /* By kind: samples and versions are packed differently from rows. */
  bool good = record->kind == BRIO_RECORD_SAMPLE    ? write_sample(store, record, err)
              : record->kind == BRIO_RECORD_VERSION ? write_version(store, record, err)
                                                    : write_row(store, record, err);
  if (good) return true;
  /* Any other error (disk full, no memory) fails the transaction, which is repeated later. */
  if (err->code != BRIO_FORMAT) return false;
  brio_writer_note(store, err);
  ++*lost;
  /* The refused rows may be the block that this one would have followed. */
  if (store->samples.pending.closed) *lost += brio_samples_drop(&store->samples, true);
  if (store->solves.pending.closed) *lost += brio_solves_drop(&store->solves, true);
  return true;
}

void brio_writer_know_file(brio_store *store) {
  struct stat now;
  if (stat(brio_db_path(store->db), &now) == 0) store->file[0] = now.st_dev, store->file[1] = now.st_ino;
}

/* Whether the store's path still names the file that was opened: if not, further rows would be lost with that
** file. */
static bool is_there(const brio_store *store, brio_error *err) {
  struct stat now;
  const char *path = brio_db_path(store->db);
  /* A store without a file cannot be replaced. */
  if (!store->file[1]) return true;
  if (stat(path, &now) == 0 && store->file[0] == now.st_dev && store->file[1] == now.st_ino) return true;
  return brio_fail(err, BRIO_IO, "%s was removed or replaced while it was written", path);
}

/* Mark the run as alive, once a second. A run without an end whose mark is old was killed. */
static bool mark_alive(brio_store *store, brio_error *err) {
  int64_t now = brio_clock_monotonic();
  /* No run, or marked less than a second ago. */
  if (!store->alive_run || now - store->alive_at < second) return true;
  brio_value run = brio_value_integer(store->alive_run);
  if (!brio_query_run(store->alive_row, &run, 1, err)) return false;
  /* Set only when the row was written: a failure tries again at once. */
  store->alive_at = now;
  return true;
}

/* Roll the transaction back; return false. Its records are still in the ring, which owns their versions
** again. */
static bool roll_back(brio_store *store) {
  /* Samples and solver results have copies of their own to restore. */
  if (brio_db_in_transaction(store->db)) brio_db_run(store->db, "ROLLBACK", NULL);
  store->versions = NULL;
  brio_samples_roll_back(&store->samples);
  brio_solves_roll_back(&store->solves);
  return false;
}

/* Write what is packed but not in the file yet, so that a killed engine loses at most the last tenth of a
** second. With `whole`, incomplete blocks are closed. Blocks that can never be written are dropped and
** counted in `lost`. */
static bool flush(brio_store *store, bool whole, int64_t *lost, brio_error *err) {
  /* A transaction closes one block of each kind at most. */
  bool samples = whole && !store->samples.pending.closed, solves = whole && !store->solves.pending.closed;
  if (!brio_samples_flush(&store->samples, samples, err)) {
    if (err->code != BRIO_FORMAT) return false;
    brio_writer_note(store, err);
    *lost += brio_samples_drop(&store->samples, samples);
  }
  if (brio_solves_flush(&store->solves, solves, err)) return true;
  if (err->code != BRIO_FORMAT) return false;
  brio_writer_note(store, err);
  *lost += brio_solves_drop(&store->solves, solves);
  return true;
}

/* Write records from `*at` on, up to a transaction's worth or the first block that is closed: a rollback can
** restore one block of samples and one of solver results. */
static bool write_records(brio_store *store, uint64_t *at, bool whole, int64_t *lost, brio_error *err) {
  /* A record may begin before `end` and reach behind it. */
  uint64_t end = *at + TRANSACTION_BYTES;
  const brio_record *record = NULL;
  while (*at < end && !store->samples.pending.closed && !store->solves.pending.closed &&
         (record = brio_byte_ring_next(&store->ring, at)))
    if (!write_record(store, record, lost, err)) return false;
  return flush(store, whole, lost, err);
}

/* Keep the file within its limit; called after a block was closed, as only then it grows by much. */
static bool keep_limit(brio_store *store, brio_error *err) {
  bool good = brio_limit_keep(&store->limit, store->db, store->alive_run, err);
  atomic_store_explicit(&store->dropped, store->limit.dropped, memory_order_relaxed);
  atomic_store_explicit(&store->beyond, store->limit.beyond, memory_order_relaxed);
  return good;
}

/* One transaction: write the waiting records from the oldest on, commit, and release them to the ring. False:
** rolled back, nothing is released. */
static bool write_transaction(brio_store *store, bool whole, brio_error *err) {
  uint64_t at = brio_byte_ring_oldest(&store->ring);
  assert(!store->versions && !store->samples.pending.closed && !store->solves.pending.closed);
  int64_t lost = 0;
  if (!is_there(store, err) || !brio_db_run(store->db, "BEGIN IMMEDIATE", err)) return false;
  if (!write_records(store, &at, whole, &lost, err) || !mark_alive(store, err) ||
      !brio_db_run(store->db, "COMMIT", err))
    return roll_back(store);
  /* Committed: its records, versions and copies of blocks are no longer needed. */
  bool closed = store->samples.pending.closed || store->solves.pending.closed;
  brio_samples_commit(&store->samples);
  brio_solves_commit(&store->solves);
  brio_byte_ring_release(&store->ring, at);
  free_versions(store->versions);
  store->versions = NULL;
  /* Counted only now: a transaction that is repeated would count twice. */
  atomic_fetch_add_explicit(&store->lost, lost, memory_order_relaxed);
  return !closed || keep_limit(store, err);
}

/* Whether the ring has a record. */
static bool anything_waits(const brio_store *store) {
  uint64_t at = brio_byte_ring_oldest(&store->ring);
  return brio_byte_ring_next(&store->ring, &at) != NULL;
}

/* Rows first, then the mark of life if it is due, then blocks that are not full. */
bool brio_writer_drain(brio_store *store, bool whole, brio_error *err) {
  brio_error own = {0};
  bool good = true;
  /* Each call commits at most TRANSACTION_BYTES, so a drain takes several. */
  while (good && anything_waits(store)) good = write_transaction(store, false, &own);
  bool due = store->alive_run && brio_clock_monotonic() - store->alive_at >= second;
  if (good && due) good = write_transaction(store, false, &own);
  while (good && whole && (store->samples.pending.now.count || store->solves.pending.now.count))
    good = write_transaction(store, true, &own);
  /* While failing, the robot's thread does not wait for room in the ring. */
  atomic_store_explicit(&store->failing, !good, memory_order_release);
  if (good) return true;
  brio_writer_note(store, &own);
  /* The writer's thread passes no err: the failure is in the note. */
  if (err) *err = own;
  return false;
}

/* Sleep for `pause` ns, or until the semaphore wakes the thread. */
static void sleep_for(brio_store *store, int64_t pause) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  /* sem_clockwait takes an absolute time, whose tv_nsec must be below 10^9. */
  int64_t ns = until.tv_nsec + pause;
  until.tv_sec += ns / second;
  until.tv_nsec = ns % second;
  sem_clockwait(&store->wake, CLOCK_MONOTONIC, &until);
}

/* The body of the thread: drain the ring every `commit_period`, under the lock. */
static void *work(void *argument) {
  brio_store *store = argument;
  int64_t pause = commit_period;
  while (!atomic_load_explicit(&store->stop, memory_order_acquire)) {
    sleep_for(store, pause);
    /* Cleared before draining: a nudge during it wakes the thread again. */
    atomic_store_explicit(&store->nudged, false, memory_order_release);
    pthread_mutex_lock(&store->lock);
    bool good = brio_writer_drain(store, false, NULL);
    pthread_mutex_unlock(&store->lock);
    /* A failure doubles the pause, up to a second. */
    pause = good ? commit_period : pause * 2 < second ? pause * 2 : second;
  }
  return NULL;
}

bool brio_writer_start(brio_store *store, brio_error *err) {
  sigset_t all, before;
  sem_init(&store->wake, 0, 0);
  pthread_mutex_init(&store->lock, NULL);
  pthread_mutex_init(&store->why_lock, NULL);
  sigfillset(&all); /* the new thread inherits the mask: signals are for the program's own threads */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&store->thread, NULL, work, store);
  /* Restore this thread's mask. */
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!failed) pthread_setname_np(store->thread, "brio-store");
  return !failed || brio_fail(err, BRIO_NO_MEMORY, "cannot start the store's thread: %s", strerror(failed));
}

void brio_writer_end(brio_store *store) {
  /* Records that were not committed are lost, and versions among them have no other owner. */
  uint64_t at = brio_byte_ring_oldest(&store->ring);
  for (const brio_record *record; store->ring.bytes && (record = brio_byte_ring_next(&store->ring, &at));) {
    atomic_fetch_add_explicit(&store->lost, 1, memory_order_relaxed);
    if (record->kind == BRIO_RECORD_VERSION) brio_version_free(version_of(record));
  }
  brio_query *others[] = {store->version_row, store->run_version_row, store->alive_row};
  for (int i = 0; i < BRIO_TABLES_MAX; i++) brio_query_end(store->rows[i]);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) brio_query_end(others[i]);
  /* All statements must end before the connection is closed. */
  brio_limit_end(&store->limit);
  brio_samples_end(&store->samples);
  brio_solves_end(&store->solves);
  brio_byte_ring_end(&store->ring);
  brio_db_close(store->db);
}
