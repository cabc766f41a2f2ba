/* Pololu Maestro, emulated: hobby servos at its channels, which follow the pulses; what it reports is the
** pulse that it sends out, ramped by the speed and acceleration set for the channel.  What is beyond the
** channel's range is clamped (as the board leaves the factory: 992 to 2000 us; here 500 to 2500, as drivers
** of robots set them).  Errors are kept until they are asked for.
**
** "device 5" sets its device number, "timeout 0.5" its serial timeout in s, after which all channels go off.
** A board with its CRC enabled is the kind maestro_crc. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/emulators/maestro.h"
#include "drivers/protocols/maestro.h"

enum { CENTER = 6000, LEAST = 2000, MOST = 10000 /* quarter microseconds */, CHANNELS = 24 };
enum { CRC_ERROR = 8, PROTOCOL_ERROR = 16, TIMEOUT_ERROR = 32 };

static const double QUARTERS = 4 * 636.62;     /* for a rad */
static const double SSC_STEP = 4 * 476.25 / 127; /* quarters of us */
static const double FASTEST = 1e9;

extern const brio_protocol brio_protocol_maestro;

const char brio_maestro_commands[] =
    "device N        its device number (12)\n"
    "timeout S       its serial timeout: channels go off after silence; 0: never\n"
    "block ID        hold a channel's shaft (again: let go)\n"
    "silence ID      the channel is not answered for (again: it is)\n"
    "twin ID         a second board that answers for it (again: it is gone)\n"
    "error ID BITS   the board's error bits, such as 0x10\n"
    "power           lose power for a moment: all channels go off\n";

typedef struct channel {
  int target;               /* quarters of us; 0: no pulses */
  double pulse, rate;       /* quarters of us, and per s: what is sent out now */
  int speed, acceleration;  /* as told; 0: no limit */
} channel;

typedef struct board {
  brio_joints joints; /* first, so that a board is joints */
  uint64_t faults[BRIO_NWIRE_FAULT]; /* of the line, as known */
  int number, errors;
  double timeout, silence; /* s; 0: never */
  channel channels[CHANNELS];
} board;

void *brio_maestro_emulator_open(const brio_emulator_options *options, brio_error *err) {
  brio_emulator_options from_zero = *options;
  from_zero.first_id = 0; /* channels, not ids */
  if (options->servos > CHANNELS) {
    brio_fail(err, BRIO_MISUSE, "a Maestro has at most %d channels, not %d", CHANNELS, options->servos);
    return NULL;
  }
  board *self = brio_joints_open(&from_zero, sizeof *self, err);
  if (self) self->number = 12;
  return self;
}

static void set_target(board *self, int number, int quarters) {
  int i = brio_joints_find(&self->joints, number);
  if (i < 0) return;
  channel *c = &self->channels[i];
  bool began = c->target == 0 && quarters != 0;
  c->target = quarters == 0 ? 0 : quarters < LEAST ? LEAST : quarters > MOST ? MOST : quarters;
  if (quarters == 0) self->joints.at[i].shaft.torque = false;
  if (quarters == 0 || began || c->speed == 0) c->pulse = c->target; /* nothing is known to begin at */
  if (quarters == 0 || began) c->rate = 0;
}

/* Let a channel's pulse move for `dt` s. */
static void ramp(channel *c, double dt) {
  double most = c->speed ? c->speed * 100 : FASTEST; /* 0.25 us in 10 ms */
  double acceleration = c->acceleration ? c->acceleration * 1250 : FASTEST; /* that in 80 ms */
  double away = c->target - c->pulse, side = away < 0 ? -1 : 1;
  double rate = fmin(most, sqrt(2 * acceleration * fabs(away)));
  rate = fmin(rate, fabs(c->rate) + acceleration * dt);
  double went = fmin(fabs(away), rate * dt);
  c->rate = dt > 0 ? side * went / dt : 0;
  c->pulse += side * went;
}

/* Bytes that are no packets are errors that the board tells. */
static void note_faults(board *self, const brio_wire_stream *stream) {
  if (stream->faults[BRIO_WIRE_CHECK] > self->faults[BRIO_WIRE_CHECK]) self->errors |= CRC_ERROR;
  if (stream->faults[BRIO_WIRE_CONTENT] > self->faults[BRIO_WIRE_CONTENT]) self->errors |= PROTOCOL_ERROR;
  memcpy(self->faults, stream->faults, sizeof self->faults);
}

