/* V4L2 against a kernel that is simulated here: no camera is needed. What is tested is what the code asks
** for and what it makes of the answers, not a driver. */
#include <errno.h>
#include <linux/videodev2.h>

#include "base/clock.h"
#include "drivers/cameras/capture.h"
#include "drivers/cameras/sources/v4l2.h"
#include "tests/check.h"

enum { WIDTH = 32, HEIGHT = 16, GAP = 8, SLOTS = 4, LENGTH = 1 << 14 };

/* The simulated device. */
static struct {
  uint32_t formats[4]; /* that it has */
  int rate[4];         /* pictures a second in each */
  int format;          /* that was set: its index */
  bool busy, gone, capture, streams;
  uint8_t memory[SLOTS][LENGTH];
  bool queued[SLOTS];
  int ready[SLOTS], nready; /* filled slots, oldest first */
  uint32_t used, flags;
  struct timeval stamp;
  int opened, closed, mapped, unmapped;
} fake;

static int fake_open(const char *path) {
  if (strcmp(path, "/dev/video-fake") != 0) return errno = ENOENT, -1;
  fake.opened++;
  return 77;
}

static int fake_close(int fd) {
  return fake.closed += fd == 77, 0;
}

static int query(struct v4l2_capability *about) {
  snprintf((char *)about->card, sizeof about->card, "Simulated");
  about->capabilities = V4L2_CAP_DEVICE_CAPS;
  about->device_caps = V4L2_CAP_STREAMING | (fake.capture ? V4L2_CAP_VIDEO_CAPTURE : V4L2_CAP_META_CAPTURE);
  return 0;
}

/* Drivers answer with a format that they have. */
static int set_format(struct v4l2_format *f) {
  int chosen = 0;
  for (int i = 0; i < 4; i++)
    if (fake.formats[i] && fake.formats[i] == f->fmt.pix.pixelformat) chosen = i;
  fake.format = chosen;
  f->fmt.pix.pixelformat = fake.formats[chosen];
  f->fmt.pix.width = WIDTH, f->fmt.pix.height = HEIGHT;
  f->fmt.pix.bytesperline = fake.formats[chosen] == V4L2_PIX_FMT_YUYV ? 2 * WIDTH + GAP : 0;
  return 0;
}

static int give_frame(struct v4l2_buffer *b) {
  if (fake.gone) return errno = ENODEV, -1;
  if (fake.nready == 0) return errno = EAGAIN, -1;
  b->index = (uint32_t)fake.ready[0];
  fake.nready--;
  memmove(fake.ready, fake.ready + 1, sizeof fake.ready - sizeof *fake.ready);
  fake.queued[b->index] = false;
  b->bytesused = fake.used, b->flags = fake.flags, b->timestamp = fake.stamp;
  return 0;
}

static int fake_control(int fd, unsigned long request, void *argument) {
  struct v4l2_buffer *b = argument;
  CHECK(fd == 77, "another file");
  switch (request) {
  case VIDIOC_QUERYCAP:
    return query(argument);
  case VIDIOC_S_FMT:
    return set_format(argument);
  case VIDIOC_S_PARM: {
    struct v4l2_fract *step = &((struct v4l2_streamparm *)argument)->parm.capture.timeperframe;
    step->numerator = 1, step->denominator = (uint32_t)fake.rate[fake.format];
    return 0;
  }
  case VIDIOC_REQBUFS:
    return fake.busy ? (errno = EBUSY, -1) : 0;
  case VIDIOC_QUERYBUF:
    b->length = LENGTH, b->m.offset = b->index;
    return 0;
  case VIDIOC_QBUF:
    CHECK(!fake.queued[b->index], "a buffer is given twice");
    fake.queued[b->index] = true;
    return 0;
  case VIDIOC_DQBUF:
    return give_frame(b);
  case VIDIOC_STREAMON:
    fake.streams = true;
    return 0;
  case VIDIOC_STREAMOFF:
    fake.streams = false;
    memset(fake.queued, 0, sizeof fake.queued);
    return 0;
  default:
    return errno = ENOTTY, -1;
  }
}

