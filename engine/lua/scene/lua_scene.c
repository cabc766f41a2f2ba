/* brio.scene: the robot's model of its surroundings. */
#include "lua/scene/lua_scene.h"

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/scene/lua_perception.h"

#define CLASS "brio.scene"

brio_scene *brio_lua_scene_check(lua_State *L, int arg) { return brio_lua_box_check(L, arg, CLASS); }

void brio_lua_scene_push(lua_State *L, brio_scene *scene, bool owned) {
  brio_lua_box_push(L, CLASS, scene, owned);
}

/* __gc: free the scene, unless the engine lent it. */
static int collect(lua_State *L) {
  brio_scene_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

/* Push the measured fields of an object into the table on top. */
static void set_numbers(lua_State *L, const brio_object *object) {
  const struct { const char *key; double value; } numbers[] = {
      {"confidence", object->confidence},
      {"first_seen", object->first_seen},
      {"last_seen", object->last_seen},
  };
  for (int i = 0; i < 3; i++) {
    lua_pushnumber(L, numbers[i].value);
    lua_setfield(L, -2, numbers[i].key);
  }
  lua_pushinteger(L, object->number);
  lua_setfield(L, -2, "number");
  lua_pushinteger(L, object->sightings);
  lua_setfield(L, -2, "sightings");
}

/* Velocity in m/s, size in m: each call creates new tables, which the caller may keep. */
void brio_lua_push_object(lua_State *L, const brio_object *object) {
  lua_createtable(L, 0, 15);
  lua_pushstring(L, object->kind);
  lua_setfield(L, -2, "kind");
  lua_pushstring(L, object->id);
  lua_setfield(L, -2, "id");
  brio_lua_push_pose(L, object->pose);
  lua_setfield(L, -2, "pose");
  brio_lua_push_vec3(L, object->pose.p);
  lua_setfield(L, -2, "position");
  brio_lua_push_vec3(L, object->velocity);
  lua_setfield(L, -2, "velocity");
  brio_lua_push_vec3(L, object->size);
  lua_setfield(L, -2, "size");
  set_numbers(L, object);
  brio_lua_set_sensed(L, object->time, object->color, object->detector, object->oriented);
}

/* Push the object, or nil if there is none. */
static int push_found(lua_State *L, const brio_object *object) {
  if (object) brio_lua_push_object(L, object);
  else lua_pushnil(L);
  return 1;
}

/* The field's whole number from 1 to `most`, or `fallback`. */
static int whole_field(lua_State *L, const char *key, double most, int fallback) {
  double value = brio_lua_field_number(L, 1, key, 1, most, fallback);
  if (value != (int)value) luaL_error(L, "%s must be a whole number, not %f", key, value);
  return (int)value;
}

/* scene.new([{most_objects =, appear_after =, lost_after =, same_within =, smoothing =}]) -> scene
** Makes an empty scene: an object appears after `appear_after` detections, is lost after `lost_after` seconds
** without one; an unnamed detection within `same_within` meters of an object is that object; `smoothing` is
** the time constant of positions in seconds (0: none). */
static int new_scene(lua_State *L) {
  static const char *const keys[] = {"most_objects", "appear_after", "lost_after",
                                     "same_within",  "smoothing",    NULL};
  /* Begin with the defaults, and replace the fields that the table has. */
  brio_scene_options options = brio_scene_defaults();
  lua_settop(L, 1);
  if (!lua_isnil(L, 1)) {
    luaL_checktype(L, 1, LUA_TTABLE);
    brio_lua_only_keys(L, 1, keys, "scene.new");
    options.most_objects = whole_field(L, "most_objects", 65536, options.most_objects);
    options.appear_after = whole_field(L, "appear_after", 1e9, options.appear_after);
    options.lost_after = brio_lua_field_number(L, 1, "lost_after", 1e-6, 1e9, options.lost_after);
    options.same_within = brio_lua_field_number(L, 1, "same_within", 1e-6, 1e9, options.same_within);
    options.smoothing = brio_lua_field_number(L, 1, "smoothing", 0, 1e3, options.smoothing);
    if (options.smoothing == 0) options.smoothing = -1; /* C's 0 is the default */
  }
  brio_error err;
  /* The box first, so that nothing leaks if its memory is missing. */
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  box->thing = brio_scene_new(&options, &err);
  return box->thing ? 1 : brio_lua_failed(L, &err);
}

/* scene:update(time, detections)
** Updates the scene with the detections of one tick, at a time in seconds that never decreases. */
static int update(lua_State *L) {
  brio_scene *scene = brio_lua_scene_check(L, 1);
  double time = brio_lua_number(L, 2, -HUGE_VAL, HUGE_VAL, "the time");
  int count;
  /* The array of detections stays on the stack during the update. */
  const brio_detection *detections = brio_lua_detections(L, 3, &count);
  brio_scene_update(scene, time, detections, count);
  return 0;
}

/* scene:events() -> list of {change = "appeared" or "lost", object = object}
** The changes of the last update, in order; each is returned once. */
static int events(lua_State *L) {
  static const char *const changes[] = {[BRIO_SCENE_APPEARED] = "appeared", [BRIO_SCENE_LOST] = "lost"};
  brio_scene *scene = brio_lua_scene_check(L, 1);
  brio_scene_event event;
  /* Taking an event removes it from the queue of the scene. */
  lua_newtable(L);
  for (int n = 1; brio_scene_next_event(scene, &event); n++) {
    lua_createtable(L, 0, 2);
    lua_pushstring(L, changes[event.change]);
    lua_setfield(L, -2, "change");
    brio_lua_push_object(L, &event.object);
    lua_setfield(L, -2, "object");
    lua_rawseti(L, -2, n);
  }
  return 1;
}

/* scene:stirs() -> true | false
** Whether scene:events or scene:changes has anything to return. */
static int stirs(lua_State *L) {
  lua_pushboolean(L, brio_scene_stirs(brio_lua_scene_check(L, 1)));
  return 1;
}

/* scene:objects([kind]) -> list of objects
** All confirmed objects, or those of one kind, in the order they appeared. An object is
** {kind, id, number, pose, position, velocity, size, confidence, first_seen, last_seen, sightings,
** time, color, detector, oriented}. */
static int objects(lua_State *L) {
  const brio_scene *scene = brio_lua_scene_check(L, 1);
  const char *kind = luaL_optstring(L, 2, NULL);
  const brio_object *const *list;
  int count = brio_scene_objects(scene, &list), n = 0;
  lua_newtable(L);
  /* A kind of NULL matches every object. */
  for (int i = 0; i < count; i++) {
    if (!brio_scene_is_kind(list[i], kind)) continue;
    brio_lua_push_object(L, list[i]);
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* scene:find(id) -> object or nil
** The object of that id, if it is there. */
static int find(lua_State *L) {
  const brio_scene *scene = brio_lua_scene_check(L, 1);
  return push_found(L, brio_scene_find(scene, luaL_checkstring(L, 2)));
}

/* scene:nearest([kind [, {within =, of =}]]) -> object or nil
** The object (of that kind) nearest to the point `of` (default: the world's origin), at most
** `within` meters away. */
static int nearest(lua_State *L) {
  static const char *const keys[] = {"within", "of", NULL};
  const brio_scene *scene = brio_lua_scene_check(L, 1);
  const char *kind = luaL_optstring(L, 2, NULL);
  /* The defaults: any distance from the world's origin. */
  brio_vec3 of = {0, 0, 0};
  double within = HUGE_VAL;
  lua_settop(L, 3);
  if (!lua_isnil(L, 3)) {
    luaL_checktype(L, 3, LUA_TTABLE);
    brio_lua_only_keys(L, 3, keys, "scene:nearest");
    within = brio_lua_field_number(L, 3, "within", 0, HUGE_VAL, HUGE_VAL);
    if (lua_getfield(L, 3, "of") != LUA_TNIL) of = brio_lua_point(L, -1, "of");
  }
  return push_found(L, brio_scene_nearest(scene, kind, of, within));
}

/* scene:refused() -> count
** The number of rejected detections so far, with invalid numbers or without room. */
static int refused(lua_State *L) {
  lua_pushinteger(L, brio_scene_refused(brio_lua_scene_check(L, 1)));
  return 1;
}

int luaopen_brio_scene(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"update", update},       {"events", events},   {"stirs", stirs}, {"objects", objects},
      {"find", find},           {"nearest", nearest}, {"refused", refused}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new_scene}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  /* The other parts of the module add their methods to the same class. */
  luaL_getmetatable(L, CLASS);
  luaL_setfuncs(L, brio_lua_scene_frames, 0);
  luaL_setfuncs(L, brio_lua_scene_tracks, 0);
  luaL_setfuncs(L, brio_lua_scene_objects, 0);
  lua_pop(L, 1);
  return 1;
}
