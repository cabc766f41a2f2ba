/* Point clouds as Lua values, and solids as arguments of their queries.
**
** A cloud never changes in Lua: functions that transform or thin it return a new one.  The engine may lend
** one that it fills again and again (brio_lua_cloud_lend); scripts then see its current content. */
#ifndef BRIO_LUA_CLOUD_H
#define BRIO_LUA_CLOUD_H

#include <lauxlib.h>
#include <lua.h>

#include "cloud/index/index.h"

/* Return the cloud at argument `arg`; raise if it is not a cloud, or closed. */
brio_cloud *brio_lua_cloud_check(lua_State *L, int arg);

/* Return the index of the cloud at argument `arg`, built at the first call; NULL, with an error, if there is
** no memory. */
const brio_cloud_index *brio_lua_cloud_index(lua_State *L, int arg, brio_error *err);

/* Push a new, empty cloud that the garbage collector frees; raise when there is no memory. */
brio_cloud *brio_lua_cloud_new(lua_State *L);

/* Push a cloud that the caller owns, and keeps alive as long as the state. After filling it again the caller
** calls brio_lua_cloud_changed with the index of the pushed value. */
void brio_lua_cloud_lend(lua_State *L, brio_cloud *cloud);

/* Report that the content of the lent cloud at `index` has changed. */
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
