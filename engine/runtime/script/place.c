/* See place.h. A digest covers numbers, texts and booleans in variables, and those in plain tables two
** levels deep, in any order; of a long text its length and both ends; of other values only the type.
** Addresses differ from run to run, so none is used. Only variables of the cut line's file count, and the
** value of brio_script_remembers: callers in other files may differ in a replay. */
#include "runtime/script/place.h"

#include <string.h>

#include "base/hash.h"

enum { MAX_LEVELS = 8, MAX_DEPTH = 40, MAX_NAMES = 64, DEPTH = 2, MAX_ITEMS = 1000, LONG = 4096 };

static const char remembers = 0; /* only its address counts: a key of the registry */

static uint64_t fold(uint64_t digest, const void *bytes, size_t length) {
  return brio_hash_fold(digest, bytes, length);
}

static uint64_t of_value(lua_State *L, int index, int depth);

/* Digest of a text: all of it, or the ends of a long one.  O(LONG). */
static uint64_t of_text(uint64_t digest, const char *text, size_t length) {
  if (length <= LONG) return fold(digest, text, length);
  digest = fold(fold(digest, &length, sizeof length), text, LONG / 2);
  return fold(digest, text + length - LONG / 2, LONG / 2);
}

/* Digest of a table: a sum over its items, which does not depend on their order.  Large tables
** count by their length alone; objects (with a metatable) not at all. */
static uint64_t of_table(lua_State *L, int index, int depth) {
  uint64_t sum = 0;
  int left = MAX_ITEMS;
  if (depth == 0 || !lua_checkstack(L, 4)) return 0;
  index = lua_absindex(L, index);
  /* A long list counts by its length, without being read. */
  if (lua_rawlen(L, index) > MAX_ITEMS) return lua_rawlen(L, index);
  if (lua_getmetatable(L, index)) { /* an object with behavior of its own */
    lua_pop(L, 1);
    return 0;
  }
  /* lua_next does not call code, unlike pairs. */
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    /* The key's own digest, and the value's one level deeper. */
    uint64_t key = of_value(L, -2, 0), value = of_value(L, -1, depth - 1);
    sum += fold(fold(BRIO_HASH_START, &key, sizeof key), &value, sizeof value);
    if (--left == 0) { /* cut off: the order is not defined, so what was seen does not count */
      lua_pop(L, 2);
      return lua_rawlen(L, index);
    }
  }
  return sum;
}

/* Digest of a value; the type is part of it, so that 0, "" and false differ. */
static uint64_t of_value(lua_State *L, int index, int depth) {
  int type = lua_type(L, index);
  uint64_t digest = fold(BRIO_HASH_START, &type, sizeof type), inner;
  /* Only values that are equal in every run. */
  if (type == LUA_TBOOLEAN) {
    int flag = lua_toboolean(L, index);
    return fold(digest, &flag, sizeof flag);
  }
  if (type == LUA_TNUMBER) {
    double number = lua_tonumber(L, index);
    return fold(digest, &number, sizeof number);
  }
  if (type == LUA_TSTRING) return of_text(digest, lua_tostring(L, index), lua_rawlen(L, index));
  if (type != LUA_TTABLE) return digest;
  inner = of_table(L, index, depth);
  return fold(digest, &inner, sizeof inner);
}

/* Fold the value on top into the digest, and pop it. */
static uint64_t add_top(lua_State *L, uint64_t digest) {
  uint64_t value = of_value(L, -1, DEPTH);
  lua_pop(L, 1);
  return fold(digest, &value, sizeof value);
}

/* Digest of one level of the call stack: its line, its upvalues, its local variables. */
static uint64_t of_level(lua_State *L, lua_Debug *ar, uint64_t digest) {
  lua_getinfo(L, "Slf", ar);
  digest = fold(digest, ar->short_src, strlen(ar->short_src));
  digest = fold(digest, &ar->currentline, sizeof ar->currentline);
  /* Upvalues: the global table is not the script's own. */
  for (int i = 1; i < MAX_NAMES; i++) {
    const char *name = lua_getupvalue(L, -1, i);
    if (!name) break;
    if (strcmp(name, "_ENV") == 0) lua_pop(L, 1);
    else digest = add_top(L, digest);
  }
  lua_pop(L, 1);
  /* Local variables; those in parentheses are Lua's temporaries. */
  for (int i = 1; i < MAX_NAMES; i++) {
    const char *name = lua_getlocal(L, ar, i);
    if (!name) break;
    if (name[0] == '(') lua_pop(L, 1); /* Lua's own */
    else digest = add_top(L, digest);
  }
  return digest;
}

/* The line's digest: file, line, and how many frames of that file are on the stack, which distinguishes
** recursion levels. */
uint64_t brio_script_line(lua_State *L, lua_Debug *ar) {
  lua_Debug level;
  int deep = 0;
  lua_getinfo(L, "Sl", ar);
  uint64_t digest = fold(BRIO_HASH_START, ar->short_src, strlen(ar->short_src));
  /* Frames of the same file, up to MAX_DEPTH. */
  for (int i = 0; i < MAX_DEPTH && lua_getstack(L, i, &level); i++) {
    lua_getinfo(L, "S", &level);
    deep += strcmp(level.short_src, ar->short_src) == 0;
  }
  digest = fold(digest, &ar->currentline, sizeof ar->currentline);
  return fold(digest, &deep, sizeof deep);
}

uint64_t brio_script_place(lua_State *L, lua_Debug *ar) {
  uint64_t digest = brio_script_line(L, ar);
  lua_Debug level;
  /* Without room on the stack the line alone must do. */
  if (!lua_checkstack(L, 8)) return digest;
  for (int i = 0; i < MAX_LEVELS && lua_getstack(L, i, &level); i++) {
    lua_getinfo(L, "S", &level);
    if (strcmp(level.short_src, ar->short_src) == 0) digest = of_level(L, &level, digest);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &remembers);
  return add_top(L, digest);
}

void brio_script_remembers(lua_State *L) { lua_rawsetp(L, LUA_REGISTRYINDEX, &remembers); }
