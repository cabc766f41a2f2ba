/* myCobot 280, emulated: six joints that are told and asked by angles or encoders, power, and the flags
** about them.  Orders are not answered, as with the arm. */
#include <math.h>
#include <string.h>

#include "drivers/joints.h"

enum { JOINTS = 6 };

static const double DEGREE = 3.141592653589793 / 180;

extern const brio_protocol brio_protocol_mycobot;

static void *open_arm(const brio_emulator_options *options, brio_error *err) {
  if (options->servos == JOINTS) return brio_joints_open(options, err);
  brio_fail(err, BRIO_MISUSE, "the arm has %d joints, not %d", JOINTS, options->servos);
  return NULL;
}

static int number(const uint8_t *bytes) { return (int16_t)(bytes[0] << 8 | bytes[1]); }

static double rad_of(int encoder) { return (encoder - 2048) * 360 * DEGREE / 4096; }

/* The time a move takes at the arm's speed of 1 to 100. */
static double seconds_of(const brio_joints *joints, int i, double target, int speed) {
  return fabs(target - joints->shafts[i].position) / (3.0 * (speed < 1 ? 1 : speed > 100 ? 100 : speed) / 100);
}

static void move(brio_joints *joints, int i, double target, int speed) {
  if (i < 0 || i >= JOINTS || joints->silent[i]) return;
  if (fabs(target) > 180 * DEGREE) return; /* the arm refuses it */
  brio_joints_move(joints, i, target, seconds_of(joints, i, target, speed));
}

static bool is_moving(const brio_joints *joints) {
  for (int i = 0; i < JOINTS; i++)
    if (fabs(joints->shafts[i].velocity) > 0.01) return true;
  return false;
}

static void hold(brio_joints *joints, bool on) {
  for (int i = 0; i < JOINTS; i++) {
    joints->shafts[i].torque = on;
    if (on) joints->shafts[i].target = joints->shafts[i].position;
  }
}

/* Carry out an order.  Return whether it was one. */
static bool obey(brio_joints *joints, const brio_packet *p) {
  if (p->code == 0x10) hold(joints, true);
  else if (p->code == 0x11 || p->code == 0x13) hold(joints, false);
  else if (p->code == 0x29 || p->code == 0x34) hold(joints, true);
  else if (p->code == 0x21 && p->length == 4)
    move(joints, p->data[0] - 1, number(p->data + 1) * DEGREE / 100, p->data[3]);
  else if (p->code == 0x22 && p->length == 13)
    for (int i = 0; i < JOINTS; i++) move(joints, i, number(p->data + 2 * i) * DEGREE / 100, p->data[12]);
  else if (p->code == 0x3A && p->length == 3) move(joints, p->data[0] - 1, rad_of(number(p->data + 1)), 100);
  else if (p->code == 0x3C && p->length == 13)
    for (int i = 0; i < JOINTS; i++) move(joints, i, rad_of(number(p->data + 2 * i)), p->data[12]);
  else return false;
  return true;
}

static void put(uint8_t *out, double value) {
  int rounded = (int)lround(value);
  out[0] = (uint8_t)(rounded >> 8);
  out[1] = (uint8_t)rounded;
}

/* What a question is answered with.  Return its bytes; -1: it is none. */
static int answer_of(const brio_joints *joints, const brio_packet *p, uint8_t *out) {
  int i = p->length > 0 ? p->data[0] - 1 : -1;
  switch (p->code) {
    case 0x12: case 0x51: out[0] = joints->shafts[0].torque; return 1;
    case 0x20:
      for (int k = 0; k < JOINTS; k++) put(out + 2 * k, joints->shafts[k].position / DEGREE * 100);
      return 12;
    case 0x27: out[0] = 0; return 1;
    case 0x2B: out[0] = is_moving(joints); return 1;
    case 0x3B:
      if (i < 0 || i >= JOINTS) return -1;
      put(out, 2048 + joints->shafts[i].position / DEGREE * 4096 / 360);
      return 2;
    case 0x3D:
      for (int k = 0; k < JOINTS; k++) put(out + 2 * k, 2048 + joints->shafts[k].position / DEGREE * 4096 / 360);
      return 12;
    case 0x40: out[0] = 50; return 1;
    case 0x50:
      if (i < 0 || i >= JOINTS) return -1;
      memcpy(out, (uint8_t[]){p->data[0], joints->shafts[i].torque}, 2);
      return 2;
    default: return -1;
  }
}

static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  brio_joints *joints = device;
  uint8_t out[16];
  if (!brio_joints_hear(joints, baud) || obey(joints, packet)) return;
  int length = answer_of(joints, packet, out);
  if (length >= 0) brio_joints_answer(line, -1, packet->code, out, length);
}

const brio_emulator_kind brio_emulator_mycobot = {
    .name = "mycobot",
    .alias = NULL,
    .doc = "myCobot 280, six joints.",
    .protocol = &brio_protocol_mycobot,
    .baud = 115200,
    .servos = 6,
    .commands = brio_joints_commands,
    .open = open_arm,
    .handle = handle,
    .step = brio_joints_step,
    .command = brio_joints_command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
