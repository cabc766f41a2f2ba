/* A gamepad of Linux's evdev (linux/input.h): a stream of struct input_event from a device, or from a pipe
** that replaces one.  No thread and no loop: the caller waits until it can be read. */
#ifndef BRIO_RUNTIME_GAMEPAD_H
#define BRIO_RUNTIME_GAMEPAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum brio_gamepad_kind {
  BRIO_GAMEPAD_BUTTON, /* value: 1 pressed, 0 released */
  BRIO_GAMEPAD_AXIS,   /* value: from lower to upper */
  BRIO_GAMEPAD_FOUND,  /* connected; no input of it is known yet */
  BRIO_GAMEPAD_LOST,   /* disconnected */
  BRIO_GAMEPAD_ANEW,   /* events were lost: all inputs are unknown; their state follows */
} brio_gamepad_kind;

typedef struct brio_gamepad_event {
  brio_gamepad_kind kind;
  int code;            /* as in linux/input-event-codes.h */
  int32_t value;
  int32_t lower, upper; /* of an axis, as the device reports; equal: it does not */
  int64_t received;    /* ns of the monotonic clock: when it was read, set by the reader */
} brio_gamepad_event;

typedef struct brio_gamepad brio_gamepad;

/* Open the device (or pipe) at `path`, without waiting.  Errors: no_file, device, no_memory. */
brio_gamepad *brio_gamepad_open(const char *path, brio_error *err);

/* Open the first gamepad of the folder (/dev/input) whose name contains `piece` ("": any).  Errors: no_file
** (there is none), no_memory. */
brio_gamepad *brio_gamepad_search(const char *folder, const char *piece, brio_error *err);

/* Close it.  NULL is allowed. */
void brio_gamepad_close(brio_gamepad *pad);

/* The file descriptor to wait for. */
int brio_gamepad_fd(const brio_gamepad *pad);

/* Whether it is a device of the kernel, not a pipe (which may have no writer). */
bool brio_gamepad_is_device(const brio_gamepad *pad);

/* Write the present state of all inputs as events, at most `most`: ANEW, the pressed buttons, and the axes.
** Return how many.  A pipe has no state: ANEW alone. */
int brio_gamepad_state(const brio_gamepad *pad, brio_gamepad_event *out, int most);

/* Read pending events: write at most `most` (at least BRIO_GAMEPAD_LEAST) into `out`; return how many; -1: it
** is disconnected. */
enum { BRIO_GAMEPAD_LEAST = 256 };
int brio_gamepad_read(brio_gamepad *pad, brio_gamepad_event *out, int most);

#endif
