/* The Lua module `brio.player`: sources, their combination and the mixer (motion/player/player.h,
** motion/combine.h, motion/mixer.h). The user value of a player's box holds the sequences that its sources
** play, by source. */
#include "lua/motion/lua_player.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "motion/combine.h"
#include "motion/mixer.h"

#define CLASS "brio.player"

enum { MOST_DOFS = 4096, MOST_WHY = 1024 };

brio_player *brio_lua_player_check(lua_State *L, int arg) { return brio_lua_box_check(L, arg, CLASS); }

/* A source's number, which the player checks: it may have ended. */
static int source_at(lua_State *L, int arg) { return (int)luaL_checkinteger(L, arg); }

/* The index of a DOF, which counts from 1 in Lua. */
static int dof_at(lua_State *L, int arg) { return (int)brio_lua_number(L, arg, 1, MOST_DOFS, "dof") - 1; }

/* Keep a reference to a sequence as long as its source plays it. */
static void keep(lua_State *L, int player, int source, int sequence) {
  lua_getiuservalue(L, player, 1);
  /* User value 1: by source, the list of the sequences that it has played. */
  if (lua_rawgeti(L, -1, source) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, source);
  }
  lua_pushvalue(L, sequence);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 2);
}

/* Read DOF number `i` (from 0) from the table on top; raises on errors. Limits have the DOF's unit, per s,
** and per s². */
static brio_player_dof read_dof(lua_State *L, int i) {
  static const char *const keys[] = {"lower",        "upper",  "rest", "velocity",
                                     "acceleration", "mirror", "sign", NULL};
  if (!lua_istable(L, -1)) luaL_error(L, "dofs[%d] must be a table", i + 1);
  brio_lua_only_keys(L, -1, keys, "a DOF");
  /* Without a mirror a DOF is its own. */
  brio_player_dof dof = {.mirror = (int)brio_lua_field_number(L, -1, "mirror", 1, MOST_DOFS, i + 1) - 1};
  dof.lower = brio_lua_field_number(L, -1, "lower", -HUGE_VAL, HUGE_VAL, -HUGE_VAL);
  dof.upper = brio_lua_field_number(L, -1, "upper", -HUGE_VAL, HUGE_VAL, HUGE_VAL);
  dof.rest = brio_lua_field_number(L, -1, "rest", -HUGE_VAL, HUGE_VAL, 0);
  dof.velocity = brio_lua_field_number(L, -1, "velocity", 0, HUGE_VAL, HUGE_VAL);
  dof.acceleration = brio_lua_field_number(L, -1, "acceleration", 0, HUGE_VAL, HUGE_VAL);
  dof.sign = brio_lua_field_number(L, -1, "sign", -1, 1, 1);
  return dof;
}

/* filters = list of {dof =, stages =, tau =}. */
static void read_filters(lua_State *L, brio_player_options *options) {
  static const char *const keys[] = {"dof", "stages", "tau", NULL};
  if (lua_getfield(L, 1, "filters") == LUA_TNIL) return;
  luaL_checktype(L, -1, LUA_TTABLE);
  size_t count = lua_rawlen(L, -1);
  if (count > MOST_DOFS) luaL_error(L, "there may be up to %d filters", MOST_DOFS);
  brio_player_filter *filters = lua_newuserdatauv(L, (count + 1) * sizeof *filters, 0);
  for (size_t i = 0; i < count; i++) {
    if (lua_rawgeti(L, -2, (lua_Integer)i + 1) != LUA_TTABLE)
      luaL_error(L, "filters[%d] must be a table", (int)i + 1);
    brio_lua_only_keys(L, -1, keys, "a filter");
    filters[i] = (brio_player_filter){.dof = (int)brio_lua_field_number(L, -1, "dof", 1, MOST_DOFS, 1) - 1,
                                      .stages = (int)brio_lua_field_number(L, -1, "stages", 0, 4, 2),
                                      .tau = brio_lua_field_number(L, -1, "tau", 0, 10, 0)};
    lua_pop(L, 1);
  }
  options->filters = filters;
  options->nfilter = (int)count;
}

