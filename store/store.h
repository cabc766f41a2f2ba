/* The run store: one SQLite file with the rows of runs.  It has named columns and
** knows no robot.
**
** Writing: the thread that runs the robot puts rows into a ring and never waits; the
** store's own thread takes them out and commits every 50 ms.  A full ring is counted and
** reported.  A killed engine loses at most the last tenth of a second, never the file.
** Everything that has a `store` argument is called by one thread.  Reading: see store/reader.h. */
#ifndef BRIO_STORE_STORE_H
#define BRIO_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "store/value.h"

typedef struct brio_store brio_store;

typedef struct brio_store_options {
  bool durable;     /* also survive a power cut: sync at every commit */
  bool wait;        /* a full ring makes brio_store_put wait instead of refusing: for runs
                    ** faster than real time, whose stores must be equal */
  size_t ring_bytes; /* 0: 4 MiB */
  int64_t limit; /* bytes of the file, at which the oldest samples go; 0: none */
} brio_store_options;

/* The tables for rows, by name, with the columns brio_store_put expects in order
** (without `run`, which the store fills in).  The rows and what their columns mean are in
** store/tables.def:
**
**   activations     id, parent, behavior, name, version, started
**   activation_end  id, ended, result, reason
**   states          id, activation, machine, state, previous, cause, detail, entered, version
**   state_end       id, left_at
**   events          tick, t, name, source, data, version
**   operator        tick, t, who, command, arguments, late_ms
**   solves          tick, t, status, cost, iterations, evaluations, active, distance,
**                   solve_us, tick_us, late_us
**   faults          tick, t, severity, source, message, detail, version
**   notes           t, text
**   run_versions    t, name, hash
**
** An `..._end` row completes the row with that id.  A NaN is stored as null. */
typedef struct brio_store_table {
  const char *name;
  const char *columns; /* "tick, t, name, ..." */
  int count;
  /* SQL: ?1 is the run, ?2 the first column, ...; BRIO_INSERT: a row of the table with the run and these
  ** columns; NULL: it is packed, as `solves` is */
  const char *statement;
} brio_store_table;
#define BRIO_INSERT ""
extern const brio_store_table brio_store_tables[]; /* ends at name == NULL */

/* Return the index of the table of that name, or -1. */
int brio_store_table_find(const char *name);

/* Open or make the store at `path`, bring its schema up to date and start its thread.
** `options` may be NULL.  Errors: no_file, io (also: not a database), limit (made by a newer
** brio), no_memory. */
brio_store *brio_store_open(const char *path, const brio_store_options *options, brio_error *err);

/* Begin a run: a row in `runs` with these column names and values; the store itself fills in
** when it began.  At once, off the tick.  Return its id, or -1. */
int64_t brio_store_begin(brio_store *store, const char *const *columns, const brio_value *values, int count,
                         brio_error *err);

/* Record a version of a source text, unless it is there: content-addressed by SHA-256, with
** `parent` (hash of the version it replaces; NULL: none), and that this run used it from `t` on.
** Copies the text and allocates: off the tick, though it never blocks; the row goes out in
** order with those put before and after.  Writes the hash.  Errors: misuse (no run), limit (the
** ring is full), no_memory. */
bool brio_store_version(brio_store *store, const char *name, const char *source, size_t length,
                        const char *parent, double t, char hash[65], brio_error *err);

/* Declare the DOFs of this run's samples, once, before the first sample.  `steps`: the resolution of goals
** and commands of each, and of measured values (0: exact); NULL: BRIO_GRID_DEFAULT for all.  At once, off the
** tick. */
bool brio_store_dofs(brio_store *store, const char *const *names, const char *const *units,
                     const double (*steps)[2], int count, brio_error *err);

/* Return the number of DOFs declared for this run. */
int brio_store_dof_count(const brio_store *store);

/* Put a row into table number `table`: its `count` values in the table's order.
** Never blocks unless `wait` is set.  False: the ring is full (or no run has begun, or the
** table or count is wrong); the row is counted as lost. */
bool brio_store_put(brio_store *store, int table, const brio_value *values, int count);

/* Put the sample of one tick: three arrays with a number for each DOF (goal, command, measured;
** NaN: none; NULL for an array: none), ticks in rising order.  Rounded to the steps of brio_store_dofs, with
** a digest of the exact commands.  False: as brio_store_put. */
bool brio_store_sample(brio_store *store, int64_t tick, double t, const double *goal, const double *command,
                       const double *measured);

/* End the run: update its row in `runs` with these columns, after all rows put so far; the store
** itself fills in when it ended and lost_rows.  At once, off the tick. */
bool brio_store_end(brio_store *store, const char *const *columns, const brio_value *values, int count,
                    brio_error *err);

/* Return rows lost so far, and write why (the newest failure of the writing thread: disk full, ...;
** "" when there was none; also a failure without a lost row so far).  Never blocks. */
int64_t brio_store_lost(brio_store *store, char *why, size_t size);

/* Return true when the newest attempt to write failed: rows wait in the ring, for the next one.  Never
** blocks. */
bool brio_store_failing(const brio_store *store);

/* Return the number of ticks whose samples were dropped so far because the file reached its limit, here and
** in earlier runs; `beyond`: nothing is left to drop, and it is still too large.  Never blocks. */
int64_t brio_store_dropped(const brio_store *store, bool *beyond);

/* Write out everything, stop the thread and close; `store` may be NULL.  False: rows were lost. */
bool brio_store_close(brio_store *store, brio_error *err);

#endif
