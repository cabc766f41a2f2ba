/* brio.cloud: point clouds (cloud/cloud.h). A cloud is read from a file or from bytes, or made from lists; it
** never changes: functions that transform, cut or thin it return a new one. Points are in meters in the
** cloud's own frame. See docs/perception/clouds.md. */
#include "lua/cloud/lua_cloud.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cloud/files/file.h"
#include "cloud/files/pack.h"
#include "lua/lua_args.h"

#define CLASS "brio.cloud"

typedef struct cloud_box {
  brio_cloud *cloud;       /* NULL: closed */
  brio_cloud_index *index; /* NULL: none yet */
  bool owned, indexed;     /* indexed: the index is up to date */
} cloud_box;

/* Push an empty box that owns the cloud it gets. */
static cloud_box *push_box(lua_State *L) {
  cloud_box *box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = (cloud_box){.owned = true};
  /* Other modules push clouds, too, also into a script that has not required this one. */
  if (luaL_getmetatable(L, CLASS) == LUA_TNIL) {
    luaL_requiref(L, "brio.cloud", luaopen_brio_cloud, 0);
    lua_pop(L, 2);
    luaL_getmetatable(L, CLASS);
  }
  lua_setmetatable(L, -2);
  return box;
}

brio_cloud *brio_lua_cloud_new(lua_State *L) {
  brio_error err;
  cloud_box *box = push_box(L);
  box->cloud = brio_cloud_new(&err);
  if (!box->cloud) luaL_error(L, "%s", err.message);
  return box->cloud;
}

void brio_lua_cloud_lend(lua_State *L, brio_cloud *cloud) {
  *push_box(L) = (cloud_box){.cloud = cloud};
}

void brio_lua_cloud_changed(lua_State *L, int index) {
  /* The index does not belong to these points any more; it is built again at the next query. */
  cloud_box *box = luaL_checkudata(L, index, CLASS);
  box->indexed = false;
}

/* The box at argument `arg`; raises when the cloud was closed. */
static cloud_box *check_box(lua_State *L, int arg) {
  cloud_box *box = luaL_checkudata(L, arg, CLASS);
  luaL_argcheck(L, box->cloud, arg, "the cloud is closed");
  return box;
}

brio_cloud *brio_lua_cloud_check(lua_State *L, int arg) { return check_box(L, arg)->cloud; }

const brio_cloud_index *brio_lua_cloud_index(lua_State *L, int arg, brio_error *err) {
  cloud_box *box = check_box(L, arg);
  /* Memory of an old index is used again. */
  if (!box->index) box->index = brio_cloud_index_new(err);
  if (!box->index || (!box->indexed && !brio_cloud_index_build(box->index, box->cloud, err))) return NULL;
  box->indexed = true;
  return box->index;
}

/* cloud:close()
** Frees the cloud's memory at once; it cannot be used afterwards. Otherwise the garbage collector does so, or
** a variable declared `<close>`. */
static int cloud_close(lua_State *L) {
  cloud_box *box = luaL_checkudata(L, 1, CLASS);
  brio_cloud_index_free(box->index);
  if (box->owned) brio_cloud_free(box->cloud);
  *box = (cloud_box){0};
  return 0;
}

/* ------------------------------------------------------------------ making */

/* Read the settings at argument `arg`; absent: the defaults. */
static brio_cloud_settings read_settings(lua_State *L, int arg) {
  static const char *const keys[] = {"axes", "unit", "limit", NULL};
  brio_cloud_settings settings = {0};
  if (lua_isnoneornil(L, arg)) return settings;
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_only_keys(L, arg, keys, "the settings of a cloud");
  settings.axes = brio_lua_field_text(L, arg, "axes", NULL);
  settings.unit = brio_lua_field_number(L, arg, "unit", 1e-9, 1e6, 1);
  settings.limit = (int)brio_lua_field_number(L, arg, "limit", 1, BRIO_CLOUD_POINTS, BRIO_CLOUD_POINTS);
  return settings;
}