/* player.new{dofs =, [tree =, sources =, seed =, follow =, filters =]} -> player
** A player for a robot's DOFs, a list of {lower =, upper =, rest =, velocity =, acceleration =, mirror =,
** sign =}, the first `tree` of which are joints; mirror is the number of the DOF on the other side, sign 1 or
** -1. `sources`: most sources at once (128); `follow`: the default weight of tracks (500); `filters`: a list
** of {dof =, stages = 2, tau =}: the output for these DOFs passes `stages` low-pass filters with time
** constant `tau` (s). */
static int new(lua_State *L) {
  static const char *const keys[] = {"dofs", "tree", "sources", "seed", "follow", "filters", NULL};
  brio_error err;
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_lua_only_keys(L, 1, keys, "player.new");
  lua_getfield(L, 1, "dofs");
  luaL_checktype(L, -1, LUA_TTABLE);
  size_t count = lua_rawlen(L, -1);
  if (count > MOST_DOFS) luaL_error(L, "a player is for up to %d DOFs", MOST_DOFS);
  brio_player_dof *dofs = lua_newuserdatauv(L, (count + 1) * sizeof *dofs, 0);
  /* Stack: options, dofs, the array, then one DOF at a time. */
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, -2, (lua_Integer)i + 1);
    dofs[i] = read_dof(L, (int)i);
    lua_pop(L, 1);
  }
  brio_player_options options = {.dofs = dofs, .ndof = (int)count};
  /* 0 stands for the player's own defaults of sources and weight. */
  options.tree = (int)brio_lua_field_number(L, 1, "tree", 0, (double)count, 0);
  options.sources = (int)brio_lua_field_number(L, 1, "sources", 0, 1000, 0);
  options.seed = (uint64_t)brio_lua_field_number(L, 1, "seed", 0, 0x1p53, 0);
  options.follow = brio_lua_field_number(L, 1, "follow", 0, 1e9, 0);
  read_filters(L, &options);
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  box->thing = brio_player_new(&options, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  /* The table of sequences, which keeps those that play. */
  lua_newtable(L);
  lua_setiuservalue(L, -2, 1);
  return 1;
}

/* The number of the stage that a field of the table at `arg` names. */
static int read_stage(lua_State *L, const brio_player *player, int arg, const char *fallback) {
  const char *name = brio_lua_field_text(L, arg, "stage", fallback);
  int stage = brio_player_stage_find(player, name);
  if (stage < 0) luaL_error(L, "there is no stage '%s'", name);
  return stage;
}

/* The times of fading in and out, s: one number for both, or two. */
static void read_fade(lua_State *L, int arg, double fade[2]) {
  fade[0] = fade[1] = 0.25;
  int type = lua_getfield(L, arg, "fade");
  if (type == LUA_TNUMBER) fade[0] = fade[1] = brio_lua_number(L, -1, 0, 60, "fade");
  else if (type == LUA_TTABLE) brio_lua_numbers(L, -1, 2, fade, "fade");
  else if (type != LUA_TNIL) luaL_error(L, "fade must be a number of seconds, or {in, out}");
  lua_pop(L, 1);
}

/* Read the options of playback from the table at `arg`. */
static brio_play read_play(lua_State *L, const brio_player *player, int arg, const char *stage) {
  static const char *const keys[] = {"name",  "stage",  "priority", "speed", "amplitude", "gain",  "fade",
                                     "start", "mirror", "hold",     "tau",   "follow",    "alive", NULL};
  if (lua_isnoneornil(L, arg)) lua_newtable(L), lua_replace(L, arg);
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_only_keys(L, arg, keys, "how to play");
  /* Where in the combination it plays, and how. */
  brio_play play = {.name = brio_lua_field_text(L, arg, "name", "")};
  play.stage = read_stage(L, player, arg, stage);
  play.priority = brio_lua_field_number(L, arg, "priority", -1000, 1000, 0);
  play.speed = brio_lua_field_number(L, arg, "speed", 0, 100, 1);
  play.amplitude = brio_lua_field_number(L, arg, "amplitude", 0, 10, 1);
  play.gain = brio_lua_field_number(L, arg, "gain", 0, 4, 1);
  play.start = brio_lua_field_number(L, arg, "start", 0, 1e6, 0);
  /* The weight in the solver, and the share of the liveliness that stays on top. */
  play.follow = brio_lua_field_number(L, arg, "follow", 0, 1e9, 0);
  play.alive = brio_lua_field_number(L, arg, "alive", 0, 1, 0);
  play.mirror = brio_lua_field_flag(L, arg, "mirror", false);
  play.hold = brio_lua_field_flag(L, arg, "hold", false);
  read_fade(L, arg, play.fade);
  return play;
}

