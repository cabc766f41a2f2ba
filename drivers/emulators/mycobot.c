/* myCobot 280, emulated: six joints, set and read by angles or encoders; coordinates that are
** merely scaled joint angles (there is no kinematics here); gripper, light, power, limits and
** errors.  Like the arm, it does not answer commands. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "drivers/emulators/joints.h"

/* The gripper is the joint after the six of the arm. */
enum { JOINTS = 6, GRIPPER = JOINTS, PARTS = JOINTS + 1, LIMIT = 1680 /* tenths of a degree */ };

static const double DEGREE = 3.141592653589793 / 180, FULL_SPEED = 2.79,
                    OPENING = 1 /* of the gripper, in rad */;

extern const brio_protocol brio_protocol_mycobot;

typedef struct arm {
  brio_joints joints; /* must be first: an arm is also a brio_joints; the last joint is the gripper */
  int lowest[JOINTS], highest[JOINTS]; /* tenths of a degree */
  int speed, fresh, paused, free_mode, error;
  uint8_t color[3];
} arm;

/* The arm always has six joints and a gripper. */
static void *open_arm(const brio_emulator_options *options, brio_error *err) {
  brio_emulator_options whole = *options;
  whole.servos = PARTS;
  if (options->servos != JOINTS) {
    brio_fail(err, BRIO_MISUSE, "the arm has %d joints, not %d", JOINTS, options->servos);
    return NULL;
  }
  whole.first_id = 1;
  arm *self = brio_joints_open(&whole, sizeof *self, err);
  if (!self) return NULL;
  /* As out of the box. */
  self->speed = 50;
  self->joints.voltage = 7.5;
  for (int i = 0; i < JOINTS; i++) {
    self->highest[i] = LIMIT;
    self->lowest[i] = -LIMIT;
  }
  return self;
}

/* 16 bits with sign, high byte first. */
static int number(const uint8_t *bytes) { return (int16_t)(bytes[0] << 8 | bytes[1]); }

/* 4096 counts per turn, 2048 at 0 rad. */
static double rad_of(int encoder) { return (encoder - 2048) * 360 * DEGREE / 4096; }

/* Move a joint at a speed of 1 to 100 percent.  A target beyond its limits is refused and sets the
** error. */
static void move(arm *self, int i, double target, int speed) {
  brio_joints *joints = &self->joints;
  /* Paused or silent joints do not move. */
  if (i < 0 || i >= JOINTS || joints->at[i].silent || self->paused) return;
  /* The tolerance covers rounding of targets at a limit. */
  if (target > self->highest[i] * DEGREE / 10 + 1e-3 || target < self->lowest[i] * DEGREE / 10 - 1e-3) {
    self->error = i + 1;
    return;
  }
  /* Duration = distance / speed. */
  double share = (speed < 1 ? 1 : speed > 100 ? 100 : speed) / 100.0;
  brio_joints_move(joints, i, target, fabs(target - joints->at[i].shaft.position) / (FULL_SPEED * share));
}

/* Joints that do not exist are ignored. */
static void hold(arm *self, int i, bool on) {
  if (i >= 0 && i < JOINTS) brio_joints_hold(&self->joints, i, on);
}

/* Switch the torque of all joints. */
static void hold_all(arm *self, bool on) {
  for (int i = 0; i < JOINTS; i++) hold(self, i, on);
}

/* The gripper opens from 0 to 100. */
static void grip(arm *self, int value, int speed) {
  double target = (value > 100 ? 100 : value) / 100.0 * OPENING;
  brio_joints_move(&self->joints, GRIPPER, target,
                   fabs(target - self->joints.at[GRIPPER].shaft.position) * 100 / (speed < 1 ? 1 : speed));
}

/* The substitute for coordinates, in units of the wire: tenths of mm for x, y, z, hundredths of a
** degree for the rest. */
static double coordinate(const arm *self, int i) {
  assert(i >= 0 && i < JOINTS);
  double degrees = self->joints.at[i].shaft.position / DEGREE;
  return i < 3 ? 10 * degrees : 100 * degrees;
}

