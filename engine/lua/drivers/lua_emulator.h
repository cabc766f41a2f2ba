/* Emulators for other bindings. */
#ifndef BRIO_LUA_EMULATOR_H
#define BRIO_LUA_EMULATOR_H

#include <lua.h>

#include "drivers/emulators/emulator.h"

/* Return the emulator at an index of the stack; NULL: not an emulator; raise when it was closed. */
brio_emulator *brio_lua_emulator(lua_State *L, int arg);

#endif
