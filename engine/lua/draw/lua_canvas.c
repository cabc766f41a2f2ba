/* The Lua module brio.canvas: drawings.  The output is one file, a vector graphic (SVG) or pixels (PNG), of
** polygons, lines, circles, images and text.  Coordinates are points from the upper left corner, x to the
** right, y down; a PNG has one pixel a point times `scale`.  Points come as one flat list {x1, y1, x2, y2,
** ...}, because a picture of a robot has thousands of them.
**
** cairo does the drawing; it is loaded for the first picture (cairo_library.h). */
#include "lua/draw/lua_canvas.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "lua/draw/cairo_library.h"
#include "lua/lua_args.h"

#define CLASS "brio.canvas"

enum { WIDEST = 16384, MOST_POINTS = 100000 };

typedef struct canvas {
  brio_cairo draw;
  cairo_surface_t *surface; /* NULL: finished */
  cairo_t *cairo;
  FILE *file;               /* NULL: finished */
  bool png;
  char path[1024];          /* for messages */
} canvas;

/* Free the surface and close the file; called again, it does nothing. */
static void let_go(canvas *c) {
  if (c->cairo) c->draw.destroy(c->cairo);
  if (c->surface) c->draw.surface_destroy(c->surface);
  if (c->file) fclose(c->file);
  c->cairo = NULL;
  c->surface = NULL;
  c->file = NULL;
}

/* __gc: free an unfinished canvas; its file stays incomplete. */
static int collect(lua_State *L) {
  let_go(luaL_checkudata(L, 1, CLASS));
  return 0;
}

/* Return the canvas at argument 1; raise when it is finished. */
static canvas *open_canvas(lua_State *L) {
  canvas *c = luaL_checkudata(L, 1, CLASS);
  if (!c->surface) luaL_error(L, "the canvas '%s' is finished: nothing more can be drawn on it", c->path);
  return c;
}

