/* cairo, loaded when it is needed: it comes with a dozen libraries of fonts and windows, which a program that
** draws nothing would otherwise load at every start.  This is the only file that includes it. */
#ifndef BRIO_LUA_DRAW_CAIRO_LIBRARY_H
#define BRIO_LUA_DRAW_CAIRO_LIBRARY_H

#include <cairo-svg.h>
#include <cairo.h>

#include "base/error.h"

/* Its functions that are used, without "cairo_". */
#define BRIO_CAIRO_FUNCTIONS(X) \
  X(arc) X(close_path) X(create) X(destroy) X(fill) X(fill_preserve) X(get_source) \
  X(image_surface_create) X(image_surface_get_data) X(image_surface_get_stride) X(line_to) \
  X(move_to) X(new_path) X(paint) X(pattern_set_filter) X(rectangle) X(restore) X(save) X(scale) \
  X(select_font_face) X(set_font_size) X(set_line_cap) X(set_line_join) X(set_line_width) \
  X(set_source_rgb) X(set_source_rgba) X(set_source_surface) X(show_text) X(status) \
  X(status_to_string) X(stroke) X(surface_destroy) X(surface_finish) X(surface_flush) \
  X(surface_mark_dirty) X(surface_status) X(surface_write_to_png_stream) \
  X(svg_surface_create_for_stream) X(text_extents) X(translate)

/* A field for each, which is called like the function. */
typedef struct brio_cairo {
#define BRIO_CAIRO_FIELD(name) __typeof__(&cairo_##name) name;
  BRIO_CAIRO_FUNCTIONS(BRIO_CAIRO_FIELD)
#undef BRIO_CAIRO_FIELD
} brio_cairo;

/* Load cairo, unless it is loaded, and fill the fields.  Errors: no_file. */
bool brio_cairo_load(brio_cairo *cairo, brio_error *err);

#endif
