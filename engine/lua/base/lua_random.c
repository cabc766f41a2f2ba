/* brio.random: named, seeded random streams (base/random.h). */
#include <lauxlib.h>
#include <lua.h>

#include "base/random.h"
#include "lua/lua_args.h"

#define CLASS "brio.random"

static brio_random *stream_at(lua_State *L, int arg) { return luaL_checkudata(L, arg, CLASS); }

/* random.stream(seed, name) -> stream
** Starts the stream `name` of an integer `seed`: equal seeds and names give equal numbers. */
static int stream(lua_State *L) {
  lua_Integer seed = luaL_checkinteger(L, 1);
  const char *name = luaL_checkstring(L, 2);
  brio_random *self = lua_newuserdatauv(L, sizeof *self, 0);
  *self = brio_random_stream((uint64_t)seed, name);
  luaL_setmetatable(L, CLASS);
  return 1;
}

/* stream:uniform([lower, upper]) -> number
** A uniformly distributed number in [`lower` (0), `upper` (1)). */
static int uniform(lua_State *L) {
  double lower = luaL_optnumber(L, 2, 0), upper = luaL_optnumber(L, 3, 1);
  lua_pushnumber(L, brio_random_uniform(stream_at(L, 1), lower, upper));
  return 1;
}

/* stream:normal() -> number
** A normally distributed number with mean 0 and standard deviation 1. */
static int normal(lua_State *L) {
  lua_pushnumber(L, brio_random_normal(stream_at(L, 1)));
  return 1;
}

/* stream:whole(n) -> integer
** A uniformly distributed integer from 1 to n. */
static int whole(lua_State *L) {
  lua_Integer n = luaL_checkinteger(L, 2);
  luaL_argcheck(L, n >= 1, 2, "a whole number of at least 1 was expected");
  lua_pushinteger(L, (lua_Integer)brio_random_below(stream_at(L, 1), (uint64_t)n) + 1);
  return 1;
}

int luaopen_brio_random(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"uniform", uniform}, {"normal", normal}, {"whole", whole}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"stream", stream}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, NULL);
  luaL_newlib(L, functions);
  return 1;
}
