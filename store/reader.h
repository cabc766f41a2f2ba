/* Reading a run store: from the program, from scripts, while it is being written or long after.
** A reader is a connection that cannot write; its queries are those of store/db.h. */
#ifndef BRIO_STORE_READER_H
#define BRIO_STORE_READER_H

#include "store/db.h"

/* Open the store at `path` for reading; brio_db_close closes it.  A store in a folder that may
** not be written to is read as it lies there.  Errors: no_file, io (also: no store of brio),
** limit (made by a newer brio). */
brio_db *brio_reader_open(const char *path, brio_error *err);

/* Prepare one statement that only reads (`length` bytes; -1: up to the closing 0).
** Errors: format (the SQL is wrong, or would write), io, no_memory. */
brio_query *brio_reader_prepare(brio_db *db, const char *sql, int length, brio_error *err);

#endif
