/* The Lua module `brio.feed`: data from other programs during a run (feed/feed.h), for
** lua/brio/perception/detectors.lua. */
#include "lua/feed/lua_feed.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/cloud/lua_cloud.h"
#include "lua/lua_args.h"

#define CLASS "brio.feed"
#define GROUP "brio.feed.group"

/* A feed, and the group in which the engine reads it. User value 1: the group, which is kept alive; 2: the
** cloud with which the feed's newest cloud is swapped. */
typedef struct feed_box {
  brio_feed *feed;
  brio_feeds *group;
  bool any;            /* a cloud has arrived */
} feed_box;

/* The box at argument `arg`; raises when the feed was closed. */
static feed_box *box_at(lua_State *L, int arg) {
  feed_box *box = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, box->feed, arg, "the feed is closed");
  return box;
}

brio_feeds *brio_lua_feeds_check(lua_State *L, int index) { return luaL_checkudata(L, index, GROUP); }

/* Whether a field has the second of two words; the first is the default. Raises on another word. */
static bool second_word(lua_State *L, const char *key, const char *first, const char *second) {
  const char *word = brio_lua_field_text(L, 1, key, first);
  bool is_second = strcmp(word, second) == 0;
  if (!is_second && strcmp(word, first) != 0)
    luaL_error(L, "feed.open: %s must be \"%s\" or \"%s\", not \"%s\"", key, first, second, word);
  return is_second;
}

/* Read the fields for clouds only. */
static void read_cloud_options(lua_State *L, brio_feed_options *options) {
  brio_error err;
  double matrix[9];
  /* Directions and unit: invalid axes are an error here, not at the first cloud. */
  options->cloud.axes = brio_lua_field_text(L, 1, "axes", "robot");
  if (!brio_cloud_axes(options->cloud.axes, matrix, &err)) luaL_error(L, "%s", err.message);
  options->cloud.unit = brio_lua_field_number(L, 1, "unit", 1e-9, 1e6, 1);
  options->cloud.limit = (int)brio_lua_field_number(L, 1, "points", 1, BRIO_CLOUD_POINTS, 0);
  /* The period of a folder of files; the frame of the viewpoint; and where clouds are stored. */
  options->period = brio_lua_field_number(L, 1, "period", 0.001, 1e6, 0);
  options->frame = brio_lua_field_text(L, 1, "frame", NULL);
  options->keep = brio_lua_field_text(L, 1, "keep", NULL);
  options->keep_room = (int64_t)brio_lua_field_number(L, 1, "keep_room", 0, 9e15, 0);
  if (options->frame && strlen(options->frame) >= BRIO_CLOUD_FRAME)
    luaL_error(L, "frame must have at most %d letters", BRIO_CLOUD_FRAME - 1);
}

