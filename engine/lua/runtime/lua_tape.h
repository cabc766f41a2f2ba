/* Plain Lua values on the tape (runtime/tape/tape.h), and the tape that scripts hand to the engine. */
#ifndef BRIO_LUA_TAPE_H
#define BRIO_LUA_TAPE_H

#include <lua.h>

#include "runtime/tape/tape.h"

/* Return the tape at `index`; raise if it is not a tape, or closed.  It lives until it is closed or
** collected. */
brio_tape *brio_lua_tape_check(lua_State *L, int index);

/* Note the `count` values on top of the stack, which stay: booleans, numbers, texts, nil, and tables of them,
** whose keys are whole numbers or texts; other values become nil.  False: they are lost. */
bool brio_lua_tape_note(lua_State *L, brio_tape *tape, int channel, int count);

/* Push the values of `bytes`; return how many, -1: invalid. */
int brio_lua_tape_push(lua_State *L, const void *bytes, size_t length);

#endif