/* Move towards a new value of one coordinate of the tool. */
static void set_coordinate(arm *self, int i, int value, int speed) {
  move(self, i, value * DEGREE / (i < 3 ? 10 : 100), speed);
}

/* Execute a command that moves.  Return false if it is none. */
static bool obey_move(arm *self, const brio_packet *p) {
  /* 21, 22: angles of one and all joints; 24, 25: coordinates; 3A, 3C: encoders; 66, 67: gripper. */
  const uint8_t *data = p->data;
  if (p->code == 0x21 && p->length == 4) move(self, data[0] - 1, number(data + 1) * DEGREE / 100, data[3]);
  else if (p->code == 0x22 && p->length == 13)
    for (int i = 0; i < JOINTS; i++) move(self, i, number(data + 2 * i) * DEGREE / 100, data[12]);
  else if (p->code == 0x24 && p->length == 4 && data[0] >= 1 && data[0] <= JOINTS)
    set_coordinate(self, data[0] - 1, number(data + 1), data[3]);
  else if (p->code == 0x25 && p->length >= 13)
    for (int i = 0; i < JOINTS; i++) set_coordinate(self, i, number(data + 2 * i), data[12]);
  else if (p->code == 0x3A && p->length == 3) move(self, data[0] - 1, rad_of(number(data + 1)), 100);
  else if (p->code == 0x3C && p->length == 13)
    for (int i = 0; i < JOINTS; i++) move(self, i, rad_of(number(data + 2 * i)), data[12]);
  else if (p->code == 0x66 && p->length >= 2) grip(self, data[0] ? 0 : 100, data[1]);
  else if (p->code == 0x67 && p->length >= 2) grip(self, data[0], data[1]);
  else return false;
  return true;
}

/* Execute a command that sets something.  Return false if it is none, and moves nothing. */
static bool obey(arm *self, const brio_packet *p) {
  const uint8_t *data = p->data;
  int joint = p->length > 0 ? data[0] - 1 : -1;
  /* 10: power on; 11, 13: off; 29, 34: stop; 08: clear the error; 1A: free mode; 26, 28: pause,
  ** resume. */
  if (p->code == 0x10) hold_all(self, true);
  else if (p->code == 0x11 || p->code == 0x13) hold_all(self, false);
  else if (p->code == 0x29 || p->code == 0x34) hold_all(self, true);
  else if (p->code == 0x08) self->error = 0;
  else if (p->code == 0x16 && p->length == 1) self->fresh = data[0];
  else if (p->code == 0x1A && p->length == 1) hold_all(self, !(self->free_mode = data[0] != 0));
  else if (p->code == 0x26) hold_all(self, (self->paused = true));
  else if (p->code == 0x28) self->paused = false;
  /* 41: speed; 4C, 4D: limits of a joint; 56, 57: release and focus one; 6A: color of the light. */
  else if (p->code == 0x41 && p->length == 1) self->speed = data[0];
  else if ((p->code == 0x4C || p->code == 0x4D) && p->length == 3 && joint >= 0 && joint < JOINTS)
    (p->code == 0x4C ? self->lowest : self->highest)[joint] = number(data + 1);
  else if ((p->code == 0x56 || p->code == 0x57) && p->length == 1) hold(self, joint, p->code == 0x57);
  else if (p->code == 0x6A && p->length == 3) memcpy(self->color, data, 3);
  else return obey_move(self, p);
  return true;
}

/* 16 bits with sign, high byte first, saturated. */
static int put(uint8_t *out, double value) {
  int rounded = (int)lround(fmax(-32768, fmin(32767, value)));
  out[0] = (uint8_t)(rounded >> 8);
  out[1] = (uint8_t)rounded;
  return 2;
}

/* Power is on if every joint holds. */
static bool all_hold(const arm *self) {
  bool all = true;
  for (int i = 0; i < JOINTS; i++) all = all && self->joints.at[i].shaft.torque;
  return all;
}

