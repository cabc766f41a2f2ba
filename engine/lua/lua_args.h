/* Shared by all bindings: argument checks with errors that name the argument and the expected value, the two
** kinds of failure, and vectors and poses as Lua tables.
**
** In Lua a vector is {x, y, z}, a quaternion {x, y, z, w}, a pose {position = {x, y, z}, orientation = {x, y,
** z, w}}; a missing orientation is the identity. */
#ifndef BRIO_LUA_ARGS_H
#define BRIO_LUA_ARGS_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "base/error.h"
#include "math/pose.h"

/* Every module's opener: luaopen_brio_<name>, for each row of modules.def. */
#define X(name) int luaopen_brio_##name(lua_State *L);
#include "lua/modules.def"
#undef X

/* Return from a binding that failed: misuse raises the sentence at the caller's line; other failures return
** nil, sentence, code. */
int brio_lua_failed(lua_State *L, const brio_error *err);

/* Return a finite number argument within [lower, upper], or raise naming `what`. */
double brio_lua_number(lua_State *L, int arg, double lower, double upper, const char *what);

/* Read `count` finite numbers from the table at `index` into `out`; raise naming `what`. */
void brio_lua_numbers(lua_State *L, int index, int count, double *out, const char *what);

/* Push a table of `count` numbers. */
void brio_lua_push_numbers(lua_State *L, const double *numbers, int count);

/* Read a vector, quaternion (normalized) or pose; raise naming `what`. */
brio_vec3 brio_lua_vec3(lua_State *L, int index, const char *what);
brio_quat brio_lua_quat(lua_State *L, int index, const char *what);
brio_pose brio_lua_pose(lua_State *L, int index, const char *what);

/* Push a vector or a pose as a new table. */
void brio_lua_push_vec3(lua_State *L, brio_vec3 v);
void brio_lua_push_pose(lua_State *L, brio_pose pose);

/* Raise unless every string key of the table at `index` is in `keys` (ends at NULL):
** "<what> has no field 'x' (did you mean 'y'?)".  Array items are left alone. */
void brio_lua_only_keys(lua_State *L, int index, const char *const *keys, const char *what);

/* Return the field's number, or `fallback` when it is absent; raise, naming the field and the range, when it
** is not a finite number within [lower, upper]. */
double brio_lua_field_number(lua_State *L, int index, const char *key, double lower, double upper,
                             double fallback);

/* Return the field's text (alive while the table holds it), or `fallback` when absent; raise on another
** type. */
const char *brio_lua_field_text(lua_State *L, int index, const char *key, const char *fallback);

/* Return the field as a boolean, or `fallback` when absent; raise on another type. */
bool brio_lua_field_flag(lua_State *L, int index, const char *key, bool fallback);

/* Set a field of the table on the top of the stack. */
void brio_lua_set_text(lua_State *L, const char *key, const char *text);
void brio_lua_set_number(lua_State *L, const char *key, double number);
void brio_lua_set_integer(lua_State *L, const char *key, lua_Integer number);
void brio_lua_set_vec3(lua_State *L, const char *key, brio_vec3 v);

/* Create the metatable `name` with methods, also as __index, and __gc if given; the stack is unchanged. */
void brio_lua_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction gc);

#endif
