/* Buildings and their people in a world file: walls, rooms, walkers, the depth sensor. */
#include <string.h>

#include "lua/lua_args.h"
#include "lua/world/lua_world.h"
#include "world/people/walkers.h"
#include "world/sensors/depth.h"
#include "world/walls.h"

enum { MOST_STOPS = 4096 };

/* A field {x, y} of the table at `index`; raise if it is absent. */
static void field_point(lua_State *L, int index, const char *key, double out[2]) {
  if (lua_getfield(L, index, key) == LUA_TNIL) luaL_error(L, "it needs %s = {x, y}", key);
  brio_lua_numbers(L, lua_gettop(L), 2, out, key);
  lua_pop(L, 1);
}

/* Read one opening {at, width, height} on top of the stack into a wall. */
static void read_gap(lua_State *L, brio_wall_form *form, const char *const *keys) {
  int at = lua_gettop(L);
  if (!lua_istable(L, at))
    luaL_error(L, "the wall '%s': an opening must be {at =, width =, height =}", form->id);
  if (form->ngap == BRIO_WALL_GAPS)
    luaL_error(L, "the wall '%s' may have %d openings", form->id, BRIO_WALL_GAPS);
  brio_lua_only_keys(L, at, keys, "an opening");
  form->gaps[form->ngap++] = (brio_wall_gap){.at = brio_lua_field_number(L, at, "at", 0, 1e4, 0.5),
                                             .width = brio_lua_field_number(L, at, "width", 0.01, 100, 0.9),
                                             .height = brio_lua_field_number(L, at, "height", 0.01, 100, 2)};
}

/* Add a wall; raise if the world refuses it. */
static void add_wall(lua_State *L, brio_world *world, const brio_wall_form *form) {
  brio_error err;
  if (!brio_world_add_wall(world, form, &err)) luaL_error(L, "%s", err.message);
}

void brio_lua_world_wall(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"id", "from", "to", "height", "thick", "openings", "color", NULL};
  static const char *const of_gap[] = {"at", "width", "height", NULL};
  double from[2], to[2];
  brio_lua_only_keys(L, index, keys, "a wall");
  /* The measures in m; `thick` is the thickness. */
  brio_wall_form form = {.id = brio_lua_field_text(L, index, "id", ""),
                         .height = brio_lua_field_number(L, index, "height", 0.01, 100, 2.5),
                         .thick = brio_lua_field_number(L, index, "thick", 0.001, 10, 0.1)};
  /* The ends of the wall on the floor; openings are counted from the first. */
  field_point(L, index, "from", from);
  field_point(L, index, "to", to);
  form.x0 = from[0], form.y0 = from[1], form.x1 = to[0], form.y1 = to[1];
  brio_lua_world_color(L, index, form.color);
  /* The openings, each from the floor up. */
  lua_Integer count = brio_lua_world_list(L, index, "openings");
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, i);
    read_gap(L, &form, of_gap);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  add_wall(L, world, &form);
}

/* The sides of a room: the corners of its box at both ends, so that openings are counted from the left as
** seen from inside for north and south, and from the south for east and west. */
static const struct { const char *name; int from[2], to[2]; } sides[] = {
    {"south", {0, 1}, {2, 1}}, {"east", {2, 1}, {2, 3}}, {"north", {0, 3}, {2, 3}}, {"west", {0, 1}, {0, 3}}};

enum { NSIDE = sizeof sides / sizeof *sides };

/* The index in `sides` of the side with that name; raises, naming the room, when there is none. */
static int side_of(lua_State *L, const char *name, const char *id) {
  for (int i = 0; i < NSIDE; i++)
    if (strcmp(sides[i].name, name) == 0) return i;
  return luaL_error(L, "the room '%s': a side is south, east, north or west, not '%s'", id, name);
}

