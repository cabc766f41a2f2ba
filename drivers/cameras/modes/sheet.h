/* A board of tags in rows, for calibration.  The tag with the first number is at the upper left, further
** ones follow to the right, then below; the middle of the board is the origin, x to the right, y down. */
#ifndef BRIO_CAMERAS_SHEET_H
#define BRIO_CAMERAS_SHEET_H

#include "drivers/cameras/settings.h"

/* Write the four corners of tag `id`, m: lower left, lower right, upper right, upper left.  Return false:
** it is none of the board. */
bool brio_board_corners(const brio_camera_settings *settings, int id, double corners[4][2]);

#endif
