#include "lua/lua_args.h"

#include <math.h>
#include <string.h>

#include "base/name.h"

/* Misuse is the caller's mistake: it raises. Any other failure may happen to a correct script: it is
** returned. */
int brio_lua_failed(lua_State *L, const brio_error *err) {
  if (err->code == BRIO_MISUSE) return luaL_error(L, "%s", err->message);
  lua_pushnil(L);
  lua_pushstring(L, err->message);
  lua_pushstring(L, brio_code_name(err->code));
  return 3;
}

/* Raise "<what> must be <expected>, not <value>". */
static int wrong(lua_State *L, int index, const char *what, const char *expected) {
  index = lua_absindex(L, index);
  /* Numbers and texts are shown as they are; of other values only the type is shown. */
  const char *got = lua_type(L, index) == LUA_TNUMBER || lua_type(L, index) == LUA_TSTRING
                        ? luaL_tolstring(L, index, NULL)
                        : luaL_typename(L, index);
  return luaL_error(L, "%s must be %s, not %s", what, expected, got);
}

/* Check the number at `index`; raise naming `what` and the range. */
static double number_at(lua_State *L, int index, double lower, double upper, const char *what) {
  /* The index is made absolute, since the message below pushes values. */
  index = lua_absindex(L, index);
  double value = lua_tonumber(L, index);
  /* Only real numbers pass: a text that looks like a number does not, nor do NaN and infinities. */
  if (lua_type(L, index) == LUA_TNUMBER && isfinite(value) && value >= lower && value <= upper) return value;
  /* Describe the range by the bounds that exist. */
  if (lower > -HUGE_VAL && upper < HUGE_VAL)
    wrong(L, index, what, lua_pushfstring(L, "a number from %f to %f", lower, upper));
  else if (lower > -HUGE_VAL)
    wrong(L, index, what, lua_pushfstring(L, "a finite number of at least %f", lower));
  else
    wrong(L, index, what, "a finite number");
  return 0;
}

double brio_lua_number(lua_State *L, int arg, double lower, double upper, const char *what) {
  return number_at(L, arg, lower, upper, what);
}

/* The table must have exactly `count` items: a longer list is an error too. */
void brio_lua_numbers(lua_State *L, int index, int count, double *out, const char *what) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index) || lua_rawlen(L, index) != (size_t)count)
    wrong(L, index, what, lua_pushfstring(L, "a table of %d numbers", count));
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, index, i + 1);
    out[i] = number_at(L, -1, -HUGE_VAL, HUGE_VAL, what);
    lua_pop(L, 1);
  }
}

void brio_lua_push_numbers(lua_State *L, const double *numbers, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

brio_vec3 brio_lua_vec3(lua_State *L, int index, const char *what) {
  double v[3];
  brio_lua_numbers(L, index, 3, v, what);
  return (brio_vec3){v[0], v[1], v[2]};
}

/* The quaternion may have any length but zero: it is normalized. hypot avoids overflow of the squares. */
brio_quat brio_lua_quat(lua_State *L, int index, const char *what) {
  double v[4];
  brio_lua_numbers(L, index, 4, v, what);
  if (!(hypot(hypot(v[0], v[1]), hypot(v[2], v[3])) > 1e-9))
    luaL_error(L, "%s must be a quaternion {x, y, z, w} with a length, not all zero", what);
  return brio_quat_unit((brio_quat){v[0], v[1], v[2], v[3]});
}

brio_pose brio_lua_pose(lua_State *L, int index, const char *what) {
  static const char *const keys[] = {"position", "orientation", NULL};
  index = lua_absindex(L, index);
  if (!lua_istable(L, index) || lua_rawlen(L, index) > 0) /* a bare list has no such fields */
    wrong(L, index, what, "a pose {position = {x, y, z}, orientation = {x, y, z, w}}");
  brio_lua_only_keys(L, index, keys, what);
  /* A missing position is the origin, a missing orientation the identity. */
  brio_pose pose = BRIO_POSE_IDENTITY;
  if (lua_getfield(L, index, "position") != LUA_TNIL) pose.p = brio_lua_vec3(L, -1, what);
  if (lua_getfield(L, index, "orientation") != LUA_TNIL) pose.q = brio_lua_quat(L, -1, what);
  lua_pop(L, 2);
  return pose;
}

void brio_lua_push_vec3(lua_State *L, brio_vec3 v) {
  brio_lua_push_numbers(L, (double[]){v.x, v.y, v.z}, 3);
}

void brio_lua_push_pose(lua_State *L, brio_pose pose) {
  /* The order in Lua is x, y, z, w, as in ROS. */
  lua_createtable(L, 0, 2);
  brio_lua_push_vec3(L, pose.p);
  lua_setfield(L, -2, "position");
  brio_lua_push_numbers(L, (double[]){pose.q.x, pose.q.y, pose.q.z, pose.q.w}, 4);
  lua_setfield(L, -2, "orientation");
}

/* An item of a list of keys, for brio_name_hint; the list ends at NULL. */
static const char *key_at(const void *list, int i) { return ((const char *const *)list)[i]; }

void brio_lua_only_keys(lua_State *L, int index, const char *const *keys, const char *what) {
  index = lua_absindex(L, index);
  /* Linear search: a list has some ten keys. Keys that are not texts belong to the array part. */
  char hint[96];
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    const char *key = lua_tostring(L, -2);
    int i = 0;
    while (keys[i] && strcmp(keys[i], key) != 0) i++;
    if (!keys[i]) luaL_error(L, "%s has no field '%s'%s", what, key, brio_name_hint(key, key_at, keys, hint));
  }
}

double brio_lua_field_number(lua_State *L, int index, const char *key, double lower, double upper,
                             double fallback) {
  double value = lua_getfield(L, index, key) == LUA_TNIL ? fallback : number_at(L, -1, lower, upper, key);
  lua_pop(L, 1);
  return value;
}

/* The text is popped here; the table still holds it, so the pointer stays valid. */
const char *brio_lua_field_text(lua_State *L, int index, const char *key, const char *fallback) {
  int type = lua_getfield(L, index, key);
  if (type != LUA_TNIL && type != LUA_TSTRING) wrong(L, -1, key, "a text");
  const char *text = type == LUA_TNIL ? fallback : lua_tostring(L, -1);
  lua_pop(L, 1);
  return text;
}

bool brio_lua_field_flag(lua_State *L, int index, const char *key, bool fallback) {
  int type = lua_getfield(L, index, key);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN) wrong(L, -1, key, "true or false");
  bool flag = type == LUA_TNIL ? fallback : lua_toboolean(L, -1);
  lua_pop(L, 1);
  return flag;
}

/* A class that exists already is filled again with the same functions. */
void brio_lua_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction gc) {
  /* The metatable is its own __index: methods are fields of it. */
  luaL_newmetatable(L, name);
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  if (gc) {
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_pop(L, 1);
}

void brio_lua_set_text(lua_State *L, const char *key, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

void brio_lua_set_number(lua_State *L, const char *key, double number) {
  lua_pushnumber(L, number);
  lua_setfield(L, -2, key);
}

void brio_lua_set_integer(lua_State *L, const char *key, lua_Integer number) {
  lua_pushinteger(L, number);
  lua_setfield(L, -2, key);
}

void brio_lua_set_vec3(lua_State *L, const char *key, brio_vec3 v) {
  brio_lua_push_vec3(L, v);
  lua_setfield(L, -2, key);
}