/* Write the answer to a question about the arm or all joints.  Return its length; -1: not a
** question. */
static int answer_of(const arm *self, int code, uint8_t *out) {
  /* Answers of one byte, by command. */
  const brio_emulated_joint *at = self->joints.at;
  const int flags[][2] = {{0x07, self->error},
                          {0x12, all_hold(self)},
                          {0x14, 1},
                          {0x17, self->fresh},
                          {0x1B, self->free_mode},
                          {0x27, self->paused},
                          {0x2B, brio_joints_moving(&self->joints)},
                          {0x40, self->speed},
                          {0x51, all_hold(self)},
                          {0x65, (int)lround(at[GRIPPER].shaft.position / OPENING * 100)},
                          {0x69, fabs(at[GRIPPER].shaft.velocity) > 0.01}};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (flags[k][0] == code) return out[0] = (uint8_t)flags[k][1], 1;
  /* Answers with a value per joint. */
  int length = 0;
  for (int i = 0; i < JOINTS; i++) {
    double degrees = at[i].shaft.position / DEGREE;
    switch (code) {
      case 0x15: out[length++] = at[i].error ? 3 : 0; break; /* bit flags: a servo is not well */
      case 0x20: length += put(out + length, degrees * 100); break;
      case 0x23: length += put(out + length, coordinate(self, i)); break;
      case 0x3D: length += put(out + length, 2048 + degrees * 4096 / 360); break;
      case 0xE1: length += put(out + length, at[i].shaft.velocity / DEGREE * 4096 / 360); break;
      case 0xE3: out[length++] = (uint8_t)lround(10 * self->joints.voltage); break;
      case 0xE4: out[length++] = (uint8_t)at[i].error; break;
      case 0xE5: out[length++] = (uint8_t)brio_joints_temperature(&self->joints, i); break;
      default: return -1;
    }
  }
  /* The robot's own error follows those of the servos. */
  if (code == 0x15) out[length++] = 0;
  return length;
}

/* The same for a question about one joint. */
static int answer_one(const arm *self, const brio_packet *p, uint8_t *out) {
  int i = p->data[0] - 1;
  if (p->length != 1 || i < 0 || i >= JOINTS) return -1;
  const brio_shaft *shaft = &self->joints.at[i].shaft;
  /* The answer starts with the joint's number, except for the encoder. */
  out[0] = p->data[0];
  switch (p->code) {
    case 0x3B: return put(out, 2048 + shaft->position / DEGREE * 4096 / 360);
    case 0x4A: return 1 + put(out + 1, self->lowest[i]);
    case 0x4B: return 1 + put(out + 1, self->highest[i]);
    case 0x50: return out[1] = shaft->torque, 2;
    default: return -1;
  }
}

/* Answer 1 if all joints are at their targets within 1 degree (or 10 mm): angles, or coordinates. */
static int answer_there(const arm *self, const brio_packet *p, uint8_t *out) {
  out[0] = 1;
  for (int i = 0; i < JOINTS; i++) {
    double now = p->data[12] ? coordinate(self, i) : self->joints.at[i].shaft.position / DEGREE * 100;
    if (fabs(now - number(p->data + 2 * i)) > 100) out[0] = 0;
  }
  return 1;
}

/* Commands are not answered; questions differ from them in length. */
static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  arm *self = device;
  uint8_t out[32];
  if (!brio_joints_hear(&self->joints, baud) || obey(self, packet)) return;
  int length = packet->code == 0x2A && packet->length == 13 ? answer_there(self, packet, out)
               : packet->length == 0                        ? answer_of(self, packet->code, out)
                                                            : answer_one(self, packet, out);
  if (length >= 0) brio_joints_answer(&self->joints, 0, line, -1, packet->code, out, length);
}

const brio_emulator_kind brio_emulator_mycobot = {
    .name = "mycobot",
    .alias = NULL,
    .doc = "myCobot 280, six joints, gripper and light.",
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
