/* Watching files: libuv's directory events, and a regular comparison of the files' state.
**
** Events are only hints. What counts is the state of the files, which is read when a change has settled, so
** that no change is reported twice. Events of other files in the same folder (a growing store) are skipped
** by name. One thread, but for brio_file_watch_wake. */
#include "runtime/script/file_watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <uv.h>

#include "base/clock.h"

enum {
  SETTLE_MS = 10,     /* without changes for this long, a save is complete */
  MAX_MS = 300,   /* what never settles is examined after this time */
  POLL_MS = 250,      /* interval of comparison, for missed events */
  SILENT_MS = 20,     /* the same on file systems without events */
};

/* File systems without events for writes of other hosts, by the magic numbers of statfs(2). */
static const unsigned long silent_systems[] = {
    0x6969 /* NFS */,        0x517b /* SMB */,      0xff534d42 /* CIFS */, 0xfe534d42 /* SMB2 */,
    0x65735546 /* FUSE */,   0x01021997 /* 9p */,   0x5346414f /* AFS */,  0x00c36400 /* Ceph */,
    0x786f4256 /* vboxsf */, 0x47504653 /* GPFS */, 0x0bd00bd0 /* Lustre */};

/* The state of a file that shows a change; all 0: it did not exist. */
typedef struct signature {
  struct timespec written;
  off_t size;
  ino_t inode;
  dev_t device;
} signature;

/* A watched file, and its state when it was last compared. */
typedef struct watched_file {
  char *path;
  const char *name; /* last part of path */
  char *target;     /* the path its link leads to; NULL: it is no link */
  signature seen;
} watched_file;

/* A watched folder.  It is freed when libuv has closed its handle, not before. */
typedef struct folder {
  uv_fs_event_t handle;
  char *path;
} folder;

struct brio_file_watch {
  uv_loop_t loop;
  uv_async_t wake;
  uv_timer_t settle, look, limit;
  watched_file *files;
  folder **folders;
  int nfile, nfolder;
  uint64_t began; /* ms of the loop: start of the change that is settling; 0: none */
  double saved;
  bool settled, woken, over;
  bool early, begun; /* this wait ends when a change begins; one did */
  bool poll;       /* by request: no events are used */
};

/* The present state of a file; all 0: it does not exist. */
static signature look(const char *path) {
  struct stat now;
  signature found = {0};
  if (stat(path, &now) == 0) found = (signature){now.st_mtim, now.st_size, now.st_ino, now.st_dev};
  return found;
}

/* Whether two states are equal: modification time, size and identity. */
static bool same(const signature *a, const signature *b) {
  return a->written.tv_sec == b->written.tv_sec && a->written.tv_nsec == b->written.tv_nsec &&
         a->size == b->size && a->inode == b->inode && a->device == b->device;
}

/* Age of a file's time stamp, s. */
static double since(const struct timespec *then) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

/* Read the state of all files. Return whether any changed, and record when the youngest was saved.
** O(files). */
static bool take_state(brio_file_watch *watch) {
  bool changed = false;
  double youngest = -1;
  for (int i = 0; i < watch->nfile; i++) {
    signature now = look(watch->files[i].path);
    if (same(&now, &watch->files[i].seen)) continue;
    /* A file that vanished has no age; nor has one from the future (another host's clock). */
    double age = since(&now.written);
    if (now.inode && age >= 0 && (youngest < 0 || age < youngest)) youngest = age;
    watch->files[i].seen = now;
    changed = true;
  }
  /* Converted to the monotonic clock, which the caller uses. */
  if (changed) watch->saved = (double)brio_clock_monotonic() * 1e-9 - (youngest < 0 ? 0 : youngest);
  return changed;
}

/* End the wait for this reason: leave the loop before it sleeps until its next timer. */
static void end_wait(brio_file_watch *watch, bool *why) {
  *why = true;
  uv_stop(&watch->loop);
}

/* The files were left alone for SETTLE_MS: compare them. */
static void on_settled(uv_timer_t *timer) {
  brio_file_watch *watch = timer->data;
  watch->began = 0;
  if (take_state(watch)) end_wait(watch, &watch->settled);
}

/* A file was touched: (re)start the time to settle, unless changes have gone on for MAX_MS. */
static void touched(brio_file_watch *watch) {
  uint64_t now = uv_now(&watch->loop);
  if (watch->began && now - watch->began > MAX_MS) return;
  /* The first event of a change. */
  if (!watch->began) {
    watch->began = now;
    if (watch->early) end_wait(watch, &watch->begun);
  }
  uv_timer_start(&watch->settle, on_settled, SETTLE_MS, 0);
}

/* The name of a file without its folder. */
static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Whether an event's name is that of a file or of the file its link leads to. */
static bool is_named(const watched_file *file, const char *name) {
  return strcmp(name, file->name) == 0 || (file->target && strcmp(name, last_part(file->target)) == 0);
}