/* cloud.read(path [, {axes =, unit =, limit =}]) -> cloud | nil, sentence, code
** Reads a cloud from a file: PCD (ascii, binary, compressed), PLY (ascii, binary) or a raw frame, recognized
** by its first bytes. `axes`: directions of its x, y and z, three of forward, back, left, right, up, down, as
** "right down forward", or one of robot, optical, opengl, unity (default: robot, which is forward left up);
** `unit`: m per unit of the file (1); `limit`: most points (16 million). Codes: no_file, io, format, limit,
** no_memory. */
static int read(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  brio_cloud_settings settings = read_settings(L, 2);
  brio_error err;
  /* The cloud is pushed first: a failure leaves it to the garbage collector. */
  brio_cloud *cloud = brio_lua_cloud_new(L);
  return brio_cloud_load(cloud, path, &settings, &err) ? 1 : brio_lua_failed(L, &err);
}

/* cloud.parse(bytes [, {axes =, unit =, limit =}]) -> cloud | nil, sentence, code
** The same from the bytes of such a file or of a raw frame. Codes: format, limit, no_memory. */
static int parse(lua_State *L) {
  size_t length;
  const char *bytes = luaL_checklstring(L, 1, &length);
  brio_cloud_settings settings = read_settings(L, 2);
  brio_error err;
  brio_cloud *cloud = brio_lua_cloud_new(L);
  return brio_cloud_read(cloud, bytes, length, &settings, &err) ? 1 : brio_lua_failed(L, &err);
}

