/* A hobby servo board by the line protocol, emulated: what the sketch in docs/devices.md does. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drivers/joints.h"

enum { CENTER = 1500, LEAST = 500, MOST = 2500, CHANNELS = 16 };

static const double PULSE = 636.62; /* us for a rad */

extern const brio_protocol brio_protocol_line;

static void *open_board(const brio_emulator_options *options, brio_error *err) {
  brio_emulator_options from_zero = *options;
  from_zero.first_id = 0; /* channels, not ids */
  if (options->servos <= CHANNELS) return brio_joints_open(&from_zero, err);
  brio_fail(err, BRIO_MISUSE, "a board has at most %d channels, not %d", CHANNELS, options->servos);
  return NULL;
}

static void say(brio_emulator *line, int code, const char *text, int length) {
  brio_joints_answer(line, -1, code, (const uint8_t *)text, length);
}

/* Read pairs of numbers and act on each.  Return false when one cannot be. */
static bool each_pair(brio_joints *joints, const char *text, bool (*act)(brio_joints *, int, int)) {
  int channel, value, used;
  for (; sscanf(text, " %3d %5d%n", &channel, &value, &used) == 2; text += used) {
    int i = brio_joints_find(joints, channel);
    if (i < 0 || !act(joints, i, value)) return false;
  }
  return text[strspn(text, " ")] == 0;
}

static bool set_pulse(brio_joints *joints, int i, int pulse) {
  if (pulse < LEAST || pulse > MOST) return false;
  brio_joints_move(joints, i, (pulse - CENTER) / PULSE, 0);
  return true;
}

static bool set_output(brio_joints *joints, int i, int on) {
  joints->shafts[i].torque = on != 0;
  if (on) joints->shafts[i].target = joints->shafts[i].position;
  return true;
}

static void report(const brio_joints *joints, brio_emulator *line) {
  char text[200];
  int length = 0;
  for (int i = 0; i < joints->count && i < CHANNELS; i++) {
    int pulse = CENTER + (int)lround(joints->shafts[i].position * PULSE);
    length += snprintf(text + length, sizeof text - (size_t)length, " %d", joints->shafts[i].torque ? pulse : 0);
  }
  say(line, 'R', text, length);
}

static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  brio_joints *joints = device;
  char text[256];
  if (!brio_joints_hear(joints, baud)) return;
  snprintf(text, sizeof text, "%.*s", packet->length, (const char *)packet->data);
  bool good = true;
  if (packet->code == 'V') say(line, 'V', text, snprintf(text, sizeof text, " brio-servo 1 %d", joints->count));
  else if (packet->code == 'R') report(joints, line);
  else if (packet->code == 'P') good = each_pair(joints, text, set_pulse);
  else if (packet->code == 'O') good = each_pair(joints, text, set_output);
  else good = packet->code == 'T';
  if (!good) say(line, 'E', " 1 no such line", 15);
  else if (packet->code != 'V' && packet->code != 'R') say(line, 'K', "", 0);
}

const brio_emulator_kind brio_emulator_line = {
    .name = "line",
    .alias = NULL,
    .doc = "Hobby servo board by lines of text, channels from 0.",
    .protocol = &brio_protocol_line,
    .baud = 115200,
    .servos = 8,
    .commands = brio_joints_commands,
    .open = open_board,
    .handle = handle,
    .step = brio_joints_step,
    .command = brio_joints_command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
