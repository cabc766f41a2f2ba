/* brio.camera: positions from a camera's pictures: pixels and rays, masks with depth, boxes from corners.
 */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "scene/mask.h"

#define CLASS "brio.camera"

enum { MOST_LIST = 1 << 20 };

/* A camera, with its last mask. */
typedef struct eye {
  brio_camera camera;
  brio_mask *mask;
  int width, height; /* of the mask */
} eye;

/* The camera at argument 1, or raise. */
static eye *check_eye(lua_State *L) {
  return brio_lua_box_check(L, 1, CLASS);
}

/* __gc: free the mask, then the camera. */
static int collect(lua_State *L) {
  eye *one = brio_lua_box_empty(L, CLASS);
  if (!one) return 0;
  brio_mask_free(one->mask);
  free(one);
  return 0;
}

/* The field's whole number from `least` to `most`, or `fallback`. */
static int whole_field(lua_State *L, int index, const char *key, double least, double most, int fallback) {
  double value = brio_lua_field_number(L, index, key, least, most, fallback);
  if (value != (int)value) luaL_error(L, "%s must be a whole number, not %f", key, value);
  return (int)value;
}

/* Read the numbers of the list in field `key` of the table at 1, at most `most`. */
static void read_list(lua_State *L, const char *key, double *out, int most) {
  if (lua_getfield(L, 1, key) != LUA_TNIL) {
    /* Not a list: brio_lua_numbers raises, naming the number of items it expects. */
    int count = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : most;
    if (count > most) luaL_error(L, "%s must have at most %d numbers", key, most);
    brio_lua_numbers(L, -1, count, out, key);
  }
  lua_pop(L, 1);
}

/* The lens model in the field `model` of the table at 1; raises on another word. */
static brio_camera_model read_model(lua_State *L) {
  const char *text = brio_lua_field_text(L, 1, "model", "pinhole");
  for (int i = 0; i < BRIO_CAMERA_MODELS; i++)
    if (strcmp(text, brio_camera_model_name(i)) == 0) return i;
  luaL_error(L, "a camera's model must be pinhole or fisheye, not '%s'", text);
  return BRIO_CAMERA_PINHOLE;
}

/* Whether the field `axes` of the table at 1 is "body"; false: "optical". Raises on another word. */
static bool read_axes(lua_State *L) {
  const char *text = brio_lua_field_text(L, 1, "axes", "body");
  bool body = strcmp(text, "body") == 0;
  if (!body && strcmp(text, "optical") != 0)
    luaL_error(
        L,
        "a camera's axes must be body (x forward, y left, z up) or optical (x right, y down, z forward), "
        "not '%s'",
        text);
  return body;
}

