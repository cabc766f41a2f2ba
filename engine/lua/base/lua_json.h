/* Lua values as exact JSON. */
#ifndef BRIO_LUA_JSON_H
#define BRIO_LUA_JSON_H

#include <lua.h>

/* store.json(value) -> text
** JSON that reads back to the same value: numbers by the fewest digits that do, whole ones as
** integers, fields sorted by name, NaN and infinities as null. A table without items is {} unless
** store.array marked it. Raises on functions, cycles and lists with holes. */
int brio_lua_json(lua_State *L);

/* store.array(list) -> list
** Mark a list, so that store.json writes it as [] even when it is empty. */
int brio_lua_json_array(lua_State *L);

/* Mark the table on top of the stack as a list. */
void brio_lua_json_mark(lua_State *L);

#endif
