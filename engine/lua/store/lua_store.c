/* The Lua module brio.store: queries of a run store in SQL, recording, and exact JSON.
** A database is a connection that cannot write; numbers come out as SQLite has them, whole
** ones as integers, and a null as an absent field. */
#include "lua/store/lua_store.h"

#include <lauxlib.h>

#include "base/hash.h"
#include "lua/base/lua_json.h"
#include "lua/lua_args.h"
#include "store/backup.h"
#include "store/migrate.h"
#include "store/reader.h"
#include "store/recording/process.h"
#include "store/search.h"

#define DATABASE "brio.database"
#define ROWS "brio.rows"

/* store.hash(text) -> text
** SHA-256 as 64 hex digits: the store's key of a version. */
static int hash(lua_State *L) {
  size_t length;
  const char *bytes = luaL_checklstring(L, 1, &length);
  char hex[65];
  brio_hash_sha256(bytes, length, hex);
  lua_pushstring(L, hex);
  return 1;
}

/* store.ended(process) -> ended
** Whether the process that recorded a run (column `process`) has certainly ended. */
static int ended(lua_State *L) {
  lua_pushboolean(L, brio_process_ended(luaL_optstring(L, 1, NULL)));
  return 1;
}

/* store.process() -> name
** The name of this process on this machine, for a later store.ended. */
static int process(lua_State *L) {
  char name[BRIO_PROCESS_SIZE];
  brio_process_self(name);
  lua_pushstring(L, name);
  return 1;
}

/* ---- queries ---- */

/* A database stays open until it is closed and its last query is freed. */
typedef struct database {
  brio_db *db;
  int queries;
  bool closed;
  bool writes; /* its statements may change the store */
} database;

typedef struct rows {
  brio_query *query; /* NULL: ended */
  database *of;      /* kept alive by user value 1 */
} rows;

static void close_if_unused(database *d) {
  if (!d->closed || d->queries > 0) return;
  brio_db_close(d->db);
  d->db = NULL;
}

static void end_rows(rows *r) {
  if (!r->query) return;
  brio_query_end(r->query);
  r->query = NULL;
  r->of->queries--;
  close_if_unused(r->of);
}

static int collect_rows(lua_State *L) {
  end_rows(luaL_checkudata(L, 1, ROWS));
  return 0;
}

static database *check_database(lua_State *L) {
  database *d = luaL_checkudata(L, 1, DATABASE);
  if (d->closed) luaL_error(L, "the database was closed");
  return d;
}

brio_value brio_lua_store_value(lua_State *L, int index, const char *what) {
  brio_value value = {.type = BRIO_VALUE_TEXT};
  int type = lua_type(L, index);
  if (type == LUA_TNIL || type == LUA_TNONE || (type == LUA_TLIGHTUSERDATA && !lua_touserdata(L, index)))
    return brio_value_null();
  if (type == LUA_TBOOLEAN) return brio_value_integer(lua_toboolean(L, index));
  if (type == LUA_TNUMBER)
    return lua_isinteger(L, index) ? brio_value_integer(lua_tointeger(L, index))
                                   : brio_value_real(lua_tonumber(L, index));
  if (type != LUA_TSTRING)
    luaL_error(L, "%s must be a text, a number, true, false or nil, not a %s", what, luaL_typename(L, index));
  value.as.text.bytes = lua_tolstring(L, index, &value.as.text.length);
  return value;
}

static void push_value(lua_State *L, brio_value value) {
  switch (value.type) {
    case BRIO_VALUE_INTEGER: lua_pushinteger(L, value.as.integer); break;
    case BRIO_VALUE_REAL: lua_pushnumber(L, value.as.real); break;
    case BRIO_VALUE_TEXT: lua_pushlstring(L, value.as.text.bytes, value.as.text.length); break;
    default: lua_pushnil(L);
  }
}

/* Bind the table at `index`: items to ?1, ?2, ..., fields to :name, @name, $name. */
static void bind_table(lua_State *L, brio_query *query, int index) {
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    int number = name ? brio_query_parameter(query, name) : (int)lua_tointeger(L, -2);
    brio_value value = brio_lua_store_value(L, -1, name ? name : "a parameter");
    if (number < 1 || number > brio_query_parameters(query) || !brio_query_bind(query, number, &value))
      luaL_error(L, "the SQL has no parameter %s", luaL_tolstring(L, -2, NULL));
  }
}

