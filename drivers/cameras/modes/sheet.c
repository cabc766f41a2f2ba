/* Positions of the tags on a board. */
#include "drivers/cameras/modes/sheet.h"

bool brio_board_corners(const brio_camera_settings *s, int id, double corners[4][2]) {
  /* lower left, lower right, upper right, upper left; y points down */
  static const double signs[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
  int columns = (int)s->columns, rows = (int)s->rows, index = id - (int)s->first;
  if (index < 0 || index >= columns * rows) return false;
  /* column and row from the upper left, then the tag's middle from the middle of the board, m */
  int column = index % columns, row = (index - column) / columns;
  double step = s->size + s->spacing;
  double x = (column - (columns - 1) / 2.0) * step, y = (row - (rows - 1) / 2.0) * step;
  for (int i = 0; i < 4; i++)
    corners[i][0] = x + signs[i][0] * s->size / 2, corners[i][1] = y + signs[i][1] * s->size / 2;
  return true;
}
