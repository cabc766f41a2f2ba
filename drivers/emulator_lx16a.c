/* LX-16A bus servos, emulated: moves in time, moves that wait for a start, limits and the like as the
** "Hiwonder Bus Servo Communication Protocol" says.  Only the question for the id is answered by all. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/joints.h"

enum { ALL = 254, ID_WRITE = 13, ID_READ = 14, POSITION = 28, CENTER = 500, STEPS = 1000 };

static const double TURN = 240 * 3.141592653589793 / 180;

extern const brio_protocol brio_protocol_lx16a;

typedef struct servo {
  uint8_t move[4], later[4];         /* position and time: told last, told for later */
  uint8_t kept[5][4];                /* what is written and read back: see `stores` */
} servo;

typedef struct bus {
  brio_joints joints; /* first, so that a bus is joints */
  servo servos[BRIO_EMULATOR_SERVOS];
} bus;

/* Commands that write or read bytes which do nothing else here. */
static const struct store {
  int write, read, slot, length;
  uint8_t initial[4];
} stores[] = {
    {17, 19, 0, 1, {0}},
    {20, 21, 1, 4, {0, 0, STEPS & 0xFF, STEPS >> 8}},
    {22, 23, 2, 4, {0x94, 0x11, 0xE0, 0x2E}},
    {24, 25, 3, 1, {85}},
    {29, 30, 4, 4, {0}},
};

static void *open_bus(const brio_emulator_options *options, brio_error *err) {
  bus *self = brio_joints_open(options, err);
  bus *whole = self ? realloc(self, sizeof *whole) : NULL;
  if (self && !whole) brio_joints_close(self);
  if (!whole) return NULL;
  memset(whole->servos, 0, sizeof whole->servos);
  for (int i = 0; i < BRIO_EMULATOR_SERVOS; i++)
    for (size_t k = 0; k < sizeof stores / sizeof *stores; k++)
      memcpy(whole->servos[i].kept[stores[k].slot], stores[k].initial, 4);
  return whole;
}

static int number(const uint8_t *bytes) { return bytes[0] | bytes[1] << 8; }

static void start_move(bus *self, int i, const uint8_t *move) {
  const uint8_t *limits = self->servos[i].kept[1];
  int target = number(move);
  if (target < number(limits)) target = number(limits);
  if (target > number(limits + 2)) target = number(limits + 2);
  memcpy(self->servos[i].move, move, 4);
  brio_joints_move(&self->joints, i, (target - CENTER) * TURN / STEPS, number(move + 2) / 1000.0);
}

/* Commands that move or hold.  Return whether it was one. */
static bool act(bus *self, int i, const brio_packet *p) {
  brio_shaft *shaft = &self->joints.shafts[i];
  if (p->code == 1 && p->length == 4) start_move(self, i, p->data);
  else if (p->code == 7 && p->length == 4) memcpy(self->servos[i].later, p->data, 4);
  else if (p->code == 11) start_move(self, i, self->servos[i].later);
  else if (p->code == 12) shaft->target = shaft->position;
  else if (p->code == 31 && p->length == 1) shaft->torque = p->data[0] != 0;
  else if (p->code == ID_WRITE && p->length == 1 && p->data[0] < ALL) self->joints.ids[i] = p->data[0];
  else return false;
  return true;
}

/* What a question is answered with.  Return its bytes; -1: it is no question. */
static int answer_of(bus *self, int i, int code, uint8_t *out) {
  const brio_shaft *shaft = &self->joints.shafts[i];
  int position = CENTER + (int)lround(shaft->position * STEPS / TURN);
  for (size_t k = 0; k < sizeof stores / sizeof *stores; k++) {
    if (stores[k].read != code) continue;
    memcpy(out, self->servos[i].kept[stores[k].slot], 4);
    return stores[k].length;
  }
  switch (code) {
    case 2: memcpy(out, self->servos[i].move, 4); return 4;
    case 8: memcpy(out, self->servos[i].later, 4); return 4;
    case ID_READ: out[0] = (uint8_t)self->joints.ids[i]; return 1;
    case 26: out[0] = 35; return 1;
    case 27: memcpy(out, (uint8_t[]){0xE8, 0x1C}, 2); return 2; /* 7.4 V */
    case POSITION: memcpy(out, (uint8_t[]){(uint8_t)position, (uint8_t)(position >> 8)}, 2); return 2;
    case 32: out[0] = shaft->torque; return 1;
    case 34: out[0] = 0; return 1;
    case 36: out[0] = 7; return 1;
    default: return -1;
  }
}

static void do_one(bus *self, int i, const brio_packet *p, brio_emulator *line) {
  uint8_t out[8];
  if (act(self, i, p)) return;
  for (size_t k = 0; k < sizeof stores / sizeof *stores; k++)
    if (stores[k].write == p->code && stores[k].length == p->length)
      memcpy(self->servos[i].kept[stores[k].slot], p->data, (size_t)p->length);
  int length = p->length == 0 && (p->id != ALL || p->code == ID_READ) ? answer_of(self, i, p->code, out) : -1;
  if (length >= 0) brio_joints_answer(line, self->joints.ids[i], p->code, out, length);
}

static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  bus *self = device;
  if (!brio_joints_hear(&self->joints, baud)) return;
  for (int i = 0; i < self->joints.count; i++) {
    if (self->joints.silent[i] || (packet->id != ALL && packet->id != self->joints.ids[i])) continue;
    do_one(self, i, packet, line);
  }
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
    .step = brio_joints_step,
    .command = brio_joints_command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
