/* Watches files for saves, however an editor saves: in place, by renaming over, by deleting and
** creating, several files at once.
**
** The folders are watched, since a watch of a file goes dead when another is renamed over it, also those
** that links lead to; and the files are polled four times a second, for changes without an event.  A save
** gives several events: a change counts once the files have been left alone for a moment.  All but
** brio_file_watch_wake belongs to one thread. */
#ifndef BRIO_RUNTIME_SCRIPT_FILE_WATCH_H
#define BRIO_RUNTIME_SCRIPT_FILE_WATCH_H

#include <stdbool.h>

#include "base/error.h"

typedef struct brio_file_watch brio_file_watch;

/* Make a watch over nothing.  With `poll` it only polls the files, every 20 ms, which is the default on
** network file systems (NFS, SMB, FUSE, 9p, ...).  Errors: limit (no event loop), no_memory. */
brio_file_watch *brio_file_watch_new(bool poll, brio_error *err);

/* Free it.  NULL is allowed. */
void brio_file_watch_free(brio_file_watch *watch);

/* Watch these `count` files, and no others; their paths are copied.  A file need not exist.  Errors:
** no_memory. */
bool brio_file_watch_set(brio_file_watch *watch, const char *const *files, int count, brio_error *err);

/* Wait until a file has changed and settled, brio_file_watch_wake was called, or `seconds` have passed (below
** 0: no timeout). */
void brio_file_watch_wait(brio_file_watch *watch, double seconds);

/* The same, but return true as soon as a change begins, once for each: it has not settled yet, and the next
** wait continues with it.  False: as above. */
bool brio_file_watch_wait_early(brio_file_watch *watch, double seconds);

/* When the newest of the files that changed last was written, in seconds of the monotonic clock; 0
** when none did. */
double brio_file_watch_saved(const brio_file_watch *watch);

/* From any thread: end the wait, or the next one. */
void brio_file_watch_wake(brio_file_watch *watch);

#endif
