/* The writer of the Lua module brio.store: what a run records, row by row. */
#include <lauxlib.h>
#include <string.h>

#include "base/name.h"
#include "lua/lua_args.h"
#include "lua/store/lua_store.h"

#define WRITER "brio.store.writer"

enum { COLUMNS = BRIO_LUA_STORE_COLUMNS };

typedef struct writer {
  brio_store *store; /* NULL: closed */
} writer;

brio_store *brio_lua_store_writer_check(lua_State *L, int index) {
  writer *w = luaL_checkudata(L, index, WRITER);
  if (!w->store) luaL_error(L, "the store's writer was closed");
  return w->store;
}

static int collect_writer(lua_State *L) {
  writer *w = luaL_checkudata(L, 1, WRITER);
  brio_store_close(w->store, NULL);
  w->store = NULL;
  return 0;
}

/* Read the fields of the table at `index` as columns of a row of `runs`; return how many. */
static int read_columns(lua_State *L, int index, const char *names[COLUMNS], brio_value values[COLUMNS]) {
  int count = 0;
  luaL_checktype(L, index, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || count == COLUMNS)
      luaL_error(L, "the columns of a run must be named fields, at most %d", COLUMNS);
    names[count] = lua_tostring(L, -2);
    values[count] = brio_lua_store_value(L, -1, names[count]);
    count++;
  }
  return count;
}

/* writer:begin{column = value, ...} -> run | nil, sentence, code
** Begin a run: add a row to `runs`. Return its number. */
static int begin(lua_State *L) {
  const char *names[COLUMNS];
  brio_value values[COLUMNS];
  brio_error err = {0};
  brio_store *store = brio_lua_store_writer_check(L, 1);
  int count = read_columns(L, 2, names, values);
  int64_t run = brio_store_begin(store, names, values, count, &err);
  if (run < 0) return brio_lua_failed(L, &err);
  lua_pushinteger(L, run);
  return 1;
}