/* camera.new{width =, height =, fx =, fy =, cx =, cy =, model =, radial =, tangential =, axes =} -> camera
** Makes a camera for pictures of that size in pixels; the center of the first pixel is (0, 0). model is
** "pinhole" (Brown-Conrady: radial k1 k2 k3 and, rational, k4 k5 k6; tangential p1 p2) or "fisheye"
** (equidistant: radial k1 k2 k3 k4). axes is "body" (x forward, y left, z up) or "optical" (x right, y down,
** z forward): the axes of points and rays. */
static int new_camera(lua_State *L) {
  static const char *const keys[] = {"width", "height", "fx",         "fy",   "cx", "cy",
                                     "model", "radial", "tangential", "axes", NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_lua_only_keys(L, 1, keys, "camera.new");
  brio_camera c = {.model = read_model(L), .body = read_axes(L)};
  c.width = whole_field(L, 1, "width", 1, 65536, 640);
  c.height = whole_field(L, 1, "height", 1, 65536, 480);
  /* By default a focal length of one width, square pixels, and the middle of the picture as center. */
  c.fx = brio_lua_field_number(L, 1, "fx", 1e-9, 1e9, c.width);
  c.fy = brio_lua_field_number(L, 1, "fy", 1e-9, 1e9, c.fx);
  c.cx = brio_lua_field_number(L, 1, "cx", -1e9, 1e9, (c.width - 1) / 2.0);
  c.cy = brio_lua_field_number(L, 1, "cy", -1e9, 1e9, (c.height - 1) / 2.0);
  /* Distortion: a fisheye has four radial numbers and no tangential ones. */
  read_list(L, "radial", c.k, c.model == BRIO_CAMERA_FISHEYE ? 4 : BRIO_CAMERA_RADIAL);
  read_list(L, "tangential", c.p, c.model == BRIO_CAMERA_FISHEYE ? 0 : 2);
  brio_error err;
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  /* The box owns the camera from here on, also if the check fails. */
  eye *one = calloc(1, sizeof *one);
  if (!one) return luaL_error(L, "no memory for a camera");
  one->camera = c;
  box->thing = one;
  return brio_camera_check(&c, &err) ? 1 : brio_lua_failed(L, &err);
}

/* Push a ray or a point; nil for a pixel or point out of view. */
static int push_ray(lua_State *L, bool seen, brio_vec3 v) {
  if (seen)
    brio_lua_push_vec3(L, v);
  else
    lua_pushnil(L);
  return 1;
}

/* camera:project(point) -> u, v
** Projects a point in the camera's frame, in meters, to a pixel, which may be beyond the picture's border;
** nil if it is out of view. */
static int project(lua_State *L) {
  double pixel[2];
  brio_vec3 point = brio_lua_vec3(L, 2, "the point");
  if (!brio_camera_project(&check_eye(L)->camera, point, pixel, NULL)) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushnumber(L, pixel[0]);
  lua_pushnumber(L, pixel[1]);
  return 2;
}

/* camera:ray(u, v) -> {x, y, z} or nil
** The ray of a pixel as a unit vector; nil if it has none. */
static int ray(lua_State *L) {
  brio_vec3 direction = {0, 0, 0};
  double pixel[2] = {brio_lua_number(L, 2, -1e9, 1e9, "u"), brio_lua_number(L, 3, -1e9, 1e9, "v")};
  return push_ray(L, brio_camera_ray(&check_eye(L)->camera, pixel, &direction), direction);
}

/* The box {left, top, width, height} at `index`, in pixels; raises on errors. */
static brio_picture_box read_box(lua_State *L, int index) {
  double v[4];
  brio_lua_numbers(L, index, 4, v, "the box {left, top, width, height}");
  return (brio_picture_box){v[0], v[1], v[2], v[3]};
}

/* camera:by_height(box, height) -> {x, y, z} or nil
** The position of a thing from its box in the picture, {left, top, width, height} in pixels, and its height
** in meters: a person is about 1.7 m high. */
static int by_height(lua_State *L) {
  brio_vec3 point = {0, 0, 0};
  brio_picture_box box = read_box(L, 2);
  double height = brio_lua_number(L, 3, 0, 1e6, "the height");
  return push_ray(L, brio_camera_by_height(&check_eye(L)->camera, &box, height, &point), point);
}

/* camera:on_plane(pose, u, v, {normal =, offset =, within =}) -> {x, y, z} or nil
** The intersection, in the world, of the ray of a pixel with a plane, at most `within` (100) m away: the
** points p with normal . p = offset; normal is upwards by default. pose is the camera's in the world. */
static int on_plane(lua_State *L) {
  static const char *const keys[] = {"normal", "offset", "within", NULL};
  eye *one = check_eye(L);
  brio_pose pose = brio_lua_pose(L, 2, "the camera's pose");
  double pixel[2] = {brio_lua_number(L, 3, -1e9, 1e9, "u"), brio_lua_number(L, 4, -1e9, 1e9, "v")};
  brio_vec3 normal = {0, 0, 1}, point = {0, 0, 0};
  luaL_checktype(L, 5, LUA_TTABLE);
  brio_lua_only_keys(L, 5, keys, "camera:on_plane");
  double offset = brio_lua_field_number(L, 5, "offset", -1e9, 1e9, 0);
  double within = brio_lua_field_number(L, 5, "within", 0, 1e9, 100);
  if (lua_getfield(L, 5, "normal") != LUA_TNIL) normal = brio_lua_vec3(L, -1, "normal");
  return push_ray(L, brio_camera_on_plane(&one->camera, pose, pixel, normal, offset, within, &point), point);
}

/* ------------------------------------------------------------------ masks and depth */

/* Read the depth picture in field `depth` of the table at 2; its memory is on the stack. */
static brio_depth read_depth(lua_State *L) {
  static const char *const keys[] = {"width", "height", "u16", "f32", "unit", NULL};
  if (lua_getfield(L, 2, "depth") != LUA_TTABLE)
    luaL_error(L, "depth must be {width =, height =, u16 = text or f32 = text}, not %s",
               luaL_typename(L, -1));
  int at = lua_gettop(L);
  brio_lua_only_keys(L, at, keys, "depth");
  /* Bytes of a picture: each pixel has 2 (times `unit`) or 4 (m). */
  brio_depth depth = {.width = whole_field(L, at, "width", 1, 65536, 0),
                      .height = whole_field(L, at, "height", 1, 65536, 0),
                      .unit = brio_lua_field_number(L, at, "unit", 1e-9, 1e3, 0.001)};
  bool raw = lua_getfield(L, at, "u16") == LUA_TSTRING;
  if (!raw && lua_getfield(L, at, "f32") != LUA_TSTRING) luaL_error(L, "depth must have u16 or f32, as text");
  size_t length, one = raw ? sizeof(uint16_t) : sizeof(float);
  const char *bytes = lua_tolstring(L, -1, &length);
  /* Compare in 64 bits: width times height may exceed an int. */
  if ((uint64_t)length != (uint64_t)depth.width * (uint64_t)depth.height * one)
    luaL_error(L, "a depth picture of %d x %d pixels must have %d bytes each, not %d in all", depth.width,
               depth.height, (int)one, (int)length);
  /* Texts may lie at any address, so the numbers are copied to aligned memory. */
  void *copy = lua_newuserdatauv(L, length + 1, 0); /* aligned */
  memcpy(copy, bytes, length);
  if (raw)
    depth.raw = copy;
  else
    depth.meters = copy;
  return depth;
}

/* Make room for a mask of that size. */
static brio_mask *mask_of(lua_State *L, eye *one, int width, int height) {
  brio_error err;
  /* A mask of the right size is used again: a picture allocates nothing then. */
  if (one->mask && one->width == width && one->height == height) {
    brio_mask_clear(one->mask);
    return one->mask;
  }
  /* The new one first: without memory the old one stays. */
  brio_mask *mask = brio_mask_new(width, height, &err);
  if (!mask) luaL_error(L, "%s", err.message);
  brio_mask_free(one->mask);
  one->mask = mask;
  one->width = width;
  one->height = height;
  return mask;
}

/* The length of the list on top. */
static int list_length(lua_State *L, const char *what) {
  luaL_checktype(L, -1, LUA_TTABLE);
  lua_Unsigned length = lua_rawlen(L, -1);
  if (length > MOST_LIST) luaL_error(L, "%s must have at most %d numbers", what, MOST_LIST);
  return (int)length;
}

/* Fill the mask from the list of runs on top: pixels outside and inside by turns. Raises on items that are
** no whole numbers. */
static bool fill_runs(lua_State *L, brio_mask *mask, brio_error *err) {
  int count = list_length(L, "runs");
  uint32_t *runs = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *runs, 0);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -2, i + 1);
    lua_Integer run = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : -1;
    if (run < 0 || run > BRIO_MASK_MOST) luaL_error(L, "runs must be whole numbers of pixels");
    runs[i] = (uint32_t)run;
    lua_pop(L, 1);
  }
  return brio_mask_runs(mask, runs, count, brio_lua_field_flag(L, 2, "columns", false), err);
}

