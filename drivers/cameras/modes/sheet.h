/* A board of tags in rows and columns, for calibration.  The tag with the first id is at the upper left; ids
** rise to the right, then downward.  Origin: the middle of the board, x to the right, y down, m. */
#ifndef BRIO_CAMERAS_SHEET_H
#define BRIO_CAMERAS_SHEET_H

#include "drivers/cameras/settings.h"

/* Write the four corners of tag `id`, m: lower left, lower right, upper right, upper left.  Return false: the
** tag is not on the board. */
bool brio_board_corners(const brio_camera_settings *settings, int id, double corners[4][2]);

#endif