/* writer:finish{column = value, ...} -> true | nil, sentence, code
** End the run after all rows so far, completing its row in `runs`. */
static int finish(lua_State *L) {
  const char *names[COLUMNS];
  brio_value values[COLUMNS];
  brio_error err = {0};
  brio_store *store = brio_lua_store_writer_check(L, 1);
  int count = read_columns(L, 2, names, values);
  if (!brio_store_end(store, names, values, count, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* writer:version(name, source, [parent, t]) -> hash | nil, sentence, code
** Record a version of a file, which this run uses from t on, with the hash of the one it replaces. */
static int version(lua_State *L) {
  size_t length;
  char hex[65];
  brio_error err = {0};
  brio_store *store = brio_lua_store_writer_check(L, 1);
  const char *name = luaL_checkstring(L, 2), *source = luaL_checklstring(L, 3, &length);
  const char *parent = luaL_optstring(L, 4, NULL);
  if (!brio_store_version(store, name, source, length, parent, luaL_optnumber(L, 5, 0), hex, &err))
    return brio_lua_failed(L, &err);
  lua_pushstring(L, hex);
  return 1;
}

/* Push a block with the texts in the list at `index`, which keeps them alive. */
static const char **push_names(lua_State *L, int index, int count) {
  const char **names = lua_newuserdatauv(L, sizeof *names * ((size_t)count + 1), 0);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, index, i + 1) != LUA_TSTRING) luaL_error(L, "a DOF's name and unit must be texts");
    names[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  return names;
}

/* Read the list at `index`: the step of each DOF's goals and commands, and of what is measured. */
static const double (*push_steps(lua_State *L, int index, int count))[2] {
  double(*steps)[2] = lua_newuserdatauv(L, sizeof *steps * ((size_t)count + 1), 0);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, index, i + 1) != LUA_TTABLE)
      luaL_error(L, "the steps of a DOF must be {command, measured}");
    for (int k = 0; k < 2; k++) {
      lua_rawgeti(L, -1, k + 1);
      steps[i][k] = luaL_checknumber(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  return (const double(*)[2])steps;
}

/* writer:dofs(names, units, [steps]) -> true | nil, sentence, code
** Declare the DOFs of this run's samples. steps: {command, measured} for each, the step to which goals and
** commands are kept and that of what is measured (0: to the last bit; default: a millionth of the unit). */
static int dofs(lua_State *L) {
  brio_error err = {0};
  brio_store *store = brio_lua_store_writer_check(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 2);
  bool stepped = !lua_isnoneornil(L, 4);
  if (stepped) luaL_checktype(L, 4, LUA_TTABLE);
  if ((int)lua_rawlen(L, 3) != count) return luaL_error(L, "there must be as many units as names of DOFs");
  const double(*steps)[2] = stepped ? push_steps(L, 4, count) : NULL;
  const char **names = push_names(L, 2, count), **units = push_names(L, 3, count);
  if (!brio_store_dofs(store, names, units, steps, count, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* The i-th name of a table's columns, "a, b, c", in `name`; false past the end. */
static bool column_at(const char **rest, char name[64]) {
  *rest += strspn(*rest, ", ");
  size_t length = strcspn(*rest, ", ");
  if (length == 0 || length >= 64) return false;
  memcpy(name, *rest, length);
  name[length] = 0;
  *rest += length;
  return true;
}

static const char *table_name_at(const void *list, int i) { return ((const brio_store_table *)list)[i].name; }

int brio_lua_store_table(lua_State *L, const brio_store_table *tables) {
  char hint[96];
  const char *name = luaL_checkstring(L, 2);
  int table = 0;
  while (tables[table].name && strcmp(tables[table].name, name) != 0) table++;
  if (tables[table].name) return table;
  return luaL_error(L, "nothing can be put into '%s'%s", name,
                    brio_name_hint(name, table_name_at, tables, hint));
}

/* Raise, naming a field of the row at `index` that is not a column of the table. */
static int unknown_column(lua_State *L, const brio_store_table *table, int index) {
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    char name[64];
    bool known = false;
    for (const char *rest = table->columns; column_at(&rest, name) && !known;)
      known = lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), name) == 0;
    if (known) continue;
    const char *given = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_typename(L, -2);
    return luaL_error(L, "a row of %s has no column '%s', only %s", table->name, given, table->columns);
  }
  return 0;
}

int brio_lua_store_row(lua_State *L, const brio_store_table *table, int index, brio_value *values) {
  char name[64];
  int count = 0, given = 0, fields = 0;
  luaL_checktype(L, index, LUA_TTABLE);
  luaL_checkstack(L, table->count + 4, table->name);
  for (const char *rest = table->columns; column_at(&rest, name); count++) {
    given += lua_getfield(L, index, name) != LUA_TNIL; /* left there: its text is used */
    values[count] = brio_lua_store_value(L, -1, name);
  }
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) fields++;
  if (fields != given) unknown_column(L, table, index);
  return count;
}

/* writer:put(table, {column = value, ...}) -> kept
** Put a row; missing columns are null. False: no room; the row is counted as lost. */
static int put(lua_State *L) {
  brio_value values[BRIO_LUA_STORE_COLUMNS];
  brio_store *store = brio_lua_store_writer_check(L, 1);
  int table = brio_lua_store_table(L, brio_store_tables);
  int count = brio_lua_store_row(L, &brio_store_tables[table], 3, values);
  lua_pushboolean(L, brio_store_put(store, table, values, count));
  return 1;
}

/* Read the list at `index`, whose items are numbers (NaN: none), into `out`. */
static void read_numbers(lua_State *L, int index, int count, double *out) {
  luaL_checktype(L, index, LUA_TTABLE);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, index, i + 1) != LUA_TNUMBER)
      luaL_error(L, "a sample needs a number for each of %d DOFs, and has none for number %d", count, i + 1);
    out[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
}

