/* The devices and motors in a robot's file, as an actuator's options. */
#ifndef BRIO_LUA_DEVICE_H
#define BRIO_LUA_DEVICE_H

#include <lua.h>

#include "drivers/actuator/actuator.h"

/* Read the fields devices, motors, couplings, gains, impedances and inputs of the table at `index` for the
** axes in `options`; the memory it points to belongs to userdata left on the stack.  Raises on errors. */
void brio_lua_device_options(lua_State *L, int index, brio_actuator_options *options);

/* Read the field motors alone, as above. */
void brio_lua_device_motors(lua_State *L, int index, brio_actuator_options *options);

/* Return the setting on top of the stack, a number or a text that lives as long as its table; raise
** naming it when it is neither. */
brio_actuator_setting brio_lua_setting(lua_State *L, const char *name);

#endif