/* Read the lists `doors` and `without` of a room. */
static void read_sides(lua_State *L, int index, brio_wall_form forms[NSIDE], bool left_out[NSIDE],
                       const char *id) {
  static const char *const of_door[] = {"side", "at", "width", "height", NULL};
  /* Doors: each becomes an opening in the wall of its side. */
  lua_Integer doors = brio_lua_world_list(L, index, "doors");
  for (lua_Integer i = 1; i <= doors; i++) {
    lua_rawgeti(L, -1, i);
    luaL_checktype(L, -1, LUA_TTABLE);
    read_gap(L, &forms[side_of(L, brio_lua_field_text(L, lua_gettop(L), "side", ""), id)], of_door);
    lua_pop(L, 1);
  }
  /* Sides that have no wall. */
  lua_Integer without = brio_lua_world_list(L, index, "without");
  for (lua_Integer i = 1; i <= without; i++) {
    lua_rawgeti(L, -1, i);
    left_out[side_of(L, luaL_checkstring(L, -1), id)] = true;
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
}

void brio_lua_world_room(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"id", "box", "height", "thick", "doors", "without", "color", NULL};
  brio_lua_only_keys(L, index, keys, "a room");
  const char *id = brio_lua_field_text(L, index, "id", "");
  /* The box is {least x, least y, most x, most y}, in m. */
  double box[4];
  if (lua_getfield(L, index, "box") == LUA_TNIL)
    luaL_error(L, "the room '%s' needs box = {least x, least y, most x, most y}", id);
  brio_lua_numbers(L, lua_gettop(L), 4, box, "box");
  lua_pop(L, 1);
  /* One wall for each side, all with the room's height, thickness and color. */
  brio_wall_form forms[NSIDE];
  bool left_out[NSIDE] = {false};
  for (int i = 0; i < NSIDE; i++) {
    forms[i] = (brio_wall_form){.id = id,
                                .x0 = box[sides[i].from[0]],
                                .y0 = box[sides[i].from[1]],
                                .x1 = box[sides[i].to[0]],
                                .y1 = box[sides[i].to[1]],
                                .height = brio_lua_field_number(L, index, "height", 0.01, 100, 2.5),
                                .thick = brio_lua_field_number(L, index, "thick", 0.001, 10, 0.1)};
    brio_lua_world_color(L, index, forms[i].color);
  }
  /* Doors become openings, and the sides in `without` are left out. */
  read_sides(L, index, forms, left_out, id);
  /* Add the walls that remain, named room/side. The name on the stack lives until the world has copied
  ** it. */
  for (int i = 0; i < NSIDE; i++) {
    if (left_out[i]) continue;
    forms[i].id = lua_pushfstring(L, "%s/%s", id, sides[i].name);
    add_wall(L, world, &forms[i]);
    lua_pop(L, 1);
  }
}

/* Read the path of a walker, {{x, y [, seconds]}, ...}, into a userdata that is pushed. */
static const brio_walker_stop *read_stops(lua_State *L, int index, int *count) {
  if (lua_getfield(L, index, "path") != LUA_TTABLE)
    luaL_error(L, "a walker needs path = {{x, y [, seconds]}, ...}");
  lua_Unsigned length = lua_rawlen(L, -1);
  if (length < 1 || length > MOST_STOPS)
    luaL_error(L, "a walker's path must have from 1 to %d places", MOST_STOPS);
  /* The stops live in a userdata that the collector frees, also when an error is raised below. */
  brio_walker_stop *stops = lua_newuserdatauv(L, length * sizeof *stops, 0);
  for (lua_Unsigned i = 0; i < length; i++) {
    /* Each stop is x and y (m) and how long the walker stays there (s), 0 if it is absent. */
    double v[3] = {0, 0, 0};
    lua_rawgeti(L, -2, (lua_Integer)i + 1);
    int items = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
    if (items < 2 || items > 3) luaL_error(L, "a place of a walker's path must be {x, y [, seconds]}");
    brio_lua_numbers(L, lua_gettop(L), items, v, "a place of a walker's path");
    stops[i] = (brio_walker_stop){v[0], v[1], v[2]};
    lua_pop(L, 1);
  }
  *count = (int)length;
  return stops;
}

