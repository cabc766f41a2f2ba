/* What joints keep, and regions of the module `brio.joints`. */
#include <string.h>

#include "lua/lua_args.h"
#include "lua/plan/lua_joints.h"
#include "plan/joints/keep/region.h"

#define CLASS "brio.joints.region"

/* Read a direction in field `key` of the table at `index`: three numbers, or "x", "y" or "z". */
static brio_vec3 read_direction(lua_State *L, int index, const char *key, brio_vec3 fallback) {
  static const char letters[] = "xyz";
  int type = lua_getfield(L, index, key);
  if (type == LUA_TSTRING) {
    const char *text = lua_tostring(L, -1), *at = *text && !text[1] ? strchr(letters, *text) : NULL;
    if (!at) luaL_error(L, "%s must be \"x\", \"y\", \"z\" or a vector", key);
    fallback = (brio_vec3){at == letters, at == letters + 1, at == letters + 2};
  } else if (type != LUA_TNIL) {
    fallback = brio_lua_vec3(L, -1, key);
  }
  lua_pop(L, 1);
  return fallback;
}

/* Read three ranges {lower, upper}, each of which may be absent or false: free. */
static void read_ranges(lua_State *L, int index, const char *key, double lower[3], double upper[3]) {
  if (lua_getfield(L, index, key) != LUA_TNIL) {
    if (!lua_istable(L, -1)) luaL_error(L, "%s must be a list of three ranges", key);
    for (int i = 0; i < 3; i++) {
      int type = lua_rawgeti(L, -1, i + 1);
      if (type == LUA_TTABLE) {
        double ends[2];
        brio_lua_numbers(L, lua_gettop(L), 2, ends, "a range");
        lower[i] = ends[0], upper[i] = ends[1];
      } else if (type != LUA_TNIL && lua_toboolean(L, -1)) {
        luaL_error(L, "item %d of %s must be {lower, upper} or false", i + 1, key);
      }
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

/* Read a pose, or leave the identity. */
static void read_pose(lua_State *L, int index, const char *key, brio_pose *out) {
  if (lua_getfield(L, index, key) != LUA_TNIL) *out = brio_lua_pose(L, -1, key);
  lua_pop(L, 1);
}

/* Read one: the table at the top. */
static brio_joint_keep read_keep(lua_State *L, const brio_robot *robot, const char *what) {
  static const char *const keys[] = {"link",  "frame", "reference", "position", "axis",
                                     "along", "angle", "turn",      "name",     NULL};
  int index = lua_gettop(L);
  luaL_checktype(L, index, LUA_TTABLE);
  brio_lua_only_keys(L, index, keys, what);
  const char *link = brio_lua_field_text(L, index, "link", NULL);
  brio_error err;
  int number = link ? brio_robot_link(robot, link, &err) : -1;
  if (number < 0) luaL_error(L, "%s: %s", what, link ? err.message : "it needs a link");
  brio_joint_keep out = brio_joint_keep_of(number);
  out.name = brio_lua_field_text(L, index, "name", NULL);
  read_pose(L, index, "frame", &out.frame);
  read_pose(L, index, "reference", &out.reference);
  read_ranges(L, index, "position", out.lower, out.upper);
  read_ranges(L, index, "turn", out.turn_lower, out.turn_upper);
  out.axis = read_direction(L, index, "axis", out.axis);
  out.along = read_direction(L, index, "along", out.along);
  /* An axis without an angle is kept within 0.1 rad. */
  lua_getfield(L, index, "axis");
  bool kept = !lua_isnil(L, -1);
  lua_getfield(L, index, "angle");
  kept = kept || !lua_isnil(L, -1);
  lua_pop(L, 2);
  if (kept) out.angle = brio_lua_field_number(L, index, "angle", 0, 4, 0.1);
  return out;
}

int brio_lua_joints_keeps(lua_State *L, const brio_robot *robot, int index, const char *key,
                          const brio_joint_keep **out) {
  int type = lua_getfield(L, index, key), list = lua_gettop(L);
  *out = NULL;
  if (type == LUA_TNIL) return 0;
  luaL_argcheck(L, type == LUA_TTABLE, index, key);
  int count = (int)lua_rawlen(L, list);
  if (count < 1 || count > BRIO_JOINT_KEEPS)
    luaL_error(L, "%s: a list of 1 to %d frames, not %d", key, BRIO_JOINT_KEEPS, count);
  brio_joint_keep *items = lua_newuserdatauv(L, (size_t)count * sizeof *items, 0);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    items[i] = read_keep(L, robot, key);
    lua_pop(L, 1);
  }
  *out = items;
  return count;
}

/* Read the configuration at argument `arg`. */
static void read_values(lua_State *L, int arg, const brio_joint_checker *checker, double *out) {
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_numbers(L, arg, brio_joint_checker_size(checker, NULL), out, "values");
}

/* space:project(values) -> values | nil
** The nearest values found, within the limits of joints, at which what the space keeps is kept, with room for
** motions; they may touch something. nil: none were found from there. */
int brio_lua_space_project(lua_State *L) {
  double x[BRIO_JOINTS_PLANNED];
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  read_values(L, 2, checker, x);
  if (!brio_joint_checker_project(checker, x)) return 0;
  brio_lua_push_numbers(L, x, brio_joint_checker_size(checker, NULL));
  return 1;
}

/* space:kept(values) -> boolean, sentence
** Whether what the space keeps is kept there; if not, what is not, and by how much. */
int brio_lua_space_kept(lua_State *L) {
  double x[BRIO_JOINTS_PLANNED];
  brio_error err;
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  read_values(L, 2, checker, x);
  bool kept = brio_joint_checker_kept(checker, x, "there", &err);
  lua_pushboolean(L, kept);
  if (kept) return 1;
  lua_pushstring(L, err.message);
  return 2;
}

/* __gc, and when it is done. */
static int collect(lua_State *L) {
  brio_joint_region *own = luaL_checkudata(L, 1, CLASS);
  brio_joint_region_end(own);
  return 0;
}

/* space:draw({region, [count, tries, seed]}) -> list of values, {draws, missed, blocked}
** Configurations in a `region`, a list of bounds of frames as a space keeps them: random ones that are
** projected on it, and on what the space keeps, and touch nothing. At most `count` (8), of at most `tries`
** (200) with the `seed` (0); a try takes some 30 us. The numbers: tries, those that did not get there, and
** those that touch something. */
int brio_lua_space_draw(lua_State *L) {
  static const char *const keys[] = {"region", "count", "tries", "seed", NULL};
  brio_joint_checker *checker = brio_lua_space_check(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  brio_lua_only_keys(L, 2, keys, "a draw");
  int most = (int)brio_lua_joints_whole(L, 2, "count", 1, 1000, 8);
  int tries = (int)brio_lua_joints_whole(L, 2, "tries", 1, 1e6, 200);
  uint64_t seed = (uint64_t)brio_lua_joints_whole(L, 2, "seed", 0, 0x1p53, 0);
  const brio_joint_keep *list;
  int count = brio_lua_joints_keeps(L, brio_joint_checker_robot(checker), 2, "region", &list), found = 0;
  brio_joint_region *region = lua_newuserdatauv(L, sizeof *region, 0);
  memset(region, 0, sizeof *region);
  if (luaL_newmetatable(L, CLASS)) {
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  brio_error err;
  if (!brio_joint_region_start(region, checker, list, count, seed, &err)) return brio_lua_failed(L, &err);
  lua_newtable(L);
  double x[BRIO_JOINTS_PLANNED];
  for (int i = 0; i < tries && found < most; i++) {
    if (!brio_joint_region_draw(region, x)) continue;
    brio_lua_push_numbers(L, x, brio_joint_checker_size(checker, NULL));
    lua_rawseti(L, -2, ++found);
  }
  lua_createtable(L, 0, 3);
  brio_lua_set_integer(L, "draws", region->draws);
  brio_lua_set_integer(L, "missed", region->missed);
  brio_lua_set_integer(L, "blocked", region->blocked);
  return 2;
}
