/* Drivers by name.  Those written in Lua are kept in the registry for the life of the process, since their
** devices may be open; an unchanged file is not loaded again. */
#include "lua/drivers/lua_driver.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "lua/lua_args.h"
#include "lua/lua_core.h"
#include "runtime/script/driver_script.h"

#define CLASS "brio.driver"
#define KEPT "brio.drivers" /* in the registry: {path .. digest = driver} */

/* __gc: free the driver; the box is empty when it could not be loaded. */
static int collect(lua_State *L) {
  brio_driver_script **script = lua_touserdata(L, 1);
  brio_driver_script_free(*script);
  *script = NULL;
  return 0;
}

/* Whether the name is a file of Lua: it ends in ".lua" and has more than that. */
static bool is_lua(const char *name) {
  size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".lua") == 0;
}

/* A path of the global `package`, for the driver's own Lua state; "" if it is absent. */
static const char *package_field(lua_State *L, const char *key) {
  lua_getglobal(L, "package");
  const char *text = brio_lua_field_text(L, -1, key, "");
  lua_pop(L, 1);
  return text; /* the table keeps it */
}

/* Push the key of a version of the file; false: it cannot be read. */
static bool push_key(lua_State *L, const char *file, brio_error *err) {
  /* The largest size of a driver's file, in bytes. */
  static const size_t most = 16 << 20;
  brio_text text = {0};
  if (!brio_text_read_file(&text, file, most, err)) {
    brio_text_end(&text);
    return false;
  }
  /* The key is the path and the content's digest: a changed file is another driver. */
  uint64_t digest = brio_hash_fold(BRIO_HASH_START, text.bytes ? text.bytes : "", text.length);
  brio_text_end(&text);
  lua_pushfstring(L, "%s %I", file, (LUAI_UACINT)digest);
  return true;
}

/* The driver in a Lua file, loaded when this version is not in the registry yet. The stack is unchanged;
** NULL and an error: the file cannot be read, or is not a driver. */
static const brio_driver_kind *find_file(lua_State *L, const char *file, brio_error *err) {
  static const luaL_Reg none[] = {{NULL, NULL}};
  int top = lua_gettop(L);
  luaL_checkstack(L, 8, "drivers");
  luaL_getsubtable(L, LUA_REGISTRYINDEX, KEPT);
  if (!push_key(L, file, err)) {
    lua_settop(L, top);
    return NULL;
  }
  /* The box goes into the table only after the driver was loaded: a failure is tried again next time. */
  lua_pushvalue(L, -1);
  if (lua_rawget(L, top + 1) == LUA_TNIL) {
    brio_driver_script_place place = {luaopen_brio_core, package_field(L, "path"), package_field(L, "cpath")};
    brio_driver_script **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    brio_lua_class(L, CLASS, none, collect);
    luaL_setmetatable(L, CLASS);
    *box = brio_driver_script_new(file, &place, err);
    if (*box) {
      lua_pushvalue(L, top + 2);
      lua_pushvalue(L, -2);
      lua_rawset(L, top + 1);
    }
  }
  /* Both ways leave a box on top: the one from the registry, or the new one, empty on failure. */
  brio_driver_script **box = lua_touserdata(L, -1);
  const brio_driver_kind *kind = *box ? brio_driver_script_kind(*box) : NULL;
  lua_settop(L, top);
  return kind;
}

const brio_driver_kind *brio_lua_driver_find(lua_State *L, const char *name, brio_error *err) {
  return is_lua(name) ? find_file(L, name, err) : brio_driver_find(name, err);
}
