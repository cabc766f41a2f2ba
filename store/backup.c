/* A backup is SQLite's online copy in one step: one snapshot of a store in WAL mode, during which others may
** write. A copy in several steps would start again at every commit of a run. The copy is made in the target's
** folder, checked, synced and renamed: the target is at no time half a store. */
#include "store/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "store/reader.h"

/* Return `path` with `end` appended; the caller frees it.  NULL without memory. */
static char *with_end(const char *path, const char *end) {
  brio_text name = {0};
  brio_text_format(&name, "%s%s", path, end);
  if (name.failed) brio_text_end(&name);
  return name.bytes;
}

/* Remove the files that SQLite keeps next to a store, and with `file` the store itself. Missing files are no
** error. */
static void remove_store(const char *path, bool file) {
  /* Write-ahead log, its index in shared memory, rollback journal. */
  static const char *const ends[] = {"-wal", "-shm", "-journal"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char *name = with_end(path, ends[i]);
    if (name) unlink(name);
    free(name);
  }
  if (file) unlink(path);
}

/* Sync the file `path`, or with `folder` its folder, so that it survives a power cut. Errors: io, also
** without memory for a name. */
static bool sync_to_disk(const char *path, bool folder, brio_error *err) {
  char *name = with_end(path, "");
  char *last = name ? strrchr(name, '/') : NULL;
  /* Cut the name off; the root folder keeps its slash. */
  if (folder && last) last[last == name] = 0;
  /* A folder is opened for reading, too: fsync needs only a descriptor. */
  int file = !name ? -1 : open(folder && !last ? "." : name, O_RDONLY);
  bool good = file >= 0 && fsync(file) == 0;
  if (!good) brio_fail(err, BRIO_IO, "cannot write %s to the disk: %s", path, strerror(errno));
  if (file >= 0) close(file);
  free(name);
  return good;
}

/* Check all pages of the copy: O(bytes). Errors: io, with the first damage. */
static bool check_copy(const char *path, brio_error *err) {
  brio_db *db = brio_db_open(path, BRIO_DB_READ, err);
  brio_query *query = db ? brio_db_prepare(db, "PRAGMA integrity_check(1)", -1, err) : NULL;
  bool good = query && brio_query_step(query, err) == BRIO_STEP_ROW;
  /* The pragma returns one row: "ok", or the first damage. */
  if (good) {
    brio_value words = brio_query_column(query, 0);
    good = words.type == BRIO_VALUE_TEXT && strcmp(words.as.text.bytes, "ok") == 0;
    if (!good)
      brio_fail(err, BRIO_IO, "the copy is damaged, and so is the store: %s",
                words.type == BRIO_VALUE_TEXT ? words.as.text.bytes : "no word on it");
  }
  brio_query_end(query);
  brio_db_close(db);
  return good;
}

/* Write a copy to `part` and check it. What an interrupted backup left there is removed first. */
static bool make_copy(const char *from, const char *part, brio_error *err) {
  remove_store(part, true);
  brio_db *source = brio_reader_open(from, err);
  /* The reader also refuses a file that is no store. */
  brio_db *copy = source ? brio_db_open(part, BRIO_DB_WRITE, err) : NULL;
  bool good = copy && brio_db_copy(source, copy, err);
  brio_db_close(copy);
  brio_db_close(source);
  return good && check_copy(part, err) && sync_to_disk(part, false, err);
}

/* Refuse to overwrite the store itself or what is no regular file, and any file unless `force` is set. */
static bool may_write(const char *from, const char *to, bool force, brio_error *err) {
  struct stat source, target;
  if (!to[0]) return brio_fail(err, BRIO_NO_FILE, "the backup's path is empty, a file name was expected");
  if (stat(to, &target) != 0) return true;
  /* Device and inode are the same under every name of a file. */
  if (stat(from, &source) == 0 && source.st_dev == target.st_dev && source.st_ino == target.st_ino)
    return brio_fail(err, BRIO_IO, "%s is the store itself: a backup needs a file of its own", to);
  if (!S_ISREG(target.st_mode))
    return brio_fail(err, BRIO_IO, "%s is no file: a backup is not written there", to);
  return force || brio_fail(err, BRIO_IO, "%s is there already: it is replaced only with --force", to);
}

bool brio_store_backup(const char *from, const char *to, bool force, int64_t *bytes, brio_error *err) {
  struct stat made;
  if (!may_write(from, to, force, err)) return false;
  /* In the same folder, so that renaming is atomic. */
  char *part = with_end(to, ".part");
  if (!part) return brio_fail(err, BRIO_NO_MEMORY, "no memory to copy %s", from);
  /* Until the rename, a failure leaves the target as it was. */
  bool good = make_copy(from, part, err);
  if (good) remove_store(to, false); /* the log of another file must not be taken for the copy's */
  if (good && rename(part, to) != 0)
    good = brio_fail(err, BRIO_IO, "cannot name the copy %s: %s", to, strerror(errno));
  /* After a rename only the files of SQLite next to `part` are left; after a failure, `part` too. */
  remove_store(part, !good);
  free(part);
  /* The new name is in the folder: sync that as well. */
  if (!good || !sync_to_disk(to, true, err)) return false;
  /* The size is for the message only: a failing stat is no failure of the backup. */
  *bytes = stat(to, &made) == 0 ? made.st_size : 0;
  return true;
}
