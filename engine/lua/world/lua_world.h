/* Simulated worlds as userdata: created by scripts, or lent to them by the engine. */
#ifndef BRIO_LUA_WORLD_H
#define BRIO_LUA_WORLD_H

#include <lua.h>
#include <stdbool.h>

#include "world/world.h"

/* Return the world at argument `arg`, or raise. */
brio_world *brio_lua_world_check(lua_State *L, int arg);

/* Push a world.  `owned`: Lua frees it; else it must outlive the Lua state. */
void brio_lua_world_push(lua_State *L, brio_world *world, bool owned);

/* Add the person or object that the table at `index` describes; raise on errors.  `kind` is the default
** kind. */
void brio_lua_world_add(lua_State *L, brio_world *world, int index, const char *kind);

/* Read a world file's table at `index` into a new world.  Raises on errors. */
void brio_lua_world_read(lua_State *L, brio_world *world, int index);

/* Push the list in field `key` of the table at `index`, nil if it is absent; return its length.  Raises on
** what is no list, or has names or gaps. */
lua_Integer brio_lua_world_list(lua_State *L, int index, const char *key);

/* Add the event in the table at `index`.  Raises on errors. */
void brio_lua_world_event(lua_State *L, brio_world *world, int index);

/* Read {x, y [, z]}; a missing z is NAN.  Raises on errors. */
brio_vec3 brio_lua_world_place(lua_State *L, int index, const char *what);

/* Add the wall, room (its four walls) or walker that the table at `index` describes; set the depth sensor.
** Raises on errors. */
void brio_lua_world_wall(lua_State *L, brio_world *world, int index);
void brio_lua_world_room(lua_State *L, brio_world *world, int index);
void brio_lua_world_walker(lua_State *L, brio_world *world, int index);
void brio_lua_world_depth(lua_State *L, brio_world *world, int index);

/* Read a field `color` {red, green, blue} of the table at `index`; NAN if absent. */
void brio_lua_world_color(lua_State *L, int index, float color[3]);

#endif
