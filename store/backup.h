/* Copying a whole store while a run is recorded in it. */
#ifndef BRIO_STORE_BACKUP_H
#define BRIO_STORE_BACKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Copy the store at `from` to the file `to`, as it is at one moment, and read the copy through.  It is made
** beside `to` and gets its name when it is whole and on the disk.  A file that stands there is replaced only
** with `force`. Write the copy's bytes to `*bytes`.  Errors: no_file, io (also: something is there already,
** the copy is not whole), limit (made by a newer brio), no_memory. */
bool brio_store_backup(const char *from, const char *to, bool force, int64_t *bytes, brio_error *err);

#endif
