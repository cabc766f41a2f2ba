/* brio.loader: a thread that reads, compiles and checks changed files (runtime/script/loader.h). */
#include <stdlib.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/lua_core.h"
#include "runtime/script/loader.h"

#define CLASS "brio.loader"

/* The loader at argument 1; raises when it was closed. */
static brio_loader *loader_at(lua_State *L) { return brio_lua_box_check(L, 1, CLASS); }

/* loader:close()
** End the thread; may be called again. */
static int close_loader(lua_State *L) {
  brio_loader_stop(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* A path of the global `package`, for the thread's own Lua state; "" if it is absent. */
static const char *package_field(lua_State *L, const char *key) {
  lua_getglobal(L, "package");
  const char *text = brio_lua_field_text(L, -1, key, "");
  lua_pop(L, 1);
  return text; /* the table keeps it */
}

/* loader.start(module, settings [, poll]) -> loader | nil, sentence, code
** Start a thread with a Lua state of its own.  With `poll` it polls the files, for file systems without
** events.  The thread requires `module` and calls its new(settings, announce) with a list of texts and a
** function.  That returns an object; its step(saved_at, request) is called when files have changed: see
** runtime/script/loader.h. */
static int start(lua_State *L) {
  brio_error err;
  brio_loader_options options = {.core = luaopen_brio_core, .module = luaL_checkstring(L, 1)};
  luaL_checktype(L, 2, LUA_TTABLE);
  options.poll = lua_toboolean(L, 3);
  options.path = package_field(L, "path");
  options.cpath = package_field(L, "cpath");
  /* The box exists before the thread: an error in between leaks nothing. */
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  brio_texts *settings = brio_texts_of(L, 2);
  if (!settings) return luaL_error(L, "no memory for the loader's settings");
  options.settings = settings;
  box->thing = brio_loader_start(&options, &err);
  /* The loader has copied the settings. */
  free(settings);
  return box->thing ? 1 : brio_lua_failed(L, &err);
}

/* loader:take() -> list of texts | nil
** The oldest result of the thread. */
static int take(lua_State *L) {
  brio_loader *loader = loader_at(L);
  const brio_texts *texts = brio_loader_take(loader);
  if (!texts) return 0;
  /* The texts are copied to Lua, and their memory goes back to the thread. */
  brio_texts_push(L, texts);
  brio_loader_return(loader, texts);
  return 1;
}

/* loader:ask(request) -> asked
** Send the thread a request: a list of texts. False: too many requests wait. */
static int ask(lua_State *L) {
  brio_loader *loader = loader_at(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_texts *request = brio_texts_of(L, 2);
  /* The request belongs to the loader from here on, also if it is refused. */
  lua_pushboolean(L, request && brio_loader_ask(loader, request));
  return 1;
}

int luaopen_brio_loader(lua_State *L) {
  static const luaL_Reg methods[] = {{"take", take}, {"ask", ask}, {"close", close_loader}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"start", start}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, close_loader);
  luaL_newlib(L, functions);
  return 1;
}
