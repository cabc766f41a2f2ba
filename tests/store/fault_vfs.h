/* A file system below SQLite with injected faults: writes are refused from the n-th on, and the disk's
** content after a power cut can be read at any moment, with none, some or all of the writes since each file's
** last sync.  Only files whose path has a given prefix are affected.  Nothing is really synced: tests are
** quick. */
#ifndef BRIO_TESTS_FAULT_VFS_H
#define BRIO_TESTS_FAULT_VFS_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAULT_FILES = 4, FAULT_BLOCK = 4096 };

/* A write without a sync yet; a block at most.  bytes NULL: the file was truncated at `at`. */
typedef struct fault_write {
  struct fault_write *next;
  sqlite3_int64 at;
  int size;
  unsigned char *bytes;
} fault_write;

/* A watched file: its certain content on the disk, and its possible content. */
typedef struct fault_disk {
  char path[512];
  unsigned char *bytes;
  sqlite3_int64 length;
  fault_write *first, *last;
} fault_disk;

typedef enum fault_kept { FAULT_NONE, FAULT_SOME, FAULT_ALL } fault_kept;

static struct {
  pthread_mutex_t lock;
  char prefix[512];
  fault_disk disks[FAULT_FILES];
  long operations;     /* writes, syncs and cuts of files so far */
  long from, till;     /* the operations that fail: from <= number < till */
  int code;            /* with what */
  unsigned random;
} fault = {.lock = PTHREAD_MUTEX_INITIALIZER, .random = 1};

static sqlite3_vfs *fault_real, fault_vfs;

typedef struct fault_file {
  sqlite3_file base;
  fault_disk *disk;   /* NULL: not watched */
  sqlite3_file *real; /* lies behind this */
} fault_file;

static sqlite3_file *fault_below(sqlite3_file *file) { return ((fault_file *)file)->real; }

static unsigned fault_draw(void) { return (fault.random = fault.random * 1664525u + 1013904223u) >> 8; }

/* Write bytes into the certain content. */
static void fault_apply(fault_disk *disk, const fault_write *write) {
  sqlite3_int64 end = write->bytes ? write->at + write->size : write->at;
  if (write->bytes && end > disk->length) {
    disk->bytes = realloc(disk->bytes, (size_t)end);
    memset(disk->bytes + disk->length, 0, (size_t)(end - disk->length));
    disk->length = end;
  }
  if (write->bytes) memcpy(disk->bytes + write->at, write->bytes, (size_t)write->size);
  else if (end < disk->length) disk->length = end;
}

static void fault_forget(fault_disk *disk) {
  for (fault_write *write = disk->first, *next; write; write = next) {
    next = write->next;
    free(write->bytes);
    free(write);
  }
  disk->first = disk->last = NULL;
}

/* Record a write without a sync, block by block. */
static void fault_note(fault_disk *disk, const void *bytes, int size, sqlite3_int64 at) {
  for (int done = 0; done == 0 || done < size; done += FAULT_BLOCK) {
    fault_write *write = calloc(1, sizeof *write);
    write->at = at + done;
    write->size = bytes ? (size - done < FAULT_BLOCK ? size - done : FAULT_BLOCK) : 0;
    if (bytes)
      memcpy(write->bytes = malloc((size_t)write->size + 1), (const char *)bytes + done, (size_t)write->size);
    if (disk->last) disk->last->next = write;
    else disk->first = write;
    disk->last = write;
  }
}

/* Count an operation; true: it must fail. */
static bool fault_strikes(void) {
  long number = fault.operations++;
  return number >= fault.from && number < fault.till;
}

static int fault_write_file(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 at) {
  fault_disk *disk = ((fault_file *)file)->disk;
  if (!disk) return fault_below(file)->pMethods->xWrite(fault_below(file), bytes, size, at);
  pthread_mutex_lock(&fault.lock);
  int result = fault.code, written = size;
  bool strikes = fault_strikes();
  if (strikes) written = size / 2; /* a part may have come to the disk */
  int real = written ? fault_below(file)->pMethods->xWrite(fault_below(file), bytes, written, at) : SQLITE_OK;
  if (written) fault_note(disk, bytes, written, at);
  pthread_mutex_unlock(&fault.lock);
  return strikes ? result : real;
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
  fault_disk *disk = ((fault_file *)file)->disk;
  if (!disk) return fault_below(file)->pMethods->xTruncate(fault_below(file), size);
  pthread_mutex_lock(&fault.lock);
  bool strikes = fault_strikes();
  int result = strikes ? SQLITE_IOERR_TRUNCATE
                       : fault_below(file)->pMethods->xTruncate(fault_below(file), size);
  if (!strikes) fault_note(disk, NULL, 0, size);
  pthread_mutex_unlock(&fault.lock);
  return result;
}

