/* LX-16A bus servos, emulated: timed moves, moves that wait for a start, wheel mode, limits and
** settings as in the "Hiwonder Bus Servo Communication Protocol".  To the broadcast id only the id
** is answered.  A servo that is too hot, or whose voltage is out of range, releases. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/emulators/joints.h"

/* The broadcast id, and commands by number; position at 0 rad; steps of the range. */
enum {
  ALL = 254,
  ID_SET = 13,
  ID = 14,
  OFFSET_SET = 17,
  POSITION = 28,
  MODE_SET = 29,
  LOAD_SET = 31,
  CENTER = 500,
  STEPS = 1000
};
/* Settings that are kept. */
enum { OFFSET, LIMITS, VOLTAGES, HOTTEST, MODE, LED, LED_ERRORS, NKEPT };

/* The range is 240 degrees; a wheel turns towards a target far away. */
static const double TURN = 240 * 3.141592653589793 / 180, WHEEL = 6.5 /* rad/s at full speed */, FAR = 1e6;

extern const brio_protocol brio_protocol_lx16a;

typedef struct servo {
  uint8_t move[4], later[4]; /* position and duration: the last move, the waiting move */
  uint8_t kept[NKEPT][4];    /* settings, see `stores` */
} servo;

typedef struct bus {
  brio_joints joints; /* must be first: a bus is also a brio_joints */
  servo servos[BRIO_EMULATOR_SERVOS];
} bus;

/* Settings: the commands that write and read them, their slot, length and factory value. */
static const struct store {
  int write, read, slot, length;
  uint8_t initial[4];
} stores[] = {
    {OFFSET_SET, 19, OFFSET, 1, {0}},
    {20, 21, LIMITS, 4, {0, 0, STEPS & 0xFF, STEPS >> 8}},
    {22, 23, VOLTAGES, 4, {0x94, 0x11, 0xE0, 0x2E}}, /* 4.5 V to 12 V */
    {24, 25, HOTTEST, 1, {85}},
    {MODE_SET, 30, MODE, 4, {0}},
    {33, 34, LED, 1, {0}},
    {35, 36, LED_ERRORS, 1, {7}},
};

/* Every servo starts with the factory settings. */
static void *open_bus(const brio_emulator_options *options, brio_error *err) {
  bus *self = brio_joints_open(options, sizeof *self, err);
  for (int i = 0; self && i < BRIO_EMULATOR_SERVOS; i++)
    for (size_t k = 0; k < sizeof stores / sizeof *stores; k++)
      memcpy(self->servos[i].kept[stores[k].slot], stores[k].initial, 4);
  return self;
}

/* 16 bits, low byte first. */
static int number(const uint8_t *bytes) { return bytes[0] | bytes[1] << 8; }

/* Clamp the target to the angle limits; the duration is in ms. */
static void start_move(bus *self, int i, const uint8_t *move) {
  assert(i >= 0 && i < self->joints.count);
  const uint8_t *limits = self->servos[i].kept[LIMITS];
  int target = number(move);
  if (target < number(limits)) target = number(limits);
  if (target > number(limits + 2)) target = number(limits + 2);
  memcpy(self->servos[i].move, move, 4);
  brio_joints_move(&self->joints, i, (target - CENTER) * TURN / STEPS, number(move + 2) / 1000.0);
}

/* Switch to wheel mode (1) at a speed of -1000 to 1000, or back to position mode. */
static void set_mode(bus *self, int i, const uint8_t *data) {
  brio_shaft *shaft = &self->joints.at[i].shaft;
  int speed = (int16_t)number(data + 2);
  /* Stop where it is; a speed starts the motor again. */
  shaft->target = shaft->position;
  if (data[0] != 1) return;
  shaft->torque = !self->joints.at[i].refuses;
  shaft->speed = fmin(1, abs(speed) / 1000.0) * WHEEL;
  if (speed != 0) shaft->target = speed > 0 ? FAR : -FAR;
}

/* Commands that do more than store a setting.  `i`: the servo's index. */
static void act(bus *self, int i, const brio_packet *p) {
  brio_emulated_joint *joint = &self->joints.at[i];
  /* In wheel mode moves are ignored. */
  bool wheel = self->servos[i].kept[MODE][0] == 1;
  /* 1: move, 7: prepare a move, 11: start it, 12: stop. */
  if (p->code == 1 && p->length == 4 && !wheel) start_move(self, i, p->data);
  else if (p->code == 7 && p->length == 4) memcpy(self->servos[i].later, p->data, 4);
  else if (p->code == 11 && p->length == 0 && !wheel) start_move(self, i, self->servos[i].later);
  else if (p->code == 12 && p->length == 0) joint->shaft.target = joint->shaft.position;
  else if (p->code == LOAD_SET && p->length == 1) brio_joints_hold(&self->joints, i, p->data[0] != 0);
  else if (p->code == ID_SET && p->length == 1 && p->data[0] < ALL) joint->id = p->data[0];
  else if (p->code == MODE_SET && p->length == 4) set_mode(self, i, p->data);
  /* An offset shifts the measured position. */
  else if (p->code == OFFSET_SET && p->length == 1)
    joint->shaft.position -= ((int8_t)p->data[0] - (int8_t)self->servos[i].kept[OFFSET][0]) * TURN / STEPS;
}

