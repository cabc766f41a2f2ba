/* Scenes as userdata: made by scripts, or lent to them by the engine. */
#ifndef BRIO_LUA_SCENE_H
#define BRIO_LUA_SCENE_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "scene/scene.h"

/* Return the scene at argument `arg`, or raise. */
brio_scene *brio_lua_scene_check(lua_State *L, int arg);

/* Push a scene.  `owned`: Lua frees it; else it must outlive the Lua state. */
void brio_lua_scene_push(lua_State *L, brio_scene *scene, bool owned);

/* Push an object as a new table. */
void brio_lua_push_object(lua_State *L, const brio_object *object);

/* Methods of scenes in files of their own: frames, chosen objects, and tracks. */
extern const luaL_Reg brio_lua_scene_frames[], brio_lua_scene_objects[], brio_lua_scene_tracks[];

#endif