static void *fake_map(int fd, size_t length, off_t offset) {
  CHECK(fd == 77 && length == LENGTH, "what is mapped");
  fake.mapped++;
  return fake.memory[offset];
}

static int fake_unmap(void *at, size_t length) {
  (void)at, (void)length;
  return fake.unmapped++, 0;
}

static int fake_poll(struct pollfd *fds, int milliseconds) {
  CHECK(milliseconds <= 20, "a wait of %d ms", milliseconds);
  fds->revents = fake.gone ? POLLERR : fake.nready > 0 ? POLLIN : 0;
  return fds->revents != 0;
}

static const brio_v4l2_system simulated = {fake_open, fake_close, fake_control,
                                           fake_map,  fake_unmap, fake_poll};

/* A device with YUYV and MJPEG. */
static void start(void) {
  memset(&fake, 0, sizeof fake);
  fake.capture = true;
  fake.formats[0] = V4L2_PIX_FMT_MJPEG, fake.formats[1] = V4L2_PIX_FMT_YUYV;
  fake.rate[0] = 30, fake.rate[1] = 30;
  brio_v4l2 = &simulated;
}

/* A frame of one level, filled by the driver. */
static void film(int level) {
  for (int i = 0; i < SLOTS; i++) {
    bool waits = false;
    for (int k = 0; k < fake.nready; k++) waits = waits || fake.ready[k] == i;
    if (!fake.queued[i] || waits) continue;
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) fake.memory[i][y * (2 * WIDTH + GAP) + 2 * x] = (uint8_t)(level + x);
    fake.ready[fake.nready++] = i;
    return;
  }
  CHECK(false, "no buffer is left");
}

static bool open_camera(brio_capture *capture, brio_camera_settings *s, const char *more, brio_error *err) {
  brio_camera_settings_start(s);
  brio_camera_settings_read(s, "from=v4l2:/dev/video-fake", NULL);
  if (more) CHECK(brio_camera_settings_read(s, more, err), "%s", err->message);
  return brio_capture_open(capture, s, true, err);
}

static void frames_come_with_their_time(void) {
  brio_capture capture;
  brio_camera_settings s;
  brio_picture picture = {0};
  brio_error err = {0};
  start();
  CHECK(open_camera(&capture, &s, NULL, &err), "%s", err.message);
  CHECK(fake.formats[fake.format] == V4L2_PIX_FMT_YUYV && fake.streams && fake.mapped == SLOTS,
        "YUYV is taken");
  CHECK(brio_capture_next(&capture, &picture, &err) == BRIO_CAPTURE_NOTHING, "nothing yet");
  /* Rows with a gap, and the driver's own time of a moment ago. */
  int64_t ago = brio_clock_monotonic() - 40000000;
  fake.stamp = (struct timeval){ago / 1000000000, ago % 1000000000 / 1000};
  fake.flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC, fake.used = HEIGHT * (2 * WIDTH + GAP);
  film(50);
  CHECK(brio_capture_next(&capture, &picture, &err) == BRIO_CAPTURE_PICTURE, "%s", err.message);
  CHECK(picture.width == WIDTH && picture.height == HEIGHT && picture.gray[WIDTH * 3 + 7] == 57, "pixels");
  CHECK_NEAR(picture.time, (double)ago * 1e-9, 2e-6, "the driver's time");
  /* Of three that wait the newest counts, and all buffers go back. */
  film(60), film(70), film(80);
  CHECK(brio_capture_next(&capture, &picture, &err) == BRIO_CAPTURE_PICTURE && picture.gray[0] == 80,
        "the newest");
  for (int i = 0; i < SLOTS; i++) CHECK(fake.queued[i], "buffer %d is kept", i);
  /* A time of another clock is not believed. */
  fake.stamp.tv_sec = 5, film(90);
  CHECK(brio_capture_next(&capture, &picture, &err) == BRIO_CAPTURE_PICTURE, "a frame");
  CHECK(picture.time > (double)ago * 1e-9, "time %g", picture.time);
  brio_capture_close(&capture);
  CHECK(fake.closed == 1 && fake.unmapped == SLOTS && !fake.streams, "all is closed");
  brio_picture_end(&picture);
}

