/* Linux's evdev: see Documentation/input/event-codes.rst of the kernel.  When a reader is too slow,
** the kernel drops events and sends SYN_DROPPED.  Events from there to the next SYN_REPORT are
** meaningless; then the state of all buttons and axes is queried. */
#include "runtime/gamepad.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  ONCE = 32,                         /* events that are read at once */
  FIRST_BUTTON = 0x100, LAST_BUTTON = 0x2ff,
  AXES = 64,
  NAME = 256,
};

typedef struct axis_range {
  int32_t lower, upper; /* equal: unknown */
} axis_range;

struct brio_gamepad {
  int fd;
  bool device;
  bool skipping;        /* events were dropped: skip to the next report */
  size_t held;          /* bytes of an event that is not complete yet */
  unsigned char bytes[ONCE * sizeof(struct input_event)];
  axis_range ranges[AXES];
};

/* Bit `index` of an array, as evdev's ioctls fill it. */
static bool bit_of(const unsigned char *bits, int index) { return bits[index / 8] >> (index % 8) & 1; }

/* Query the range of each axis; those that do not exist stay unknown. */
static void ask_ranges(brio_gamepad *pad) {
  for (unsigned i = 0; i < AXES; i++) {
    struct input_absinfo info = {0};
    if (ioctl(pad->fd, EVIOCGABS(i), &info) >= 0) pad->ranges[i] = (axis_range){info.minimum, info.maximum};
  }
}

brio_gamepad *brio_gamepad_open(const char *path, brio_error *err) {
  struct stat about;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    brio_fail(err, errno == ENOENT ? BRIO_NO_FILE : BRIO_DEVICE, "no gamepad at '%.200s': %s", path,
              strerror(errno));
    return NULL;
  }
  /* Regular files would never block, and never be a gamepad. */
  bool usable = fstat(fd, &about) == 0 && (S_ISCHR(about.st_mode) || S_ISFIFO(about.st_mode));
  brio_gamepad *pad = usable ? calloc(1, sizeof *pad) : NULL;
  /* Neither a device nor a pipe, or no memory. */
  if (!pad) {
    close(fd);
    if (usable) brio_fail(err, BRIO_NO_MEMORY, "no memory for a gamepad");
    else brio_fail(err, BRIO_DEVICE, "'%.200s' is no gamepad: a device or a pipe was expected", path);
    return NULL;
  }
  /* Ranges of axes are queried once, here. */
  pad->fd = fd;
  pad->device = S_ISCHR(about.st_mode);
  if (pad->device) ask_ranges(pad);
  return pad;
}

/* Whether a device has buttons of a gamepad or a joystick, and `piece` in its name. */
static bool is_gamepad(const brio_gamepad *pad, const char *piece) {
  unsigned char bits[KEY_MAX / 8 + 1] = {0};
  char name[NAME] = "";
  /* Buttons first, as keyboards and mice have event interfaces, too. */
  if (ioctl(pad->fd, EVIOCGBIT(EV_KEY, sizeof bits), bits) < 0) return false;
  if (!bit_of(bits, BTN_GAMEPAD) && !bit_of(bits, BTN_JOYSTICK)) return false;
  ioctl(pad->fd, EVIOCGNAME(sizeof name - 1), name);
  return strstr(name, piece) != NULL;
}

brio_gamepad *brio_gamepad_search(const char *folder, const char *piece, brio_error *err) {
  DIR *all = opendir(folder);
  const struct dirent *entry;
  brio_gamepad *found = NULL;
  /* Devices in the order of the folder; only event interfaces are opened. */
  while (all && !found && (entry = readdir(all))) {
    char path[NAME + 64];
    if (strncmp(entry->d_name, "event", 5) != 0) continue;
    snprintf(path, sizeof path, "%.60s/%s", folder, entry->d_name);
    found = brio_gamepad_open(path, NULL);
    if (found && !is_gamepad(found, piece)) {
      brio_gamepad_close(found);
      found = NULL;
    }
  }
  if (all) closedir(all);
  if (!found) brio_fail(err, BRIO_NO_FILE, "there is no gamepad in %.60s", folder);
  return found;
}

