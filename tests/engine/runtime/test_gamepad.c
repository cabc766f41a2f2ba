/* A gamepad's bytes, through a pipe in place of the device: events in pieces, repeats, dropped events,
** invalid codes, and an end.  Properties of kernel devices only (ranges, the state after dropped events) are
** not covered. */
#include <fcntl.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check.h"
#include "runtime/gamepad.h"

static char folder[] = "/tmp/brio-gamepad-XXXXXX";
static char path[64];

typedef struct pipe_end {
  brio_gamepad *pad;
  int fd; /* the other end */
} pipe_end;

static pipe_end open_both(void) {
  brio_error err = {0};
  if (!path[0] && mkdtemp(folder)) {
    snprintf(path, sizeof path, "%s/pad", folder);
    CHECK(mkfifo(path, 0600) == 0, "mkfifo");
  }
  pipe_end both = {brio_gamepad_open(path, &err), -1};
  CHECK(both.pad, "%s", err.message);
  both.fd = open(path, O_WRONLY | O_NONBLOCK);
  CHECK(both.fd >= 0, "the other end of the pipe does not open");
  return both;
}

static void close_both(pipe_end both) {
  brio_gamepad_close(both.pad);
  if (both.fd >= 0) close(both.fd);
}

static struct input_event made(int type, int code, int value) {
  struct input_event event = {0};
  event.type = (unsigned short)type;
  event.code = (unsigned short)code;
  event.value = value;
  return event;
}

static void send(pipe_end both, const struct input_event *events, size_t count) {
  CHECK(write(both.fd, events, count * sizeof *events) == (ssize_t)(count * sizeof *events), "write");
}

static void test_events_are_read(void) {
  pipe_end both = open_both();
  brio_gamepad_event out[BRIO_GAMEPAD_LEAST];
  CHECK(brio_gamepad_read(both.pad, out, BRIO_GAMEPAD_LEAST) == 0, "nothing was written yet");
  struct input_event sent[] = {made(EV_KEY, BTN_SOUTH, 1), made(EV_KEY, BTN_SOUTH, 2), made(EV_KEY, KEY_A, 1),
                               made(EV_ABS, ABS_X, -5),    made(EV_REL, 0, 3),         made(EV_ABS, 4000, 1),
                               made(EV_SYN, SYN_REPORT, 0), made(EV_KEY, BTN_SOUTH, 0)};
  send(both, sent, sizeof sent / sizeof *sent);
  int count = brio_gamepad_read(both.pad, out, BRIO_GAMEPAD_LEAST);
  CHECK(count == 3, "%d events", count);
  CHECK(out[0].kind == BRIO_GAMEPAD_BUTTON && out[0].code == BTN_SOUTH && out[0].value == 1, "pressed");
  CHECK(out[1].kind == BRIO_GAMEPAD_AXIS && out[1].code == ABS_X && out[1].value == -5, "axis");
  CHECK(out[1].lower == out[1].upper, "a pipe knows no ranges");
  CHECK(out[2].kind == BRIO_GAMEPAD_BUTTON && out[2].value == 0, "released");
  close_both(both);
}

static void test_events_come_in_pieces(void) {
  pipe_end both = open_both();
  brio_gamepad_event out[BRIO_GAMEPAD_LEAST];
  struct input_event event = made(EV_ABS, ABS_Y, 77);
  int seen = 0;
  for (size_t i = 0; i < sizeof event; i++) {
    CHECK(write(both.fd, (const char *)&event + i, 1) == 1, "write");
    int count = brio_gamepad_read(both.pad, out, BRIO_GAMEPAD_LEAST);
    CHECK(count == (i + 1 == sizeof event), "%d events after %zu bytes", count, i + 1);
    seen += count;
  }
  CHECK(seen == 1 && out[0].value == 77, "the event came whole");
  close_both(both);
}

static void test_dropped_events_are_made_up_for(void) {
  pipe_end both = open_both();
  brio_gamepad_event out[BRIO_GAMEPAD_LEAST];
  struct input_event sent[] = {made(EV_KEY, BTN_EAST, 1), made(EV_SYN, SYN_DROPPED, 0),
                               made(EV_KEY, BTN_SOUTH, 1), made(EV_SYN, SYN_REPORT, 0),
                               made(EV_KEY, BTN_WEST, 1)};
  send(both, sent, sizeof sent / sizeof *sent);
  int count = brio_gamepad_read(both.pad, out, BRIO_GAMEPAD_LEAST);
  CHECK(count == 3 && out[0].code == BTN_EAST && out[1].kind == BRIO_GAMEPAD_ANEW && out[2].code == BTN_WEST,
        "%d events: what came between the drop and the report means nothing", count);
  close_both(both);
}

static void test_more_than_fits_is_left_for_later(void) {
  pipe_end both = open_both();
  brio_gamepad_event out[BRIO_GAMEPAD_LEAST];
  int sum = 0, count;
  for (int i = 0; i < 500; i++) {
    struct input_event event = made(EV_ABS, ABS_X, i);
    send(both, &event, 1);
  }
  while ((count = brio_gamepad_read(both.pad, out, BRIO_GAMEPAD_LEAST)) > 0)
    for (int i = 0; i < count; i++) CHECK(out[i].value == sum++, "in order");
  CHECK(sum == 500, "%d of 500 events", sum);
  close_both(both);
}

static void test_the_end_is_told(void) {
  pipe_end both = open_both();
  brio_gamepad_event out[BRIO_GAMEPAD_LEAST];
  close(both.fd);
  both.fd = -1;
  CHECK(brio_gamepad_read(both.pad, out, BRIO_GAMEPAD_LEAST) == -1, "it is gone");
  close_both(both);
}

static void test_what_is_no_gamepad_is_refused(void) {
  brio_error err = {0};
  CHECK(!brio_gamepad_open("/tmp/there is none", &err) && err.code == BRIO_NO_FILE, "%s", err.message);
  CHECK(!brio_gamepad_open(folder, &err) && err.code == BRIO_DEVICE, "%s", err.message);
  CHECK_HAS(err.message, "a device or a pipe was expected");
  CHECK(!brio_gamepad_search(folder, "", &err) && err.code == BRIO_NO_FILE, "%s", err.message);
  char other[96];
  snprintf(other, sizeof other, "%s/event0", folder);
  CHECK(mkfifo(other, 0600) == 0, "mkfifo");
  CHECK(!brio_gamepad_search(folder, "", &err),
        "a pipe is not found by searching: it does not say what it is");
  unlink(other);
}

static void test_nothing_is_left(void) {
  unlink(path);
  CHECK(rmdir(folder) == 0, "the folder is empty");
}

CHECK_SUITE(CHECK_TEST(test_events_are_read), CHECK_TEST(test_events_come_in_pieces),
            CHECK_TEST(test_dropped_events_are_made_up_for),
            CHECK_TEST(test_more_than_fits_is_left_for_later), CHECK_TEST(test_the_end_is_told),
            CHECK_TEST(test_what_is_no_gamepad_is_refused), CHECK_TEST(test_nothing_is_left))