/* writer:sample(tick, t, goal, command, measured) -> kept
** Put the sample of one tick: three lists with a number for each DOF (NaN: none). */
static int sample(lua_State *L) {
  brio_store *store = brio_lua_store_writer_check(L, 1);
  lua_Integer tick = luaL_checkinteger(L, 2);
  double t = luaL_checknumber(L, 3);
  int count = brio_store_dof_count(store);
  double *numbers = lua_newuserdatauv(L, sizeof *numbers * 3 * ((size_t)count + 1), 0);
  for (int i = 0; i < 3; i++) read_numbers(L, 4 + i, count, numbers + i * count);
  lua_pushboolean(L, brio_store_sample(store, tick, t, numbers, numbers + count, numbers + 2 * count));
  return 1;
}

/* writer:lost() -> rows, why
** The number of rows lost so far, and the reason ("": no error). */
static int lost(lua_State *L) {
  char why[512];
  lua_pushinteger(L, brio_store_lost(brio_lua_store_writer_check(L, 1), why, sizeof why));
  lua_pushstring(L, why);
  return 2;
}

/* writer:failing() -> failing
** Whether the newest attempt to write failed: rows wait for the next one. */
static int failing(lua_State *L) {
  lua_pushboolean(L, brio_store_failing(brio_lua_store_writer_check(L, 1)));
  return 1;
}

/* writer:dropped() -> ticks, beyond
** The number of ticks whose samples were dropped since the store reached its limit, and whether it exceeds it
** with nothing left to drop. */
static int dropped(lua_State *L) {
  bool beyond;
  lua_pushinteger(L, brio_store_dropped(brio_lua_store_writer_check(L, 1), &beyond));
  lua_pushboolean(L, beyond);
  return 2;
}

/* writer:close() -> true | nil, sentence, code
** Write out everything and close. Fails when rows were lost. */
static int close_writer(lua_State *L) {
  brio_error err = {0};
  writer *w = luaL_checkudata(L, 1, WRITER);
  bool good = brio_store_close(w->store, &err);
  w->store = NULL;
  if (!good) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* store.record(path, [{wait =, durable =, ring_bytes =, limit =}]) -> writer | nil, sentence, code
** Open or create a store for recording. wait (default true): a row waits for room instead of
** being lost; durable: also survive a power cut; limit: bytes of the file at which the oldest samples are
** dropped (default: none). */
int brio_lua_store_record(lua_State *L) {
  static const char *const keys[] = {"wait", "durable", "ring_bytes", "limit", NULL};
  brio_store_options options = {.wait = true};
  brio_error err = {0};
  const char *path = luaL_checkstring(L, 1);
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    brio_lua_only_keys(L, 2, keys, "store.record");
    options.wait = brio_lua_field_flag(L, 2, "wait", true);
    options.durable = brio_lua_field_flag(L, 2, "durable", false);
    options.ring_bytes = (size_t)brio_lua_field_number(L, 2, "ring_bytes", 4096, 1 << 30, 4 << 20);
    options.limit = (int64_t)brio_lua_field_number(L, 2, "limit", 0, 0x1p53, 0);
  }
  writer *w = lua_newuserdatauv(L, sizeof *w, 0);
  w->store = NULL;
  luaL_setmetatable(L, WRITER);
  w->store = brio_store_open(path, &options, &err);
  return w->store ? 1 : brio_lua_failed(L, &err);
}

void brio_lua_store_writer_class(lua_State *L) {
  static const luaL_Reg of_writer[] = {{"begin", begin},   {"finish", finish}, {"version", version},
                                       {"dofs", dofs},     {"put", put},       {"sample", sample},
                                       {"lost", lost},     {"failing", failing}, {"dropped", dropped},
                                       {"close", close_writer}, {NULL, NULL}};
  brio_lua_class(L, WRITER, of_writer, collect_writer);
}
