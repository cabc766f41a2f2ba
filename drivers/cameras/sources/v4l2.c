/* Source v4l2: cameras of Linux by Video for Linux, version 2, with frames in memory that is shared with the
** driver (streaming I/O, mmap).  Source: "Linux Media Infrastructure userspace API", part I.
**
** The driver is asked for a format, and answers with the nearest that it has, which is then used.  Formats
** are tried in the order YUYV, MJPEG, JPEG, gray; the first that exceeds 90 % of the rate, or whose rate is
** unknown, is taken, or, if there is none, the first that the device has. */
#include "drivers/cameras/sources/v4l2.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/cameras/capture.h"

/* Frames in flight; longest wait of `next`, ms; size that is asked for unless the settings give one, px. */
enum { BUFFERS = 4, WAIT_MS = 10, DEFAULT_WIDTH = 640, DEFAULT_HEIGHT = 480 };

/* ---- the kernel ---- */

/* Nonblocking: VIDIOC_DQBUF fails with EAGAIN where no frame is ready. */
static int open_device(const char *path) {
  return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

/* ioctl, repeated where a signal interrupts it. */
static int control(int fd, unsigned long request, void *argument) {
  int result;
  do result = ioctl(fd, request, argument);
  while (result < 0 && errno == EINTR);
  return result;
}

/* mmap; NULL: it failed. */
static void *map(int fd, size_t length, off_t offset) {
  void *at = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  return at == MAP_FAILED ? NULL : at;
}

static int wait_for(struct pollfd *fds, int milliseconds) {
  return poll(fds, 1, milliseconds);
}

static const brio_v4l2_system kernel = {open_device, close, control, map, munmap, wait_for};
const brio_v4l2_system *brio_v4l2 = &kernel;

/* ---- formats ---- */

/* Copy the luma of a YUYV frame: 16 bits a pixel, the first byte of which is luma.  The last row may be
** shorter than `stride`. */
static bool read_yuyv(const uint8_t *bytes, size_t length, int stride, brio_picture *picture,
                      brio_error *err) {
  size_t need = (size_t)stride * (size_t)(picture->height - 1) + 2 * (size_t)picture->width;
  if (length < need) return brio_fail(err, BRIO_FORMAT, "a frame of %zu bytes instead of %zu", length, need);
  for (int y = 0; y < picture->height; y++) {
    const uint8_t *from = bytes + (size_t)y * (size_t)stride;
    uint8_t *to = picture->gray + (size_t)y * (size_t)picture->width;
    for (int x = 0; x < picture->width; x++) to[x] = from[2 * x];
  }
  return true;
}

/* Copy a frame of 8 bits a pixel, row by row. */
static bool read_grey(const uint8_t *bytes, size_t length, int stride, brio_picture *picture,
                      brio_error *err) {
  size_t need = (size_t)stride * (size_t)(picture->height - 1) + (size_t)picture->width;
  if (length < need) return brio_fail(err, BRIO_FORMAT, "a frame of %zu bytes instead of %zu", length, need);
  for (int y = 0; y < picture->height; y++)
    memcpy(picture->gray + (size_t)y * (size_t)picture->width, bytes + (size_t)y * (size_t)stride,
           (size_t)picture->width);
  return true;
}

/* A format of frames. */
typedef struct pixels {
  const char *name; /* as the setting `format` spells it */
  uint32_t code;    /* FourCC */
  int bytes;        /* a pixel; 0: compressed */
  /* Copy a frame to a picture of its size.  NULL: the frame is a file, to be decoded. */
  bool (*read)(const uint8_t *bytes, size_t length, int stride, brio_picture *picture, brio_error *err);
} pixels;

/* In the order in which they are tried. */
static const pixels known[] = {{"yuyv", V4L2_PIX_FMT_YUYV, 2, read_yuyv},
                               {"mjpeg", V4L2_PIX_FMT_MJPEG, 0, NULL},
                               {"jpeg", V4L2_PIX_FMT_JPEG, 0, NULL},
                               {"grey", V4L2_PIX_FMT_GREY, 1, read_grey}};

enum { KNOWN = sizeof known / sizeof *known };

/* ---- the device ---- */

/* A buffer of the driver, mapped into this process. */
typedef struct buffer {
  uint8_t *at;
  size_t length; /* bytes */
} buffer;

/* Private data of the source. */
typedef struct device {
  int fd; /* below 0: not open */
  char path[BRIO_CAMERA_TEXT];
  const pixels *format;
  int width, height, stride; /* px, px, bytes from row to row */
  int count;                 /* mapped buffers */
  bool streams;              /* VIDIOC_STREAMON was successful */
  buffer buffers[BUFFERS];
} device;

/* Fail with the path, what failed, and the reason in errno. */
static bool fail(const device *d, const char *what, brio_error *err) {
  return brio_fail(err, BRIO_DEVICE, "%s: %s: %s", d->path, what, strerror(errno));
}

/* Fail unless the device captures pictures and supports streaming. */
static bool check(const device *d, brio_error *err) {
  struct v4l2_capability about = {0};
  if (brio_v4l2->ioctl(d->fd, VIDIOC_QUERYCAP, &about) < 0) return fail(d, "it is no camera", err);
  uint32_t can = about.capabilities & V4L2_CAP_DEVICE_CAPS ? about.device_caps : about.capabilities;
  if (!(can & V4L2_CAP_VIDEO_CAPTURE) || !(can & V4L2_CAP_STREAMING))
    return brio_fail(err, BRIO_DEVICE,
                     "%s (%.32s) gives no pictures: a camera has several files, try the next", d->path,
                     (const char *)about.card);
  return true;
}

/* Set a format.  Return whether the device has it; its size may be another than that of the settings. */
static bool try_format(device *d, const pixels *format, const brio_camera_settings *s) {
  struct v4l2_format f = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  f.fmt.pix.width = s->width > 0 ? (uint32_t)s->width : DEFAULT_WIDTH;
  f.fmt.pix.height = s->height > 0 ? (uint32_t)s->height : DEFAULT_HEIGHT;
  f.fmt.pix.pixelformat = format->code;
  f.fmt.pix.field = V4L2_FIELD_NONE;
  if (brio_v4l2->ioctl(d->fd, VIDIOC_S_FMT, &f) < 0 || f.fmt.pix.pixelformat != format->code) return false;
  /* drivers that report no stride have rows without padding */
  d->format = format;
  d->width = (int)f.fmt.pix.width, d->height = (int)f.fmt.pix.height;
  d->stride = (int)f.fmt.pix.bytesperline;
  if (d->stride < d->width * format->bytes) d->stride = d->width * format->bytes;
  return d->width > 0 && d->height > 0 && d->width <= BRIO_PICTURE_MAX_SIDE &&
         d->height <= BRIO_PICTURE_MAX_SIDE;
}

/* Set the rate, pictures a second.  Return the one that the driver chose, or 0: unknown. */
static double set_rate(const device *d, double rate) {
  struct v4l2_streamparm p = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  struct v4l2_fract *step = &p.parm.capture.timeperframe;
  /* time per frame as a fraction: 1000 / (1000 rate) s */
  step->numerator = 1000, step->denominator = (uint32_t)(rate * 1000);
  if (brio_v4l2->ioctl(d->fd, VIDIOC_S_PARM, &p) < 0 || step->numerator == 0) return 0;
  return (double)step->denominator / step->numerator;
}

/* Choose format, size and rate: see the head. */
static bool negotiate(device *d, const brio_camera_settings *s, brio_error *err) {
  const pixels *slow = NULL;
  for (int i = 0; i < KNOWN; i++) {
    if (s->format[0] && strcmp(s->format, known[i].name) != 0) continue;
    if (!try_format(d, &known[i], s)) continue;
    double rate = set_rate(d, s->rate);
    if (rate == 0 || rate > 0.9 * s->rate) return true;
    if (!slow) slow = &known[i];
  }
  /* none is fast enough: the first one that the device has */
  if (slow && try_format(d, slow, s)) {
    set_rate(d, s->rate);
    return true;
  }
  return brio_fail(err, BRIO_DEVICE, "%s has no format that is read%s%s: yuyv, mjpeg, jpeg and grey are",
                   d->path, s->format[0] ? " as " : "", s->format);
}

/* Queue a buffer: the driver may fill it. */
static bool give(const device *d, uint32_t index) {
  struct v4l2_buffer b = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP, .index = index};
  return brio_v4l2->ioctl(d->fd, VIDIOC_QBUF, &b) == 0;
}

