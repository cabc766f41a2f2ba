/* Points of a cloud in a solid, in Lua. Solids are tables {kind =, size =, pose =} as everywhere
** (docs/perception/proximity.md), or {kind = "union", shapes = {...}}. */
#include <stdlib.h>
#include <string.h>

#include "lua/cloud/lua_cloud.h"
#include "lua/lua_args.h"
#include "lua/solver/lua_solver.h"

enum { DEEPEST = 8 /* unions within unions */ };

/* The list that solids are read into, and its length. */
typedef struct solids {
  brio_cloud_solid *list;
  int count;
} solids;

static void read_shape(lua_State *L, int index, brio_pose pose, int depth, solids *to);

/* Append the parts of the union at `index`. */
static void read_union(lua_State *L, int index, brio_pose pose, int depth, solids *to) {
  if (depth == DEEPEST) luaL_error(L, "unions are nested more than %d deep", DEEPEST);
  if (lua_getfield(L, index, "shapes") != LUA_TTABLE || lua_rawlen(L, -1) == 0)
    luaL_error(L, "a union needs `shapes`: a list of solids");
  int list = lua_gettop(L);
  for (lua_Unsigned i = 1; i <= lua_rawlen(L, list); i++) {
    lua_rawgeti(L, list, (lua_Integer)i);
    read_shape(L, list + 1, pose, depth + 1, to);
    lua_settop(L, list);
  }
  lua_pop(L, 1);
}

/* Append the solid or union at `index`, whose pose is relative to `pose`. May leave values on the stack. */
static void read_shape(lua_State *L, int index, brio_pose pose, int depth, solids *to) {
  static const char *const keys[] = {"kind", "size", "pose", "shapes", NULL};
  luaL_checkstack(L, 8, "solids");
  if (!lua_istable(L, index))
    luaL_error(L, "a solid must be a table {kind = ..., size = ...}, not %s", luaL_typename(L, index));
  brio_lua_only_keys(L, index, keys, "a solid");
  /* A pose is relative to that of the union it is in. */
  if (lua_getfield(L, index, "pose") != LUA_TNIL)
    pose = brio_pose_mul(pose, brio_lua_pose(L, -1, "a solid's pose"));
  lua_pop(L, 1);
  const char *kind = brio_lua_field_text(L, index, "kind", "");
  /* A union has no shape of its own: its parts are read. */
  if (strcmp(kind, "union") == 0) {
    read_union(L, index, pose, depth, to);
    return;
  }
  /* One list of solids for all levels, of limited length. */
  if (to->count == BRIO_CLOUD_SOLIDS) luaL_error(L, "a union has at most %d solids", BRIO_CLOUD_SOLIDS);
  brio_cloud_solid *solid = &to->list[to->count++];
  solid->pose = pose;
  brio_lua_shape(L, index, &solid->shape);
}

int brio_lua_cloud_solids(lua_State *L, int arg, brio_cloud_solid *list) {
  solids to = {list, 0};
  brio_pose pose = lua_isnoneornil(L, arg + 1) ? BRIO_POSE_IDENTITY : brio_lua_pose(L, arg + 1, "pose");
  lua_settop(L, arg + 1);
  read_shape(L, arg, pose, 0, &to);
  return to.count;
}

/* cloud:index() -> cloud | nil, sentence, code
** Builds the index now rather than at the first query. Codes: no_memory. */
static int cloud_index(lua_State *L) {
  brio_error err;
  if (!brio_lua_cloud_index(L, 1, &err)) return brio_lua_failed(L, &err);
  lua_settop(L, 1);
  return 1;
}

/* cloud:count(solid [, pose]) -> count, {red, green, blue} | nil, sentence, code
** The number of points in a solid {kind =, size =, pose =}, or in a union {kind = "union", shapes = {...}},
** that stands at `pose` in the cloud's frame, and their mean color from 0 to 1 (nil: no points or no colors).
** Kinds: sphere, box, capsule, cylinder, half_space. The surface belongs to the solid. Codes: no_memory. */
static int cloud_count(lua_State *L) {
  brio_cloud_solid list[BRIO_CLOUD_SOLIDS];
  int n = brio_lua_cloud_solids(L, 2, list);
  brio_error err;
  brio_cloud_tally tally;
  /* The index is built at the first query of a cloud. */
  const brio_cloud_index *index = brio_lua_cloud_index(L, 1, &err);
  if (!index || !brio_cloud_count(index, list, n, &tally, &err)) return brio_lua_failed(L, &err);
  lua_pushinteger(L, tally.count);
  /* The mean color is NaN without points or without colors. */
  if (tally.color[0] == tally.color[0]) brio_lua_push_numbers(L, tally.color, 3);
  else lua_pushnil(L);
  return 2;
}

/* Push a userdata with the indices of the points in the solids at argument 2; return their number, or -1 and
** an error. */
static int push_places(lua_State *L, int **places, brio_error *err) {
  brio_cloud_solid list[BRIO_CLOUD_SOLIDS];
  int n = brio_lua_cloud_solids(L, 2, list);
  const brio_cloud_index *index = brio_lua_cloud_index(L, 1, err);
  *places = NULL;
  /* First count, then list: the memory has the right size. A failure still pushes an empty block. */
  int count = index ? brio_cloud_list(index, list, n, NULL, 0, err) : -1;
  *places = lua_newuserdatauv(L, ((size_t)(count > 0 ? count : 0) + 1) * sizeof **places, 0);
  return count < 0 ? -1 : brio_cloud_list(index, list, n, *places, count, err);
}

/* Ascending, for qsort. */
static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

/* cloud:list(solid [, pose]) -> list of places | nil, sentence, code
** The places of the points in the solid, counted from 1, ascending. Codes: no_memory. */
static int cloud_list(lua_State *L) {
  int *places;
  brio_error err;
  int count = push_places(L, &places, &err);
  if (count < 0) return brio_lua_failed(L, &err);
  /* The index lists them by cells; the script gets them in the cloud's order. */
  qsort(places, (size_t)count, sizeof *places, compare);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushinteger(L, places[i] + 1);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* Make a cloud of the points in the solids, or of all others. */
static int cut(lua_State *L, bool inside) {
  int *places;
  brio_error err;
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  int count = push_places(L, &places, &err);
  if (count < 0) return brio_lua_failed(L, &err);
  /* A flag for each place; select copies the points whose flag is set. */
  bool *keep = lua_newuserdatauv(L, (size_t)cloud->count + 1, 0);
  for (int i = 0; i < cloud->count; i++) keep[i] = !inside;
  for (int i = 0; i < count; i++) keep[places[i]] = inside;
  return brio_cloud_select(brio_lua_cloud_new(L), cloud, keep, &err) ? 1 : brio_lua_failed(L, &err);
}

/* cloud:crop(solid [, pose]) -> cloud | nil, sentence, code
** A new cloud of the points in the solid or union. Codes: no_memory. */
static int cloud_crop(lua_State *L) { return cut(L, true); }

/* cloud:without(solid [, pose]) -> cloud | nil, sentence, code
** A new cloud of all points but those. Codes: no_memory. */
static int cloud_without(lua_State *L) { return cut(L, false); }

const luaL_Reg brio_lua_cloud_solid_methods[] = {{"index", cloud_index},     {"count", cloud_count},
                                                 {"list", cloud_list},       {"crop", cloud_crop},
                                                 {"without", cloud_without}, {NULL, NULL}};