/* An event in a watched folder; without a name it may concern any file. O(files). */
static void on_event(uv_fs_event_t *handle, const char *name, int events, int status) {
  brio_file_watch *watch = handle->loop->data;
  (void)events;
  (void)status;
  /* The first file of that name suffices: all are compared when it settles. */
  for (int i = 0; i < watch->nfile; i++) {
    if (name && !is_named(&watch->files[i], name)) continue;
    touched(watch);
    return;
  }
}

/* Watch every folder, from the start: a folder that was removed and created again is another one. */
static void start_listening(brio_file_watch *watch) {
  if (watch->poll) return;
  for (int i = 0; i < watch->nfolder; i++) {
    uv_fs_event_stop(&watch->folders[i]->handle);
    uv_fs_event_start(&watch->folders[i]->handle, on_event, watch->folders[i]->path, 0);
  }
}

/* Regular comparison, for what caused no event. */
static void on_poll(uv_timer_t *timer) {
  brio_file_watch *watch = timer->data;
  /* The first difference suffices: all files are compared when it settles. */
  for (int i = 0; i < watch->nfile; i++) {
    signature now = look(watch->files[i].path);
    if (same(&now, &watch->files[i].seen)) continue;
    if (!watch->began) start_listening(watch); /* no event came: the watch may be dead */
    touched(watch);
    return;
  }
}

/* brio_file_watch_wake was called, from any thread: end the wait. */
static void on_wake(uv_async_t *handle) {
  brio_file_watch *watch = handle->data;
  end_wait(watch, &watch->woken);
}

/* The wait has lasted as long as it may. */
static void on_limit(uv_timer_t *timer) {
  brio_file_watch *watch = timer->data;
  end_wait(watch, &watch->over);
}

/* Initialize a timer of the watch's loop; it finds its watch in `data`. */
static void start_timer(brio_file_watch *watch, uv_timer_t *timer) {
  uv_timer_init(&watch->loop, timer);
  timer->data = watch;
}

/* (Re)start the regular comparison, every `ms` milliseconds. */
static void look_every(brio_file_watch *watch, uint64_t ms) { uv_timer_start(&watch->look, on_poll, ms, ms); }

brio_file_watch *brio_file_watch_new(bool poll, brio_error *err) {
  brio_file_watch *watch = calloc(1, sizeof *watch);
  if (!watch) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory to watch files");
    return NULL;
  }
  /* Undone in reverse order on failure. */
  if (uv_loop_init(&watch->loop) != 0) {
    brio_fail(err, BRIO_LIMIT, "no event loop to be had to watch files");
    free(watch);
    return NULL;
  }
  watch->loop.data = watch;
  /* From here on another thread may wake the loop. */
  if (uv_async_init(&watch->loop, &watch->wake, on_wake) != 0) {
    brio_fail(err, BRIO_LIMIT, "the file watcher cannot start: no more handles");
    uv_loop_close(&watch->loop);
    free(watch);
    return NULL;
  }
  watch->wake.data = watch;
  /* Timers of a change that settles, of the wait, and of the comparison. */
  start_timer(watch, &watch->settle);
  start_timer(watch, &watch->limit);
  start_timer(watch, &watch->look);
  watch->poll = poll;
  look_every(watch, poll ? SILENT_MS : POLL_MS);
  return watch;
}

/* libuv has closed the handle: free the folder. */
static void on_folder_closed(uv_handle_t *handle) {
  folder *closed = handle->data;
  free(closed->path);
  free(closed);
}

/* Free a list of files. */
static void free_files(watched_file *files, int count) {
  for (int i = 0; i < count; i++) {
    free(files[i].path);
    free(files[i].target);
  }
  free(files);
}

/* Close all folders' handles; libuv frees them in on_folder_closed. */
static void forget_folders(brio_file_watch *watch) {
  for (int i = 0; i < watch->nfolder; i++)
    uv_close((uv_handle_t *)&watch->folders[i]->handle, on_folder_closed);
  free(watch->folders);
  watch->folders = NULL;
  watch->nfolder = 0;
}

