/* What brio_camera writes: one JSON object a line, in the format of docs/perception/detectors.md. */
#ifndef BRIO_CAMERAS_MESSAGE_H
#define BRIO_CAMERAS_MESSAGE_H

#include "base/text.h"
#include "drivers/cameras/finder.h"

/* Append a message about a picture to `out`: the detections of the finder `model` (`list`, `count`).  `sent`:
** monotonic time of sending, s.  `number`: of the message, from 0.  `camera`: the camera model by which
** positions were computed.  `details`: write boxes, corners and second poses, too. */
void brio_camera_message(brio_text *out, const brio_picture *picture, double sent, int64_t number,
                         const char *model, const brio_camera *camera, const brio_finding *list, int count,
                         bool details);

/* Append the intrinsics of a camera as an object. */
void brio_camera_write_model(brio_text *out, const brio_camera *camera);

/* Append a line with a fault: {"fault": sentence}. */
void brio_camera_write_fault(brio_text *out, const char *sentence);

/* Write the text to standard output, and empty it.  Return false: nobody reads it, or memory ran out while it
** was written. */
bool brio_camera_send(brio_text *line);

#endif