/* Pop the number on the top of the stack and return it; raise, naming `what`, if it is another type. */
static double pop_number(lua_State *L, const char *what) {
  if (lua_type(L, -1) != LUA_TNUMBER) luaL_error(L, "%s must be numbers, not %s", what, luaL_typename(L, -1));
  double value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

/* Push the list in field `key` of argument 1; return its length, -1: it is absent. Raise if it is too long
** or not a list. */
static int push_threes(lua_State *L, const char *key) {
  if (lua_getfield(L, 1, key) == LUA_TNIL) return -1;
  if (!lua_istable(L, -1)) luaL_error(L, "%s must be a list of {x, y, z}, not %s", key, luaL_typename(L, -1));
  lua_Unsigned count = lua_rawlen(L, -1);
  if (count > BRIO_CLOUD_POINTS) luaL_error(L, "%s: at most %d are taken", key, BRIO_CLOUD_POINTS);
  return (int)count;
}

/* Read number k of item i of the list at the top of the stack. */
static double item_number(lua_State *L, const char *key, int i, int k) {
  /* Stack: the list, the item, the number. */
  if (lua_rawgeti(L, -1, i + 1) != LUA_TTABLE)
    luaL_error(L, "%s[%d] must be a list of three numbers", key, i + 1);
  lua_rawgeti(L, -1, k + 1);
  double value = pop_number(L, key);
  lua_pop(L, 1);
  return value;
}

/* Read the list on top into the cloud's points, in m. */
static void read_points(lua_State *L, brio_cloud *cloud) {
  for (int i = 0; i < cloud->count; i++)
    for (int k = 0; k < 3; k++) cloud->points[i][k] = (float)item_number(L, "points", i, k);
}

/* Read the list on top into the cloud's colors: 0 to 1 in Lua, a byte in the cloud. */
static void read_colors(lua_State *L, brio_cloud *cloud) {
  for (int i = 0; i < cloud->count; i++)
    for (int k = 0; k < 3; k++) {
      double share = item_number(L, "colors", i, k);
      if (!(share >= 0 && share <= 1)) luaL_error(L, "colors[%d] must be numbers from 0 to 1", i + 1);
      cloud->colors[i][k] = (uint8_t)lround(255 * share);
    }
}

/* Read the list on top into the cloud's labels. */
static void read_labels(lua_State *L, brio_cloud *cloud) {
  for (int i = 0; i < cloud->count; i++) {
    lua_rawgeti(L, -1, i + 1);
    double label = pop_number(L, "labels");
    if (!(label >= 0 && label <= UINT32_MAX))
      luaL_error(L, "labels[%d] must be a whole number of at least 0", i + 1);
    cloud->labels[i] = (uint32_t)label;
  }
}

/* cloud.new{points = {{x, y, z}, ...} [, colors =, labels =, width =, time =, frame =, viewpoint =]} -> cloud
** Makes a cloud of points in m; a number that is not finite (0/0) marks a place without a point. `colors`:
** for each {red, green, blue} from 0 to 1; `labels`: for each a whole number; `width`: columns of an
** organized cloud, row by row; `time`: s; `frame`: name of the frame it is seen from; `viewpoint`: the
** sensor's pose in it. */
static int new_cloud(lua_State *L) {
  static const char *const keys[] = {"points", "colors", "labels",    "width",
                                     "time",   "frame",  "viewpoint", NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  brio_lua_only_keys(L, 1, keys, "cloud.new");
  brio_error err;
  /* The lists stay at 2 to 4; missing ones are nil there. */
  int count = push_threes(L, "points"), colors = push_threes(L, "colors"), labels = push_threes(L, "labels");
  if (count < 0) luaL_error(L, "cloud.new needs points");
  /* Each list that is given must have an item for every point. */
  if ((colors >= 0 && colors != count) || (labels >= 0 && labels != count))
    luaL_error(L, "colors and labels must be as many as the %d points", count);
  int width = (int)brio_lua_field_number(L, 1, "width", 1, BRIO_CLOUD_POINTS, count > 0 ? count : 1);
  if (count % width != 0) luaL_error(L, "%d points do not fit rows of %d", count, width);
  const char *frame = brio_lua_field_text(L, 1, "frame", "");
  if (strlen(frame) >= BRIO_CLOUD_FRAME)
    luaL_error(L, "frame must have at most %d letters", BRIO_CLOUD_FRAME - 1);
  brio_cloud *cloud = brio_lua_cloud_new(L); /* stack: table, points, colors, labels, cloud */
  /* Only the memory for the given parts is allocated. */
  int parts = (colors >= 0 ? BRIO_CLOUD_COLORS : 0) | (labels >= 0 ? BRIO_CLOUD_LABELS : 0);
  if (!brio_cloud_resize(cloud, count ? width : 0, count ? count / width : 1, parts, &err))
    return brio_lua_failed(L, &err);
  if (lua_getfield(L, 1, "viewpoint") != LUA_TNIL) cloud->viewpoint = brio_lua_pose(L, -1, "viewpoint");
  lua_pop(L, 1);
  cloud->time = brio_lua_field_number(L, 1, "time", -HUGE_VAL, HUGE_VAL, NAN);
  snprintf(cloud->frame, sizeof cloud->frame, "%s", frame);
  /* Each reader gets its list on top. */
  static void (*const readers[])(lua_State *, brio_cloud *) = {read_points, read_colors, read_labels};
  for (int k = 0; k < 3; k++) {
    lua_pushvalue(L, 2 + k);
    if (!lua_isnil(L, -1)) readers[k](L, cloud);
    lua_pop(L, 1);
  }
  /* Count the places without a point, and those too far away. */
  brio_cloud_judge(cloud);
  return 1;
}

/* cloud.pack(cloud) -> text
** Serializes a cloud without its time, bit for bit, for this machine type. */
static int pack(lua_State *L) {
  luaL_Buffer out;
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  /* The size is known, so the text is written in place. */
  size_t length = brio_cloud_packed_size(cloud);
  brio_cloud_pack(cloud, luaL_buffinitsize(L, &out, length));
  luaL_pushresultsize(&out, length);
  return 1;
}

/* cloud.unpack(text [, time [, into]]) -> cloud | nil, sentence, code
** The cloud of a text from cloud.pack, seen at `time` (s; nil: unknown). With `into` that cloud is
** overwritten. Codes: format, limit, no_memory. */
static int unpack(lua_State *L) {
  size_t length;
  brio_error err;
  const char *bytes = luaL_checklstring(L, 1, &length);
  double time = lua_isnoneornil(L, 2) ? NAN : luaL_checknumber(L, 2);
  /* Without a cloud to overwrite a new one takes its place at 3. */
  if (lua_isnoneornil(L, 3)) lua_settop(L, 2), brio_lua_cloud_new(L);
  brio_cloud *cloud = brio_lua_cloud_check(L, 3);
  brio_lua_cloud_changed(L, 3);
  lua_settop(L, 3);
  return brio_cloud_unpack(cloud, bytes, length, time, &err) ? 1 : brio_lua_failed(L, &err);
}

/* ------------------------------------------------------------------ facts */

/* __len: the number of places. */
static int cloud_length(lua_State *L) {
  lua_pushinteger(L, brio_lua_cloud_check(L, 1)->count);
  return 1;
}

/* cloud:facts() -> table
** Its properties: count (places, with and without a point; also #cloud), missing (places without one), far
** (of those: points beyond 100 km, removed), unread (bytes of a file after the points), width, height,
** organized, colors and labels (whether it has any), frame, viewpoint, time (s; nil: unknown), and the
** corners of the box around all points, lower and upper ({x, y, z}; nil: there are no points). */
static int cloud_facts(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  brio_box box;
  lua_createtable(L, 0, 14);
  brio_lua_set_integer(L, "count", cloud->count);
  brio_lua_set_integer(L, "missing", cloud->missing);
  brio_lua_set_integer(L, "far", cloud->far);
  brio_lua_set_integer(L, "unread", cloud->unread);
  brio_lua_set_integer(L, "width", cloud->width);
  brio_lua_set_integer(L, "height", cloud->height);
  lua_pushboolean(L, cloud->height > 1);
  lua_setfield(L, -2, "organized");
  lua_pushboolean(L, cloud->colors != NULL);
  lua_setfield(L, -2, "colors");
  lua_pushboolean(L, cloud->labels != NULL);
  lua_setfield(L, -2, "labels");
  brio_lua_set_text(L, "frame", cloud->frame);
  brio_lua_push_pose(L, cloud->viewpoint);
  lua_setfield(L, -2, "viewpoint");
  if (isfinite(cloud->time)) brio_lua_set_number(L, "time", cloud->time);
  /* Without points there is no box. */
  if (!brio_cloud_extent(cloud, &box)) return 1;
  brio_lua_set_vec3(L, "lower", box.lower);
  brio_lua_set_vec3(L, "upper", box.upper);
  return 1;
}

/* cloud:source() -> frame, time
** The name of the frame it is seen from ("": unknown) and the time, s (nil: unknown). */
static int cloud_source(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  lua_pushstring(L, cloud->frame);
  if (isfinite(cloud->time)) lua_pushnumber(L, cloud->time);
  else lua_pushnil(L);
  return 2;
}

/* cloud:point(place) -> {x, y, z}, color, label | nil
** The content of a place, counted from 1: its point, {red, green, blue} from 0 to 1 and its label, each nil
** if absent. */
static int cloud_point(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  int i = (int)brio_lua_number(L, 2, 1, cloud->count > 0 ? cloud->count : 1, "place") - 1;
  lua_settop(L, 2);
  /* A place of an organized cloud may have no point. */
  if (i >= cloud->count || !brio_cloud_has(cloud, i)) return 0;
  brio_lua_push_vec3(L, brio_cloud_point(cloud, i));
  if (cloud->colors)
    brio_lua_push_numbers(
        L, (double[]){cloud->colors[i][0] / 255.0, cloud->colors[i][1] / 255.0, cloud->colors[i][2] / 255.0},
        3);
  else lua_pushnil(L);
  if (cloud->labels) lua_pushinteger(L, cloud->labels[i]);
  else lua_pushnil(L);
  return 3;
}

/* cloud:labels() -> {[label] = count}
** How many points have each label; empty without labels. */
static int cloud_labels(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  lua_newtable(L);
  /* A histogram, in one pass. */
  for (int i = 0; i < cloud->count && cloud->labels; i++) {
    if (!brio_cloud_has(cloud, i)) continue;
    lua_rawgeti(L, -1, cloud->labels[i]);
    lua_Integer count = lua_tointeger(L, -1) + 1;
    lua_pop(L, 1);
    lua_pushinteger(L, count);
    lua_rawseti(L, -2, cloud->labels[i]);
  }
  return 1;
}

/* cloud:frame([number]) -> bytes
** The cloud as a raw frame, as senders put it on a socket (docs/perception/clouds.md); `number` is the
** frame's (0). */
static int cloud_frame(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  uint64_t number = (uint64_t)(lua_isnoneornil(L, 2) ? 0 : brio_lua_number(L, 2, 0, 0x1p53, "number"));
  size_t size = brio_cloud_frame_size(cloud);
  luaL_Buffer buffer;
  brio_cloud_frame_write(cloud, number, luaL_buffinitsize(L, &buffer, size));
  luaL_pushresultsize(&buffer, size);
  return 1;
}

/* ------------------------------------------------------------------ derived clouds */

/* cloud:voxels(size) -> cloud | nil, sentence, code
** Thins it: one point for each nonempty cube of that side (m) in a grid, the mean of positions and colors and
** the label of the majority. Codes: no_memory. */
static int cloud_voxels(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  double size = brio_lua_number(L, 2, 1e-4, 1e6, "size");
  brio_error err;
  return brio_cloud_voxels(brio_lua_cloud_new(L), cloud, size, &err) ? 1 : brio_lua_failed(L, &err);
}

/* cloud:transform(pose [, frame]) -> cloud | nil, sentence, code
** The same points in another frame, named `frame`: `pose` is the pose of this cloud's frame in it. Codes:
** no_memory. */
static int cloud_transform(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  brio_pose pose = brio_lua_pose(L, 2, "pose");
  const char *frame = luaL_optstring(L, 3, "");
  luaL_argcheck(L, strlen(frame) < BRIO_CLOUD_FRAME, 3, "the name is too long");
  brio_error err;
  /* Copy, then transform in place: the original never changes. */
  brio_cloud *to = brio_lua_cloud_new(L);
  if (!brio_cloud_copy(to, cloud, &err)) return brio_lua_failed(L, &err);
  brio_cloud_transform(to, pose);
  snprintf(to->frame, sizeof to->frame, "%s", frame);
  return 1;
}

/* cloud:labelled(label) -> cloud | nil, sentence, code
** The points with that label. Codes: no_memory. */
static int cloud_labelled(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  uint32_t label = (uint32_t)brio_lua_number(L, 2, 0, UINT32_MAX, "label");
  brio_error err;
  brio_cloud *to = brio_lua_cloud_new(L);
  /* A flag for each place; it is popped, so that the cloud is on top again. */
  bool *keep = lua_newuserdatauv(L, (size_t)cloud->count + 1, 0);
  for (int i = 0; i < cloud->count; i++) keep[i] = cloud->labels && cloud->labels[i] == label;
  bool good = brio_cloud_select(to, cloud, keep, &err);
  lua_pop(L, 1);
  return good ? 1 : brio_lua_failed(L, &err);
}

int luaopen_brio_cloud(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"close", cloud_close},         {"__close", cloud_close},     {"__len", cloud_length},
      {"facts", cloud_facts},         {"source", cloud_source},     {"point", cloud_point},
      {"labels", cloud_labels},       {"frame", cloud_frame},       {"voxels", cloud_voxels},
      {"transform", cloud_transform}, {"labelled", cloud_labelled}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"read", read}, {"parse", parse}, {"new", new_cloud}, {"pack", pack},
                                       {"unpack", unpack}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, cloud_close);
  luaL_getmetatable(L, CLASS);
  luaL_setfuncs(L, brio_lua_cloud_solid_methods, 0);
  luaL_setfuncs(L, brio_lua_cloud_find_methods, 0);
  luaL_setfuncs(L, brio_lua_cloud_later_methods, 0);
  lua_pop(L, 1);
  luaL_newlib(L, functions);
  luaL_setfuncs(L, brio_lua_cloud_picture_functions, 0);
  return 1;
}