/* Close a handle, once. */
static void close_handle(uv_handle_t *handle, void *context) {
  (void)context;
  if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

void brio_file_watch_free(brio_file_watch *watch) {
  if (!watch) return;
  free_files(watch->files, watch->nfile);
  forget_folders(watch);
  uv_walk(&watch->loop, close_handle, NULL);
  /* Run until every close callback has been called. */
  while (uv_run(&watch->loop, UV_RUN_DEFAULT) != 0) {}
  uv_loop_close(&watch->loop);
  free(watch);
}

/* The folder of a path, freed by the caller; NULL: no memory. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* Add the folder of a path, unless it is there already. False: no memory. O(folders). */
static bool add_folder(brio_file_watch *watch, const char *path) {
  char *name = folder_of(path);
  for (int i = 0; name && i < watch->nfolder; i++) {
    if (strcmp(watch->folders[i]->path, name) != 0) continue;
    free(name);
    return true;
  }
  /* The caller's array has room for two folders per file. */
  folder *added = name ? calloc(1, sizeof *added) : NULL;
  if (!added) {
    free(name);
    return false;
  }
  added->path = name;
  uv_fs_event_init(&watch->loop, &added->handle);
  added->handle.data = added;
  watch->folders[watch->nfolder++] = added;
  return true;
}

/* Add a file. A new one has no known state, so it counts as changed and is examined once. False: no
** memory. */
static bool add_file(brio_file_watch *watch, const char *path, const watched_file *known, int nknown) {
  watched_file *file = &watch->files[watch->nfile];
  file->path = strdup(path);
  if (!file->path) return false;
  watch->nfile++;
  file->name = last_part(file->path);
  /* A file that was watched before keeps its state: a change between two lists is not lost. */
  for (int i = 0; i < nknown; i++)
    if (strcmp(known[i].path, path) == 0) file->seen = known[i].seen;
  struct stat own;
  /* A link: saves may happen in the folder that it leads to. */
  bool linked = lstat(path, &own) == 0 && S_ISLNK(own.st_mode);
  file->target = linked ? realpath(path, NULL) : NULL;
  return add_folder(watch, path) && (!file->target || add_folder(watch, file->target));
}

/* Whether any folder is on a file system without events. */
static bool any_silent(const brio_file_watch *watch) {
  struct statfs system;
  for (int i = 0; i < watch->nfolder; i++) {
    /* f_type is signed on some machines: compare its low 32 bits. */
    if (statfs(watch->folders[i]->path, &system) != 0) continue;
    for (size_t k = 0; k < sizeof silent_systems / sizeof *silent_systems; k++)
      if (((unsigned long)system.f_type & 0xffffffff) == silent_systems[k]) return true;
  }
  return false;
}

/* Whether a link leads elsewhere than when it was added. */
static bool was_turned(const watched_file *file) {
  struct stat own;
  bool linked = lstat(file->path, &own) == 0 && S_ISLNK(own.st_mode);
  char *target = linked ? realpath(file->path, NULL) : NULL;
  bool same = target && file->target ? strcmp(target, file->target) == 0 : !target && !file->target;
  free(target);
  return !same;
}

/* Whether exactly these files are watched already, in this order. */
static bool already(const brio_file_watch *watch, const char *const *files, int count) {
  if (count != watch->nfile) return false;
  for (int i = 0; i < count; i++)
    if (strcmp(files[i], watch->files[i].path) != 0 || was_turned(&watch->files[i])) return false;
  return true;
}

bool brio_file_watch_set(brio_file_watch *watch, const char *const *files, int count, brio_error *err) {
  if (already(watch, files, count)) return true;
  watched_file *known = watch->files;
  int nknown = watch->nfile;
  /* The old list is kept until known states were copied from it. */
  forget_folders(watch);
  watch->nfile = 0;
  watch->files = calloc((size_t)count + 1, sizeof *watch->files);
  /* Two folders per file at most: its own, and that of a link's target. */
  watch->folders = calloc(2 * (size_t)count + 1, sizeof *watch->folders);
  bool good = watch->files && watch->folders;
  for (int i = 0; good && i < count; i++) good = add_file(watch, files[i], known, nknown);
  free_files(known, nknown);
  start_listening(watch);
  look_every(watch, watch->poll || any_silent(watch) ? SILENT_MS : POLL_MS);
  return good || brio_fail(err, BRIO_NO_MEMORY, "no memory to watch %d files", count);
}

/* Whether the wait may end. */
static bool is_over(const brio_file_watch *watch) {
  return watch->settled || watch->woken || watch->over || watch->begun;
}

/* A change settled while the caller worked: process the events of that time first, since libuv serves
** timers before events. */
static void catch_up(brio_file_watch *watch) {
  uv_update_time(&watch->loop);
  if (watch->began && uv_timer_get_due_in(&watch->settle) == 0)
    uv_timer_start(&watch->settle, on_settled, 1, 0);
}

void brio_file_watch_wait(brio_file_watch *watch, double seconds) {
  watch->over = watch->begun = false;
  catch_up(watch);
  /* 0.5: round to milliseconds. */
  if (seconds >= 0) uv_timer_start(&watch->limit, on_limit, (uint64_t)(seconds * 1e3 + 0.5), 0);
  /* One event at a time, until one of them ends the wait. */
  while (!is_over(watch)) uv_run(&watch->loop, UV_RUN_ONCE);
  uv_timer_stop(&watch->limit);
  watch->begun = watch->begun && !watch->settled && !watch->woken;
  watch->settled = watch->woken = false;
}

bool brio_file_watch_wait_early(brio_file_watch *watch, double seconds) {
  watch->early = true;
  brio_file_watch_wait(watch, seconds);
  watch->early = false;
  return watch->begun;
}

double brio_file_watch_saved(const brio_file_watch *watch) { return watch->saved; }

void brio_file_watch_wake(brio_file_watch *watch) { uv_async_send(&watch->wake); }