static void damaged_frames_are_left_out(void) {
  brio_capture capture;
  brio_camera_settings s;
  brio_picture picture = {0};
  brio_error err = {0};
  start();
  CHECK(open_camera(&capture, &s, NULL, &err), "%s", err.message);
  fake.used = HEIGHT * WIDTH, film(50);
  CHECK(brio_capture_next(&capture, &picture, &err) == BRIO_CAPTURE_BAD, "half a frame");
  fake.used = HEIGHT * (2 * WIDTH + GAP), fake.flags = V4L2_BUF_FLAG_ERROR, film(50);
  CHECK(brio_capture_next(&capture, &picture, &err) == BRIO_CAPTURE_BAD, "a damaged frame");
  CHECK_HAS(err.message, "damaged");
  fake.flags = 0, film(50);
  CHECK(brio_capture_next(&capture, &picture, &err) == BRIO_CAPTURE_PICTURE, "and a good one");
  brio_capture_close(&capture);
  brio_picture_end(&picture);
}

static void unplugging_is_said_and_it_comes_back(void) {
  brio_capture capture;
  brio_camera_settings s;
  brio_picture picture = {0};
  brio_error err = {0};
  start();
  CHECK(open_camera(&capture, &s, NULL, &err), "%s", err.message);
  fake.gone = true;
  CHECK(brio_capture_next(&capture, &picture, &err) == BRIO_CAPTURE_FAILED, "unplugged");
  CHECK_HAS(err.message, "unplugged");
  brio_capture_close(&capture);
  start();
  fake.used = HEIGHT * (2 * WIDTH + GAP);
  CHECK(open_camera(&capture, &s, NULL, &err), "%s", err.message);
  film(10);
  CHECK(brio_capture_next(&capture, &picture, &err) == BRIO_CAPTURE_PICTURE, "plugged in again");
  brio_capture_close(&capture);
  brio_picture_end(&picture);
}

static void formats_are_negotiated(void) {
  brio_capture capture;
  brio_camera_settings s;
  brio_error err = {0};
  /* YUYV is too slow at that size: MJPEG. */
  start();
  fake.rate[1] = 5;
  CHECK(open_camera(&capture, &s, NULL, &err) && fake.formats[fake.format] == V4L2_PIX_FMT_MJPEG,
        "MJPEG is taken");
  brio_capture_close(&capture);
  /* The person decides. */
  CHECK(open_camera(&capture, &s, "format=yuyv", &err) && fake.formats[fake.format] == V4L2_PIX_FMT_YUYV,
        "YUYV");
  brio_capture_close(&capture);
  CHECK(!open_camera(&capture, &s, "format=grey", &err) && err.code == BRIO_DEVICE, "grey is not there");
  CHECK_HAS(err.message, "no format");
  /* All are slow: the first that there is. */
  fake.rate[0] = 5;
  CHECK(open_camera(&capture, &s, NULL, &err) && fake.formats[fake.format] == V4L2_PIX_FMT_YUYV, "slow YUYV");
  brio_capture_close(&capture);
  fake.busy = true;
  CHECK(!open_camera(&capture, &s, NULL, &err), "busy");
  CHECK_HAS(err.message, "another program uses it");
  start();
  fake.capture = false;
  CHECK(!open_camera(&capture, &s, NULL, &err), "a file of metadata");
  CHECK_HAS(err.message, "gives no pictures");
  CHECK(fake.opened == fake.closed, "%d opened, %d closed", fake.opened, fake.closed);
  brio_camera_settings_read(&s, "from=v4l2:/dev/nothing", NULL);
  CHECK(!brio_capture_open(&capture, &s, true, &err), "no device");
  CHECK_HAS(err.message, "/dev/nothing: it cannot be opened: No such file");
}

CHECK_SUITE(CHECK_TEST(frames_come_with_their_time), CHECK_TEST(damaged_frames_are_left_out),
            CHECK_TEST(unplugging_is_said_and_it_comes_back), CHECK_TEST(formats_are_negotiated))
