/* The front that scripts hand to the engine. */
#ifndef BRIO_LUA_FRONT_H
#define BRIO_LUA_FRONT_H

#include <lua.h>

#include "runtime/front/front.h"

/* Return the front at `index`; raise if it is not a front, or closed. */
brio_front *brio_lua_front_check(lua_State *L, int index);

#endif