void brio_maestro_emulator_step(void *device, double dt, brio_emulator *line) {
  board *self = device;
  self->silence += dt;
  note_faults(self, brio_emulator_stream(line));
  if (self->timeout > 0 && self->silence > self->timeout) {
    self->errors |= TIMEOUT_ERROR;
    self->silence = 0;
    for (int i = 0; i < self->joints.count; i++) set_target(self, self->joints.at[i].id, 0);
  }
  for (int i = 0; i < self->joints.count; i++) {
    channel *c = &self->channels[i];
    if (c->target == 0) continue;
    ramp(c, dt);
    brio_joints_move(&self->joints, i, (c->pulse - CENTER) / QUARTERS, 0);
  }
  brio_joints_step(device, dt, line);
}

static void answer(const board *self, brio_emulator *line, int i, int value, int count) {
  const uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8)}, other[] = {bytes[0] ^ 0x15, bytes[1]};
  brio_emulator_answer_bytes(line, bytes, count, 0.0001, false);
  if (i >= 0 && self->joints.at[i].twin) brio_emulator_answer_bytes(line, other, count, 0.0001, true);
}

static void answer_position(const board *self, int number, brio_emulator *line) {
  int i = brio_joints_find(&self->joints, number);
  if (i >= 0) answer(self, line, i, self->channels[i].target ? (int)lround(self->channels[i].pulse) : 0, 2);
}

static bool is_moving(const board *self) {
  for (int i = 0; i < self->joints.count; i++)
    if (self->channels[i].target && fabs(self->channels[i].pulse - self->channels[i].target) > 0.5)
      return true;
  return false;
}

static void set_limit(board *self, const brio_packet *p) {
  int i = brio_joints_find(&self->joints, p->data[0]), value = p->data[1] | p->data[2] << 7;
  if (i >= 0 && p->code == 0x87) self->channels[i].speed = value;
  if (i >= 0 && p->code == 0x89) self->channels[i].acceleration = value & 0xFF;
}

/* Carry out a packet that is for this board. */
static void obey(board *self, const brio_packet *p, brio_emulator *line) {
  const uint8_t *data = p->data;
  self->silence = 0;
  switch (p->code) {
    case BRIO_MAESTRO_SSC: set_target(self, data[0], CENTER + (int)lround((data[1] - 127) * SSC_STEP)); break;
    case 0x84: set_target(self, data[0], data[1] | data[2] << 7); break;
    case 0x87: case 0x89: set_limit(self, p); break;
    case 0x90: answer_position(self, data[0], line); break;
    case 0x93: answer(self, line, -1, is_moving(self), 1); break;
    case 0xA1:
      for (int i = 0; i < self->joints.count; i++) {
        self->errors |= self->joints.at[i].error;
        self->joints.at[i].error = 0;
      }
      answer(self, line, -1, self->errors, 2);
      self->errors = 0;
      break;
    case 0xAE: answer(self, line, -1, 1, 1); break; /* no script runs */
    case 0xA2:
      /* home is off */
      for (int i = 0; i < self->joints.count; i++) set_target(self, self->joints.at[i].id, 0);
      break;
    case 0x9F:
      for (int k = 0; 2 * k + 3 < p->length; k++)
        set_target(self, data[1] + k, data[2 * k + 2] | data[2 * k + 3] << 7);
      break;
    default: break; /* PWM and scripts: not here */
  }
}

void brio_maestro_emulator_handle(void *device, const brio_packet *p, int baud, brio_emulator *line) {
  board *self = device;
  if (!brio_joints_hear(&self->joints, baud) || (p->id >= 0 && p->id != self->number)) return;
  obey(self, p, line);
}

int brio_maestro_emulator_command(void *device, const char *const *words, int count, brio_text *out,
                                  brio_error *err) {
  board *self = device;
  double value = count == 2 ? strtod(words[1], NULL) : 0;
  if (strcmp(words[0], "device") == 0) self->number = (int)value & 0x7F;
  else if (strcmp(words[0], "timeout") == 0) self->timeout = fmax(0, fmin(655.35, value));
  else {
    for (int i = 0; i < CHANNELS && strcmp(words[0], "power") == 0; i++) self->channels[i] = (channel){0};
    return brio_joints_command(device, words, count, out, err);
  }
  brio_text_format(out, "%s is %g\n", words[0], value);
  return 1;
}

const brio_emulator_kind brio_emulator_maestro = {
    .name = "maestro",
    .alias = "pololu",
    .doc = "Pololu Maestro with hobby servos, channels from 0.",
    .protocol = &brio_protocol_maestro,
    .baud = 115200,
    .servos = 6,
    .commands = brio_maestro_commands,
    .open = brio_maestro_emulator_open,
    .handle = brio_maestro_emulator_handle,
    .step = brio_maestro_emulator_step,
    .command = brio_maestro_emulator_command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