/* Push the rows of the SQL at argument 2 with the parameters after it; return NULL, having pushed nil,
** sentence and code, on an error. */
static rows *push_rows(lua_State *L) {
  size_t length;
  brio_error err = {0};
  database *d = check_database(L);
  const char *sql = luaL_checklstring(L, 2, &length);
  int last = lua_gettop(L);
  rows *r = lua_newuserdatauv(L, sizeof *r, 3);
  *r = (rows){NULL, d};
  luaL_setmetatable(L, ROWS);
  r->query = d->writes ? brio_db_prepare(d->db, sql, (int)length, &err)
                       : brio_reader_prepare(d->db, sql, (int)length, &err);
  if (!r->query) {
    brio_lua_failed(L, &err);
    return NULL;
  }
  d->queries++;
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  if (last == 3 && lua_istable(L, 3)) {
    lua_pushvalue(L, 3);
  } else {
    lua_createtable(L, last, 0);
    for (int i = 3; i <= last; i++) {
      lua_pushvalue(L, i);
      lua_rawseti(L, -2, i - 2);
    }
  }
  bind_table(L, r->query, lua_gettop(L));
  lua_setiuservalue(L, -2, 2); /* the texts that are bound */
  return r;
}

/* Push the current row as a table by column names. */
static void push_row(lua_State *L, const rows *r) {
  int count = brio_query_columns(r->query);
  lua_createtable(L, 0, count);
  for (int i = 0; i < count; i++) {
    push_value(L, brio_query_column(r->query, i));
    lua_setfield(L, -2, brio_query_column_name(r->query, i));
  }
}

static void push_columns(lua_State *L, const brio_query *query) {
  int count = brio_query_columns(query);
  lua_createtable(L, count, 0);
  brio_lua_json_mark(L);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, brio_query_column_name(query, i));
    lua_rawseti(L, -2, i + 1);
  }
}

/* db:query(sql, [parameter, ... | {parameters}]) -> rows, columns | nil, sentence, code
** Run one statement and return all its rows, tables by column name, and the columns' names in
** order. Parameters stand for ?1, ?2, ... or, given as a table with fields, for :name. A statement
** that would write is refused. */
static int query(lua_State *L) {
  brio_error err = {0};
  brio_step step;
  rows *r = push_rows(L);
  if (!r) return 3;
  lua_newtable(L);
  brio_lua_json_mark(L);
  for (lua_Integer n = 1; (step = brio_query_step(r->query, &err)) == BRIO_STEP_ROW; n++) {
    push_row(L, r);
    lua_rawseti(L, -2, n);
  }
  push_columns(L, r->query);
  end_rows(r);
  return step == BRIO_STEP_FAILED ? brio_lua_failed(L, &err) : 2;
}

/* The iterator of db:rows: the next row, or nil. */
static int next_row(lua_State *L) {
  brio_error err = {0};
  rows *r = luaL_checkudata(L, lua_upvalueindex(1), ROWS);
  if (!r->query) return 0;
  if (r->of->closed) return luaL_error(L, "the database was closed while its rows were read");
  brio_step step = brio_query_step(r->query, &err);
  if (step == BRIO_STEP_ROW) {
    push_row(L, r);
    return 1;
  }
  end_rows(r);
  return step == BRIO_STEP_FAILED ? luaL_error(L, "%s", err.message) : 0;
}

/* db:rows(sql, [parameter, ... | {parameters}]) -> iterator, columns | nil, sentence, code
** Like db:query, one row at a time: for row in db:rows("SELECT ...") do ... end. It holds a read transaction,
** so finish it soon while a run is recorded. */
static int each_row(lua_State *L) {
  rows *r = push_rows(L);
  if (!r) return 3;
  lua_pushcclosure(L, next_row, 1);
  push_columns(L, r->query);
  return 2;
}