/* Fill the mask from the flat list x, y, ... on top, in pixels. Raises on items that are no numbers. */
static bool fill_polygon(lua_State *L, brio_mask *mask, brio_error *err) {
  int count = list_length(L, "polygon");
  double *points = lua_newuserdatauv(L, ((size_t)count + 2) * sizeof *points, 0);
  brio_lua_numbers(L, -2, count, points, "polygon");
  return brio_mask_polygon(mask, points, count / 2, err);
}

/* Fill the mask from the table at 2, in the mask's own pixels. */
static bool fill(lua_State *L, brio_mask *mask, brio_error *err) {
  if (lua_getfield(L, 2, "runs") != LUA_TNIL) return fill_runs(L, mask, err);
  if (lua_getfield(L, 2, "polygon") != LUA_TNIL) return fill_polygon(L, mask, err);
  if (lua_getfield(L, 2, "box") == LUA_TNIL) luaL_error(L, "camera:look needs a box, runs or a polygon");
  brio_picture_box box = read_box(L, -1);
  return brio_mask_box(mask, &box, err);
}

/* Push the result of a look: lengths in m in the camera's frame, and counts of pixels. */
static void push_looked(lua_State *L, const brio_looked *found) {
  lua_createtable(L, 0, 6);
  brio_lua_set_vec3(L, "position", found->center);
  brio_lua_set_vec3(L, "size", found->size);
  brio_lua_set_number(L, "median", found->median);
  brio_lua_set_number(L, "deviation", found->deviation);
  brio_lua_set_integer(L, "known", found->known);
  brio_lua_set_integer(L, "used", found->used);
}

