/* A connection to an SQLite file and the statements prepared on it, in brio's terms: values
** are brio_value, failures are sentences.  The only place that includes sqlite3.h is db.c.
** A connection and its queries belong to one thread at a time; only brio_db_interrupt may
** be called from another. */
#ifndef BRIO_STORE_DB_H
#define BRIO_STORE_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/value.h"

typedef struct brio_db brio_db;
typedef struct brio_query brio_query;
typedef enum brio_db_mode { BRIO_DB_READ, BRIO_DB_WRITE, BRIO_DB_IMMUTABLE } brio_db_mode;
typedef enum brio_step { BRIO_STEP_ROW, BRIO_STEP_DONE, BRIO_STEP_FAILED } brio_step;

/* Open `path`; BRIO_DB_WRITE makes the file when it is absent, BRIO_DB_IMMUTABLE reads a file
** that no program writes, without creating files next to it.  Whether it is a database shows at the
** first statement.  Errors: no_file, io, no_memory. */
brio_db *brio_db_open(const char *path, brio_db_mode mode, brio_error *err);

/* Close; `db` may be NULL.  All its queries must have ended. */
void brio_db_close(brio_db *db);

/* Run statements without results, separated by semicolons.  Errors: see brio_query_step. */
bool brio_db_run(brio_db *db, const char *sql, brio_error *err);

/* Register the tables of store/packing/packed.h in SQL; they take precedence over views of the same names in
** older stores.  Not before a migration, which must see the file's own tables. */
bool brio_db_unpack(brio_db *db, brio_error *err);

/* Return true while a transaction is open. */
bool brio_db_in_transaction(const brio_db *db);

/* Return the row id of the last INSERT. */
int64_t brio_db_last_id(const brio_db *db);

/* Return the path it was opened with. */
const char *brio_db_path(const brio_db *db);

/* Copy the database into `to`, as a consistent snapshot; others may write it meanwhile.  Errors: io (also:
** the disk is full), no_memory. */
bool brio_db_copy(brio_db *from, brio_db *to, brio_error *err);

/* Make the running statement fail with code limit: "interrupted".  From any thread. */
void brio_db_interrupt(brio_db *db);

/* Set a time limit for statements, `seconds` (above 0, at most a day) from now; one that takes longer fails
** with code limit. */
void brio_db_limit(brio_db *db, double seconds);

/* Prepare one statement (`length` bytes; -1: up to the closing 0).  Text that holds none, or
** more than one, is refused.  Errors: format (SQL is wrong), io, no_memory. */
brio_query *brio_db_prepare(brio_db *db, const char *sql, int length, brio_error *err);

/* Return true when the statement cannot change a database. */
bool brio_query_reads_only(const brio_query *query);

/* Return the number of parameters. */
int brio_query_parameters(const brio_query *query);

/* Return the number (from 1) of the parameter ":name", "@name" or "$name", or 0. */
int brio_query_parameter(const brio_query *query, const char *name);

/* Give parameter number `index` (from 1) a value; a text must live until the query is reset,
** bound again or ended.  Return false when there is no such parameter. */
bool brio_query_bind(brio_query *query, int index, const brio_value *value);

/* Get the next row.  Errors: format (SQL is wrong, a constraint does not hold), io (disk full, the file is
** damaged, not a database or busy), limit (interrupted), no_memory. */
brio_step brio_query_step(brio_query *query, brio_error *err);

/* Return the number of columns, the name of one (from 0), its value in the row taken last
** (bytes of a blob as text); texts live until the next step. */
int brio_query_columns(const brio_query *query);
const char *brio_query_column_name(const brio_query *query, int column);
brio_value brio_query_column(const brio_query *query, int column);

/* Reset it for another run.  Values stay bound. */
void brio_query_reset(brio_query *query);

/* Bind `count` values to parameters 1, 2, ..., run a statement without rows, and reset it. */
bool brio_query_run(brio_query *query, const brio_value *values, int count, brio_error *err);

/* Free a query; may be NULL. */
void brio_query_end(brio_query *query);

/* Run a query of one number.  Return false when it fails; no row or null leaves `number` alone. */
bool brio_db_number(brio_db *db, const char *sql, int64_t *number, brio_error *err);

#endif
