/* Position of a script, so that a replay can find it again: a digest of the line that is about to run, of its
** callers, and of the values of their variables. */
#ifndef BRIO_RUNTIME_SCRIPT_PLACE_H
#define BRIO_RUNTIME_SCRIPT_PLACE_H

#include <lua.h>
#include <stdint.h>

/* The cheap part: the line, its file, and the number of active calls in that file.  And the whole
** position. */
uint64_t brio_script_line(lua_State *L, lua_Debug *ar);
uint64_t brio_script_place(lua_State *L, lua_Debug *ar);

/* Set the memory of the script that runs from now on: the table on top of the stack, which is popped. */
void brio_script_remembers(lua_State *L);

#endif
