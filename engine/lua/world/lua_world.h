/* Simulated worlds as userdata: made by scripts, or lent to them by the engine. */
#ifndef BRIO_LUA_WORLD_H
#define BRIO_LUA_WORLD_H

#include <lua.h>
#include <stdbool.h>

#include "world/world.h"

/* Return the world that argument `arg` is, or raise. */
brio_world *brio_lua_world_check(lua_State *L, int arg);

/* Push a world.  `owned`: Lua frees it; else it must outlive the Lua state. */
void brio_lua_world_push(lua_State *L, brio_world *world, bool owned);

/* Add the person or object that the table at `index` describes; raise when it is wrong.
** `kind` is what it is where the table does not say. */
void brio_lua_world_add(lua_State *L, brio_world *world, int index, const char *kind);

/* Read a world file's table at `index` into a new world.  Raises on what is wrong. */
void brio_lua_world_read(lua_State *L, brio_world *world, int index);

/* Add the event in the table at `index`.  Raises on what is wrong. */
void brio_lua_world_event(lua_State *L, brio_world *world, int index);

/* Read {x, y [, z]}; z NAN where it is left out.  Raises on what is wrong. */
brio_vec3 brio_lua_world_place(lua_State *L, int index, const char *what);

/* Add the wall, room (its four walls) or walker that the table at `index` describes; set the depth sensor.
** Raise what is wrong. */
void brio_lua_world_wall(lua_State *L, brio_world *world, int index);
void brio_lua_world_room(lua_State *L, brio_world *world, int index);
void brio_lua_world_walker(lua_State *L, brio_world *world, int index);
void brio_lua_world_depth(lua_State *L, brio_world *world, int index);

/* Read a field `color` {red, green, blue} of the table at `index`; NAN where there is none. */
void brio_lua_world_color(lua_State *L, int index, float color[3]);

#endif