/* Map the driver's buffers, queue them all, and start streaming.  What fails half-way is undone by
** close_camera. */
static bool start(device *d, brio_error *err) {
  struct v4l2_requestbuffers wish = {
      .count = BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  if (brio_v4l2->ioctl(d->fd, VIDIOC_REQBUFS, &wish) < 0)
    return fail(d, errno == EBUSY ? "another program uses it" : "it has no buffers", err);
  for (uint32_t i = 0; i < wish.count && i < BUFFERS; i++) {
    struct v4l2_buffer b = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP, .index = i};
    if (brio_v4l2->ioctl(d->fd, VIDIOC_QUERYBUF, &b) < 0) return fail(d, "a buffer is missing", err);
    d->buffers[i].at = brio_v4l2->map(d->fd, b.length, (off_t)b.m.offset);
    if (!d->buffers[i].at) return fail(d, "a buffer cannot be mapped", err);
    d->buffers[i].length = b.length;
    d->count++;
    if (!give(d, i)) return fail(d, "a buffer is refused", err);
  }
  if (d->count == 0) return brio_fail(err, BRIO_DEVICE, "%s: it has no buffers", d->path);
  if (brio_v4l2->ioctl(d->fd, VIDIOC_STREAMON, &type) < 0)
    return fail(d, errno == EBUSY ? "another program uses it" : "it does not start", err);
  d->streams = true;
  return true;
}

