/* The Lua module `brio.motion`: kinds of keyframes and curves (motion/keyframe.h, motion/curve.h), and
** sequences for playback (motion/sequence.h). */
#include <lauxlib.h>
#include <math.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/motion/lua_player.h"
#include "motion/sequence.h"

#define CLASS "brio.motion.sequence"

brio_sequence *brio_lua_sequence_check(lua_State *L, int arg) { return brio_lua_box_check(L, arg, CLASS); }

/* motion.kinds() -> list of {name, doc, value}
** The kinds of keyframes; value is the type of a key's value: "number", "none" or "range". */
static int kinds(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_keyframe_kinds[i]; i++) {
    lua_createtable(L, 0, 3);
    brio_lua_set_text(L, "name", brio_keyframe_kinds[i]->name);
    brio_lua_set_text(L, "doc", brio_keyframe_kinds[i]->doc);
    brio_lua_set_text(L, "value", brio_keyframe_kinds[i]->value);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* motion.curves() -> list of {name, doc, handles}
** The curves between keys; handles: it uses the keys' handles `out` and `into`. */
static int curves(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_curves[i]; i++) {
    lua_createtable(L, 0, 3);
    brio_lua_set_text(L, "name", brio_curves[i]->name);
    brio_lua_set_text(L, "doc", brio_curves[i]->doc);
    lua_pushboolean(L, brio_curves[i]->handles);
    lua_setfield(L, -2, "handles");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* Push the list in field `key` of the table at `index`, an empty one if absent; return its length. */
static int push_list(lua_State *L, int index, const char *key) {
  index = lua_absindex(L, index);
  if (lua_getfield(L, index, key) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
  }
  if (!lua_istable(L, -1)) luaL_error(L, "%s must be a list, not %s", key, luaL_typename(L, -1));
  size_t length = lua_rawlen(L, -1);
  if (length > BRIO_SEQUENCE_MOST_KEYS)
    luaL_error(L, "%s: there may be up to %d, not %d", key, BRIO_SEQUENCE_MOST_KEYS, (int)length);
  return (int)length;
}

/* Item `i` of the list on top; NaN if absent. */
static double item(lua_State *L, int i) {
  int type = lua_rawgeti(L, -1, i);
  double value = type == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
  lua_pop(L, 1);
  return value;
}

/* The pair of numbers in a field of the table on top; NaN if absent. */
static void handle(lua_State *L, const char *key, double out[2]) {
  out[0] = out[1] = NAN;
  if (lua_getfield(L, -1, key) == LUA_TTABLE)
    for (int i = 0; i < 2; i++) out[i] = item(L, i + 1);
  lua_pop(L, 1);
}

/* The number of the row that a field of the table on top names, or `fallback` if absent. */
static uint8_t row(lua_State *L, const char *key, int (*find)(const char *name), int fallback) {
  int found = fallback;
  if (lua_getfield(L, -1, key) == LUA_TSTRING) found = find(lua_tostring(L, -1));
  lua_pop(L, 1);
  if (found < 0) luaL_error(L, "a key's %s is none that there is", key);
  return (uint8_t)found;
}

/* Read the key on top, {time, value or {least, most}, kind, curve, out, into}. */
static brio_keyframe read_key(lua_State *L, int curve) {
  brio_keyframe key = {.time = item(L, 1)};
  /* A range {least, most} for random keys, or a number, or nothing for kinds without a value. */
  int type = lua_rawgeti(L, -1, 2);
  if (type == LUA_TTABLE) key.value = item(L, 1), key.most = item(L, 2);
  else if (type == LUA_TNUMBER) key.value = key.most = lua_tonumber(L, -1);
  lua_pop(L, 1);
  /* The kind and the curve by name; the track's curve is the default. */
  key.kind = row(L, "kind", brio_keyframe_kind_find, 0);
  key.curve = row(L, "curve", brio_curve_find, curve);
  handle(L, "out", key.out);
  handle(L, "into", key.into);
  return key;
}

/* Read the track on top: its keys are appended. */
static brio_track read_track(lua_State *L, brio_keyframe *keys, int *nkey, int room) {
  /* The DOF counts from 1 in Lua. NaN leaves the weight to the player. */
  brio_track track = {.dof = (int)brio_lua_field_number(L, -1, "dof", 1, 1e6, 1) - 1};
  track.follow = brio_lua_field_number(L, -1, "follow", 0, 1e9, NAN);
  track.alive = brio_lua_field_number(L, -1, "alive", 0, 1, 0);
  double scale = brio_lua_field_number(L, -1, "scale", -1e9, 1e9, 1);
  int curve = row(L, "curve", brio_curve_find, 0);
  /* The keys of all tracks are in one array; those of a track follow each other there. */
  track.count = push_list(L, -1, "keys");
  if (track.count > room - *nkey) luaL_error(L, "a sequence may have up to %d keys", room);
  for (int i = 0; i < track.count; i++) {
    if (lua_rawgeti(L, -1, i + 1) != LUA_TTABLE) luaL_error(L, "key %d must be a table", i + 1);
    brio_keyframe key = read_key(L, curve);
    /* Values and the value part of handles are scaled to the DOF's unit; times are not. */
    key.value *= scale, key.most *= scale, key.out[1] *= scale, key.into[1] *= scale;
    keys[(*nkey)++] = key;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return track;
}

/* The number of keys of all tracks in the list at index `tracks`; raises when there are too many. */
static int count_keys(lua_State *L, int tracks, int ntrack) {
  lua_Integer count = 0;
  for (int i = 0; i < ntrack; i++) {
    if (lua_rawgeti(L, tracks, i + 1) != LUA_TTABLE) luaL_error(L, "tracks[%d] must be a table", i + 1);
    count += push_list(L, -1, "keys");
    lua_pop(L, 2);
  }
  if (count > BRIO_SEQUENCE_MOST_KEYS)
    luaL_error(L, "a sequence may have up to %d keys, not %d", BRIO_SEQUENCE_MOST_KEYS, (int)count);
  return (int)count;
}

/* motion.sequence{dofs =, tracks =, [cues =, length =, loop =, times =]} -> sequence
** A sequence for a player, for a robot with `dofs` DOFs. tracks: a list of {dof =, keys =, [follow
** =, curve =, scale =]}, dof from 1, keys as in a sequence's file, in the DOF's unit times scale; cues:
** times, s, rising; loop {from, to}. */
static int sequence(lua_State *L) {
  static const char *const keys[] = {"dofs", "tracks", "cues", "length", "loop", "times", NULL};
  brio_error err;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  brio_lua_only_keys(L, 1, keys, "motion.sequence");
  /* The scalars; 0 lets the length follow from the last key or cue. */
  brio_sequence_setup setup = {.length = brio_lua_field_number(L, 1, "length", 0, 1e6, 0)};
  setup.times = (int)brio_lua_field_number(L, 1, "times", 0, 1e6, 0);
  int ndof = (int)brio_lua_field_number(L, 1, "dofs", 0, 1e6, 0);
  /* The box is at index 2 from the beginning: an error below leaves an empty one. */
  brio_lua_box *box = brio_lua_box_new(L, CLASS); /* 2 */
  setup.ncue = push_list(L, 1, "cues");           /* 3 */
  double *cues = lua_newuserdatauv(L, ((size_t)setup.ncue + 1) * sizeof *cues, 0);
  lua_insert(L, -2);
  for (int i = 0; i < setup.ncue; i++) cues[i] = item(L, i + 1);
  /* The part that is repeated, from and to (s); without it nothing is repeated. */
  if (lua_getfield(L, 1, "loop") == LUA_TTABLE)
    for (int i = 0; i < 2; i++) setup.loop[i] = item(L, i + 1);
  /* Count first, so that one array has room for the keys of all tracks. */
  setup.ntrack = push_list(L, 1, "tracks");
  int list = lua_gettop(L), room = count_keys(L, list, setup.ntrack);
  brio_track *tracks = lua_newuserdatauv(L, ((size_t)setup.ntrack + 1) * sizeof *tracks, 0);
  brio_keyframe *all = lua_newuserdatauv(L, ((size_t)room + 1) * sizeof *all, 0);
  for (int i = 0; i < setup.ntrack; i++) {
    lua_rawgeti(L, list, i + 1);
    tracks[i] = read_track(L, all, &setup.nkey, room);
    lua_pop(L, 1);
  }
  /* brio_sequence_new copies everything; the arrays go with the stack. */
  setup.tracks = tracks, setup.keys = all, setup.cues = cues;
  box->thing = brio_sequence_new(&setup, ndof, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  lua_settop(L, 2);
  return 1;
}

/* sequence:sample(track, time [, pass]) -> a, b, va, vb
** The value of track number `track` at a time: a + b u with u the value below, and its rate, va + vb u + b
** u'. `pass` seeds random keys. */
static int sample(lua_State *L) {
  const brio_sequence *which = brio_lua_sequence_check(L, 1);
  int track = (int)brio_lua_number(L, 2, 1, which->ntrack, "track") - 1, cursor = 0;
  double time = brio_lua_number(L, 3, -1e9, 1e9, "time");
  brio_sample out;
  /* The cursor is of this call alone: samples may come in any order of times. */
  brio_sequence_sample(which, track, &cursor, time, (uint64_t)luaL_optinteger(L, 4, 0), &out);
  const double numbers[] = {out.a, out.b, out.va, out.vb};
  for (int i = 0; i < 4; i++) lua_pushnumber(L, numbers[i]);
  return 4;
}

/* sequence:length() -> seconds
** The time of its last key or cue, or its given length. */
static int length(lua_State *L) {
  lua_pushnumber(L, brio_lua_sequence_check(L, 1)->length);
  return 1;
}

/* __gc: free the sequence. Players hold a reference to the value, so none plays it any more. */
static int collect(lua_State *L) {
  brio_sequence_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

int luaopen_brio_motion(lua_State *L) {
  static const luaL_Reg methods[] = {{"sample", sample}, {"length", length}, {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"kinds", kinds}, {"curves", curves}, {"sequence", sequence}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
