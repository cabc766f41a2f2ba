/* Functions of the engine in which a script is never cut, because a replay does not execute them as the run did:
** those that write the record, and those that read what the replay has from the record. A cut that is due in one
** of them, or in what it calls, is made behind it, where a replay finds it. */
#ifndef BRIO_RUNTIME_SCRIPT_APART_H
#define BRIO_RUNTIME_SCRIPT_APART_H

#include <lua.h>
#include <stdbool.h>

#include "runtime/script/script.h"

/* Add the functions among the values of the table on top of the stack, which is popped.  May raise. */
void brio_script_add_apart(lua_State *L);

/* Whether one of them is active on L, which runs, or on the coroutines that resumed it: `turn` is its turn, out
** to `main`. Only above the call `base` (of brio_script_frame; NULL: the whole stack). */
bool brio_script_is_apart(lua_State *L, const brio_script_turn *turn, const lua_State *main,
                          const void *base);

/* Identify the function that runs now on L, as long as it has not returned; NULL: none runs. */
const void *brio_script_frame(lua_State *L);

#endif
