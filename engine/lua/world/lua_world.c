/* brio.world: the simulated world's people, objects and sensor. */
#include "lua/world/lua_world.h"

#include "lua/cloud/lua_cloud.h"
#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/scene/lua_perception.h"
#include "world/body.h"
#include "world/people/walk.h"
#include "world/sensors/depth.h"
#include "world/things/hand.h"
#include "world/things/thing.h"

#define CLASS "brio.world"

enum { MOST_POINTS = 1 << 18, MOST_SEEN = 4096, MOST_FACTS = 16 };

brio_world *brio_lua_world_check(lua_State *L, int arg) { return brio_lua_box_check(L, arg, CLASS); }

void brio_lua_world_push(lua_State *L, brio_world *world, bool owned) {
  brio_lua_box_push(L, CLASS, world, owned);
}

/* __gc: free the world, unless it was lent. */
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
  /* z and yaw are optional: where they are NaN, the world derives them. */
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
  /* One more than needed, so that an empty path gets memory too. */
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
  /* The id, and whether the path is repeated; a height (m) of 0 stands for the default. */
  walk.id = brio_lua_field_text(L, index, "id", "");
  walk.loop = brio_lua_field_flag(L, index, "loop", false);
  walk.height = brio_lua_field_number(L, index, "height", 0.3, 3, 0);
  if (lua_getfield(L, index, "size") != LUA_TNIL) walk.size = brio_lua_vec3(L, -1, "size");
  walk.points = read_path(L, index, &walk.count);
  brio_error err;
  if (!brio_world_add_walk(world, &walk, &err)) luaL_error(L, "%s", err.message);
  /* The path was copied; drop it and the size. */
  lua_settop(L, top);
}