static int fault_sync(sqlite3_file *file, int flags) {
  fault_disk *disk = ((fault_file *)file)->disk;
  (void)flags;
  if (!disk) return SQLITE_OK;
  pthread_mutex_lock(&fault.lock);
  bool strikes = fault_strikes();
  for (fault_write *write = strikes ? NULL : disk->first; write; write = write->next)
    fault_apply(disk, write);
  if (!strikes) fault_forget(disk);
  pthread_mutex_unlock(&fault.lock);
  return strikes ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

#define FAULT_PASS(name, parameters, arguments)                                                              \
  static int fault_##name parameters {                                                                       \
    return fault_below(file)->pMethods->name(fault_below(file), arguments);                                  \
  }
#define FAULT_LIST(...) __VA_ARGS__
FAULT_PASS(xRead, (sqlite3_file *file, void *bytes, int size, sqlite3_int64 at), FAULT_LIST(bytes, size, at))
FAULT_PASS(xFileSize, (sqlite3_file *file, sqlite3_int64 *size), size)
FAULT_PASS(xLock, (sqlite3_file *file, int level), level)
FAULT_PASS(xUnlock, (sqlite3_file *file, int level), level)
FAULT_PASS(xCheckReservedLock, (sqlite3_file *file, int *out), out)
FAULT_PASS(xFileControl, (sqlite3_file *file, int what, void *argument), FAULT_LIST(what, argument))
FAULT_PASS(xShmMap, (sqlite3_file * file, int page, int size, int extend, void volatile **out),
           FAULT_LIST(page, size, extend, out))
FAULT_PASS(xShmLock, (sqlite3_file *file, int from, int count, int flags), FAULT_LIST(from, count, flags))
FAULT_PASS(xShmUnmap, (sqlite3_file *file, int remove), remove)
static int fault_xClose(sqlite3_file *file) { return fault_below(file)->pMethods->xClose(fault_below(file)); }
static int fault_xSectorSize(sqlite3_file *file) {
  return fault_below(file)->pMethods->xSectorSize(fault_below(file));
}
static int fault_xDeviceCharacteristics(sqlite3_file *file) {
  return fault_below(file)->pMethods->xDeviceCharacteristics(fault_below(file));
}
static void fault_xShmBarrier(sqlite3_file *file) {
  fault_below(file)->pMethods->xShmBarrier(fault_below(file));
}

static const sqlite3_io_methods fault_methods = {2,
                                                 fault_xClose,
                                                 fault_xRead,
                                                 fault_write_file,
                                                 fault_truncate,
                                                 fault_sync,
                                                 fault_xFileSize,
                                                 fault_xLock,
                                                 fault_xUnlock,
                                                 fault_xCheckReservedLock,
                                                 fault_xFileControl,
                                                 fault_xSectorSize,
                                                 fault_xDeviceCharacteristics,
                                                 fault_xShmMap,
                                                 fault_xShmLock,
                                                 fault_xShmBarrier,
                                                 fault_xShmUnmap,
                                                 NULL,
                                                 NULL};

/* The disk of a path, with the file's content at first; NULL: it is not watched. */
static fault_disk *fault_disk_of(const char *path) {
  if (!path || !fault.prefix[0] || strncmp(path, fault.prefix, strlen(fault.prefix)) != 0) return NULL;
  fault_disk *free_one = NULL;
  for (int i = FAULT_FILES - 1; i >= 0; i--) {
    if (strcmp(fault.disks[i].path, path) == 0) return &fault.disks[i];
    if (!fault.disks[i].path[0]) free_one = &fault.disks[i];
  }
  if (!free_one) return NULL;
  snprintf(free_one->path, sizeof free_one->path, "%s", path);
  FILE *file = fopen(path, "rb");
  if (!file) return free_one;
  fseek(file, 0, SEEK_END);
  free_one->length = ftell(file);
  free_one->bytes = malloc((size_t)free_one->length + 1);
  rewind(file);
  free_one->length = (sqlite3_int64)fread(free_one->bytes, 1, (size_t)free_one->length, file);
  fclose(file);
  return free_one;
}

