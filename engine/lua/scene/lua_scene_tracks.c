/* Persistent detections of brio.scene: their settings by class, and their states. */
#include <limits.h>

#include "lua/lua_args.h"
#include "lua/scene/lua_perception.h"
#include "lua/scene/lua_scene.h"

/* The field `key` of the table at 3: a number, or the previous value. */
static void change(lua_State *L, const char *key, double *value) {
  if (lua_getfield(L, 3, key) != LUA_TNIL)
    *value = brio_lua_field_number(L, 3, key, -HUGE_VAL, HUGE_VAL, *value);
  lua_pop(L, 1);
}

/* Change the settings that the table at 3 contains. */
static void read_settings(lua_State *L, brio_scene_settings *s) {
  /* NaN shows whether a smoothing was given. */
  double appear_after = s->appear_after, smoothing = s->smoothing;
  s->smoothing = NAN;
  const struct {
    const char *key;
    double *value;
  } numbers[] = {{"alpha", &s->alpha},           {"smoothing", &s->smoothing}, {"acceptance", &s->acceptance},
                 {"begins_at", &s->begins_at},   {"stability", &s->stability}, {"history", &s->history},
                 {"radius", &s->radius},         {"speed", &s->speed},         {"lost_after", &s->lost_after},
                 {"appear_after", &appear_after}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) change(L, numbers[i].key, numbers[i].value);
  if (isnan(s->smoothing)) {
    s->smoothing = smoothing;
  } else { /* in place of an alpha, unless one is given too; 0: none */
    if (lua_getfield(L, 3, "alpha") == LUA_TNIL) s->alpha = NAN;
    lua_pop(L, 1);
    if (s->smoothing == 0) s->smoothing = -1;
  }
  /* It must be a whole number that fits into an int. */
  if (appear_after != floor(appear_after) || fabs(appear_after) > INT_MAX)
    luaL_error(L, "appear_after must be a whole number, not %f", appear_after);
  s->appear_after = (int)appear_after;
  s->moves = brio_lua_field_flag(L, 3, "moves", s->moves);
}

/* Declare the classes that `kind` may be confused with, if the table at 3 has them; false: `err` has the
** error. */
static bool read_confusion(lua_State *L, brio_scene *scene, const char *kind, brio_error *err) {
  const char *others[BRIO_SCENE_CONFUSED];
  int count = 0;
  if (lua_getfield(L, 3, "confusion") != LUA_TNIL) {
    if (!kind)
      luaL_error(L, "confusion belongs to one class: scene:configure('cup', {confusion = {'bowl'}})");
    if (!lua_istable(L, -1))
      luaL_error(L, "confusion must be a list of classes, not %s", luaL_typename(L, -1));
    count = (int)lua_rawlen(L, -1);
    if (count > BRIO_SCENE_CONFUSED)
      luaL_error(L, "at most %d classes may be taken for one another", BRIO_SCENE_CONFUSED);
    /* The names stay on the stack until the scene has copied them. */
    for (int i = 0; i < count; i++) {
      if (lua_rawgeti(L, -1 - i, i + 1) != LUA_TSTRING) luaL_error(L, "confusion must be a list of classes");
      others[i] = lua_tostring(L, -1);
    }
    return brio_scene_confuse(scene, kind, others, count, err);
  }
  return true;
}

