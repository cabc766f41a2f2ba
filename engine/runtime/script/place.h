/* Where a script is, so that a replay can find the place again: a digest of the line that is about to run, of
** those that called it, and of what their variables hold. */
#ifndef BRIO_RUNTIME_SCRIPT_PLACE_H
#define BRIO_RUNTIME_SCRIPT_PLACE_H

#include <lua.h>
#include <stdint.h>

/* What is quick to know of it: the line, its file, and how many calls of that file are under way.  And all of
** it. */
uint64_t brio_script_line(lua_State *L, lua_Debug *ar);
uint64_t brio_script_place(lua_State *L, lua_Debug *ar);

/* What the script that runs from now on remembers: the table on top of the stack, which is popped. */
void brio_script_remembers(lua_State *L);

#endif
