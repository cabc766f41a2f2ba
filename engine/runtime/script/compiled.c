/* A searcher of `require` for the compiled modules.  The two folders belong to the process, since they are
** those of the program's file: states of threads find the same modules as that of the command. */
#include "runtime/script/compiled.h"

#include <assert.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char library[PATH_MAX], folder[PATH_MAX];

void brio_compiled_at(const char *of_library, const char *of_folder) {
  assert(strlen(of_library) < PATH_MAX && strlen(of_folder) < PATH_MAX);
  snprintf(library, sizeof library, "%s", of_library);
  snprintf(folder, sizeof folder, "%s", of_folder);
}

/* Whether two files are of one age: to two microseconds. A time that Lua sets is rounded as a double, then
** cut off to whole microseconds. */
static bool same_age(const char *one, const char *other) {
  struct stat a, b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         labs(a.st_mtim.tv_nsec - b.st_mtim.tv_nsec) < 2000;
}

/* Find a compiled module of the library (scripts/make/compile.lua). If its source has changed since, find
** nothing: the next searcher then loads the source. */
static int find_compiled(lua_State *L) {
  static const char *const forms[] = {"%s/%s.lua", "%s/%s/init.lua", NULL};
  const char *name = luaL_gsub(L, luaL_checkstring(L, 1), ".", "/");
  for (int i = 0; forms[i]; i++) {
    char source[PATH_MAX], compiled[PATH_MAX];
    snprintf(source, sizeof source, forms[i], library, name);
    /* The source must be there: it is the name in error messages, and its time is compared. */
    snprintf(compiled, sizeof compiled, forms[i], folder, name);
    if (access(source, R_OK) != 0) continue;
    /* No result means "not found here", and `require` tries the next searcher. */
    if (!same_age(source, compiled) || luaL_loadfilex(L, compiled, "b") != LUA_OK) return 0;
    /* `require` expects the chunk and the name of its file. */
    lua_pushstring(L, source);
    return 2;
  }
  return 0;
}

void brio_compiled_first(lua_State *L) {
  if (!folder[0]) return;
  /* table.insert(package.searchers, 2, find_compiled) */
  lua_getglobal(L, "table");
  lua_getfield(L, -1, "insert");
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "searchers");
  lua_remove(L, -2);
  lua_pushinteger(L, 2); /* behind those that are loaded from C */
  lua_pushcfunction(L, find_compiled);
  lua_call(L, 3, 0);
  lua_pop(L, 1);
}
