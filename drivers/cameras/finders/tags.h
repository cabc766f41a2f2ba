/* The families of libapriltag, for detection and for printing. */
#ifndef BRIO_CAMERAS_TAGS_H
#define BRIO_CAMERAS_TAGS_H

#include <apriltag/apriltag.h>

#include "base/error.h"

/* Create a family by its name, "tag36h11" for example; free it with brio_tag_family_free.  Return NULL with
** an error: misuse (unknown name; the sentence lists all names). */
apriltag_family_t *brio_tag_family_new(const char *name, brio_error *err);

/* Free a family; NULL is allowed. */
void brio_tag_family_free(apriltag_family_t *family);

#endif