/* cairo's write callback: append to the file. */
static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int length) {
  canvas *c = closure;
  bool written = c->file && fwrite(bytes, 1, length, c->file) == length;
  return written ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Open the file and create a white surface of that size. */
static bool start(canvas *c, const char *path, double width, double height, double scale, brio_error *err) {
  if (!brio_cairo_load(&c->draw, err)) return false;
  /* The path is kept for messages; then open the file, so that an error names it. */
  snprintf(c->path, sizeof c->path, "%s", path);
  c->file = fopen(path, "wb");
  if (!c->file)
    return brio_fail(err, BRIO_NO_FILE, "%s: cannot write the picture: %s", path, strerror(errno));
  /* A PNG is drawn in memory and written at the end; an SVG is written as it is drawn. */
  int columns = (int)ceil(width * scale), rows = (int)ceil(height * scale);
  c->surface = c->png ? c->draw.image_surface_create(CAIRO_FORMAT_RGB24, columns, rows)
                      : c->draw.svg_surface_create_for_stream(write_bytes, c, width, height);
  c->cairo = c->draw.create(c->surface);
  if (c->draw.status(c->cairo) != CAIRO_STATUS_SUCCESS)
    return brio_fail(err, BRIO_NO_MEMORY, "%s: no memory for a picture of %g x %g points", path, width,
                     height);
  /* Coordinates stay points: the scale only multiplies pixels. */
  if (c->png) c->draw.scale(c->cairo, scale, scale);
  c->draw.set_line_join(c->cairo, CAIRO_LINE_JOIN_ROUND);
  c->draw.set_line_cap(c->cairo, CAIRO_LINE_CAP_ROUND);
  c->draw.select_font_face(c->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  /* A white background. */
  c->draw.set_source_rgb(c->cairo, 1, 1, 1);
  c->draw.paint(c->cairo);
  return true;
}

/* canvas.new{width=, height=, svg= | png= [, scale=]} -> canvas | nil, sentence, code
** Start a white picture of width x height points (1 to 16384) that goes to the file named by
** `svg` or `png`; `scale` (0.1 to 8, default 1): pixels a point, PNG only.
** Raises: a field that is missing, unknown or out of range.  Fails: no_file,
** also without cairo; no_memory. */
static int canvas_new(lua_State *L) {
  static const char *const keys[] = {"width", "height", "svg", "png", "scale", NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  brio_lua_only_keys(L, 1, keys, "canvas.new");
  double width = brio_lua_field_number(L, 1, "width", 1, WIDEST, 800);
  double height = brio_lua_field_number(L, 1, "height", 1, WIDEST, 600);
  double scale = brio_lua_field_number(L, 1, "scale", 0.1, 8, 1);
  const char *svg = brio_lua_field_text(L, 1, "svg", NULL);
  const char *png = brio_lua_field_text(L, 1, "png", NULL);
  if (!svg == !png) return luaL_error(L, "canvas.new needs one of svg = FILE and png = FILE");

  /* The userdata first: an error below closes the file. */
  canvas *c = lua_newuserdatauv(L, sizeof *c, 0);
  memset(c, 0, sizeof *c);
  luaL_setmetatable(L, CLASS);
  c->png = png != NULL;
  brio_error err;
  /* On failure the file is closed at once, not when the garbage is collected. */
  if (start(c, png ? png : svg, width, height, scale, &err)) return 1;
  let_go(c);
  return brio_lua_failed(L, &err);
}

/* canvas:color(r, g, b [, a]) -> canvas
** Set the color of the next calls: red, green, blue and opacity, 0 to 1 (a: default 1).
** Raises: a number outside that range. */
static int canvas_color(lua_State *L) {
  canvas *c = open_canvas(L);
  double red = brio_lua_number(L, 2, 0, 1, "red"), green = brio_lua_number(L, 3, 0, 1, "green");
  double blue = brio_lua_number(L, 4, 0, 1, "blue");
  double alpha = lua_isnoneornil(L, 5) ? 1 : brio_lua_number(L, 5, 0, 1, "opacity");
  c->draw.set_source_rgba(c->cairo, red, green, blue, alpha);
  lua_settop(L, 1);
  return 1;
}

/* Make a path of the flat list of points at argument 2; raise if there are fewer than `least`. */
static void trace(lua_State *L, canvas *c, int least) {
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_Unsigned count = lua_rawlen(L, 2);
  if (count % 2 != 0 || count < 2 * (lua_Unsigned)least || count > 2 * (lua_Unsigned)MOST_POINTS)
    luaL_error(L, "points must be a list {x1, y1, x2, y2, ...} of %d to %d points, not %d numbers", least,
               MOST_POINTS, (int)count);
  /* Two numbers are on the stack at a time, however long the list is. */
  c->draw.new_path(c->cairo);
  for (lua_Unsigned i = 1; i < count; i += 2) {
    lua_rawgeti(L, 2, (lua_Integer)i);
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    c->draw.line_to(c->cairo, brio_lua_number(L, -2, -1e6, 1e6, "x of a point"),
                  brio_lua_number(L, -1, -1e6, 1e6, "y of a point"));
    lua_pop(L, 2);
  }
}

/* Draw the path: filled, outlined if `width` > 0, or both. */
static void draw(canvas *c, bool filled, double width) {
  c->draw.set_line_width(c->cairo, width);
  /* A fill that keeps the path lets the edge follow it. */
  if (filled && width > 0) c->draw.fill_preserve(c->cairo);
  else if (filled) c->draw.fill(c->cairo);
  if (width > 0) c->draw.stroke(c->cairo);
  c->draw.new_path(c->cairo);
}

/* canvas:polygon(points, filled [, line_width]) -> canvas
** Draw a closed outline through `points` ({x1, y1, ...}, at least 3), filled or not, and its
** edge `line_width` points wide (default: 0 when filled, else 1).  Raises: points that are not such a
** list. */
static int canvas_polygon(lua_State *L) {
  canvas *c = open_canvas(L);
  bool filled = lua_toboolean(L, 3);
  double width = lua_isnoneornil(L, 4) ? !filled : brio_lua_number(L, 4, 0, 1000, "line width");
  trace(L, c, 3);
  c->draw.close_path(c->cairo);
  draw(c, filled, width);
  lua_settop(L, 1);
  return 1;
}

/* canvas:line(points [, width]) -> canvas
** Draw a line through `points` ({x1, y1, ...}, at least 2), `width` points wide (default 1). */
static int canvas_line(lua_State *L) {
  canvas *c = open_canvas(L);
  double width = lua_isnoneornil(L, 3) ? 1 : brio_lua_number(L, 3, 0, 1000, "line width");
  trace(L, c, 2);
  draw(c, false, width);
  lua_settop(L, 1);
  return 1;
}

/* canvas:circle(x, y, radius, filled [, line_width]) -> canvas
** Draw a circle; the last two as in polygon. */
static int canvas_circle(lua_State *L) {
  canvas *c = open_canvas(L);
  double x = brio_lua_number(L, 2, -1e6, 1e6, "x"), y = brio_lua_number(L, 3, -1e6, 1e6, "y");
  double radius = brio_lua_number(L, 4, 0, 1e6, "radius");
  bool filled = lua_toboolean(L, 5);
  double width = lua_isnoneornil(L, 6) ? !filled : brio_lua_number(L, 6, 0, 1000, "line width");
  c->draw.new_path(c->cairo);
  /* A full circle, 0 to 2 pi. */
  c->draw.arc(c->cairo, x, y, radius, 0, 2 * 3.14159265358979323846);
  draw(c, filled, width);
  lua_settop(L, 1);
  return 1;
}

/* Choose the size of letters and measure `text` in them. */
static double text_width(canvas *c, double size, const char *text) {
  cairo_text_extents_t extents;
  c->draw.set_font_size(c->cairo, size);
  c->draw.text_extents(c->cairo, text, &extents);
  return extents.x_advance;
}

/* Make a surface of `columns` x `rows` pixels of red, green, blue. */
static cairo_surface_t *image_of(const canvas *c, const unsigned char *bytes, int columns, int rows) {
  cairo_surface_t *image = c->draw.image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
  if (c->draw.surface_status(image) != CAIRO_STATUS_SUCCESS) return image;
  /* cairo has 4 bytes a pixel, as a number of 32 bits in the machine's order, and rows with padding. */
  unsigned char *to = c->draw.image_surface_get_data(image);
  for (int y = 0; y < rows; y++, to += c->draw.image_surface_get_stride(image))
    for (int x = 0; x < columns; x++, bytes += 3) {
      uint32_t pixel = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
      memcpy(to + 4 * x, &pixel, sizeof pixel);
    }
  c->draw.surface_mark_dirty(image);
  return image;
}

/* canvas:image(x, y, width, height, columns, rows, bytes) -> canvas
** Paint an image of columns x rows pixels (1 to 16384; red, green and blue, a byte each, row by row from the
** top) into a rectangle with its upper left corner at x, y.  Raises: a wrong number of bytes. */
static int canvas_image(lua_State *L) {
  canvas *c = open_canvas(L);
  double x = brio_lua_number(L, 2, -1e6, 1e6, "x"), y = brio_lua_number(L, 3, -1e6, 1e6, "y");
  double width = brio_lua_number(L, 4, 1e-3, 1e6, "width"),
         height = brio_lua_number(L, 5, 1e-3, 1e6, "height");
  int columns = (int)brio_lua_number(L, 6, 1, WIDEST, "columns"),
      rows = (int)brio_lua_number(L, 7, 1, WIDEST, "rows");
  size_t length;
  const char *bytes = luaL_checklstring(L, 8, &length);
  luaL_argcheck(L, length == 3 * (size_t)columns * (size_t)rows, 8, "an image has 3 bytes a pixel");
  /* The pixels become a pattern that is scaled into the rectangle. */
  cairo_surface_t *image = image_of(c, (const unsigned char *)bytes, columns, rows);
  c->draw.save(c->cairo);
  c->draw.translate(c->cairo, x, y);
  c->draw.scale(c->cairo, width / columns, height / rows);
  c->draw.set_source_surface(c->cairo, image, 0, 0);
  /* Nearest: enlarged pixels remain squares. */
  c->draw.pattern_set_filter(c->draw.get_source(c->cairo), CAIRO_FILTER_NEAREST);
  c->draw.rectangle(c->cairo, 0, 0, columns, rows);
  c->draw.fill(c->cairo);
  c->draw.restore(c->cairo);
  c->draw.surface_destroy(image);
  lua_settop(L, 1);
  return 1;
}

/* Return the text argument; cairo stops drawing permanently at text that is not UTF-8: invalid bytes become
** '?'.  May leave a value on the stack. */
static const char *printable(lua_State *L, int arg) {
  const char *text = luaL_checkstring(L, arg);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (size_t left = strlen(text), good; left > 0; text += good, left -= good) {
    good = brio_text_utf8(text, left);
    luaL_addlstring(&buffer, text, good);
    if (good < left) luaL_addchar(&buffer, '?'), good++;
  }
  luaL_pushresult(&buffer);
  return lua_tostring(L, -1);
}

/* canvas:text(x, y, size, text [, align]) -> canvas
** Write one line of UTF-8 text, letters `size` points high, on the baseline y; x is its "left" (default),
** "middle" or "right". Raises: another align. */
static int canvas_text(lua_State *L) {
  static const char *const aligns[] = {"left", "middle", "right", NULL};
  canvas *c = open_canvas(L);
  double x = brio_lua_number(L, 2, -1e6, 1e6, "x"), y = brio_lua_number(L, 3, -1e6, 1e6, "y");
  double size = brio_lua_number(L, 4, 0.1, 1000, "size");
  int align = luaL_checkoption(L, 6, "left", aligns);
  const char *text = printable(L, 5);
  /* 0, 1 and 2 stand for left, middle and right: half the width each. */
  c->draw.move_to(c->cairo, x - 0.5 * align * text_width(c, size, text), y);
  c->draw.show_text(c->cairo, text);
  lua_settop(L, 1);
  return 1;
}

/* canvas:text_width(size, text) -> points
** Return the width of the text, as drawn by canvas:text. */
static int canvas_text_width(lua_State *L) {
  canvas *c = open_canvas(L);
  double size = brio_lua_number(L, 2, 0.1, 1000, "size");
  lua_pushnumber(L, text_width(c, size, printable(L, 3)));
  return 1;
}

/* canvas:finish() -> true | nil, sentence, code
** Write the file and close it.  Fails: io (a full disk). */
static int canvas_finish(lua_State *L) {
  canvas *c = open_canvas(L);
  /* Errors of drawing are permanent, so the status shows any of them. */
  cairo_status_t status = c->draw.status(c->cairo);
  c->draw.surface_flush(c->surface);
  if (c->png && status == CAIRO_STATUS_SUCCESS)
    status = c->draw.surface_write_to_png_stream(c->surface, write_bytes, c);
  c->draw.surface_finish(c->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = c->draw.surface_status(c->surface);
  /* The disk may be full only at the end, when buffers are written. */
  bool closed = fclose(c->file) == 0;
  c->file = NULL;
  let_go(c);
  brio_error err;
  if (status != CAIRO_STATUS_SUCCESS || !closed) {
    brio_fail(&err, BRIO_IO, "%s: writing the picture failed: %s", c->path,
              status != CAIRO_STATUS_SUCCESS ? c->draw.status_to_string(status) : "the disk may be full");
    return brio_lua_failed(L, &err);
  }
  lua_pushboolean(L, true);
  return 1;
}

int luaopen_brio_canvas(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"color", canvas_color},           {"polygon", canvas_polygon}, {"line", canvas_line},
      {"circle", canvas_circle},         {"image", canvas_image},     {"text", canvas_text},
      {"text_width", canvas_text_width}, {"finish", canvas_finish},   {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", canvas_new}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
