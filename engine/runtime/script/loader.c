/* The loader's thread: wait for files, let Lua check them, hand over its results.
**
** Pointers pass through three rings, each with one writer and one reader: found (to the script thread),
** returned (back, to be freed here) and asked (from the script thread). All signals but those of its own
** watch are blocked in this thread, since they are meant for others. */
#include "runtime/script/loader.h"

#include <assert.h>
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/threads/lines.h"
#include "base/threads/ring.h"
#include "runtime/script/compiled.h"
#include "runtime/script/script.h"
#include "runtime/script/file_watch.h"

enum { MAX_WAITING = 64, MAX_FILES = 4096, NICENESS = 5 };

struct brio_loader {
  pthread_t thread;
  atomic_bool stopping;
  brio_file_watch *watch;
  brio_ring found, returned, asked;
  lua_CFunction core;
  char *path, *cpath, *module;
  brio_texts *settings; /* handed to the Lua object */
};

/* ---- lists of texts ---- */

/* Allocate a list for `count` texts of `bytes` bytes in all, its items still unset; NULL: no
** memory. */
static brio_texts *new_texts(int count, size_t bytes) {
  brio_texts *texts = malloc(sizeof *texts + (size_t)count * sizeof texts->items[0] + bytes);
  if (texts) texts->count = count;
  return texts;
}

/* Where the bytes of a list begin. */
static char *bytes_of(brio_texts *texts) { return (char *)&texts->items[texts->count]; }

/* Copy text i to *end, and move *end behind it. */
static void put_text(brio_texts *texts, int i, char **end, const char *bytes, size_t length) {
  assert(i >= 0 && i < texts->count);
  memcpy(*end, bytes, length);
  texts->items[i].bytes = *end;
  texts->items[i].length = length;
  *end += length;
}

/* A copy in one block of its own; NULL: no memory. */
static brio_texts *copy_texts(const brio_texts *from) {
  /* Lengths first, then one allocation. */
  size_t bytes = 0;
  for (int i = 0; i < from->count; i++) bytes += from->items[i].length;
  brio_texts *texts = new_texts(from->count, bytes);
  if (!texts) return NULL;
  char *end = bytes_of(texts);
  for (int i = 0; i < from->count; i++)
    put_text(texts, i, &end, from->items[i].bytes, from->items[i].length);
  return texts;
}

brio_texts *brio_texts_of(lua_State *L, int index) {
  size_t bytes = 0, length;
  index = lua_absindex(L, index);
  /* Two passes: the sum of lengths first, then the copy into one block. */
  int count = (int)lua_rawlen(L, index);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, index, i);
    lua_tolstring(L, -1, &length);
    /* What is neither text nor number counts as an empty text in both passes. */
    bytes += lua_isstring(L, -1) ? length : 0;
    lua_pop(L, 1);
  }
  /* One block: the items, then their bytes. */
  brio_texts *texts = new_texts(count, bytes);
  if (!texts) return NULL;
  char *end = bytes_of(texts);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, index, i);
    const char *text = lua_tolstring(L, -1, &length);
    put_text(texts, i - 1, &end, text ? text : "", text ? length : 0);
    lua_pop(L, 1);
  }
  return texts;
}

void brio_texts_push(lua_State *L, const brio_texts *texts) {
  lua_createtable(L, texts->count, 0);
  for (int i = 0; i < texts->count; i++) {
    lua_pushlstring(L, texts->items[i].bytes, texts->items[i].length);
    lua_rawseti(L, -2, i + 1);
  }
}

/* ---- the thread ---- */

/* Free all lists in a ring that this thread reads. */
static void free_all(brio_ring *ring) {
  brio_texts *texts;
  while (ring->records && brio_ring_get(ring, &texts)) free(texts);
}

/* Put a list into `found`.  While the script thread is slow, wait for room, until the loader stops. */
static void hand_over(brio_loader *loader, brio_texts *texts) {
  const struct timespec moment = {0, 2000000};
  /* The ring is full: wait 2 ms and try again. */
  while (texts && !brio_ring_put(&loader->found, &texts)) {
    if (atomic_load(&loader->stopping)) {
      free(texts);
      return;
    }
    nanosleep(&moment, NULL);
  }
}

/* Report a failure of the thread, or of a part of it: {"broken", sentence}. */
static void tell(brio_loader *loader, const char *sentence) {
  static const char kind[] = "broken";
  brio_texts *texts = new_texts(2, sizeof kind - 1 + strlen(sentence));
  if (!texts) return;
  char *end = bytes_of(texts);
  put_text(texts, 0, &end, kind, sizeof kind - 1);
  put_text(texts, 1, &end, sentence, strlen(sentence));
  hand_over(loader, texts);
}