/* player:play(sequence, how) -> source | nil, sentence, code
** Plays a sequence of motion.sequence. how: {name =, stage = "sequences", priority = 0, speed = 1, amplitude
** = 1, gain = 1, fade = 0.25 or {in, out}, start = 0, mirror =, hold =, alive = 0 to 1}. The source is a
** number. */
static int play(lua_State *L) {
  brio_player *player = brio_lua_player_check(L, 1);
  const brio_sequence *sequence = brio_lua_sequence_check(L, 2);
  brio_error err;
  lua_settop(L, 3);
  /* Options may be absent: the table is created then. */
  brio_play how = read_play(L, player, 3, "sequences");
  int source = brio_player_play(player, sequence, &how, &err);
  if (!source) return brio_lua_failed(L, &err);
  keep(L, 1, source, 2);
  lua_pushinteger(L, source);
  return 1;
}

/* player:live(how) -> source | nil, sentence, code
** A source of live values: how as in play, and tau (s): time constant of their smoothing; follow: their
** weight for joints (500). */
static int live(lua_State *L) {
  brio_player *player = brio_lua_player_check(L, 1);
  brio_error err;
  lua_settop(L, 2);
  brio_play how = read_play(L, player, 2, "merge");
  int source = brio_player_live(player, &how, brio_lua_field_number(L, 2, "tau", 0, 60, 0), &err);
  if (!source) return brio_lua_failed(L, &err);
  lua_pushinteger(L, source);
  return 1;
}

/* player:say(source, dof, value [, over])
** Sets a live source's value of DOF number `dof`; nil: releases it. With `over` it is added to the value
** below. */
static int say(lua_State *L) {
  brio_player *player = brio_lua_player_check(L, 1);
  int source = source_at(L, 2), dof = dof_at(L, 3);
  brio_error err;
  /* Without a value the DOF is released; with one it is set, or added to what is below. */
  bool good = lua_isnoneornil(L, 4)
                  ? brio_player_let_go(player, source, dof, &err)
                  : brio_player_say(player, source, dof, brio_lua_number(L, 4, -HUGE_VAL, HUGE_VAL, "value"),
                                    lua_toboolean(L, 5), &err);
  return good ? 0 : brio_lua_failed(L, &err);
}

/* player:stop(source [, fade]) -> whether it was there
** Ends a source; the jump is bridged in `fade` seconds (its own). */
static int stop(lua_State *L) {
  double fade = lua_isnoneornil(L, 3) ? -1 : brio_lua_number(L, 3, 0, 60, "fade");
  lua_pushboolean(L, brio_player_stop(brio_lua_player_check(L, 1), source_at(L, 2), fade));
  return 1;
}

/* player:release(source) -> whether it was there
** Lets a sequence that loops, or is held, play to its end. */
static int release(lua_State *L) {
  lua_pushboolean(L, brio_player_release(brio_lua_player_check(L, 1), source_at(L, 2)));
  return 1;
}

/* player:exchange(source, sequence) -> whether it was there
** Continues with another version of its sequence at the same time in it. */
static int exchange(lua_State *L) {
  bool done = brio_player_exchange(brio_lua_player_check(L, 1), source_at(L, 2),
                                   brio_lua_sequence_check(L, 3));
  /* The old version is kept too: a fade may still use it. */
  if (done) keep(L, 1, source_at(L, 2), 3);
  lua_pushboolean(L, done);
  return 1;
}

/* player:set(source, field, value)
** Changes "speed", "amplitude", "gain", "mirror", "time", "mute" or "solo" of a source during playback. */
static int set(lua_State *L) {
  static const char *const fields[] = {"speed", "amplitude", "gain", "mirror", "time", "mute", "solo", NULL};
  brio_error err;
  brio_player *player = brio_lua_player_check(L, 1);
  int field = luaL_checkoption(L, 3, NULL, fields);
  double value = lua_isboolean(L, 4) ? lua_toboolean(L, 4) : brio_lua_number(L, 4, 0, 1e9, fields[field]);
  if (!brio_player_set(player, source_at(L, 2), (brio_player_field)field, value, &err))
    return brio_lua_failed(L, &err);
  return 0;
}

