/* The Lua module brio.store, and the writer that scripts pass to the engine. */
#ifndef BRIO_LUA_STORE_H
#define BRIO_LUA_STORE_H

#include <lua.h>

#include "store/store.h"

/* Open the module: leave its table on the stack. */
int luaopen_brio_store(lua_State *L);

/* Return the store of the writer (made by store.record) at `index`; raise if it is not a writer, or closed.
** It lives until the writer is closed or collected. */
brio_store *brio_lua_store_writer_check(lua_State *L, int index);

/* The parts of the module: store.record, and the class of writers, which it opens (lua_store_writer.c). */
int brio_lua_store_record(lua_State *L);
void brio_lua_store_writer_class(lua_State *L);

/* Make a value of the Lua value at `index`: a text, whose bytes stay Lua's, a number, true, false, nil or
** store.null.  Raise on others, with `what` it is. */
brio_value brio_lua_store_value(lua_State *L, int index, const char *what);

/* The most columns that a row of a table can have. */
enum { BRIO_LUA_STORE_COLUMNS = 64 };

/* Return the index of the table, among `tables` (ending at name == NULL), that argument 2 names; raise. */
int brio_lua_store_table(lua_State *L, const brio_store_table *tables);

/* Read the row {column = value, ...} at `index` into `values` (BRIO_LUA_STORE_COLUMNS of them); missing
** columns are null. Texts stay Lua's; their references are left on the stack.  Return how many columns; raise
** on unknown ones. */
int brio_lua_store_row(lua_State *L, const brio_store_table *table, int index, brio_value *values);

#endif
