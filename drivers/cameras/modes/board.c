/* Mode board: write a sheet of tags for printing, as SVG in millimeters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cameras/finders/tags.h"
#include "drivers/cameras/mode.h"
#include "drivers/cameras/modes/sheet.h"

enum { DARK = 128 /* a cell of the library's image is black below this level */ };

#define MARGIN 10.0 /* mm around the tags */
#define WORDS 8.0   /* mm below them, for the line of text */

/* Draw a tag: one rectangle for each run of black cells in a row.  `x`, `y`: upper left corner of its black
** edge, mm; `size`: side of that edge, mm. */
static void draw_tag(FILE *file, apriltag_family_t *family, int id, double x, double y, double size) {
  /* one pixel a cell, with the white border outside of the edge */
  image_u8_t *image = apriltag_to_image(family, (uint32_t)id);
  double cell = size / family->width_at_border,
         border = (family->total_width - family->width_at_border) / 2.0;
  for (int row = 0; row < image->height; row++)
    for (int column = 0; column < image->width;) {
      int end = column;
      while (end < image->width && image->buf[row * image->stride + end] < DARK) end++;
      if (end > column)
        fprintf(file, "<rect x=\"%.4f\" y=\"%.4f\" width=\"%.4f\" height=\"%.4f\"/>\n",
                x + (column - border) * cell, y + (row - border) * cell, (end - column) * cell, cell);
      column = end > column ? end : column + 1;
    }
  /* libapriltag does not export its function that frees an image */
  free(image->buf);
  free(image);
}

/* Write the SVG file: all tags, and a line of text with the settings by which it was made. */
static void draw(FILE *file, apriltag_family_t *family, const brio_camera_settings *s) {
  int count = (int)s->columns * (int)s->rows;
  /* settings are in m, the page is in mm */
  double step = 1e3 * (s->size + s->spacing), width = step * s->columns - 1e3 * s->spacing + 2 * MARGIN;
  double height = step * s->rows - 1e3 * s->spacing + 2 * MARGIN + WORDS;
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.4fmm\" height=\"%.4fmm\" viewBox=\"0 0 %.4f "
          "%.4f\" "
          "shape-rendering=\"crispEdges\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          width, height, width, height);
  for (int i = 0; i < count; i++) {
    double corners[4][2];
    int id = (int)s->first + i;
    /* corner 3 is the upper left; the board's origin is the middle of the page above the text */
    brio_board_corners(s, id, corners);
    draw_tag(file, family, id, 1e3 * corners[3][0] + width / 2, 1e3 * corners[3][1] + (height - WORDS) / 2,
             1e3 * s->size);
  }
  fprintf(
      file,
      "<text x=\"%.1f\" y=\"%.2f\" font-size=\"3.5\" font-family=\"sans-serif\">family=%s columns=%d rows=%d "
      "size=%g spacing=%g first=%d: print without scaling, measure a tag's black edge, glue it onto "
      "something "
      "flat</text>\n</svg>\n",
      MARGIN, height - 5, family->name, (int)s->columns, (int)s->rows, s->size, s->spacing, (int)s->first);
}

static bool board(const brio_camera_settings *settings, char **words, int count, brio_error *err) {
  if (count != 1) return brio_fail(err, BRIO_MISUSE, "board expects the name of one SVG file");
  apriltag_family_t *family = brio_tag_family_new(settings->family, err);
  if (!family) return false;
  /* one past the last id; a family has ncodes tags */
  double last = settings->first + settings->columns * settings->rows;
  bool good = last <= family->ncodes || brio_fail(err, BRIO_MISUSE, "%s has tags 0 to %u, not up to %g",
                                                  family->name, family->ncodes - 1, last - 1);
  FILE *file = good ? fopen(words[0], "w") : NULL;
  if (file) draw(file, family, settings);
  /* a full disk shows when the file is closed */
  if (good && (!file || fclose(file) != 0)) good = brio_fail(err, BRIO_IO, "%s cannot be written", words[0]);
  brio_tag_family_free(family);
  return good;
}

const brio_camera_mode brio_camera_mode_board = {"board", false, board};
