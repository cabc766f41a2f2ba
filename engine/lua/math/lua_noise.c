/* The Lua module `brio.noise`: smooth noise over time, for liveliness (math/noise.h). Equal seeds and x give
** equal values, so that a run repeats. */
#include <lauxlib.h>

#include "lua/lua_args.h"
#include "math/noise.h"

static uint64_t check_seed(lua_State *L) { return (uint64_t)luaL_checkinteger(L, 1); }

static double check_x(lua_State *L) { return brio_lua_number(L, 2, -HUGE_VAL, HUGE_VAL, "x"); }

/* noise.value(seed, x) -> number
** Returns noise within -1 and 1 around 0, nearly all of it slower than once per unit of x: for a frequency f
** (Hz) call it with x = f * time. `seed` is an integer. */
static int value(lua_State *L) {
  lua_pushnumber(L, brio_noise_value(check_seed(L), check_x(L)));
  return 1;
}

/* noise.octaves(seed, x, octaves [, lacunarity, gain]) -> number
** Returns a sum of 1 to 32 noises, each `lacunarity` (2) times as fast and `gain` (0.84) times as strong as
** the one before, with the deviation of one; it may exceed 1. With the defaults its spectrum falls like that
** of living movement. */
static int octaves(lua_State *L) {
  int count = (int)brio_lua_number(L, 3, 1, 32, "octaves");
  double lacunarity = lua_isnoneornil(L, 4) ? 2 : brio_lua_number(L, 4, 1, 16, "lacunarity");
  double gain = lua_isnoneornil(L, 5) ? 0.84 : brio_lua_number(L, 5, 0, 1, "gain");
  lua_pushnumber(L, brio_noise_octaves(check_seed(L), check_x(L), count, lacunarity, gain));
  return 1;
}

int luaopen_brio_noise(lua_State *L) {
  static const luaL_Reg functions[] = {{"value", value}, {"octaves", octaves}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