/* feed.open{where =, [content =, detector =, lockstep =, clock =, axes =, rate =, oldest =, silent =, speed
** =, begin =, again =, frame =, unit =, points =, period =, keep =, keep_room =, depth =]} -> feed | nil,
** sentence, code
** Opens a feed and starts its thread. `where` is "udp:[HOST:]PORT", "unix:PATH", "file:PATH", for detections
** also "program:WORDS" (a program that is started, and started again when it fails) and "output:WORDS" (what
** a program makes of a recording, by the recording's times), for clouds "shm:NAME"; `content` "detections" or
** "clouds"; `detector` the number, 1 to 255, of its detections; `lockstep` for the fast clock; `clock` "own"
** or "monotonic", this machine's; `axes` "robot" (x forward, z up) or "optical" (x right, y down, z forward),
** for clouds those of brio.cloud.read; `rate` the most messages a second (500, for clouds and their pieces
** 5000); `oldest` the greatest age of data in s (1); `silent` seconds without a message after which another
** sender is accepted (1); `speed`, `begin` (s of the run) and `again` apply to a file. With `depth`, boxes
** and masks are located by depth (feed:depth). For clouds: `frame` is their viewpoint, `unit` (m), `points`
** the most points (a million), `period` (s) between those of a folder, `keep` a folder in which they are
** stored, `keep_room` the most bytes there (16 GB): see feed:kept. */
static int open_feed(lua_State *L) {
  static const char *const keys[] = {
      "where", "content", "detector", "lockstep", "clock",  "axes",   "rate",  "oldest", "silent",    "speed",
      "begin", "again",   "frame",    "unit",     "points", "period", "depth", "keep",   "keep_room", NULL};
  brio_error err;
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_lua_only_keys(L, 1, keys, "feed.open");
  /* The content and the source; texts belong to the table, which outlives the call. */
  brio_feed_options options = {.depth = brio_lua_field_flag(L, 1, "depth", false),
                               .where = brio_lua_field_text(L, 1, "where", "")};
  options.content = second_word(L, "content", "detections", "clouds") ? BRIO_FEED_CLOUDS
                                                                      : BRIO_FEED_DETECTIONS;
  options.detector = (uint8_t)brio_lua_field_number(L, 1, "detector", 1, 255, 1);
  options.lockstep = brio_lua_field_flag(L, 1, "lockstep", false);
  options.monotonic = second_word(L, "clock", "own", "monotonic");
  /* Each kind of content has axes of its own. */
  if (options.content == BRIO_FEED_CLOUDS) read_cloud_options(L, &options);
  else options.optical = second_word(L, "axes", "robot", "optical");
  /* Limits of the traffic; 0 is the feed's default. */
  options.rate = brio_lua_field_number(L, 1, "rate", 1, 1e5, 0);
  options.oldest = brio_lua_field_number(L, 1, "oldest", 0.001, 1e6, 0);
  options.silent = brio_lua_field_number(L, 1, "silent", 0.01, 1e6, 0);
  options.speed = brio_lua_field_number(L, 1, "speed", 1e-3, 1e3, 0);
  options.begin = brio_lua_field_number(L, 1, "begin", 0, 1e9, 0);
  options.again = brio_lua_field_flag(L, 1, "again", false);
  feed_box *box = lua_newuserdatauv(L, sizeof *box, 2);
  *box = (feed_box){0};
  luaL_setmetatable(L, CLASS);
  box->feed = brio_feed_open(&options, &err);
  return box->feed ? 1 : brio_lua_failed(L, &err);
}

/* Take a feed out of its group, if it has one: the group continues without it. */
static void leave_group(feed_box *box) {
  for (int i = 0; box->group && i < box->group->count; i++)
    if (box->group->rows[i].feed == box->feed) box->group->rows[i].feed = NULL;
  box->group = NULL;
}

/* feed.group(list of {feed =, [frame =]}) -> group
** Groups feeds of detections for brio.engine.new{feeds =}: at most 16. `frame` is the name of the link or
** frame of a sender's poses; default: the world. A feed is in one group: it leaves the one it was in. */
static int new_group(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer count = luaL_len(L, 1);
  luaL_argcheck(L, count <= BRIO_FEEDS_MOST, 1, "too many feeds");
  brio_feeds *group = lua_newuserdatauv(L, sizeof *group, 1);
  memset(group, 0, sizeof *group);
  luaL_setmetatable(L, GROUP);
  /* User value 1: the list, which keeps the feeds alive as long as the group. */
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_geti(L, 1, i);
    luaL_checktype(L, -1, LUA_TTABLE);
    const char *frame = brio_lua_field_text(L, -1, "frame", "");
    if (strlen(frame) >= BRIO_FEEDS_FRAME)
      luaL_error(L, "a frame's name has at most %d bytes", BRIO_FEEDS_FRAME - 1);
    lua_getfield(L, -1, "feed");
    feed_box *box = box_at(L, -1);
    if (box->group != group) leave_group(box);
    brio_feeds_row *row = &group->rows[group->count++];
    row->feed = box->feed;
    snprintf(row->frame, sizeof row->frame, "%s", frame);
    /* Both ways: the feed also keeps the group, so that closing it can remove its row. */
    box->group = group;
    lua_pushvalue(L, -3);
    lua_setiuservalue(L, -2, 1);
    lua_pop(L, 2);
  }
  return 1;
}

/* Set a boolean field of the table on top. */
static void set_flag(lua_State *L, const char *key, bool flag) {
  lua_pushboolean(L, flag);
  lua_setfield(L, -2, key);
}

