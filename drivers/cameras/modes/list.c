/* Mode list: write the cameras of this machine, a JSON object on each line: file, name, formats with their
** picture sizes. */
#include <fcntl.h>
#include <glob.h>
#include <linux/videodev2.h>
#include <string.h>
#include <unistd.h>

#include "drivers/cameras/message.h"
#include "drivers/cameras/mode.h"
#include "drivers/cameras/sources/v4l2.h"

/* Write the picture sizes of a format: all discrete ones, or the largest of a range. */
static void add_sizes(brio_text *out, int fd, uint32_t code) {
  struct v4l2_frmsizeenum size = {.pixel_format = code};
  for (; brio_v4l2->ioctl(fd, VIDIOC_ENUM_FRAMESIZES, &size) == 0; size.index++) {
    bool counted = size.type == V4L2_FRMSIZE_TYPE_DISCRETE;
    brio_text_format(out, "%s\"%ux%u\"", size.index ? ", " : "",
                     counted ? size.discrete.width : size.stepwise.max_width,
                     counted ? size.discrete.height : size.stepwise.max_height);
    if (!counted) return;
  }
}

/* Write a device's line; nothing if it cannot be opened or does not capture pictures. */
static void add_device(brio_text *out, const char *path) {
  struct v4l2_capability about = {0};
  struct v4l2_fmtdesc format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  int fd = brio_v4l2->open(path);
  if (fd < 0) return;
  bool good = brio_v4l2->ioctl(fd, VIDIOC_QUERYCAP, &about) == 0;
  /* `capabilities` are those of the whole device, `device_caps` those of this file */
  uint32_t can = about.capabilities & V4L2_CAP_DEVICE_CAPS ? about.device_caps : about.capabilities;
  if (good && (can & V4L2_CAP_VIDEO_CAPTURE)) {
    brio_text_format(out, "{\"file\": ");
    brio_text_json(out, path, strlen(path));
    brio_text_format(out, ", \"name\": ");
    brio_text_json(out, (const char *)about.card, strnlen((const char *)about.card, sizeof about.card));
    brio_text_format(out, ", \"formats\": [");
    for (; brio_v4l2->ioctl(fd, VIDIOC_ENUM_FMT, &format) == 0; format.index++) {
      /* a format's code is four characters (FourCC), the first in the lowest byte; bit 31 is a flag */
      uint32_t c = format.pixelformat;
      brio_text_format(out, "%s{\"code\": \"%c%c%c%c\", \"sizes\": [", format.index ? ", " : "",
                       (char)(c & 127), (char)(c >> 8 & 127), (char)(c >> 16 & 127), (char)(c >> 24 & 127));
      add_sizes(out, fd, c);
      brio_text_format(out, "]}");
    }
    brio_text_format(out, "]}\n");
  }
  brio_v4l2->close(fd);
}

static bool list(const brio_camera_settings *settings, char **words, int count, brio_error *err) {
  (void)settings, (void)words, (void)count, (void)err;
  glob_t found = {0};
  brio_text line = {0};
  if (glob("/dev/video*", 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) add_device(&line, found.gl_pathv[i]);
  globfree(&found);
  brio_camera_send(&line);
  brio_text_end(&line);
  return true;
}

const brio_camera_mode brio_camera_mode_list = {"list", false, list};
