/* brio.world: the simulated world's people, objects and sensor. */
#include "lua/lua_world.h"

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/lua_perception.h"
#include "world/walk.h"

#define CLASS "brio.world"

enum { MOST_POINTS = 1 << 18, MOST_SEEN = 4096 };

brio_world *brio_lua_world_check(lua_State *L, int arg) { return brio_lua_box_check(L, arg, CLASS); }

void brio_lua_world_push(lua_State *L, brio_world *world, bool owned) {
  brio_lua_box_push(L, CLASS, world, owned);
}

static int collect(lua_State *L) {
  brio_world_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* Raise unless the value at `index` is a table; `what` is its name. */
static void check_table(lua_State *L, int index, const char *what) {
  if (!lua_istable(L, index)) luaL_error(L, "%s must be a table, not %s", what, luaL_typename(L, index));
}

/* Read one point {t, x, y [, z [, yaw]]} from the top of the stack and pop it. */
static brio_walk_point read_point(lua_State *L) {
  double v[5] = {0, 0, 0, NAN, NAN};
  int count = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
  if (count < 3 || count > 5) luaL_error(L, "a path's point must be {t, x, y [, z [, yaw]]}");
  brio_lua_numbers(L, -1, count, v, "a path's point");
  lua_pop(L, 1);
  return (brio_walk_point){v[0], v[1], v[2], v[3], v[4]};
}

/* Read the field `path` of the table at `index` into an array that a userdata left on the stack owns. */
static brio_walk_point *read_path(lua_State *L, int index, int *count) {
  if (lua_getfield(L, index, "path") != LUA_TTABLE)
    luaL_error(L, "path must be a list of points {t, x, y [, z [, yaw]]}, not %s", luaL_typename(L, -1));
  size_t length = lua_rawlen(L, -1);
  if (length > MOST_POINTS) luaL_error(L, "path must have at most %d points", MOST_POINTS);
  brio_walk_point *points = lua_newuserdatauv(L, (length + 1) * sizeof *points, 0);
  for (size_t i = 0; i < length; i++) {
    lua_rawgeti(L, -2, (lua_Integer)i + 1);
    points[i] = read_point(L);
  }
  *count = (int)length;
  return points;
}

void brio_lua_world_add(lua_State *L, brio_world *world, int index, const char *kind) {
  static const char *const keys[] = {"kind", "id", "path", "loop", "height", "size", NULL};
  int top = lua_gettop(L);
  index = lua_absindex(L, index);
  check_table(L, index, "a person or object of the world");
  brio_lua_only_keys(L, index, keys, "a person or object of the world");
  brio_walk walk = {.kind = brio_lua_field_text(L, index, "kind", kind)};
  walk.id = brio_lua_field_text(L, index, "id", "");
  walk.loop = brio_lua_field_flag(L, index, "loop", false);
  walk.height = brio_lua_field_number(L, index, "height", 0.3, 3, 0);
  if (lua_getfield(L, index, "size") != LUA_TNIL) walk.size = brio_lua_vec3(L, -1, "size");
  walk.points = read_path(L, index, &walk.count);
  brio_error err;
  if (!brio_world_add_walk(world, &walk, &err)) luaL_error(L, "%s", err.message);
  lua_settop(L, top);
}

/* Add every item of the list in field `key`, if it is there. */
static void add_list(lua_State *L, brio_world *world, const char *key, const char *kind) {
  if (lua_getfield(L, 1, key) != LUA_TNIL) {
    if (!lua_istable(L, -1)) luaL_error(L, "%s must be a list, not %s", key, luaL_typename(L, -1));
    lua_Integer count = (lua_Integer)lua_rawlen(L, -1), there = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) there++;
    if (there != count) luaL_error(L, "%s must be a list: {{id = ...}, {id = ...}}, without names or gaps", key);
    for (lua_Integer i = 1; i <= count; i++) {
      lua_rawgeti(L, -1, i);
      brio_lua_world_add(L, world, -1, kind);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

/* Set the sensor from the field `sensor`, if it is there. */
static void set_sensor(lua_State *L, brio_world *world) {
  static const char *const keys[] = {"pose", "range", "view", "noise", "dropout", "rate", NULL};
  if (lua_getfield(L, 1, "sensor") != LUA_TNIL) {
    int at = lua_gettop(L);
    check_table(L, at, "the world's sensor");
    brio_lua_only_keys(L, at, keys, "the world's sensor");
    brio_world_sensor sensor = {.pose = BRIO_POSE_IDENTITY};
    sensor.range = brio_lua_field_number(L, at, "range", 0, HUGE_VAL, HUGE_VAL);
    sensor.view = brio_lua_field_number(L, at, "view", 0, 2 * BRIO_PI, 2 * BRIO_PI);
    sensor.noise = brio_lua_field_number(L, at, "noise", 0, 1e3, 0);
    sensor.dropout = brio_lua_field_number(L, at, "dropout", 0, 1, 0);
    sensor.rate = brio_lua_field_number(L, at, "rate", 0, 1e6, 0);
    if (lua_getfield(L, at, "pose") != LUA_TNIL) sensor.pose = brio_lua_pose(L, -1, "the sensor's pose");
    lua_pop(L, 1);
    brio_error err;
    if (!brio_world_set_sensor(world, &sensor, &err)) luaL_error(L, "%s", err.message);
  }
  lua_pop(L, 1);
}

/* world.new{seed =, sensor =, people =, objects =} -> world
** Makes a simulated world: a stage without mass or contact.  sensor is {pose =, range =, view =,
** noise =, dropout =, rate =}; people are {id =, path = {{t, x, y [, z [, yaw]]}, ...}, loop =,
** height =}, there from the first time to the last; objects are {kind =, id =, size =, path =,
** loop =}.  A person's pose is the head's, facing where they walk. */
static int new_world(lua_State *L) {
  static const char *const keys[] = {"seed", "sensor", "people", "objects", NULL};
  lua_settop(L, 1);
  if (lua_isnil(L, 1)) {
    lua_newtable(L);
    lua_replace(L, 1);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_lua_only_keys(L, 1, keys, "world.new");
  uint64_t seed = (uint64_t)brio_lua_field_number(L, 1, "seed", 0, 0x1p53, 0);
  brio_error err;
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  box->thing = brio_world_new(seed, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  set_sensor(L, box->thing);
  add_list(L, box->thing, "people", "person");
  add_list(L, box->thing, "objects", "object");
  return 1;
}

/* world:add{kind =, id =, path =, loop =, height =, size =}
** Adds one more person (kind "person") or object (any other kind; "object" where none is given). */
static int add(lua_State *L) {
  brio_lua_world_add(L, brio_lua_world_check(L, 1), 2, "object");
  return 0;
}

/* world:exchange(other)
** Takes what is in another world (sensor, people and objects) and leaves it what was here; the time goes on. */
static int exchange(lua_State *L) {
  brio_world *world = brio_lua_world_check(L, 1), *other = brio_lua_world_check(L, 2);
  if (other != world) brio_world_exchange(world, other);
  return 0;
}

/* world:advance(time)
** Sets the world's time in seconds; it only goes forward. */
static int advance(lua_State *L) {
  brio_world *world = brio_lua_world_check(L, 1);
  brio_world_advance(world, brio_lua_number(L, 2, -HUGE_VAL, HUGE_VAL, "the time"));
  return 0;
}

/* world:detect() -> list of detections
** What the world's sensor reports now; nothing between two reports of its rate. */
static int detect(lua_State *L) {
  brio_world *world = brio_lua_world_check(L, 1);
  brio_detection *seen = lua_newuserdatauv(L, MOST_SEEN * sizeof *seen, 0);
  int count = brio_world_detect(world, seen, MOST_SEEN);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    brio_lua_push_detection(L, &seen[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* world:pose(id) -> pose or nil
** Where a person (the head) or an object truly is now, if it is there. */
static int get_pose(lua_State *L) {
  brio_pose pose;
  if (brio_world_pose(brio_lua_world_check(L, 1), luaL_checkstring(L, 2), &pose)) brio_lua_push_pose(L, pose);
  else lua_pushnil(L);
  return 1;
}

int luaopen_brio_world(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"add", add},       {"exchange", exchange}, {"advance", advance},
      {"detect", detect}, {"pose", get_pose},     {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new_world}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