/* feed:report() -> table
** Its status: where (with the port that the system chose), sender (the current one; "": none yet), heard (s
** of the run of the newest frame; nil: none yet), messages and bytes received, frames and detections
** accepted, refused (by reason, those above 0), jumps (of the sender's clock), over (a file has ended),
** two_way (requests can be sent). */
static int report(lua_State *L) {
  brio_feed_report r;
  brio_feed_look(box_at(L, 1)->feed, &r);
  lua_createtable(L, 0, 11);
  brio_lua_set_text(L, "where", r.where);
  brio_lua_set_text(L, "sender", r.sender);
  if (isfinite(r.heard)) brio_lua_set_number(L, "heard", r.heard);
  brio_lua_set_integer(L, "messages", r.counts.messages);
  brio_lua_set_integer(L, "bytes", r.counts.bytes);
  brio_lua_set_integer(L, "frames", r.frames);
  brio_lua_set_integer(L, "detections", r.detections);
  brio_lua_set_integer(L, "jumps", r.jumps);
  set_flag(L, "over", r.over);
  set_flag(L, "two_way", r.two_way);
  /* Reasons without rejections are left out. */
  lua_newtable(L);
  for (int i = 0; i < BRIO_FEED_NREASON; i++)
    if (r.counts.refused[i] > 0)
      brio_lua_set_integer(L, brio_feed_reason_name((brio_feed_reason)i), r.counts.refused[i]);
  lua_setfield(L, -2, "refused");
  return 1;
}

/* feed:note() -> {reason =, words =, count =, seconds =, detail =} or nil
** The next report about rejected messages: their count since the last report, and the seconds since then.
** Each reason is reported at once and then every five seconds at most. */
static int note(lua_State *L) {
  brio_feed_note n;
  if (!brio_feed_next_note(box_at(L, 1)->feed, &n)) return 0;
  lua_createtable(L, 0, 5);
  brio_lua_set_text(L, "reason", brio_feed_reason_name(n.reason));
  brio_lua_set_text(L, "words", brio_feed_reason_words(n.reason));
  brio_lua_set_integer(L, "count", n.count);
  brio_lua_set_number(L, "seconds", n.seconds);
  brio_lua_set_text(L, "detail", n.detail);
  return 1;
}

/* Read {class = {on =, confidence =}} at the top of the stack. */
static void read_classes(lua_State *L, brio_feed_wanted *wanted) {
  luaL_checktype(L, -1, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    /* The class is a key, its settings the value; both are checked before they are copied. */
    luaL_argcheck(L, lua_type(L, -2) == LUA_TSTRING && lua_istable(L, -1), 4,
                  "classes must be tables by name");
    if (wanted->count == BRIO_FEED_CLASSES)
      luaL_error(L, "at most %d classes can be distinguished", BRIO_FEED_CLASSES);
    const char *name = lua_tostring(L, -2);
    if (strlen(name) >= BRIO_DETECTION_KIND)
      luaL_error(L, "a class has at most %d letters, not '%s'", BRIO_DETECTION_KIND - 1, name);
    brio_feed_class *class = &wanted->classes[wanted->count++];
    snprintf(class->name, sizeof class->name, "%s", name);
    class->on = brio_lua_field_flag(L, -1, "on", true);
    class->confidence = brio_lua_field_number(L, -1, "confidence", 0, 1, NAN);
    class->erosion = brio_lua_field_number(L, -1, "erosion", 0, 1000, 0);
    class->outlier = brio_lua_field_number(L, -1, "outlier", 0, 1000, 0);
  }
}

/* feed:depth(cloud) -> whether it has rows
** Sets the depths for the detector's boxes and masks: an organized cloud with the same view. */
static int depth_of(lua_State *L) {
  lua_pushboolean(L, brio_feed_depth_of(box_at(L, 1)->feed, brio_lua_cloud_check(L, 2)));
  return 1;
}

/* feed:ask(number, text [, {confidence =, known_only =, classes =, erosion =, outlier =}])
** Sets the request, replacing the one before: `text`, a line of JSON without its end ("": none), is sent to
** the sender repeatedly until it is acknowledged by `number`. The table is applied here: the least confidence
** of all classes and of each (classes = {cup = {on =, confidence =}}), how masks are evaluated (erosion, px,
** and outlier, deviations; also by class), and whether classes that are not in it are rejected. */
static int ask(lua_State *L) {
  static const char *const keys[] = {"confidence", "known_only", "classes", "erosion", "outlier", NULL};
  static const brio_feed_request blank;
  feed_box *box = box_at(L, 1);
  size_t length;
  lua_settop(L, 4);
  /* The request is large: it lives in a userdata, not on the C stack. */
  brio_feed_request *request = lua_newuserdatauv(L, sizeof *request, 0);
  *request = blank;
  request->number = (int64_t)brio_lua_number(L, 2, 1, 9007199254740992.0, "the request's number");
  const char *text = luaL_checklstring(L, 3, &length);
  if (length >= BRIO_FEED_REQUEST - 1)
    luaL_error(L, "a request has at most %d bytes, not %d", BRIO_FEED_REQUEST - 2, (int)length);
  /* The line is sent with a newline. */
  if (length > 0) {
    memcpy(request->text, text, length);
    request->text[length] = '\n';
    request->length = length + 1;
  }
  /* Without a table everything is accepted. */
  if (!lua_isnil(L, 4)) {
    luaL_checktype(L, 4, LUA_TTABLE);
    brio_lua_only_keys(L, 4, keys, "feed:ask");
    request->wanted.confidence = brio_lua_field_number(L, 4, "confidence", 0, 1, 0);
    request->wanted.erosion = brio_lua_field_number(L, 4, "erosion", 0, 1000, 0);
    request->wanted.outlier = brio_lua_field_number(L, 4, "outlier", 0, 1000, 0);
    request->wanted.known_only = brio_lua_field_flag(L, 4, "known_only", false);
    if (lua_getfield(L, 4, "classes") != LUA_TNIL) read_classes(L, &request->wanted);
  }
  brio_feed_ask(box->feed, request);
  return 0;
}