void brio_gamepad_close(brio_gamepad *pad) {
  if (!pad) return;
  close(pad->fd);
  free(pad);
}

int brio_gamepad_fd(const brio_gamepad *pad) { return pad->fd; }
bool brio_gamepad_is_device(const brio_gamepad *pad) { return pad->device; }

int brio_gamepad_state(const brio_gamepad *pad, brio_gamepad_event *out, int most) {
  assert(most >= 1);
  unsigned char keys[KEY_MAX / 8 + 1] = {0};
  int count = 0;
  out[count++] = (brio_gamepad_event){.kind = BRIO_GAMEPAD_ANEW};
  /* Pressed buttons only: ANEW has released the others. */
  if (ioctl(pad->fd, EVIOCGKEY(sizeof keys), keys) >= 0)
    for (int code = FIRST_BUTTON; code <= LAST_BUTTON && count < most; code++)
      if (bit_of(keys, code))
        out[count++] = (brio_gamepad_event){.kind = BRIO_GAMEPAD_BUTTON, .code = code, .value = 1};
  /* The positions of all axes that the device has. */
  for (unsigned code = 0; code < AXES && count < most; code++) {
    struct input_absinfo info;
    if (ioctl(pad->fd, EVIOCGABS(code), &info) >= 0)
      out[count++] = (brio_gamepad_event){.kind = BRIO_GAMEPAD_AXIS, .code = (int)code, .value = info.value,
                                          .lower = info.minimum, .upper = info.maximum};
  }
  return count;
}

/* Convert one event of the kernel.  Return how many events it becomes. */
static int take(brio_gamepad *pad, const struct input_event *event, brio_gamepad_event *out, int most) {
  assert(most >= 1);
  /* From SYN_DROPPED to SYN_REPORT nothing counts; the state replaces it. */
  if (event->type == EV_SYN && event->code == SYN_DROPPED) pad->skipping = true;
  if (pad->skipping) {
    if (event->type != EV_SYN || event->code != SYN_REPORT) return 0;
    pad->skipping = false;
    return brio_gamepad_state(pad, out, most);
  }
  /* Buttons, without repeats. */
  if (event->type == EV_KEY && event->code >= FIRST_BUTTON && event->code <= LAST_BUTTON) {
    if (event->value != 0 && event->value != 1) return 0; /* repeats, which have the value 2 */
    *out = (brio_gamepad_event){.kind = BRIO_GAMEPAD_BUTTON, .code = event->code, .value = event->value};
    return 1;
  }
  /* Axes, with the range that was queried at the beginning. */
  if (event->type != EV_ABS || event->code >= AXES) return 0;
  axis_range range = pad->ranges[event->code];
  *out = (brio_gamepad_event){.kind = BRIO_GAMEPAD_AXIS, .code = event->code, .value = event->value,
                                .lower = range.lower, .upper = range.upper};
  return 1;
}

int brio_gamepad_read(brio_gamepad *pad, brio_gamepad_event *out, int most) {
  assert(pad->held < sizeof(struct input_event));
  struct input_event event;
  ssize_t got = read(pad->fd, pad->bytes + pad->held, sizeof pad->bytes - pad->held);
  /* Nothing to read is no failure; end of file is one. */
  if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  if (got == 0) return -1;
  size_t length = pad->held + (size_t)got, at = 0;
  int count = 0;
  /* Complete events only; the rest is kept for the next call. */
  for (; at + sizeof event <= length; at += sizeof event) {
    memcpy(&event, pad->bytes + at, sizeof event);
    /* Events without room are dropped; the caller gives room for all of one call. */
    if (count < most) count += take(pad, &event, out + count, most - count);
  }
  pad->held = length - at;
  memmove(pad->bytes, pad->bytes + at, pad->held);
  return count;
}
