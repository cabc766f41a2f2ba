/* The loader: a thread with a Lua state of its own that reads, compiles and checks changed files, so that the
** script thread only installs files that passed.
**
** A Lua module (lua/brio/run/checker.lua) decides about files and checks. Its arguments and results are lists
** of texts; results wait in a ring for the script thread. */
#ifndef BRIO_RUNTIME_SCRIPT_LOADER_H
#define BRIO_RUNTIME_SCRIPT_LOADER_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct brio_loader brio_loader;

/* A list of texts in one block of memory; a text may hold any bytes. */
typedef struct brio_texts {
  int count;
  struct {
    const char *bytes;
    size_t length;
  } items[];
} brio_texts;

/* Make a list with the texts at 1..#list of the Lua table at `index` (numbers count as texts); NULL:
** no memory.  Given back with free. */
brio_texts *brio_texts_of(lua_State *L, int index);

/* Push a list as a Lua table of texts.  May raise. */
void brio_texts_push(lua_State *L, const brio_texts *texts);

typedef struct brio_loader_options {
  lua_CFunction core;         /* opens the C modules: preloaded as brio.core */
  const char *path, *cpath;   /* package.path and package.cpath of the state; copied */
  const char *module;         /* has new(list of texts, announce) -> object; copied */
  const brio_texts *settings; /* what new gets; copied */
  bool poll;                  /* poll the files: see brio_file_watch_new */
} brio_loader_options;

/* Start the thread. It calls object:step(saved_at, request) when files changed and settled, at a request, and
** when the object wanted to be called again; `request` is a list of texts, or nil. A step returns a list of
** texts to hand over (nil: nothing), the list of files to watch, and in how many seconds to call again (nil:
** never). An object with glance() has it called, without arguments, as soon as files change, before they have
** settled: it may work ahead, and returns in how many seconds to call step (nil: when they have settled).
** Within either, announce(list of texts) hands a list over at once, without waiting for the call to return.
** When the thread itself fails it hands over {"broken", sentence}. Errors: no_memory, limit. */
brio_loader *brio_loader_start(const brio_loader_options *options, brio_error *err);

/* Script thread: get the oldest result; NULL: none.  It must be given back with brio_loader_return.  Neither
** allocates nor frees. */
const brio_texts *brio_loader_take(brio_loader *loader);
void brio_loader_return(brio_loader *loader, const brio_texts *texts);

/* Script thread: send a request; the loader frees `request`.  False: too many requests wait (`request` was
** freed). */
bool brio_loader_ask(brio_loader *loader, brio_texts *request);

/* End the thread and free everything.  NULL is allowed. */
void brio_loader_stop(brio_loader *loader);

#endif
