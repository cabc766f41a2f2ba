/* The Lua module brio.forms: rows that people make, such as answers to questionnaires, written to a run store
** at once.  Its tables are in store/forms.def. */
#include "store/forms.h"

#include <lauxlib.h>

#include "lua/lua_args.h"
#include "lua/store/lua_store.h"

#define FORMS "brio.forms"

typedef struct forms {
  brio_forms *forms; /* NULL: closed */
} forms;

/* The forms at argument 1; raises when they were closed. */
static brio_forms *check_forms(lua_State *L) {
  forms *f = luaL_checkudata(L, 1, FORMS);
  if (!f->forms) luaL_error(L, "the store was closed");
  return f->forms;
}

/* forms:close()
** Close; may be called again. */
static int close_forms(lua_State *L) {
  forms *f = luaL_checkudata(L, 1, FORMS);
  brio_forms_close(f->forms);
  f->forms = NULL;
  return 0;
}

/* Put the row at `index`. */
static bool put_row(lua_State *L, brio_forms *f, int table, int index, int64_t *id, brio_error *err) {
  brio_value values[BRIO_LUA_STORE_COLUMNS];
  int top = lua_gettop(L);
  /* The row's values refer to texts on the stack, which stay until the row is written. */
  int count = brio_lua_store_row(L, &brio_forms_tables[table], index, values);
  bool good = brio_forms_put(f, table, values, count, id, err);
  lua_settop(L, top);
  return good;
}

/* Put the rows of the list at argument 3, all or none. */
static bool put_list(lua_State *L, brio_forms *f, int table, int64_t *id, brio_error *err) {
  lua_Integer count = (lua_Integer)lua_rawlen(L, 3);
  for (lua_Integer i = 1; i <= count; i++) { /* an error must not leave a transaction open */
    brio_value values[BRIO_LUA_STORE_COLUMNS];
    lua_rawgeti(L, 3, i);
    brio_lua_store_row(L, &brio_forms_tables[table], lua_gettop(L), values);
    lua_settop(L, 3);
  }
  /* The rows are known to be good now: only the store can fail. */
  bool good = brio_forms_begin(f, err);
  for (lua_Integer i = 1; good && i <= count; i++) {
    lua_rawgeti(L, 3, i);
    good = put_row(L, f, table, lua_gettop(L), id, err);
    lua_settop(L, 3);
  }
  return good && brio_forms_commit(f, err);
}

/* forms:put(table, {column = value, ...} | {row, ...}) -> id | nil, sentence, code
** Put a row, or a list of rows, all or none; missing columns are null. It is on the disk when
** this returns. The id is that of the last row. */
static int put(lua_State *L) {
  brio_error err = {0};
  int64_t id = 0;
  brio_forms *f = check_forms(L);
  int table = brio_lua_store_table(L, brio_forms_tables);
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  /* A list of rows has a table at 1; a row has no such field. */
  bool list = lua_rawgeti(L, 3, 1) == LUA_TTABLE;
  lua_settop(L, 3);
  bool good = list ? put_list(L, f, table, &id, &err) : put_row(L, f, table, 3, &id, &err);
  if (!good) return brio_lua_failed(L, &err);
  lua_pushinteger(L, id);
  return 1;
}

/* forms.open(path) -> forms | nil, sentence, code
** Open or create a run store for such rows. Runs may be recorded in it meanwhile. */
static int open_forms(lua_State *L) {
  brio_error err = {0};
  const char *path = luaL_checkstring(L, 1);
  /* The userdata exists before the store is opened, so that nothing leaks. */
  forms *f = lua_newuserdatauv(L, sizeof *f, 0);
  f->forms = NULL;
  luaL_setmetatable(L, FORMS);
  f->forms = brio_forms_open(path, &err);
  return f->forms ? 1 : brio_lua_failed(L, &err);
}

int luaopen_brio_forms(lua_State *L) {
  static const luaL_Reg of_forms[] = {{"put", put}, {"close", close_forms}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"open", open_forms}, {NULL, NULL}};
  brio_lua_class(L, FORMS, of_forms, close_forms);
  luaL_newlib(L, functions);
  return 1;
}