void brio_lua_world_walker(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"id",  "kind", "path",     "loop",  "height", "speed", "from",
                                     "yaw", "near", "patience", "aside", "keep",   NULL};
  int top = lua_gettop(L);
  brio_lua_only_keys(L, index, keys, "a walker");
  brio_walker_form form = {.kind = brio_lua_field_text(L, index, "kind", "person"),
                           .id = brio_lua_field_text(L, index, "id", ""),
                           .loop = brio_lua_field_flag(L, index, "loop", false)};
  /* Measures and pace: m, m/s, s of the first step, rad at the start. */
  form.height = brio_lua_field_number(L, index, "height", 0.3, 3, 1.7);
  form.speed = brio_lua_field_number(L, index, "speed", 0, 10, 0.8);
  form.from = brio_lua_field_number(L, index, "from", 0, 1e9, 0);
  form.yaw = brio_lua_field_number(L, index, "yaw", -1e4, 1e4, 0);
  /* A walker makes way for a robot that is nearer than `near` (m) for `patience` (s), and waits while the
  ** robot is nearer than `keep` (m) ahead. */
  form.near = brio_lua_field_number(L, index, "near", 0, 100, 1.5);
  form.patience = brio_lua_field_number(L, index, "patience", 0, HUGE_VAL, HUGE_VAL);
  form.keep = brio_lua_field_number(L, index, "keep", 0, 100, 0.7);
  /* Where it steps to when it makes way, if that is given (m). */
  double aside[2] = {0, 0};
  form.has_aside = lua_getfield(L, index, "aside") != LUA_TNIL;
  lua_pop(L, 1);
  if (form.has_aside) field_point(L, index, "aside", aside);
  form.aside_x = aside[0], form.aside_y = aside[1];
  /* The path stays on the stack while the world copies it. */
  form.path = read_stops(L, index, &form.count);
  brio_error err;
  if (!brio_world_add_walker(world, &form, &err)) luaL_error(L, "%s", err.message);
  lua_settop(L, top);
}

void brio_lua_world_depth(lua_State *L, brio_world *world, int index) {
  static const char *const keys[] = {"link",    "pose",  "width", "height", "view",
                                     "nearest", "range", "noise", "rate",   NULL};
  if (!lua_istable(L, index))
    luaL_error(L, "the world's depth camera must be a table, not %s", luaL_typename(L, index));
  brio_lua_only_keys(L, index, keys, "the world's depth camera");
  /* The camera's picture: pixels, field of view (rad), range (m), noise; `rate` in pictures per s. */
  brio_world_depth depth = {.rate = brio_lua_field_number(L, index, "rate", 0, 1e6, 5)};
  depth.camera = (brio_world_camera){.pose = BRIO_POSE_IDENTITY,
                                     .width = (int)brio_lua_field_number(L, index, "width", 1, 4096, 80),
                                     .height = (int)brio_lua_field_number(L, index, "height", 1, 4096, 40),
                                     .view = brio_lua_field_number(L, index, "view", 0.01, 3.1, 1.5),
                                     .nearest = brio_lua_field_number(L, index, "nearest", 0, 1e3, 0.1),
                                     .range = brio_lua_field_number(L, index, "range", 0.01, 1e4, 8),
                                     .noise = brio_lua_field_number(L, index, "noise", 0, 1, 0)};
  /* The link that carries the camera, and its pose there. */
  const char *link = brio_lua_field_text(L, index, "link", "");
  if (strlen(link) >= sizeof depth.link) luaL_error(L, "the depth camera's link has too long a name");
  strcpy(depth.link, link);
  if (lua_getfield(L, index, "pose") != LUA_TNIL)
    depth.camera.pose = brio_lua_pose(L, -1, "the depth camera's pose");
  lua_pop(L, 1);
  brio_error err;
  if (!brio_world_set_depth(world, &depth, &err)) luaL_error(L, "%s", err.message);
}
