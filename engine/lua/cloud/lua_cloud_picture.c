/* Pictures of point clouds, in Lua (cloud/picture.h): bytes for brio.canvas. */
#include <math.h>

#include "cloud/picture.h"
#include "lua/cloud/lua_cloud.h"
#include "lua/lua_args.h"

/* Read a color of the table at `index`, 0 to 1 each. */
static void read_color(lua_State *L, int index, uint8_t color[3]) {
  double numbers[3];
  brio_lua_numbers(L, index, 3, numbers, "a color");
  /* Values beyond the range are clamped; 255 is full. */
  for (int k = 0; k < 3; k++) color[k] = (uint8_t)lround(255 * fmin(1, fmax(0, numbers[k])));
}

/* Read the fields `view` and `perspective` of the table at 1: how points become columns, rows and
** distances. */
static void read_view(lua_State *L, brio_cloud_view *view) {
  if (lua_getfield(L, 1, "view") != LUA_TTABLE || lua_rawlen(L, -1) != 3)
    luaL_error(L, "view must be a list of three rows");
  for (int k = 0; k < 3; k++) {
    lua_rawgeti(L, -1, k + 1);
    brio_lua_numbers(L, -1, 4, view->rows[k], "a row of the view");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  view->perspective = brio_lua_field_flag(L, 1, "perspective", false);
}

/* Paint the layers, the list at the top of the stack. */
static void paint_layers(lua_State *L, brio_cloud_picture *picture, const brio_cloud_view *view, int size) {
  int list = lua_gettop(L);
  for (lua_Unsigned i = 1; i <= lua_rawlen(L, list); i++) {
    uint8_t color[3];
    if (lua_rawgeti(L, list, (lua_Integer)i) != LUA_TTABLE)
      luaL_error(L, "a layer must be a table {cloud =, color =}");
    /* Stack: list, layer, cloud. */
    int layer = lua_gettop(L);
    lua_getfield(L, layer, "cloud");
    const brio_cloud *cloud = brio_lua_cloud_check(L, layer + 1);
    /* Without a color the points have their own colors. */
    bool colored = lua_getfield(L, layer, "color") != LUA_TNIL;
    if (colored) read_color(L, -1, color);
    bool heights = brio_lua_field_flag(L, layer, "heights", false);
    brio_cloud_picture_paint(picture, cloud, view, colored ? color : NULL, heights, size);
    lua_settop(L, list);
  }
}

/* __gc: free the picture, also after an error during painting. */
static int collect(lua_State *L) {
  brio_cloud_picture **box = lua_touserdata(L, 1);
  brio_cloud_picture_free(*box);
  *box = NULL;
  return 0;
}

/* Push a box that frees the picture in it. */
static brio_cloud_picture **push_box(lua_State *L) {
  brio_cloud_picture **box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = NULL;
  brio_lua_class(L, "brio.cloud.picture", (const luaL_Reg[]){{NULL, NULL}}, collect);
  luaL_setmetatable(L, "brio.cloud.picture");
  return box;
}

/* cloud.paint{layers = {{cloud = [, color =, heights =]}, ...}, view =, width =, height = [, perspective =,
** size =, color =, shade =]} -> bytes | nil, sentence, code
** A picture of clouds as width x height times red, green and blue, for canvas:image. Points are squares of
** `size` pixels (1), the nearest on top, each layer in its `color` or its points' own; without any, or with
** `heights`, colored by height from blue (low) to red (high). `view`: three rows of four numbers; the point
** {x, y, z, 1} times these gives the column and the row in pixels and the distance; with `perspective` the
** first two are divided by the third. `color`: of the background (black). `shade`: points beside nearer ones
** are darker, so that shapes are visible without colors. Codes: no_memory. */
static int paint(lua_State *L) {
  static const char *const keys[] = {"layers", "view",  "width", "height", "perspective",
                                     "size",   "color", "shade", NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  brio_lua_only_keys(L, 1, keys, "cloud.paint");
  brio_cloud_view view;
  brio_error err;
  uint8_t ground[3] = {0, 0, 0};
  /* The view first: nothing is allocated if it is wrong. */
  read_view(L, &view);
  int width = (int)brio_lua_field_number(L, 1, "width", 1, BRIO_CLOUD_PIXELS, 0);
  int height = (int)brio_lua_field_number(L, 1, "height", 1, BRIO_CLOUD_PIXELS, 0);
  int size = (int)brio_lua_field_number(L, 1, "size", 1, 100, 1);
  /* The color of the background, black by default. */
  if (lua_getfield(L, 1, "color") != LUA_TNIL) read_color(L, -1, ground);
  brio_cloud_picture **box = push_box(L);
  *box = brio_cloud_picture_new(width, height, ground, &err);
  if (!*box) return brio_lua_failed(L, &err);
  if (lua_getfield(L, 1, "layers") != LUA_TTABLE)
    luaL_error(L, "cloud.paint needs layers: a list of {cloud =, color =}");
  paint_layers(L, *box, &view, size);
  bool shade = brio_lua_field_flag(L, 1, "shade", false);
  if (shade && !brio_cloud_picture_shade(*box, view.perspective, &err)) return brio_lua_failed(L, &err);
  /* The pixels are copied into the text; the picture is collected. */
  lua_pushlstring(L, (const char *)brio_cloud_picture_pixels(*box), 3 * (size_t)width * (size_t)height);
  return 1;
}

enum { SKETCH_MOST = 20000 }; /* points */

/* Append three bytes as four letters (RFC 4648); all groups are whole. */
static char *put_letters(char *out, const unsigned char bytes[3]) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned bits = (unsigned)bytes[0] << 16 | (unsigned)bytes[1] << 8 | bytes[2];
  for (int shift = 18; shift >= 0; shift -= 6) *out++ = letters[bits >> shift & 63];
  return out;
}

/* cloud.sketch(cloud, most) -> text, count, step
** A sample of at most `most` (20000) points for viewers, spread over the places of the cloud: base64 of
** x, y, z of each as 16-bit whole numbers, little-endian, in steps of `step` m (0.001, or 0.01 where a
** coordinate of the sample exceeds 32 m; farther ones are left out). O(most). */
static int sketch(lua_State *L) {
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  int most = (int)brio_lua_number(L, 2, 1, SKETCH_MOST, "most"), count = 0;
  int stride = (cloud->count + most - 1) / most;
  if (stride < 1) stride = 1;
  /* The step follows from the farthest coordinate. */
  double far = 0;
  for (int i = 0; i < cloud->count; i += stride)
    for (int k = 0; k < 3 && brio_cloud_has(cloud, i); k++)
      far = fmax(far, fabs((double)cloud->points[i][k]));
  double step = far <= 32 ? 0.001 : 0.01;
  /* Six bytes a point, which are eight letters. */
  luaL_Buffer text;
  char *out = luaL_buffinitsize(L, &text, 8 * (size_t)most), *begin = out;
  for (int i = 0; i < cloud->count; i += stride) {
    unsigned char bytes[6];
    bool fits = brio_cloud_has(cloud, i);
    for (int k = 0; k < 3 && fits; k++) {
      double scaled = (double)cloud->points[i][k] / step;
      fits = fabs(scaled) <= INT16_MAX;
      unsigned whole = fits ? (unsigned)(int)lround(scaled) : 0;
      bytes[2 * k] = (unsigned char)whole;
      bytes[2 * k + 1] = (unsigned char)(whole >> 8);
    }
    if (!fits) continue;
    out = put_letters(put_letters(out, bytes), bytes + 3);
    count++;
  }
  luaL_pushresultsize(&text, (size_t)(out - begin));
  lua_pushinteger(L, count);
  lua_pushnumber(L, step);
  return 3;
}

const luaL_Reg brio_lua_cloud_picture_functions[] = {{"paint", paint}, {"sketch", sketch}, {NULL, NULL}};
