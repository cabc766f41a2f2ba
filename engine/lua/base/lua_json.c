/* Canonical JSON, for values that are stored or compared: fields in order of their names, numbers with the
** fewest digits that read back to the same bits, integers without a decimal point and floats with one. */
#include "lua/base/lua_json.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lua/lua_args.h"

#define ARRAY "brio.array"
#define TEXT "brio.text"

enum { JSON_DEPTH = 100 };

static void json_value(lua_State *L, brio_text *text, int depth);

/* __gc: free the bytes of a text. A text is in a userdata so that it is freed if an error is raised. */
static int collect_text(lua_State *L) {
  brio_text_end(luaL_checkudata(L, 1, TEXT));
  return 0;
}

/* Push a text that Lua frees. */
static brio_text *push_text(lua_State *L) {
  static const luaL_Reg none[] = {{NULL, NULL}};
  brio_text *text = lua_newuserdatauv(L, sizeof *text, 0);
  *text = (brio_text){0};
  if (luaL_getmetatable(L, TEXT) == LUA_TNIL) brio_lua_class(L, TEXT, none, collect_text);
  lua_pop(L, 1);
  luaL_setmetatable(L, TEXT);
  return text;
}

/* Whether the value at `index` has the metatable of store.array. The stack is unchanged. */
static bool marked_array(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  /* One shared metatable marks all arrays; the comparison is by identity. */
  luaL_getmetatable(L, ARRAY);
  bool marked = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return marked;
}

typedef struct json_key {
  const char *bytes;
  size_t length;
} json_key;

/* Order by bytes, as unsigned; a prefix comes before the longer key. Texts may contain zeros. */
static int compare_keys(const void *a, const void *b) {
  const json_key *x = a, *y = b;
  int order = memcmp(x->bytes, y->bytes, x->length < y->length ? x->length : y->length);
  return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Push a block with the sorted keys of the table at `index`, all of which must be texts. */
static json_key *push_sorted_keys(lua_State *L, int index, size_t *count) {
  /* First pass: check and count, so that the block has the right size. */
  *count = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      /* the type alone: a script's __tostring must not run here */
      luaL_error(L, "JSON: a table's keys must be all texts, or 1, 2, ... without holes; found a %s",
                 luaL_typename(L, -2));
    ++*count;
  }
  /* Second pass: the keys' bytes belong to the table, which is on the stack as long as the block. */
  json_key *keys = lua_newuserdatauv(L, (*count + 1) * sizeof *keys, 0);
  size_t n = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1), n++)
    keys[n].bytes = lua_tolstring(L, -2, &keys[n].length);
  qsort(keys, n, sizeof *keys, compare_keys);
  return keys;
}

/* Write the table at `index` as an object. Its fields are in the order of their names, so that equal tables
** give equal bytes. O(n log n). */
static void json_object(lua_State *L, brio_text *text, int index, int depth) {
  size_t count;
  const json_key *keys = push_sorted_keys(L, index, &count);
  brio_text_add(text, "{", 1);
  for (size_t i = 0; i < count; i++) {
    if (i) brio_text_add(text, ",", 1);
    brio_text_json(text, keys[i].bytes, keys[i].length);
    brio_text_add(text, ":", 1);
    /* Each value is looked up by its key: lua_next would visit them in the order of the hash. */
    lua_pushlstring(L, keys[i].bytes, keys[i].length);
    lua_rawget(L, index);
    json_value(L, text, depth);
    lua_pop(L, 1);
  }
  brio_text_add(text, "}", 1);
  lua_pop(L, 1);
}

/* Write the `length` items of the list at `index` as an array. */
static void json_array(lua_State *L, brio_text *text, int index, lua_Integer length, int depth) {
  brio_text_add(text, "[", 1);
  for (lua_Integer i = 1; i <= length; i++) {
    if (i > 1) brio_text_add(text, ",", 1);
    lua_rawgeti(L, index, i);
    json_value(L, text, depth);
    lua_pop(L, 1);
  }
  brio_text_add(text, "]", 1);
}

/* Write the table on top of the stack: as an array if it has items or is marked, else as an object. Raises
** on mixed tables, holes, and more than JSON_DEPTH levels. */
static void json_table(lua_State *L, brio_text *text, int depth) {
  int index = lua_gettop(L);
  lua_Integer length = (lua_Integer)lua_rawlen(L, index), count = 0;
  if (depth > JSON_DEPTH) luaL_error(L, "JSON: tables are nested more than %d deep: a cycle?", JSON_DEPTH);
  luaL_checkstack(L, 8, "JSON");
  /* An empty table is {}, unless store.array marked it. */
  if (length == 0 && !marked_array(L, index)) {
    json_object(L, text, index, depth);
    return;
  }
  /* A list has as many pairs as its length; a pair more is a named field, or an item beyond a hole. */
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) count++;
  if (count != length)
    luaL_error(L, "JSON: a table has both list items and named fields, or a list has holes");
  json_array(L, text, index, length, depth);
}

/* Write the number on top of the stack so that it reads back with the same bits and the same subtype. */
static void json_number(lua_State *L, brio_text *text) {
  if (lua_isinteger(L, -1)) {
    brio_text_format(text, "%lld", (long long)lua_tointeger(L, -1));
    return;
  }
  /* A float whose shortest form is a whole number gets ".0"; one with an exponent, and null, stay as they
  ** are. */
  size_t before = text->length;
  brio_text_number(text, lua_tonumber(L, -1));
  if (text->bytes && !strpbrk(text->bytes + before, ".en")) brio_text_add(text, ".0", 2);
}

/* Write the value on top of the stack; raise on values that JSON cannot represent. */
static void json_value(lua_State *L, brio_text *text, int depth) {
  size_t length;
  const char *bytes;
  switch (lua_type(L, -1)) {
    case LUA_TNIL: brio_text_add(text, "null", 4); break;
    case LUA_TBOOLEAN: brio_text_format(text, lua_toboolean(L, -1) ? "true" : "false"); break;
    case LUA_TNUMBER: json_number(L, text); break;
    case LUA_TSTRING:
      bytes = lua_tolstring(L, -1, &length);
      brio_text_json(text, bytes, length);
      break;
    case LUA_TTABLE: json_table(L, text, depth + 1); break;
    default:
      /* A NULL light userdata stands for null: Lua tables cannot hold nil. */
      if (lua_touserdata(L, -1) == NULL && lua_islightuserdata(L, -1)) brio_text_add(text, "null", 4);
      else luaL_error(L, "JSON cannot hold a %s", luaL_typename(L, -1));
  }
}

int brio_lua_json(lua_State *L) {
  luaL_checkany(L, 1);
  brio_text *text = push_text(L);
  /* The text is freed by the collector, also if a value below raises. */
  lua_pushvalue(L, 1);
  json_value(L, text, 0);
  if (text->failed) return luaL_error(L, "JSON: no memory");
  lua_pushlstring(L, text->bytes, text->length);
  return 1;
}

void brio_lua_json_mark(lua_State *L) {
  luaL_newmetatable(L, ARRAY);
  lua_setmetatable(L, -2);
}

int brio_lua_json_array(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  brio_lua_json_mark(L);
  return 1;
}
