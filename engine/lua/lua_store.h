/* The Lua module brio.store, and the writer that scripts hand to the engine. */
#ifndef BRIO_LUA_STORE_H
#define BRIO_LUA_STORE_H

#include <lua.h>

#include "store/store.h"

/* Open the module: leave its table on the stack. */
int luaopen_brio_store(lua_State *L);

/* Return the store of the writer (made by store.record) at `index`; raise when it is none, or closed.
** It lives until the writer is closed or collected. */
brio_store *brio_lua_store_writer_check(lua_State *L, int index);

#endif
