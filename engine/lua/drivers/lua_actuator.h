/* Actuators as userdata: opened by scripts, or lent to them by the engine. */
#ifndef BRIO_LUA_ACTUATOR_H
#define BRIO_LUA_ACTUATOR_H

#include <lua.h>
#include <stdbool.h>

#include "drivers/actuator/actuator.h"

/* Return the actuator that argument `arg` is, or raise (also when it was closed). */
brio_actuator *brio_lua_actuator_check(lua_State *L, int arg);

/* Push an actuator.  `owned`: Lua closes it; else it must outlive the Lua state, and
** scripts may neither step nor close it. */
void brio_lua_actuator_push(lua_State *L, brio_actuator *actuator, bool owned);

#endif
