/* See place.h.  Of variables count numbers, texts, and true and false, and what plain tables hold of these, two deep, in
** whatever order; of a long text, its length and both ends; of what else there is, its type.  No address is looked
** at: it differs from run to run.  Only variables of the file
** whose line it is count, and what the script remembers (brio_script_remembers): who calls it may stand otherwise in a replay. */
#include "runtime/script/place.h"

#include <string.h>

#include "base/hash.h"

enum { MOST_LEVELS = 8, MOST_DEEP = 40, MOST_NAMES = 64, DEPTH = 2, MOST_ITEMS = 1000, LONG = 4096 };

static const char remembers = 0; /* its address is the registry's key */

static uint64_t fold(uint64_t digest, const void *bytes, size_t length) { return brio_hash_fold(digest, bytes, length); }

static uint64_t of_value(lua_State *L, int index, int depth);

static uint64_t of_text(uint64_t digest, const char *text, size_t length) {
  if (length <= LONG) return fold(digest, text, length);
  digest = fold(fold(digest, &length, sizeof length), text, LONG / 2);
  return fold(digest, text + length - LONG / 2, LONG / 2);
}

/* Items in any order. */
static uint64_t of_table(lua_State *L, int index, int depth) {
  uint64_t sum = 0;
  int left = MOST_ITEMS;
  if (depth == 0 || !lua_checkstack(L, 4)) return 0;
  index = lua_absindex(L, index);
  if (lua_rawlen(L, index) > MOST_ITEMS) return lua_rawlen(L, index);
  if (lua_getmetatable(L, index)) { /* an object of somebody's */
    lua_pop(L, 1);
    return 0;
  }
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    uint64_t key = of_value(L, -2, 0), value = of_value(L, -1, depth - 1);
    sum += fold(fold(BRIO_HASH_START, &key, sizeof key), &value, sizeof value);
    if (--left == 0) { /* in whatever order: what was seen of it says nothing */
      lua_pop(L, 2);
      return lua_rawlen(L, index);
    }
  }
  return sum;
}

static uint64_t of_value(lua_State *L, int index, int depth) {
  int type = lua_type(L, index);
  uint64_t digest = fold(BRIO_HASH_START, &type, sizeof type), inner;
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

/* Add the value on top, and pop it. */
static uint64_t add_top(lua_State *L, uint64_t digest) {
  uint64_t value = of_value(L, -1, DEPTH);
  lua_pop(L, 1);
  return fold(digest, &value, sizeof value);
}

static uint64_t of_level(lua_State *L, lua_Debug *ar, uint64_t digest) {
  lua_getinfo(L, "Slf", ar);
  digest = fold(digest, ar->short_src, strlen(ar->short_src));
  digest = fold(digest, &ar->currentline, sizeof ar->currentline);
  for (int i = 1; i < MOST_NAMES; i++) {
    const char *name = lua_getupvalue(L, -1, i);
    if (!name) break;
    if (strcmp(name, "_ENV") == 0) lua_pop(L, 1);
    else digest = add_top(L, digest);
  }
  lua_pop(L, 1);
  for (int i = 1; i < MOST_NAMES; i++) {
    const char *name = lua_getlocal(L, ar, i);
    if (!name) break;
    if (name[0] == '(') lua_pop(L, 1); /* of the machine's own */
    else digest = add_top(L, digest);
  }
  return digest;
}

uint64_t brio_script_line(lua_State *L, lua_Debug *ar) {
  lua_Debug level;
  int deep = 0;
  lua_getinfo(L, "Sl", ar);
  uint64_t digest = fold(BRIO_HASH_START, ar->short_src, strlen(ar->short_src));
  for (int i = 0; i < MOST_DEEP && lua_getstack(L, i, &level); i++) {
    lua_getinfo(L, "S", &level);
    deep += strcmp(level.short_src, ar->short_src) == 0;
  }
  digest = fold(digest, &ar->currentline, sizeof ar->currentline);
  return fold(digest, &deep, sizeof deep);
}

uint64_t brio_script_place(lua_State *L, lua_Debug *ar) {
  uint64_t digest = brio_script_line(L, ar);
  lua_Debug level;
  if (!lua_checkstack(L, 8)) return digest;
  for (int i = 0; i < MOST_LEVELS && lua_getstack(L, i, &level); i++) {
    lua_getinfo(L, "S", &level);
    if (strcmp(level.short_src, ar->short_src) == 0) digest = of_level(L, &level, digest);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &remembers);
  return add_top(L, digest);
}

void brio_script_remembers(lua_State *L) { lua_rawsetp(L, LUA_REGISTRYINDEX, &remembers); }