/* player:mask(source, dof, off) -> whether it was there
** Masks DOF number `dof` for a source, or unmasks it. */
static int mask(lua_State *L) {
  lua_pushboolean(
      L, brio_player_mask(brio_lua_player_check(L, 1), source_at(L, 2), dof_at(L, 3), lua_toboolean(L, 4)));
  return 1;
}

/* player:share(source, dof, share) -> whether it was there
** Sets the share of a source on DOF number `dof`, from 0 to 1, in addition to its gain. It is not bridged:
** change it in small steps. */
static int share(lua_State *L) {
  double part = brio_lua_number(L, 4, 0, 1, "share");
  lua_pushboolean(L, brio_player_share(brio_lua_player_check(L, 1), source_at(L, 2), dof_at(L, 3), part));
  return 1;
}

/* Set a boolean field of the table on top. */
static void set_flag(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

/* The name of a stage by its number; "" for one that was removed. */
static const char *stage_name(const brio_player *player, int stage) {
  for (int i = 0; i < brio_player_stage_count(player); i++)
    if (brio_player_stage_at(player, i)->number == stage) return brio_player_stage_at(player, i)->name;
  return "";
}

/* Push a table about a source: see player:sources. */
static void push_source(lua_State *L, const brio_player *player, int source) {
  brio_player_source look;
  brio_player_look(player, source, &look);
  lua_createtable(L, 0, 16);
  brio_lua_set_integer(L, "source", source);
  brio_lua_set_text(L, "name", look.name);
  brio_lua_set_text(L, "stage", stage_name(player, look.stage));
  brio_lua_set_number(L, "priority", look.priority);
  brio_lua_set_number(L, "time", look.time);
  brio_lua_set_number(L, "speed", look.speed);
  brio_lua_set_number(L, "amplitude", look.amplitude);
  brio_lua_set_number(L, "gain", look.gain);
  brio_lua_set_number(L, "level", look.level);
  brio_lua_set_integer(L, "passes", look.passes);
  set_flag(L, "live", look.live);
  set_flag(L, "mirror", look.mirror);
  set_flag(L, "mute", look.mute);
  set_flag(L, "solo", look.solo);
  set_flag(L, "holds", look.holds);
  set_flag(L, "looping", look.looping);
}

/* player:sources() -> list of {source, name, stage, priority, time, speed, amplitude, gain, level, live,
** mirror, mute, solo, holds, looping, passes}
** All sources, from the bottom to the top; level: its peak motion, as a share of half the DOFs' range. */
static int sources(lua_State *L) {
  const brio_player *player = brio_lua_player_check(L, 1);
  lua_newtable(L);
  int count = 0;
  /* The sources in the order of the combination. */
  for (int source = brio_player_next(player, 0); source; source = brio_player_next(player, source)) {
    push_source(L, player, source);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

/* player:stages() -> list of {name, doc, claims, yields, mixes, foreign}
** The stages of the combination, in their order. */
static int stages(lua_State *L) {
  const brio_player *player = brio_lua_player_check(L, 1);
  lua_newtable(L);
  for (int i = 0; i < brio_player_stage_count(player); i++) {
    const brio_stage *stage = brio_player_stage_at(player, i);
    lua_createtable(L, 0, 6);
    brio_lua_set_text(L, "name", stage->name);
    brio_lua_set_text(L, "doc", stage->doc ? stage->doc : "");
    brio_lua_set_integer(L, "number", stage->number);
    set_flag(L, "claims", stage->claims);
    set_flag(L, "yields", stage->yields);
    set_flag(L, "mixes", stage->mixes);
    set_flag(L, "foreign", stage->foreign);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* player:add_stage(name, after) -> number
** Adds a script's stage after another: combine stops at it, and the script sets its sources' values. */
static int add_stage(lua_State *L) {
  brio_player *player = brio_lua_player_check(L, 1);
  brio_error err;
  int stage = brio_player_add_stage(player, luaL_checkstring(L, 2),
                                    brio_player_stage_find(player, luaL_checkstring(L, 3)), &err);
  if (stage < 0) return brio_lua_failed(L, &err);
  lua_pushinteger(L, stage);
  return 1;
}

/* player:remove_stage(name) -> whether it was there
** Removes a script's stage, with its sources. */
static int remove_stage(lua_State *L) {
  brio_player *player = brio_lua_player_check(L, 1);
  lua_pushboolean(L,
                  brio_player_remove_stage(player, brio_player_stage_find(player, luaL_checkstring(L, 2))));
  return 1;
}

/* player:value(dof) -> number
** The value of DOF number `dof` at this stage of the combination. */
static int value(lua_State *L) {
  lua_pushnumber(L, brio_player_value(brio_lua_player_check(L, 1), dof_at(L, 2)));
  return 1;
}

/* player:eyelids(list)
** Sets the eyelids that follow eyes: a list of {lid =, eye =, closed =, open =, gain =}; lid and eye are
** numbers of DOFs. */
static int eyelids(lua_State *L) {
  brio_player *player = brio_lua_player_check(L, 1);
  brio_eyelid rows[BRIO_MOST_EYELIDS];
  brio_error err;
  luaL_checktype(L, 2, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 2);
  if (count > BRIO_MOST_EYELIDS) luaL_error(L, "there may be up to %d eyelids", BRIO_MOST_EYELIDS);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    luaL_checktype(L, -1, LUA_TTABLE);
    /* DOFs count from 1; the values are in the unit of the DOF. */
    rows[i] = (brio_eyelid){(int)brio_lua_field_number(L, -1, "lid", 1, MOST_DOFS, 1) - 1,
                            (int)brio_lua_field_number(L, -1, "eye", 1, MOST_DOFS, 1) - 1,
                            brio_lua_field_number(L, -1, "closed", -1e6, 1e6, -1),
                            brio_lua_field_number(L, -1, "open", -1e6, 1e6, 0),
                            brio_lua_field_number(L, -1, "gain", -1e6, 1e6, 0.5)};
    lua_pop(L, 1);
  }
  return brio_player_set_eyelids(player, rows, count, &err) ? 0 : brio_lua_failed(L, &err);
}

/* player:mixer([settings]) -> {literal, gain, mute, solo}
** Reads, and with a table of the same fields and fade (s) sets, the mixer and the combination's channel of
** it. */
static int mixer(lua_State *L) {
  static const char *const keys[] = {"literal", "gain", "mute", "solo", "fade", NULL};
  brio_player *player = brio_lua_player_check(L, 1);
  brio_mixer now = brio_player_mixer(player);
  brio_error err;
  /* With a table: change the fields that it has, within `fade` seconds. */
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    brio_lua_only_keys(L, 2, keys, "the mixer");
    now.literal = brio_lua_field_flag(L, 2, "literal", now.literal);
    now.gain = brio_lua_field_number(L, 2, "gain", 0, 4, now.gain);
    now.mute = brio_lua_field_flag(L, 2, "mute", now.mute);
    now.solo = brio_lua_field_flag(L, 2, "solo", now.solo);
    if (!brio_player_set_mixer(player, &now, brio_lua_field_number(L, 2, "fade", 0, 60, 0.25), &err))
      return brio_lua_failed(L, &err);
  }
  /* Return the settings that are now valid. */
  lua_createtable(L, 0, 4);
  set_flag(L, "literal", now.literal);
  brio_lua_set_number(L, "gain", now.gain);
  set_flag(L, "mute", now.mute);
  set_flag(L, "solo", now.solo);
  return 1;
}

/* player:why(dof) -> {below, combined, mixed, bridge, filter, value, rate, follow, [owner]}, list of {source,
** said, before, after, a, b, follow}
** Explains the value of DOF number `dof` in the last tick: the totals, and each source with a track for
** it, from the bottom to the top. */
static int why(lua_State *L) {
  brio_player *player = brio_lua_player_check(L, 1);
  int dof = dof_at(L, 2);
  brio_player_story story = brio_player_story_of(player, dof);
  /* Room for MOST_WHY sources; parts of further ones are not returned. */
  brio_player_why *list = lua_newuserdatauv(L, MOST_WHY * sizeof *list, 0);
  int count = brio_player_why_of(player, dof, list, MOST_WHY);
  /* The totals, from below to the output. */
  lua_createtable(L, 0, 8);
  brio_lua_set_number(L, "below", story.below);
  brio_lua_set_number(L, "combined", story.combined);
  brio_lua_set_number(L, "mixed", story.mixed);
  brio_lua_set_number(L, "bridge", story.bridge);
  brio_lua_set_number(L, "filter", story.filter);
  brio_lua_set_number(L, "value", story.value);
  brio_lua_set_number(L, "rate", story.rate);
  brio_lua_set_number(L, "follow", story.follow);
  if (story.owner) brio_lua_set_integer(L, "owner", story.owner);
  /* Then each source's part, a + b u, from the bottom to the top. */
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 7);
    brio_lua_set_integer(L, "source", list[i].source);
    brio_lua_set_text(L, "said", list[i].said);
    brio_lua_set_number(L, "before", list[i].before);
    brio_lua_set_number(L, "after", list[i].after);
    brio_lua_set_number(L, "a", list[i].a);
    brio_lua_set_number(L, "b", list[i].b);
    brio_lua_set_number(L, "follow", list[i].follow);
    lua_rawseti(L, -2, i + 1);
  }
  return 2;
}

/* player:poll() -> what, source, index or nothing
** The oldest event: "cue" (number index of its sequence), "looped" (index: passes), "ended",
** "on" and "off" (it acquired, or released, DOF number index). */
static int poll(lua_State *L) {
  static const char *const names[] = {"cue", "looped", "ended", "on", "off"};
  brio_player_event event;
  if (!brio_player_poll(brio_lua_player_check(L, 1), &event)) return 0;
  /* `index` is a number of passes, or the index of a cue or DOF, which counts from 1 in Lua. */
  bool counts = event.what == BRIO_PLAYER_LOOPED;
  if (event.what == BRIO_PLAYER_ENDED) { /* its sequences are released */
    lua_getiuservalue(L, 1, 1);
    lua_pushnil(L);
    lua_rawseti(L, -2, event.source);
  }
  lua_pushstring(L, names[event.what]);
  lua_pushinteger(L, event.source);
  lua_pushinteger(L, counts ? event.index : event.index + 1);
  return 3;
}

/* player:pause(paused)
** Pauses its time, or continues it. */
static int pause(lua_State *L) {
  brio_player_pause(brio_lua_player_check(L, 1), lua_toboolean(L, 2));
  return 0;
}

/* player:tick(below, dt) -> values, follow
** A tick without a robot: `below` is a list of each DOF's value without the player; returns their values, and
** their weights (0: not moved). Stages of scripts are skipped. */
static int tick(lua_State *L) {
  brio_player *player = brio_lua_player_check(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 2);
  double dt = brio_lua_number(L, 3, 1e-6, 1e3, "dt");
  luaL_argcheck(L, count == brio_player_dofs(player), 2, "expected a value for each DOF");
  /* Values and rates of each DOF in one block; without a robot the rates are unknown. */
  double *below = lua_newuserdatauv(L, ((size_t)count + 1) * 2 * sizeof *below, 0), *rate = below + count + 1;
  brio_lua_numbers(L, 2, count, below, "below");
  for (int i = 0; i < count; i++) rate[i] = NAN;
  /* The stages of a tick, as the engine calls them. */
  brio_player_advance(player, dt);
  brio_player_begin(player, below, rate, dt, false);
  while (brio_player_combine(player) >= 0) continue;
  brio_player_finish(player);
  brio_player_result result = brio_player_result_of(player);
  brio_lua_push_numbers(L, result.value, count);
  brio_lua_push_numbers(L, result.follow, count);
  return 2;
}

/* __gc: free the player; its sequences go with the box. */
static int collect(lua_State *L) {
  brio_player_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

int luaopen_brio_player(lua_State *L) {
  static const luaL_Reg methods[] = {{"play", play},
                                     {"live", live},
                                     {"say", say},
                                     {"stop", stop},
                                     {"release", release},
                                     {"exchange", exchange},
                                     {"set", set},
                                     {"mask", mask},
                                     {"share", share},
                                     {"sources", sources},
                                     {"stages", stages},
                                     {"add_stage", add_stage},
                                     {"remove_stage", remove_stage},
                                     {"value", value},
                                     {"eyelids", eyelids},
                                     {"mixer", mixer},
                                     {"why", why},
                                     {"poll", poll},
                                     {"pause", pause},
                                     {"tick", tick},
                                     {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
