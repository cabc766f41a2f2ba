/* brio.clock: the machine's clocks, for commands and tools.  Behaviors get the engine's time instead and have
** no access to this module. */
#include <lauxlib.h>
#include <lua.h>

#include "base/clock.h"
#include "lua/lua_args.h"

static int push_seconds(lua_State *L, int64_t nanoseconds) {
  lua_pushnumber(L, (double)nanoseconds * 1e-9);
  return 1;
}

/* clock.monotonic() -> seconds
** Monotonic time, from an unspecified start. */
static int monotonic(lua_State *L) { return push_seconds(L, brio_clock_monotonic()); }

/* clock.cpu() -> seconds
** CPU time that this thread has used. */
static int cpu(lua_State *L) { return push_seconds(L, brio_clock_thread_cpu()); }

/* clock.wall() -> seconds
** Seconds since 1970 (UTC), with a fraction. */
static int wall(lua_State *L) { return push_seconds(L, brio_clock_wall()); }

int luaopen_brio_clock(lua_State *L) {
  static const luaL_Reg functions[] = {{"monotonic", monotonic}, {"cpu", cpu}, {"wall", wall}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
