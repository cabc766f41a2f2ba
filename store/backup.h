/* Copying a whole store while a run is recorded in it. */
#ifndef BRIO_STORE_BACKUP_H
#define BRIO_STORE_BACKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Copy the store at `from` to the file `to`, as a consistent snapshot, and verify the copy.  It is written
** next to `to` and renamed when it is complete and on the disk.  An existing file is replaced only with
** `force`. Write the copy's bytes to `*bytes`.  Errors: no_file, io (also: the file exists, the copy is
** incomplete), limit (made by a newer brio), no_memory. */
bool brio_store_backup(const char *from, const char *to, bool force, int64_t *bytes, brio_error *err);

#endif