/* world.new{seed =, sensor =, people =, objects =, furniture =, doors =, drawers =, things =, events =,
** hands =, bodies =, ground =} -> world
** Creates a simulated world with kinematic contact, without masses. docs/behaviors/world.md
** describes the lists. people are {id =, path = {{t, x, y [, z [, yaw]]}, ...}, loop =, height =}, present
** from the first time to the last; objects are {kind =, id =, size =, path =, loop =}. A person's pose is the
** head's, facing where they walk. */
static int new_world(lua_State *L) {
  lua_settop(L, 1);
  /* Without an argument the world is empty. */
  if (lua_isnil(L, 1)) {
    lua_newtable(L);
    lua_replace(L, 1);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_error err;
  /* The box is pushed first: an error in the description then frees the world. */
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  box->thing = brio_world_new((uint64_t)brio_lua_field_number(L, 1, "seed", 0, 0x1p53, 0), &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  brio_lua_world_read(L, box->thing, 1);
  return 1;
}

/* world:add{kind =, id =, path =, loop =, height =, size =}
** Adds one more person (kind "person") or object (any other kind; default: "object"). */
static int add(lua_State *L) {
  brio_lua_world_add(L, brio_lua_world_check(L, 1), 2, "object");
  return 0;
}

/* world:exchange(other)
** Swaps its contents with another world's; the time continues, and things that are in both keep their
** state. */
static int exchange(lua_State *L) {
  brio_world *world = brio_lua_world_check(L, 1), *other = brio_lua_world_check(L, 2);
  if (other != world) brio_world_exchange(world, other);
  return 0;
}

/* world:advance(time)
** Sets the world's time in seconds; it never decreases. */
static int advance(lua_State *L) {
  brio_world *world = brio_lua_world_check(L, 1);
  brio_world_advance(world, brio_lua_number(L, 2, -HUGE_VAL, HUGE_VAL, "the time"));
  return 0;
}

/* world:detect() -> list of detections
** The current report of the world's sensor; empty between two reports of its rate. */
static int detect(lua_State *L) {
  brio_world *world = brio_lua_world_check(L, 1);
  /* Room for the most detections, freed by the collector; the list is as long as the report. */
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
** The true pose of a person (the head) or an object now, if it is present. */
static int get_pose(lua_State *L) {
  brio_pose pose;
  if (brio_world_pose(brio_lua_world_check(L, 1), luaL_checkstring(L, 2), &pose)) brio_lua_push_pose(L, pose);
  else lua_pushnil(L);
  return 1;
}

/* world:state(id) -> table or nil
** The true state of something in addition to its pose: of a thing speed (m/s), held_by (a hand's name, or
** "nobody") and on (the object that it lies on or in: an id, "floor", "hand", "nowhere"); of a door angle
** (rad), speed (rad/s), latched ("yes" or "no"), handle (rad or m it is turned or pressed), held (s for which
** a person still holds it), opened (times it went beyond 1 rad), slips (of hands), passed (bodies that went
** through its panel), pressed and deepest (m of penetration of its panel, now and at most). */
static int get_state(lua_State *L) {
  brio_world_fact facts[MOST_FACTS];
  int count = brio_world_state(brio_lua_world_check(L, 1), luaL_checkstring(L, 2), facts, MOST_FACTS);
  /* nil if there is no such object; else a field for each fact, a text or a number. */
  if (count < 0) lua_pushnil(L);
  else lua_createtable(L, 0, count);
  for (int i = 0; i < count; i++)
    if (facts[i].text) brio_lua_set_text(L, facts[i].name, facts[i].text);
    else brio_lua_set_number(L, facts[i].name, facts[i].number);
  return 1;
}

/* world:bumped() -> id, depth or nil
** The fixed or closed object that the robot's body penetrates most, and the depth (m). */
static int bumped(lua_State *L) {
  double depth;
  const char *id = brio_world_bumped(brio_lua_world_check(L, 1), &depth);
  if (!id) return 0;
  lua_pushstring(L, id);
  lua_pushnumber(L, depth);
  return 2;
}

/* world:put(id, {x, y [, z]})
** Moves a thing to another place, at rest and out of any hand; without a height, on top of the objects
** there. */
static int put(lua_State *L) {
  brio_world *world = brio_lua_world_check(L, 1);
  const char *id = luaL_checkstring(L, 2);
  if (!brio_world_put_thing(world, id, brio_lua_world_place(L, 3, "the place")))
    return luaL_error(L, "the world has no thing '%s'", id);
  return 0;
}

/* world:take(id)
** Removes a thing from the world, also from a hand. */
static int take(lua_State *L) {
  const char *id = luaL_checkstring(L, 2);
  if (!brio_world_take_thing(brio_lua_world_check(L, 1), id))
    return luaL_error(L, "the world has no thing '%s'", id);
  return 0;
}

/* world:happen{at =, what =, ...}
** Adds an event, as one of the list `events` of world.new. */
static int happen(lua_State *L) {
  brio_lua_world_event(L, brio_lua_world_check(L, 1), 2);
  return 0;
}

/* world:look() -> pose, cloud or nothing
** The picture of the world's depth camera, when one is due: the pose of its link (or of a camera without a
** link), and a cloud (brio.cloud) in that frame, which the next call overwrites. */
static int look(lua_State *L) {
  brio_world *world = brio_lua_world_check(L, 1);
  /* The cloud is the box's user value, filled again by each call, so that a picture allocates little. */
  if (lua_getiuservalue(L, 1, 1) != LUA_TUSERDATA) { /* the cloud is made once */
    lua_pop(L, 1);
    brio_lua_cloud_new(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, 1);
  }
  int cloud = lua_gettop(L);
  brio_pose pose;
  if (!brio_world_look(world, brio_lua_cloud_check(L, cloud), &pose)) return 0;
  brio_lua_cloud_changed(L, cloud);
  brio_lua_push_pose(L, pose);
  lua_insert(L, cloud);
  return 2;
}

/* world:step()
** Moves things until the world's time, without a robot, as a run does in every tick with its robot. */
static int step(lua_State *L) {
  brio_world_step(brio_lua_world_check(L, 1), NULL, NULL);
  return 0;
}

int luaopen_brio_world(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"add", add},       {"exchange", exchange}, {"advance", advance},
      {"detect", detect}, {"pose", get_pose},     {"state", get_state},
      {"put", put},       {"take", take},         {"happen", happen},
      {"look", look},     {"step", step},         {"bumped", bumped},
      {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new_world}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