/* camera:look{depth = {width =, height =, u16 = or f32 =, unit =}, box = or runs = or polygon =, width =,
** height =, columns =, erode =, nearest =, farthest =, outliers =, least =} -> {position, size, median,
** deviation, known, used}
** The position of a thing from its box or mask in the picture and a depth picture of the same view: the mean
** of its points in the camera's frame, its extent, the median depth and the deviation from it. depth holds
** numbers of 2 bytes, times unit (0.001 m), or of 4 (meters), row by row. box is {left, top, width, height};
** runs are pixels out, in, out, ... row by row (columns: column by column, as COCO has it); polygon is {x, y,
** x, y, ...}; all in pixels of a mask of width x height, by default the camera's. erode removes that many
** pixels from the mask's border (2); depths that deviate by more than outliers (3.5) deviations, or are not
** from nearest to farthest, do not count. nil, a sentence and "unreachable" where fewer than least (8) pixels
** are left. */
static int look(lua_State *L) {
  static const char *const keys[] = {"depth", "box",     "runs",     "polygon",  "width", "height", "columns",
                                     "erode", "nearest", "farthest", "outliers", "least", NULL};
  eye *one = check_eye(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  brio_lua_only_keys(L, 2, keys, "camera:look");
  /* 0 stands for the defaults of the search. */
  brio_look how = {.nearest = brio_lua_field_number(L, 2, "nearest", 0, 1e6, 0),
                   .farthest = brio_lua_field_number(L, 2, "farthest", 0, 1e6, 0),
                   .outliers = brio_lua_field_number(L, 2, "outliers", 0, 1e6, 0),
                   .least = whole_field(L, 2, "least", 0, INT_MAX, 0)};
  double erode = brio_lua_field_number(L, 2, "erode", 0, 254, 2);
  int width = whole_field(L, 2, "width", 1, 65536, one->camera.width);
  int height = whole_field(L, 2, "height", 1, 65536, one->camera.height);
  /* The bytes of the picture stay on the stack until the end. */
  brio_depth depth = read_depth(L);
  brio_error err;
  brio_looked found;
  /* Fill the mask, cut its border, which often shows the background, and average what is left. */
  brio_mask *mask = mask_of(L, one, width, height);
  if (!fill(L, mask, &err)) return brio_lua_failed(L, &err);
  brio_mask_erode(mask, erode);
  if (!brio_mask_look(mask, &depth, &one->camera, &how, &found, &err)) return brio_lua_failed(L, &err);
  push_looked(L, &found);
  return 1;
}

/* camera.corners(corners [, orientation]) -> {position, orientation, size}
** The box in space that has these eight corners. With its orientation they come in any order; else corner
** i, from 0, is at +x where i has bit 1, at +y where it has bit 2, at +z where it has bit 4. */
static int corners(lua_State *L) {
  brio_vec3 at[8], size;
  luaL_checktype(L, 1, LUA_TTABLE);
  for (int i = 0; i < 8; i++) {
    lua_rawgeti(L, 1, i + 1);
    at[i] = brio_lua_vec3(L, -1, "a corner");
    lua_pop(L, 1);
  }
  /* Without an orientation the order of the corners defines the axes. */
  bool turned = !lua_isnoneornil(L, 2);
  brio_quat q = turned ? brio_lua_quat(L, 2, "the orientation") : (brio_quat){0, 0, 0, 1};
  brio_pose pose;
  brio_error err;
  if (!brio_box_of_corners(at, turned ? &q : NULL, &pose, &size, &err)) return brio_lua_failed(L, &err);
  brio_lua_push_pose(L, pose);
  brio_lua_set_vec3(L, "size", size);
  return 1;
}

int luaopen_brio_camera(lua_State *L) {
  static const luaL_Reg methods[] = {{"project", project},   {"ray", ray},   {"by_height", by_height},
                                     {"on_plane", on_plane}, {"look", look}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new_camera}, {"corners", corners}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