/* feed:asked() -> {number =, acknowledged =, sends =, refused =}
** The status of the newest request: its number (0: none yet), the newest that was acknowledged, how often it
** was sent, and the detector's objection ("": none). */
static int asked(lua_State *L) {
  const brio_feed_talk *talk = brio_feed_asked(box_at(L, 1)->feed);
  lua_createtable(L, 0, 4);
  brio_lua_set_integer(L, "number", talk->number);
  brio_lua_set_integer(L, "acknowledged", talk->acknowledged);
  brio_lua_set_integer(L, "sends", talk->sends);
  brio_lua_set_text(L, "refused", talk->refused);
  return 1;
}

/* feed.reasons() -> {name = words}
** The reasons of rejections: a description of each name in a report or a note. */
static int reasons(lua_State *L) {
  lua_createtable(L, 0, BRIO_FEED_NREASON);
  for (int i = 0; i < BRIO_FEED_NREASON; i++)
    brio_lua_set_text(L, brio_feed_reason_name((brio_feed_reason)i),
                      brio_feed_reason_words((brio_feed_reason)i));
  return 1;
}

/* feed:cloud(now) -> cloud or nil, fresh
** The newest cloud that counts at `now` (s of the run), and whether it is new since the last call. It is
** always the same value, with the newest content: nothing is copied. */
static int newest_cloud(lua_State *L) {
  feed_box *box = box_at(L, 1);
  double now = brio_lua_number(L, 2, -HUGE_VAL, HUGE_VAL, "now");
  /* User value 2: the cloud, created once and filled again by each swap. */
  if (lua_getiuservalue(L, 1, 2) == LUA_TNIL) {
    brio_lua_cloud_new(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, 2);
  }
  int at = lua_gettop(L);
  bool fresh = brio_feed_cloud(box->feed, now, brio_lua_cloud_check(L, at));
  if (fresh) {
    brio_lua_cloud_changed(L, at);
    box->any = true;
  }
  /* nil before the first cloud. */
  if (!box->any) return 0;
  lua_pushboolean(L, fresh);
  return 2;
}

/* feed:kept() -> hash, length or nil
** The file of the newest accepted cloud: the SHA-256 that is its name, and its length in bytes; nil: it is
** not stored. */
static int kept(lua_State *L) {
  int64_t length;
  const char *hash = brio_feed_kept(box_at(L, 1)->feed, &length);
  if (!hash[0]) return 0;
  lua_pushstring(L, hash);
  lua_pushinteger(L, length);
  return 2;
}

/* Remove the feed from its group, end its thread and free it. The box is empty afterwards. */
static void close_box(feed_box *box) {
  leave_group(box);
  brio_feed_close(box->feed);
  *box = (feed_box){0};
}

/* feed:close()
** Ends its thread; a group continues without it. */
static int close_feed(lua_State *L) {
  close_box(luaL_checkudata(L, 1, CLASS));
  return 0;
}

int luaopen_brio_feed(lua_State *L) {
  static const luaL_Reg methods[] = {{"report", report},  {"note", note},        {"ask", ask},
                                     {"depth", depth_of}, {"asked", asked},      {"cloud", newest_cloud},
                                     {"kept", kept},      {"close", close_feed}, {NULL, NULL}};
  static const luaL_Reg none[] = {{NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"open", open_feed}, {"group", new_group}, {"reasons", reasons}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, close_feed);
  brio_lua_class(L, GROUP, none, NULL);
  luaL_newlib(L, functions);
  return 1;
}
