/* Point clouds as Lua values, and the solids that are asked of them.
**
** A cloud never changes in Lua: what turns or thins it makes a new one.  The engine may lend one that it
** fills again and again (brio_lua_cloud_lend); scripts then see what is in it at the moment. */
#ifndef BRIO_LUA_CLOUD_H
#define BRIO_LUA_CLOUD_H

#include <lauxlib.h>
#include <lua.h>

#include "cloud/index/index.h"

/* Return the cloud at argument `arg`; raise when it is none, or closed. */
brio_cloud *brio_lua_cloud_check(lua_State *L, int arg);

/* Return the index of the cloud at argument `arg`, built if it is not there yet; NULL, with an error, where
** there is no memory. */
const brio_cloud_index *brio_lua_cloud_index(lua_State *L, int arg, brio_error *err);

/* Push a new, empty cloud that the collector gives back; raise when there is no memory. */
brio_cloud *brio_lua_cloud_new(lua_State *L);

/* Push a cloud that stays the caller's, who keeps it alive as long as the state.  After filling it again the
** caller calls brio_lua_cloud_changed of what was pushed. */
void brio_lua_cloud_lend(lua_State *L, brio_cloud *cloud);

/* Say that the lent cloud at `index` holds something else. */
void brio_lua_cloud_changed(lua_State *L, int index);

/* Read the solid or union at argument `arg` ({kind, size, pose} or {kind = "union", shapes = {...}}),
** standing in the pose at the next argument, if any, into `solids` with room for BRIO_CLOUD_SOLIDS; return
** how many.  Raises. */
int brio_lua_cloud_solids(lua_State *L, int arg, brio_cloud_solid *solids);

/* Further methods of a cloud (lua_cloud_solid.c, lua_cloud_find.c) and functions of the module
** (lua_cloud_picture.c), ending at NULL. */
extern const luaL_Reg brio_lua_cloud_solid_methods[];
extern const luaL_Reg brio_lua_cloud_find_methods[];
extern const luaL_Reg brio_lua_cloud_picture_functions[];
extern const luaL_Reg brio_lua_cloud_later_methods[];

#endif
