/* Migration of a store's schema, and the SQL for it that is embedded in the program. */
#ifndef BRIO_STORE_MIGRATE_H
#define BRIO_STORE_MIGRATE_H

#include <stdbool.h>

#include "base/error.h"
#include "store/db.h"

/* Made by scripts/make/embed_sql.lua from store/schema and store/views, in order of the files'
** names; each list ends at NULL.  A name is the file's, without ".sql". */
extern const char *const brio_store_schema[], *const brio_store_schema_names[];
extern const char *const brio_store_fresh[]; /* statements: what all migrations make of an empty file */
extern const char *const brio_store_views[], *const brio_store_view_names[];

/* The mark of brio's files in SQLite's header: "brio". */
#define BRIO_STORE_APPLICATION_ID 0x6272696f

/* Check that the database is a store of brio that this program understands.  `version` gets the
** number of migrations it has seen; an empty file has 0.  Errors: io (no database, or another
** program's), limit (made by a newer brio). */
bool brio_store_check(brio_db *db, int64_t *version, brio_error *err);

/* Run the migrations in `schema` (with `names`; both end at NULL) that this store has not seen,
** each in a transaction of its own.  The store counts them in its user_version. */
bool brio_store_migrate(brio_db *db, const char *const *schema, const char *const *names, brio_error *err);

/* Open the store at `path` for writing, make it when it is absent, and bring its schema and views up to date.
** NULL: no_file, io (also: no store, write-protected, disk full), limit (made by a newer brio), no_memory. */
brio_db *brio_store_open_file(const char *path, brio_error *err);

/* The same for a store that is there already, to change what is in it.  Also: no_file when there is none,
** and io for an empty file. */
brio_db *brio_store_open_to_change(const char *path, brio_error *err);

/* Make an empty file a store, in one transaction: its schema as all migrations leave it, and the views. A
** file that has become a store meanwhile stays as it is. */
bool brio_store_make_fresh(brio_db *db, brio_error *err);

/* Drop and make again the embedded views, unless the file has them as they are in this program. */
bool brio_store_make_views(brio_db *db, brio_error *err);

#endif
