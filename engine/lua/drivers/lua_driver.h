/* Drivers by name, as in scripts and robots' files. */
#ifndef BRIO_LUA_DRIVER_H
#define BRIO_LUA_DRIVER_H

#include <lua.h>

#include "drivers/driver.h"

/* Return the driver of that name, in the shared object at that path, or written in the file at that path,
** which ends in ".lua"; NULL and an error as brio_driver_find.  One in Lua lives as long as the Lua state. */
const brio_driver_kind *brio_lua_driver_find(lua_State *L, const char *name, brio_error *err);

#endif