/* Return the reported position.  That of a wheel wraps around. */
static int position_of(const bus *self, int i) {
  double at = self->joints.at[i].shaft.position;
  if (self->servos[i].kept[MODE][0] == 1) at = remainder(at, 2 * 3.141592653589793);
  /* The bound keeps the value within 16 bits. */
  return CENTER + (int)lround(fmax(-2 * STEPS, fmin(2 * STEPS, at * STEPS / TURN)));
}

/* 16 bits, low byte first.  Return the count of bytes. */
static int put(uint8_t *out, int value) {
  out[0] = (uint8_t)value;
  out[1] = (uint8_t)(value >> 8);
  return 2;
}

/* Write the answer to a question.  Return its length; -1: not a question. */
static int answer_of(bus *self, int i, int code, uint8_t *out) {
  const brio_emulated_joint *joint = &self->joints.at[i];
  /* Settings first. */
  for (size_t k = 0; k < sizeof stores / sizeof *stores; k++) {
    if (stores[k].read != code) continue;
    memcpy(out, self->servos[i].kept[stores[k].slot], 4);
    return stores[k].length;
  }
  /* 2, 8: moves; 26: temperature, degrees C; 27: voltage, mV; 32: torque. */
  switch (code) {
    case 2: memcpy(out, self->servos[i].move, 4); return 4;
    case 8: memcpy(out, self->servos[i].later, 4); return 4;
    case ID: out[0] = (uint8_t)joint->id; return 1;
    case 26: out[0] = (uint8_t)brio_joints_temperature(&self->joints, i); return 1;
    case 27: return put(out, (int)lround(1000 * self->joints.voltage));
    case POSITION: return put(out, position_of(self, i));
    case 32: out[0] = joint->shaft.torque; return 1;
    default: return -1;
  }
}

/* Act before the setting is stored: an offset needs the old one. */
static void do_one(bus *self, int i, const brio_packet *p, brio_emulator *line) {
  uint8_t out[8];
  int id = self->joints.at[i].id;
  act(self, i, p);
  /* Store settings, then answer questions, which have no data. */
  for (size_t k = 0; k < sizeof stores / sizeof *stores; k++)
    if (stores[k].write == p->code && stores[k].length == p->length)
      memcpy(self->servos[i].kept[stores[k].slot], p->data, (size_t)p->length);
  int length = p->length == 0 && (p->id != ALL || p->code == ID) ? answer_of(self, i, p->code, out) : -1;
  if (length >= 0) brio_joints_answer(&self->joints, i, line, id, p->code, out, length);
}

/* The broadcast id addresses all. */
static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  bus *self = device;
  if (!brio_joints_hear(&self->joints, baud)) return;
  for (int i = 0; i < self->joints.count; i++) {
    brio_emulated_joint *joint = &self->joints.at[i];
    if (joint->silent || (packet->id != ALL && packet->id != joint->id)) continue;
    do_one(self, i, packet, line);
  }
}

/* Let time pass.  A servo that is too hot, or out of its voltage range, releases. */
static void step(void *device, double dt, brio_emulator *line) {
  bus *self = device;
  brio_joints_step(device, dt, line);
  for (int i = 0; i < self->joints.count; i++) {
    const servo *one = &self->servos[i];
    /* Limits are those stored in the servo. */
    double mv = 1000 * self->joints.voltage;
    bool hot = brio_joints_temperature(&self->joints, i) > one->kept[HOTTEST][0];
    bool powered = mv >= number(one->kept[VOLTAGES]) && mv <= number(one->kept[VOLTAGES] + 2);
    if (hot || !powered) self->joints.at[i].shaft.torque = false;
  }
}

/* A power loss resets the mode. */
static int command(void *device, const char *const *words, int count, brio_text *out, brio_error *err) {
  bus *self = device;
  for (int i = 0; i < self->joints.count && strcmp(words[0], "power") == 0; i++)
    memset(self->servos[i].kept[MODE], 0, 4);
  return brio_joints_command(device, words, count, out, err);
}

const brio_emulator_kind brio_emulator_lx16a = {
    .name = "lx16a",
    .alias = "lewansoul",
    .doc = "LewanSoul LX-16A servos.",
    .protocol = &brio_protocol_lx16a,
    .baud = 115200,
    .servos = 6,
    .commands = brio_joints_commands,
    .open = open_bus,
    .handle = handle,
    .step = step,
    .command = command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