/* scene:configure(kind, {alpha =, smoothing =, acceptance =, begins_at =, stability =, history =, radius
** =, speed =, moves =, lost_after =, appear_after =, confusion =}) -> true
** Sets how things of a kind (nil: of every kind without settings of its own) are tracked if they are seen for
** the first time from now on; missing fields do not change. alpha: the share of a new detection in the pose
** (smoothing, a time constant in seconds, in place of it); acceptance: the mean confidence for confirmation;
** begins_at: the confidence that begins a track; stability: the rate of detections of a stable one, Hz;
** history: its length in seconds, also the largest delay of a detection; radius: meters around the expected
** position; speed: growth of the radius while the motion is unknown, m/s; moves: false for static things;
** lost_after: seconds; appear_after: detections; confusion: classes that a detector confuses it with: a thing
** reported as cup and bowl in turn stays one. */
static int configure(lua_State *L) {
  static const char *const keys[] = {"alpha",        "smoothing", "acceptance", "begins_at", "stability",
                                     "history",      "radius",    "speed",      "moves",     "lost_after",
                                     "appear_after", "confusion", NULL};
  brio_scene *scene = brio_lua_scene_check(L, 1);
  const char *kind = luaL_optstring(L, 2, NULL);
  luaL_checktype(L, 3, LUA_TTABLE);
  brio_lua_only_keys(L, 3, keys, "scene:configure");
  /* Begin with the present settings: missing fields do not change. */
  brio_scene_settings settings = brio_scene_settings_of(scene, kind);
  read_settings(L, &settings);
  brio_error err;
  /* All or nothing: the numbers are checked, and the confusion is set first, which keeps a row of the table
  ** for the settings. */
  if (!brio_scene_settings_check(&settings, &err) || !read_confusion(L, scene, kind, &err) ||
      !brio_scene_configure(scene, kind, &settings, &err))
    return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* scene:settings([kind]) -> {alpha, smoothing, acceptance, begins_at, stability, history, radius, speed,
** moves, lost_after, appear_after}
** The settings of a kind. */
static int settings(lua_State *L) {
  const brio_scene *scene = brio_lua_scene_check(L, 1);
  brio_scene_settings s = brio_scene_settings_of(scene, luaL_optstring(L, 2, NULL));
  lua_createtable(L, 0, 11);
  if (!isnan(s.alpha)) brio_lua_set_number(L, "alpha", s.alpha);
  brio_lua_set_number(L, "smoothing", fmax(s.smoothing, 0));
  brio_lua_set_number(L, "acceptance", s.acceptance);
  brio_lua_set_number(L, "begins_at", s.begins_at);
  brio_lua_set_number(L, "stability", s.stability);
  brio_lua_set_number(L, "history", s.history);
  brio_lua_set_number(L, "radius", s.radius);
  brio_lua_set_number(L, "speed", s.speed);
  brio_lua_set_number(L, "lost_after", s.lost_after);
  brio_lua_set_integer(L, "appear_after", s.appear_after);
  lua_pushboolean(L, s.moves);
  lua_setfield(L, -2, "moves");
  return 1;
}

/* scene:tracks([kind]) -> list of persistent detections
** All tracks, also unconfirmed ones. Each has the fields of an object, and track, its number from the first
** detection on; history, the number of detections in it (64 at most); frequency, their rate, Hz;
** mean_confidence; stable, whether rate and confidence exceed its settings. An unconfirmed one has number
** 0. */
static int tracks(lua_State *L) {
  const brio_scene *scene = brio_lua_scene_check(L, 1);
  const char *kind = luaL_optstring(L, 2, NULL);
  brio_scene_track track;
  lua_newtable(L);
  for (int at = 0, n = 1; brio_scene_next_track(scene, kind, &at, &track); n++) {
    /* A track has the fields of an object, and a few of its own. */
    brio_lua_push_object(L, &track.object);
    brio_lua_set_integer(L, "track", track.track);
    brio_lua_set_integer(L, "history", track.history);
    brio_lua_set_number(L, "frequency", track.frequency);
    brio_lua_set_number(L, "mean_confidence", track.mean_confidence);
    lua_pushboolean(L, track.stable);
    lua_setfield(L, -2, "stable");
    lua_rawseti(L, -2, n);
  }
  return 1;
}

/* scene:refusals() -> {bad, late, future, flood, room, clamped, last}
** The number of rejected detections so far, by reason: invalid numbers; too old; in the future; too many at
** once; no room. clamped counts those from less than 0.5 s in the future, which are used as of now. last is
** the newest rejection in words, if there was one. */
static int refusals(lua_State *L) {
  brio_scene_refusals r = brio_scene_refused_why(brio_lua_scene_check(L, 1));
  const struct {
    const char *key;
    int count;
  } counts[] = {{"bad", r.bad},     {"late", r.late}, {"future", r.future},
                {"flood", r.flood}, {"room", r.room}, {"clamped", r.clamped}};
  lua_createtable(L, 0, 7);
  for (int i = 0; i < 6; i++) brio_lua_set_integer(L, counts[i].key, counts[i].count);
  if (r.last.message[0]) brio_lua_set_text(L, "last", r.last.message);
  return 1;
}

const luaL_Reg brio_lua_scene_tracks[] = {{"configure", configure},
                                                 {"settings", settings},
                                                 {"tracks", tracks},
                                                 {"refusals", refusals},
                                                 {NULL, NULL}};
