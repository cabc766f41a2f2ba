/* Full-text search of a run store: an index next to the store, updated at a search, so that recording is not
** slowed down. */
#ifndef BRIO_STORE_SEARCH_H
#define BRIO_STORE_SEARCH_H

#include "store/db.h"

/* Open the index of the store at `path`, and add the rows recorded since the last time; brio_db_close
** closes it.  It is the file `path`-search, or is kept in memory where that cannot be written or is damaged;
** it may be removed at any time.  Its tables are `found` (FTS5: text; unindexed run, t, kind, row; of a
** version the run is null and row its hash) and `gaps` (kind, why: what of the store could not be read).
** Errors: those of brio_reader_open; no_memory; io. */
brio_db *brio_search_open(const char *path, brio_error *err);

#endif