/* Set a text field of the table on top. */
static void set_field(lua_State *L, const char *key, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

/* announce(list of texts): hand a list over at once, from within a call of the object. */
static int announce(lua_State *L) {
  brio_loader *loader = lua_touserdata(L, lua_upvalueindex(1));
  luaL_checktype(L, 1, LUA_TTABLE);
  hand_over(loader, brio_texts_of(L, 1));
  return 0;
}

/* Set up the state (run in protected mode): libraries, search paths, brio.core; leave
** module.new(settings, announce). */
static int open_state(lua_State *L) {
  brio_loader *loader = lua_touserdata(L, 1);
  /* Search paths as in the run's own state, the compiled library, and brio.core compiled in. */
  luaL_openlibs(L);
  brio_compiled_first(L);
  lua_getglobal(L, "package");
  set_field(L, "path", loader->path);
  set_field(L, "cpath", loader->cpath);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, loader->core);
  lua_setfield(L, -2, "brio.core");
  lua_getglobal(L, "require");
  lua_pushliteral(L, "brio.core");
  lua_call(L, 1, 0);
  /* The object that this thread steps: module.new(settings). */
  lua_getglobal(L, "require");
  lua_pushstring(L, loader->module);
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "new");
  brio_texts_push(L, loader->settings);
  lua_pushlightuserdata(L, loader);
  lua_pushcclosure(L, announce, 1);
  lua_call(L, 2, 1);
  return 1;
}

/* Watch the files in the list at `index`, MAX_FILES at most; items that are no text are ignored. */
static void watch_files(brio_loader *loader, lua_State *L, int index) {
  if (!lua_istable(L, index)) return;
  int count = (int)lua_rawlen(L, index);
  if (count > MAX_FILES) count = MAX_FILES;
  /* An array in userdata: Lua frees it whatever happens. */
  const char **files = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *files, 0);
  int kept = 0;
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, index, i); /* the list keeps the text */
    if (lua_type(L, -1) == LUA_TSTRING) files[kept++] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  /* After a failure, which is reported, some files are not watched. */
  brio_error err;
  if (!brio_file_watch_set(loader->watch, files, kept, &err)) tell(loader, err.message);
}

/* Call step(saved, request) of the object at 1, and hand over its results. Frees the request. Return the
** seconds until the next call; -1: only on a change. */
static double step(brio_loader *loader, lua_State *L, brio_texts *request) {
  /* step(self, time of the newest save, request or nil). */
  lua_settop(L, 1);
  lua_getfield(L, 1, "step");
  lua_pushvalue(L, 1);
  lua_pushnumber(L, brio_file_watch_saved(loader->watch));
  if (request) brio_texts_push(L, request);
  else lua_pushnil(L);
  free(request);
  if (!brio_script_call(L, 3, 3, 0)) { /* what it loads has budgets of its own */
    tell(loader, lua_tostring(L, -1));
    return -1;
  }
  /* Results: 2 the texts, 3 the files, 4 the seconds. */
  watch_files(loader, L, 3);
  if (lua_istable(L, 2)) hand_over(loader, brio_texts_of(L, 2));
  return lua_isnumber(L, 4) ? lua_tonumber(L, 4) : -1;
}

/* Call glance() of the object at 1 while a change settles. Return the seconds until the next step; -1: only
** when the change has settled. */
static double glance(brio_loader *loader, lua_State *L) {
  lua_settop(L, 1);
  lua_getfield(L, 1, "glance");
  lua_pushvalue(L, 1);
  if (!brio_script_call(L, 1, 1, 0)) {
    tell(loader, lua_tostring(L, -1));
    return -1;
  }
  return lua_isnumber(L, 2) ? lua_tonumber(L, 2) : -1;
}

/* Whether the object at 1 has a glance(). */
static bool has_glance(lua_State *L) {
  bool has = lua_getfield(L, 1, "glance") == LUA_TFUNCTION;
  lua_settop(L, 1);
  return has;
}

/* Wait for a change, a request, or `again` seconds; a change is glanced at while it settles. */
static void await_change(brio_loader *loader, lua_State *L, bool glances, double again) {
  if (!glances) {
    brio_file_watch_wait(loader->watch, again);
    return;
  }
  while (!atomic_load(&loader->stopping) && brio_file_watch_wait_early(loader->watch, again))
    again = glance(loader, L);
}

/* The thread's work until the loader stops: step, wait, step again. */
static void work(brio_loader *loader, lua_State *L) {
  bool glances = has_glance(L);
  double again = step(loader, L, NULL);
  while (!atomic_load(&loader->stopping)) {
    brio_texts *request = NULL;
    await_change(loader, L, glances, again);
    /* Memory is freed here, since the script thread must not. */
    free_all(&loader->returned);
    if (atomic_load(&loader->stopping)) break;
    if (!brio_ring_get(&loader->asked, &request)) request = NULL;
    again = step(loader, L, request);
    /* More requests wait: continue at once. */
    if (brio_ring_waiting(&loader->asked) > 0) again = 0;
  }
}