/* db:columns(sql) -> list | nil, sentence, code
** The names of the columns that a statement would have. */
static int columns(lua_State *L) {
  lua_settop(L, 2);
  rows *r = push_rows(L);
  if (!r) return 3;
  push_columns(L, r->query);
  end_rows(r);
  return 1;
}

/* db:close()
** Close; may be called again. */
static int close_database(lua_State *L) {
  database *d = luaL_checkudata(L, 1, DATABASE);
  if (d->closed) return 0;
  d->closed = true;
  close_if_unused(d);
  return 0;
}

/* Push the database that `opener` opens at the path at argument 1. */
static int push_database(lua_State *L, brio_db *(*opener)(const char *path, brio_error *err), bool writes) {
  brio_error err = {0};
  const char *path = luaL_checkstring(L, 1);
  database *d = lua_newuserdatauv(L, sizeof *d, 0);
  *d = (database){.closed = true, .writes = writes};
  luaL_setmetatable(L, DATABASE);
  d->db = opener(path, &err);
  if (!d->db) return brio_lua_failed(L, &err);
  d->closed = false;
  return 1;
}

/* store.open(path, [seconds]) -> db | nil, sentence, code
** Open a run store for reading, also while a run is recorded in it. `seconds` (0.001 to 86400) is the
** timeout of queries. */
static int open_database(lua_State *L) {
  lua_Number seconds = luaL_optnumber(L, 2, 0);
  bool good = lua_isnoneornil(L, 2) || (seconds >= 0.001 && seconds <= 86400);
  luaL_argcheck(L, good, 2, "must be 0.001 to 86400 s");
  int results = push_database(L, brio_reader_open, false);
  if (results == 1 && seconds > 0) brio_db_limit(((database *)lua_touserdata(L, -1))->db, seconds);
  return results;
}

/* store.change(path) -> db | nil, sentence, code
** Open an existing run store for maintenance, and bring its schema up to date: its statements may change
** it. */
static int change_database(lua_State *L) { return push_database(L, brio_store_open_to_change, true); }

static brio_db *open_blank(const char *path, brio_error *err) {
  (void)path;
  return brio_store_open_file(":memory:", err);
}

/* store.blank() -> db | nil, sentence, code
** An empty store in memory, with this program's schema. */
static int blank_database(lua_State *L) {
  lua_settop(L, 0);
  lua_pushliteral(L, ":memory:");
  return push_database(L, open_blank, true);
}

/* store.backup(from, to, [force]) -> bytes | nil, sentence, code
** Copy a consistent snapshot of a store, also during a recording, and verify the copy. An existing file is
** replaced only with force. */
static int backup(lua_State *L) {
  brio_error err = {0};
  int64_t bytes = 0;
  const char *from = luaL_checkstring(L, 1), *to = luaL_checkstring(L, 2);
  if (!brio_store_backup(from, to, lua_toboolean(L, 3), &bytes, &err)) return brio_lua_failed(L, &err);
  lua_pushinteger(L, bytes);
  return 1;
}

/* store.search(path) -> db | nil, sentence, code
** Open the index of the words of a run store, brought up to date: its tables are found (FTS5: text, run, t,
** kind, row) and gaps (kind, why: what could not be read). Recording goes on meanwhile. */
static int open_search(lua_State *L) {
  return push_database(L, brio_search_open, false);
}

int luaopen_brio_store(lua_State *L) {
  static const luaL_Reg none[] = {{NULL, NULL}};
  static const luaL_Reg of_database[] = {
      {"query", query}, {"rows", each_row}, {"columns", columns}, {"close", close_database}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"open", open_database},   {"change", change_database},
                                       {"backup", backup},        {"blank", blank_database},
                                       {"search", open_search},   {"record", brio_lua_store_record},
                                       {"json", brio_lua_json},   {"array", brio_lua_json_array},
                                       {"hash", hash}, {"ended", ended}, {"process", process}, {NULL, NULL}};
  brio_lua_class(L, ROWS, none, collect_rows);
  brio_lua_class(L, DATABASE, of_database, close_database);
  brio_lua_store_writer_class(L);
  luaL_newlib(L, functions);
  lua_pushlightuserdata(L, NULL);
  lua_setfield(L, -2, "null");
  return 1;
}
