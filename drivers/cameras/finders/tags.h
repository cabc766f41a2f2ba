/* The families of libapriltag, for finding and for printing. */
#ifndef BRIO_CAMERAS_TAGS_H
#define BRIO_CAMERAS_TAGS_H

#include <apriltag/apriltag.h>

#include "base/error.h"

/* Make a family by its name; free it by brio_tag_family_free.  Errors: misuse (with the names that there
** are). */
apriltag_family_t *brio_tag_family_new(const char *name, brio_error *err);
void brio_tag_family_free(apriltag_family_t *family);

#endif
