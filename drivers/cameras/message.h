/* What brio_camera writes: one JSON object a line, as docs/perception/detectors.md has them. */
#ifndef BRIO_CAMERAS_MESSAGE_H
#define BRIO_CAMERAS_MESSAGE_H

#include "base/text.h"
#include "drivers/cameras/finder.h"

/* Write a message about a picture.  `details`: with corners, boxes and second poses.  `camera`: the model
** that positions follow from. */
void brio_camera_message(brio_text *out, const brio_picture *picture, double sent, int64_t number,
                         const char *model, const brio_camera *camera, const brio_finding *list, int count,
                         bool details);

/* Write the intrinsics of a camera as an object. */
void brio_camera_write_model(brio_text *out, const brio_camera *camera);

/* Write a fault: {"fault": sentence}. */
void brio_camera_write_fault(brio_text *out, const char *sentence);

/* Send the line to standard output, and empty it.  False: nobody reads it. */
bool brio_camera_send(brio_text *line);

#endif