static int fault_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out) {
  fault_file *made = (fault_file *)file;
  (void)vfs;
  memset(made, 0, sizeof *made);
  made->real = (sqlite3_file *)(void *)(made + 1);
  int result = fault_real->xOpen(fault_real, name, made->real, flags, out);
  if (result != SQLITE_OK) return result;
  made->base.pMethods = &fault_methods;
  pthread_mutex_lock(&fault.lock);
  made->disk = fault_disk_of(name);
  pthread_mutex_unlock(&fault.lock);
  return SQLITE_OK;
}

static int fault_delete(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs;
  pthread_mutex_lock(&fault.lock);
  fault_disk *disk = fault_disk_of(name);
  if (disk) {
    fault_forget(disk);
    disk->length = 0;
  }
  pthread_mutex_unlock(&fault.lock);
  return fault_real->xDelete(fault_real, name, sync);
}

/* From now on all files go through this; those whose path begins with `prefix` are
** watched, and nothing fails. */
static inline void fault_watch(const char *prefix) {
  if (!fault_real) {
    fault_real = sqlite3_vfs_find(NULL);
    fault_vfs = *fault_real;
    fault_vfs.zName = "fault";
    fault_vfs.szOsFile = (int)sizeof(fault_file) + fault_real->szOsFile;
    fault_vfs.xOpen = fault_open;
    fault_vfs.xDelete = fault_delete;
    sqlite3_vfs_register(&fault_vfs, 1);
  }
  pthread_mutex_lock(&fault.lock);
  for (int i = 0; i < FAULT_FILES; i++) {
    fault_forget(&fault.disks[i]);
    free(fault.disks[i].bytes);
    memset(&fault.disks[i], 0, sizeof fault.disks[i]);
  }
  snprintf(fault.prefix, sizeof fault.prefix, "%s", prefix);
  fault.operations = fault.from = fault.till = 0;
  pthread_mutex_unlock(&fault.lock);
}

/* After `after` more operations, `count` of them fail with `code`, SQLITE_FULL or another. */
static inline void fault_order(long after, long count, int code) {
  pthread_mutex_lock(&fault.lock);
  fault.from = fault.operations + after;
  fault.till = fault.from + count;
  fault.code = code;
  pthread_mutex_unlock(&fault.lock);
}

/* Write the content of a disk after a power cut now, to a file of the same name with `to` for the prefix. */
static inline bool fault_write_disk(const fault_disk *disk, const char *to, fault_kept kept) {
  char path[1100];
  fault_disk copy = {.length = disk->length};
  if (disk->length) memcpy(copy.bytes = malloc((size_t)disk->length), disk->bytes, (size_t)disk->length);
  for (const fault_write *write = disk->first; write; write = write->next)
    if (kept == FAULT_ALL || (kept == FAULT_SOME && fault_draw() % 2)) fault_apply(&copy, write);
  snprintf(path, sizeof path, "%s%s", to, disk->path + strlen(fault.prefix));
  FILE *file = fopen(path, "wb");
  bool good = file && fwrite(copy.bytes ? copy.bytes : (unsigned char *)"", 1, (size_t)copy.length, file) ==
                          (size_t)copy.length;
  if (file) fclose(file);
  free(copy.bytes);
  return good;
}

/* Cut the power now: write the content of the disks.  Return false when that failed. */
static inline bool fault_cut(const char *to, fault_kept kept) {
  bool good = true;
  pthread_mutex_lock(&fault.lock);
  for (int i = 0; i < FAULT_FILES; i++)
    if (fault.disks[i].path[0] && !strstr(fault.disks[i].path, "-shm"))
      good = fault_write_disk(&fault.disks[i], to, kept) && good;
  pthread_mutex_unlock(&fault.lock);
  return good;
}

#endif
