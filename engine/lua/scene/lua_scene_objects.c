/* brio.scene: chosen objects.  The rules of the choice are in lua/brio/perception/objects.lua. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/scene/lua_scene.h"
#include "scene/frames.h"
#include "scene/objects.h"

/* Set a boolean field of the table on top. */
static void set_flag(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

/* Push a chosen object as a new table, at the time of the scene. */
static void push_object(lua_State *L, const brio_scene_object *object, double now) {
  lua_createtable(L, 0, 18);
  /* Identity and origin; an object without a detection has no source ("") and no number (0). */
  brio_lua_set_text(L, "name", object->name);
  brio_lua_set_text(L, "kind", object->kind);
  brio_lua_set_text(L, "origin", brio_origin_word(object->origin));
  if (object->source[0]) brio_lua_set_text(L, "source", object->source);
  if (object->number) brio_lua_set_integer(L, "number", object->number);
  brio_lua_push_pose(L, object->pose);
  lua_setfield(L, -2, "pose");
  brio_lua_set_vec3(L, "position", object->pose.p);
  brio_lua_set_vec3(L, "velocity", object->velocity);
  brio_lua_set_vec3(L, "size", object->size);
  /* An unknown color is NaN: the field is absent. */
  if (isfinite(object->color[0])) {
    brio_lua_push_numbers(L, (double[]){object->color[0], object->color[1], object->color[2]}, 3);
    lua_setfield(L, -2, "color");
  }
  /* Times in s of the run; the age is since the last confirmation of its pose. */
  brio_lua_set_number(L, "confidence", object->confidence);
  brio_lua_set_number(L, "since", object->since);
  brio_lua_set_number(L, "seen", object->seen);
  brio_lua_set_number(L, "age", now - object->seen);
  set_flag(L, "oriented", object->oriented);
  set_flag(L, "frozen", object->frozen);
  set_flag(L, "stale", object->stale);
}

/* Copy a name into a field; raise if it is too long. */
static void copy_name(lua_State *L, const char *name, char *out, size_t size, const char *what) {
  size_t length = strlen(name);
  if (length >= size) luaL_error(L, "%s must have at most %d letters, not '%s'", what, (int)size - 1, name);
  memcpy(out, name, length + 1);
}

/* Fail when the name is that of another frame. */
static bool free_name(brio_scene *scene, const char *name, brio_error *err) {
  const brio_frames *frames = brio_scene_frames(scene);
  /* "world" is always taken, and so is a frame, whether its pose is known or not: it is found first.  A
  ** frame's other name is found last, so that it is free where an object or a detection has it already. */
  bool thing = brio_objects_find(brio_scene_chosen(scene), name) || brio_scene_find(scene, name);
  bool taken = strcmp(name, "world") == 0 || brio_frames_find(frames, name) >= 0 ||
               (!thing && brio_frames_find_alias(frames, name) >= 0);
  return !taken || brio_fail(err, BRIO_LIMIT, "'%s' is a frame already: give the object another name", name);
}

/* scene:object(name) -> object or nil
** A chosen object: {name, kind, origin = "seen", "placed", "derived" or "nominal", source (the detection's
** id), number, pose, position, velocity, size, color, confidence, since, seen, age (s since its pose was
** renewed), oriented, frozen, stale}. */
static int object(lua_State *L) {
  brio_scene *scene = brio_lua_scene_check(L, 1);
  const brio_scene_object *found = brio_objects_find(brio_scene_chosen(scene), luaL_checkstring(L, 2));
  if (found) push_object(L, found, brio_scene_time(scene));
  else lua_pushnil(L);
  return 1;
}

/* scene:state(name) -> origin, frozen, stale; or nil
** Its state as three values, without a table: for calls in every tick. */
static int state(lua_State *L) {
  const brio_scene_object *found = brio_objects_find(brio_scene_chosen(brio_lua_scene_check(L, 1)),
                                                     luaL_checkstring(L, 2));
  /* No table is created here: behaviors call this in every tick. */
  lua_settop(L, 0);
  if (!found) return 0;
  lua_pushstring(L, brio_origin_word(found->origin));
  lua_pushboolean(L, found->frozen);
  lua_pushboolean(L, found->stale);
  return 3;
}

/* scene:chosen([kind]) -> list of objects
** All chosen objects, or those of one kind, in the order in which they were set up. */
static int chosen(lua_State *L) {
  brio_scene *scene = brio_lua_scene_check(L, 1);
  const char *kind = luaL_optstring(L, 2, NULL);
  const brio_scene_object *found;
  lua_newtable(L);
  for (int i = 0, n = 0; (found = brio_objects_at(brio_scene_chosen(scene), i)); i++) {
    if (kind && strcmp(kind, found->kind) != 0) continue;
    push_object(L, found, brio_scene_time(scene));
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* The confirmed detection of that number, or NULL. */
static const brio_object *find_number(const brio_scene *scene, int number) {
  const brio_object *const *list;
  int count = brio_scene_objects(scene, &list);
  /* Linear search: a scene has few objects. */
  for (int i = 0; i < count; i++)
    if (list[i]->number == number) return list[i];
  return NULL;
}

/* Put the object on the scene's list; return its table, or nil and an error. */
static int put_object(lua_State *L, brio_scene *scene, const brio_scene_object *wanted,
                      brio_object_change change, const char *who) {
  brio_error err;
  if (!free_name(scene, wanted->name, &err) ||
      !brio_objects_put(brio_scene_chosen(scene), wanted, change, who, &err))
    return brio_lua_failed(L, &err);
  /* Return the object as it is after the change. */
  push_object(L, brio_objects_find(brio_scene_chosen(scene), wanted->name), brio_scene_time(scene));
  return 1;
}

/* scene:adopt(name, number [, orientation [, who]]) -> object, or nil, sentence, code
** Sets an object up from a confirmed detection, by its number: it follows that from now on, and is not
** frozen. `orientation` is used if its detections have none. */
static int adopt(lua_State *L) {
  brio_scene *scene = brio_lua_scene_check(L, 1);
  brio_scene_object wanted = {.origin = BRIO_ORIGIN_SEEN};
  copy_name(L, luaL_checkstring(L, 2), wanted.name, sizeof wanted.name, "an object's name");
  const brio_object *seen = find_number(scene, (int)brio_lua_number(L, 3, 0, 1e9, "the number"));
  if (!seen) return luaL_argerror(L, 3, "nothing of that number is believed");
  /* Copy the detection: names, pose, motion, size, color. */
  snprintf(wanted.kind, sizeof wanted.kind, "%s", seen->kind);
  snprintf(wanted.source, sizeof wanted.source, "%s", seen->id);
  wanted.number = seen->number;
  wanted.pose = seen->pose;
  wanted.velocity = seen->velocity;
  wanted.size = seen->size;
  memcpy(wanted.color, seen->color, sizeof wanted.color);
  wanted.confidence = seen->confidence;
  wanted.seen = seen->last_seen;
  wanted.oriented = seen->oriented;
  /* The script's orientation counts only where the detections have none. */
  wanted.turned = !lua_isnoneornil(L, 4);
  if (wanted.turned && !seen->oriented) wanted.pose.q = brio_lua_quat(L, 4, "the orientation");
  return put_object(L, scene, &wanted, BRIO_OBJECT_SET_UP, luaL_optstring(L, 5, NULL));
}

/* The index of the field's word in a list of words; raises on another word. */
static int choice_field(lua_State *L, int index, const char *key, const char *fallback,
                        const char *const *words) {
  lua_pushstring(L, brio_lua_field_text(L, index, key, fallback));
  int place = luaL_checkoption(L, -1, fallback, words);
  lua_pop(L, 1);
  return place;
}

/* scene:put{name =, pose =, kind =, size =, origin =, change =, frozen =, who =} -> object, or nil, sentence,
** code
** Puts an object without a detection: `origin` "placed" (the default), "derived" or "nominal"; `change`
** is the reported change, "placed" (the default), "nudged" or "set_up". */
static int put(lua_State *L) {
  static const char *const keys[] = {"name",   "pose",   "kind", "size", "origin",
                                     "change", "frozen", "who",  NULL};
  static const char *const origins[] = {"placed", "derived", "nominal", NULL};
  static const char *const changes[] = {"placed", "nudged", "set_up", NULL};
  static const brio_origin origin_of[] = {BRIO_ORIGIN_PLACED, BRIO_ORIGIN_DERIVED, BRIO_ORIGIN_NOMINAL};
  static const brio_object_change change_of[] = {BRIO_OBJECT_PLACED, BRIO_OBJECT_NUDGED, BRIO_OBJECT_SET_UP};
  brio_scene *scene = brio_lua_scene_check(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "scene:put");
  /* Without a detection it is certain, seen now, and of no known color. */
  brio_scene_object wanted = {.confidence = 1, .seen = brio_scene_time(scene), .color = {NAN, NAN, NAN}};
  copy_name(L, brio_lua_field_text(L, 2, "name", ""), wanted.name, sizeof wanted.name, "an object's name");
  copy_name(L, brio_lua_field_text(L, 2, "kind", ""), wanted.kind, sizeof wanted.kind, "an object's kind");
  lua_getfield(L, 2, "pose");
  wanted.pose = brio_lua_pose(L, -1, "an object's pose");
  if (lua_getfield(L, 2, "size") != LUA_TNIL) wanted.size = brio_lua_vec3(L, -1, "an object's size");
  wanted.origin = origin_of[choice_field(L, 2, "origin", "placed", origins)];
  wanted.frozen = brio_lua_field_flag(L, 2, "frozen", false);
  /* Its pose was given as a whole, with the orientation. */
  wanted.turned = wanted.oriented = true;
  brio_object_change change = change_of[choice_field(L, 2, "change", "placed", changes)];
  return put_object(L, scene, &wanted, change, brio_lua_field_text(L, 2, "who", NULL));
}

/* Return true, or the failure that there is no such object. */
static int done(lua_State *L, bool good, const char *name) {
  brio_error err;
  if (good) {
    lua_pushboolean(L, true);
    return 1;
  }
  brio_fail(&err, BRIO_UNREACHABLE, "the scene has no object '%s'", name);
  return brio_lua_failed(L, &err);
}

/* scene:freeze(name [, who]) -> true, or nil, sentence
** Freezes a chosen object at its pose, until it is set up again. */
static int freeze(lua_State *L) {
  brio_objects *objects = brio_scene_chosen(brio_lua_scene_check(L, 1));
  const char *name = luaL_checkstring(L, 2);
  return done(L, brio_objects_freeze(objects, name, luaL_optstring(L, 3, NULL)), name);
}

/* scene:delete(name [, who]) -> true, or nil, sentence
** Removes a chosen object. */
static int delete(lua_State *L) {
  brio_objects *objects = brio_scene_chosen(brio_lua_scene_check(L, 1));
  const char *name = luaL_checkstring(L, 2);
  return done(L, brio_objects_delete(objects, name, luaL_optstring(L, 3, NULL)), name);
}

/* scene:freeze_all([who]) -> count
** Freezes all chosen objects; returns how many were not frozen. */
static int freeze_all(lua_State *L) {
  lua_pushinteger(
      L, brio_objects_freeze_all(brio_scene_chosen(brio_lua_scene_check(L, 1)), luaL_optstring(L, 2, NULL)));
  return 1;
}

/* scene:clear([who]) -> count
** Removes all chosen objects; returns how many there were. */
static int clear(lua_State *L) {
  lua_pushinteger(
      L, brio_objects_clear(brio_scene_chosen(brio_lua_scene_check(L, 1)), luaL_optstring(L, 2, NULL)));
  return 1;
}

/* scene:move(name, pose [, stale])
** Moves a derived object that is not frozen; `stale`: the objects that it is derived from are lost. */
static int move(lua_State *L) {
  brio_objects *objects = brio_scene_chosen(brio_lua_scene_check(L, 1));
  brio_objects_move(objects, luaL_checkstring(L, 2), brio_lua_pose(L, 3, "the pose"), lua_toboolean(L, 4));
  return 0;
}

/* scene:changes() -> list of {change =, time =, who =, object = object}
** The changes of chosen objects since the last call, in order: "set_up", "frozen", "deleted", "placed",
** "nudged", "stale" or "seen" (again). */
static int changes(lua_State *L) {
  brio_scene *scene = brio_lua_scene_check(L, 1);
  brio_object_event event;
  lua_newtable(L);
  /* Taking a change removes it from the queue. */
  for (int n = 1; brio_objects_next_event(brio_scene_chosen(scene), &event); n++) {
    lua_createtable(L, 0, 4);
    brio_lua_set_text(L, "change", brio_object_change_word(event.change));
    brio_lua_set_number(L, "time", event.time);
    if (event.who[0]) brio_lua_set_text(L, "who", event.who);
    push_object(L, &event.object, event.time);
    lua_setfield(L, -2, "object");
    lua_rawseti(L, -2, n);
  }
  return 1;
}

const luaL_Reg brio_lua_scene_objects[] = {
    {"object", object},   {"state", state},   {"chosen", chosen}, {"adopt", adopt},           {"put", put},
    {"freeze", freeze},   {"delete", delete}, {"clear", clear},   {"freeze_all", freeze_all}, {"move", move},
    {"changes", changes}, {NULL, NULL}};
