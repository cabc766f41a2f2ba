/* LX-16A bus servos, emulated: moves in time, moves that wait for a start, turning like a wheel, limits and
** the like as the "Hiwonder Bus Servo Communication Protocol" says.  Only the question for the id is answered
** by all.  A servo that is too hot, or powered with a voltage beyond its limits, lets go. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/emulators/joints.h"

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
enum { OFFSET, LIMITS, VOLTAGES, HOTTEST, MODE, LED, LED_ERRORS, NKEPT };

static const double TURN = 240 * 3.141592653589793 / 180, WHEEL = 6.5 /* rad/s at full speed */, FAR = 1e6;

extern const brio_protocol brio_protocol_lx16a;

typedef struct servo {
  uint8_t move[4], later[4]; /* position and time: told last, told for later */
  uint8_t kept[NKEPT][4];    /* what is written and read back: see `stores` */
} servo;

typedef struct bus {
  brio_joints joints; /* first, so that a bus is joints */
  servo servos[BRIO_EMULATOR_SERVOS];
} bus;

/* Commands that write and read what a servo keeps. */
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

static void *open_bus(const brio_emulator_options *options, brio_error *err) {
  bus *self = brio_joints_open(options, sizeof *self, err);
  for (int i = 0; self && i < BRIO_EMULATOR_SERVOS; i++)
    for (size_t k = 0; k < sizeof stores / sizeof *stores; k++)
      memcpy(self->servos[i].kept[stores[k].slot], stores[k].initial, 4);
  return self;
}

static int number(const uint8_t *bytes) { return bytes[0] | bytes[1] << 8; }

static void start_move(bus *self, int i, const uint8_t *move) {
  const uint8_t *limits = self->servos[i].kept[LIMITS];
  int target = number(move);
  if (target < number(limits)) target = number(limits);
  if (target > number(limits + 2)) target = number(limits + 2);
  memcpy(self->servos[i].move, move, 4);
  brio_joints_move(&self->joints, i, (target - CENTER) * TURN / STEPS, number(move + 2) / 1000.0);
}

/* Turn like a wheel, or be a servo again. */
static void set_mode(bus *self, int i, const uint8_t *data) {
  brio_shaft *shaft = &self->joints.at[i].shaft;
  int speed = (int16_t)number(data + 2);
  shaft->target = shaft->position;
  if (data[0] != 1) return;
  shaft->torque = !self->joints.at[i].refuses;
  shaft->speed = fmin(1, abs(speed) / 1000.0) * WHEEL;
  if (speed != 0) shaft->target = speed > 0 ? FAR : -FAR;
}

/* Commands that do more than keep what they say.  `i` is the servo's number. */
static void act(bus *self, int i, const brio_packet *p) {
  brio_emulated_joint *joint = &self->joints.at[i];
  bool wheel = self->servos[i].kept[MODE][0] == 1;
  if (p->code == 1 && p->length == 4 && !wheel) start_move(self, i, p->data);
  else if (p->code == 7 && p->length == 4) memcpy(self->servos[i].later, p->data, 4);
  else if (p->code == 11 && p->length == 0 && !wheel) start_move(self, i, self->servos[i].later);
  else if (p->code == 12 && p->length == 0) joint->shaft.target = joint->shaft.position;
  else if (p->code == LOAD_SET && p->length == 1) brio_joints_hold(&self->joints, i, p->data[0] != 0);
  else if (p->code == ID_SET && p->length == 1 && p->data[0] < ALL) joint->id = p->data[0];
  else if (p->code == MODE_SET && p->length == 4) set_mode(self, i, p->data);
  else if (p->code == OFFSET_SET && p->length == 1)
    joint->shaft.position -= ((int8_t)p->data[0] - (int8_t)self->servos[i].kept[OFFSET][0]) * TURN / STEPS;
}

/* Where a servo says it is: a wheel's place goes round. */
static int position_of(const bus *self, int i) {
  double at = self->joints.at[i].shaft.position;
  if (self->servos[i].kept[MODE][0] == 1) at = remainder(at, 2 * 3.141592653589793);
  return CENTER + (int)lround(fmax(-2 * STEPS, fmin(2 * STEPS, at * STEPS / TURN)));
}

static int put(uint8_t *out, int value) {
  out[0] = (uint8_t)value;
  out[1] = (uint8_t)(value >> 8);
  return 2;
}

/* What a question is answered with.  Return its bytes; -1: it is no question. */
static int answer_of(bus *self, int i, int code, uint8_t *out) {
  const brio_emulated_joint *joint = &self->joints.at[i];
  for (size_t k = 0; k < sizeof stores / sizeof *stores; k++) {
    if (stores[k].read != code) continue;
    memcpy(out, self->servos[i].kept[stores[k].slot], 4);
    return stores[k].length;
  }
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

static void do_one(bus *self, int i, const brio_packet *p, brio_emulator *line) {
  uint8_t out[8];
  int id = self->joints.at[i].id;
  act(self, i, p);
  for (size_t k = 0; k < sizeof stores / sizeof *stores; k++)
    if (stores[k].write == p->code && stores[k].length == p->length)
      memcpy(self->servos[i].kept[stores[k].slot], p->data, (size_t)p->length);
  int length = p->length == 0 && (p->id != ALL || p->code == ID) ? answer_of(self, i, p->code, out) : -1;
  if (length >= 0) brio_joints_answer(&self->joints, i, line, id, p->code, out, length);
}

static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  bus *self = device;
  if (!brio_joints_hear(&self->joints, baud)) return;
  for (int i = 0; i < self->joints.count; i++) {
    brio_emulated_joint *joint = &self->joints.at[i];
    if (joint->silent || (packet->id != ALL && packet->id != joint->id)) continue;
    do_one(self, i, packet, line);
  }
}

/* Time passes; what is too hot or badly powered lets go. */
static void step(void *device, double dt, brio_emulator *line) {
  bus *self = device;
  brio_joints_step(device, dt, line);
  for (int i = 0; i < self->joints.count; i++) {
    const servo *one = &self->servos[i];
    double mv = 1000 * self->joints.voltage;
    bool hot = brio_joints_temperature(&self->joints, i) > one->kept[HOTTEST][0];
    bool powered = mv >= number(one->kept[VOLTAGES]) && mv <= number(one->kept[VOLTAGES] + 2);
    if (hot || !powered) self->joints.at[i].shaft.torque = false;
  }
}

/* Servos forget their mode when power is lost. */
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