/* Yield to the tick: one step less of real-time priority, or a higher niceness. A refusal does not matter. */
static void step_back(void) {
  struct sched_param param;
  int policy;
  id_t own = (id_t)gettid(); /* on Linux niceness is a thread's own */
  /* A real-time priority stays at least 1; niceness counts in ordinary scheduling only. */
  if (pthread_getschedparam(pthread_self(), &policy, &param) == 0 && param.sched_priority > 1) {
    param.sched_priority--;
    pthread_setschedparam(pthread_self(), policy, &param);
  }
  setpriority(PRIO_PROCESS, own, getpriority(PRIO_PROCESS, own) + NICENESS);
}

/* The thread, with a Lua state of its own. */
static void *run(void *context) {
  brio_loader *loader = context;
  brio_error err;
  step_back();
  /* A state of its own: no memory is shared with the script thread. */
  lua_State *L = brio_script_open();
  if (!L) {
    tell(loader, "no memory for the loader: files are not watched");
    return NULL;
  }
  /* Without a watch files are still loaded, but a script that never ends would block the loader. */
  if (!brio_script_watch_start(&err)) tell(loader, err.message);
  /* Both in protected mode: an error is reported, and the thread ends. */
  lua_pushcfunction(L, open_state);
  lua_pushlightuserdata(L, loader);
  if (brio_script_call(L, 1, 1, 0)) work(loader, L);
  else tell(loader, lua_tostring(L, -1));
  lua_close(L);
  brio_script_watch_stop();
  return NULL;
}

/* ---- from the script thread ---- */

/* Free everything, after the thread has ended or was never started. */
static void free_loader(brio_loader *loader) {
  brio_ring *rings[] = {&loader->found, &loader->returned, &loader->asked};
  for (int i = 0; i < 3; i++) {
    /* Lists that are still in transit. */
    free_all(rings[i]);
    if (rings[i]->records) brio_ring_end(rings[i]);
  }
  brio_file_watch_free(loader->watch);
  free(loader->settings);
  free(loader->path);
  free(loader->cpath);
  free(loader->module);
  free(loader);
}

/* Copy the options; allocate the rings and the watch. False: free_loader frees what there is. */
static bool take_options(brio_loader *loader, const brio_loader_options *options, brio_error *err) {
  loader->core = options->core;
  loader->path = strdup(options->path);
  loader->cpath = strdup(options->cpath);
  loader->module = strdup(options->module);
  loader->settings = copy_texts(options->settings);
  if (!loader->path || !loader->cpath || !loader->module || !loader->settings ||
      !brio_ring_start(&loader->found, sizeof(brio_texts *), MAX_WAITING) ||
      /* `returned` has room for more lists than can be outside at once, so returning never fails. */
      !brio_ring_start(&loader->returned, sizeof(brio_texts *), 2 * MAX_WAITING) ||
      !brio_ring_start(&loader->asked, sizeof(brio_texts *), MAX_WAITING))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the loader");
  loader->watch = brio_file_watch_new(options->poll, err);
  return loader->watch != NULL;
}

/* Start the thread with signals blocked, except the real-time ones that its watch uses. */
static bool start_thread(brio_loader *loader, brio_error *err) {
  sigset_t blocked, before;
  /* Real-time signals stay open: the watch of scripts uses one. */
  sigfillset(&blocked);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) sigdelset(&blocked, signal);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  int failed = pthread_create(&loader->thread, NULL, run, loader);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return !failed || brio_fail(err, BRIO_LIMIT, "no thread to be had for the loader");
}

brio_loader *brio_loader_start(const brio_loader_options *options, brio_error *err) {
  brio_loader *loader = brio_lines_new(sizeof *loader);
  if (!loader) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the loader");
    return NULL;
  }
  if (take_options(loader, options, err) && start_thread(loader, err)) return loader;
  free_loader(loader);
  return NULL;
}

const brio_texts *brio_loader_take(brio_loader *loader) {
  const brio_texts *texts;
  return brio_ring_get(&loader->found, &texts) ? texts : NULL;
}

void brio_loader_return(brio_loader *loader, const brio_texts *texts) {
  brio_ring_put(&loader->returned, &texts); /* never full: see take_options */
}

bool brio_loader_ask(brio_loader *loader, brio_texts *request) {
  /* The request is the loader's from here on, also when it is refused. */
  bool kept = brio_ring_put(&loader->asked, &request);
  if (!kept) free(request);
  brio_file_watch_wake(loader->watch);
  return kept;
}

void brio_loader_stop(brio_loader *loader) {
  if (!loader) return;
  /* Wake the thread, so that it need not time out first. */
  atomic_store(&loader->stopping, true);
  brio_file_watch_wake(loader->watch);
  pthread_join(loader->thread, NULL);
  free_loader(loader);
}
