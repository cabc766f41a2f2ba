/* Shared by the files of the binding of timings. */
#ifndef BRIO_LUA_TIMING_H
#define BRIO_LUA_TIMING_H

#include <lauxlib.h>

/* Read a limit of each joint in field `key` of the table at 1: a list of `joints` numbers, or one number for
** all. The memory is valid until the call ends. */
double *brio_lua_timing_limits(lua_State *L, const char *key, int joints);

/* timing.transfer (lua_timing_transfer.c), and the class of what it returns. */
int brio_lua_timing_transfer(lua_State *L);
void brio_lua_timing_class(lua_State *L);

#endif