static bool open_camera(brio_capture *capture, const char *rest, brio_error *err) {
  device *d = calloc(1, sizeof *d);
  if (!d) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a camera");
  capture->link = d;
  strncpy(d->path, rest, sizeof d->path - 1);
  d->fd = brio_v4l2->open(d->path);
  if (d->fd < 0) return fail(d, "it cannot be opened", err);
  return check(d, err) && negotiate(d, capture->settings, err) && start(d, err);
}

/* Return when a frame was taken, s: the driver's time stamp if it is of the monotonic clock and at most 5 s
** old, else the present. */
static double time_of(const struct v4l2_buffer *b) {
  double now = (double)brio_clock_monotonic() * 1e-9;
  double said = (double)b->timestamp.tv_sec + (double)b->timestamp.tv_usec * 1e-6;
  bool monotonic = (b->flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  return monotonic && said <= now && said > now - 5 ? said : now;
}

/* Convert the frame in a buffer to a picture, and set its time.  Errors: format (damaged), limit,
** no_memory. */
static bool convert(const device *d, const struct v4l2_buffer *b, brio_picture *picture, brio_error *err) {
  assert(b->index < (uint32_t)d->count);
  const uint8_t *bytes = d->buffers[b->index].at;
  size_t length = b->bytesused <= d->buffers[b->index].length ? b->bytesused : d->buffers[b->index].length;
  if (b->flags & V4L2_BUF_FLAG_ERROR) return brio_fail(err, BRIO_FORMAT, "%s: a damaged frame", d->path);
  picture->time = time_of(b);
  if (!d->format->read) return brio_picture_decode(picture, bytes, length, err);
  return brio_picture_resize(picture, d->width, d->height, err) &&
         d->format->read(bytes, length, d->stride, picture, err);
}

static brio_capture_result next(brio_capture *capture, brio_picture *picture, brio_error *err) {
  device *d = capture->link;
  struct pollfd wait = {.fd = d->fd, .events = POLLIN};
  struct v4l2_buffer b = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP}, newer;
  int ready = brio_v4l2->poll(&wait, WAIT_MS);
  if (ready == 0 || (ready < 0 && errno == EINTR)) return BRIO_CAPTURE_NOTHING;
  if (ready < 0 || brio_v4l2->ioctl(d->fd, VIDIOC_DQBUF, &b) < 0) {
    if (ready > 0 && errno == EAGAIN && !(wait.revents & (POLLERR | POLLHUP))) return BRIO_CAPTURE_NOTHING;
    fail(d, "unplugged", err);
    return BRIO_CAPTURE_FAILED;
  }
  /* take the newest of the frames that are ready, and return the older ones unread */
  for (newer = b; brio_v4l2->ioctl(d->fd, VIDIOC_DQBUF, &newer) == 0; b = newer) give(d, b.index);
  if (b.index >= (uint32_t)d->count) {
    brio_fail(err, BRIO_DEVICE, "%s: the driver gave a buffer that is not there", d->path);
    return BRIO_CAPTURE_FAILED;
  }
  /* the buffer goes back to the driver when the frame is copied */
  bool good = convert(d, &b, picture, err);
  give(d, b.index);
  return good ? BRIO_CAPTURE_PICTURE : BRIO_CAPTURE_BAD;
}

static void close_camera(brio_capture *capture) {
  device *d = capture->link;
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  /* stop before memory is unmapped that the driver writes to */
  if (d->streams) brio_v4l2->ioctl(d->fd, VIDIOC_STREAMOFF, &type);
  for (int i = 0; i < d->count; i++) brio_v4l2->unmap(d->buffers[i].at, d->buffers[i].length);
  if (d->fd >= 0) brio_v4l2->close(d->fd);
  free(d);
}

const brio_capture_source brio_capture_source_v4l2 = {"v4l2", true, open_camera, next, close_camera};
