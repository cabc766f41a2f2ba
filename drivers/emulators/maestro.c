/* Pololu Maestro, emulated: hobby servos at its channels, which follow the pulses.  It reports the
** pulse that it sends, ramped by the channel's speed and acceleration.  Pulses are clamped to 500
** to 2500 us, as drivers of robots set the channels (factory setting: 992 to 2000 us).  Errors are
** kept until they are read.  "device 5" sets its device number, "timeout 0.5" its serial timeout in
** s, after which all channels go off.  With CRC enabled it is the kind maestro_crc. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/emulators/maestro.h"
#include "drivers/protocols/maestro.h"

/* Pulses in quarters of a microsecond. */
enum { CENTER = 6000, LEAST = 2000, MOST = 10000 /* quarter microseconds */, CHANNELS = 24 };
/* Bits of the error register. */
enum { CRC_ERROR = 8, PROTOCOL_ERROR = 16, TIMEOUT_ERROR = 32 };

static const double QUARTERS = 4 * 636.62;     /* per rad */
static const double SSC_STEP = 4 * 476.25 / 127; /* quarters of us per step of the Mini SSC protocol */
/* No limit of speed or acceleration. */
static const double FASTEST = 1e9;

extern const brio_protocol brio_protocol_maestro;

const char brio_maestro_commands[] =
    "device N        its device number (12)\n"
    "timeout S       its serial timeout: channels go off after silence; 0: never\n"
    "block ID        block a channel's shaft (again: release it)\n"
    "silence ID      the channel does not answer (again: it does)\n"
    "twin ID         a second board with this channel (again: removes it)\n"
    "error ID BITS   the board's error bits, such as 0x10\n"
    "power           lose power for a moment: all channels go off\n";

typedef struct channel {
  int target;               /* quarters of us; 0: no pulses */
  double pulse, rate;       /* present output: quarters of us, and per s */
  int speed, acceleration;  /* as set; 0: no limit */
} channel;

typedef struct board {
  brio_joints joints; /* must be first: a board is also a brio_joints */
  uint64_t faults[BRIO_NWIRE_FAULT]; /* line faults seen so far */
  int number, errors;
  double timeout, silence; /* s; 0: never */
  channel channels[CHANNELS];
} board;

/* Channels start at 0; the factory device number is 12. */
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

/* A target of 0 switches the channel off. */
static void set_target(board *self, int number, int quarters) {
  int i = brio_joints_find(&self->joints, number);
  if (i < 0) return;
  channel *c = &self->channels[i];
  /* The first pulse appears at once: there is nothing to ramp from. */
  bool began = c->target == 0 && quarters != 0;
  c->target = quarters == 0 ? 0 : quarters < LEAST ? LEAST : quarters > MOST ? MOST : quarters;
  if (quarters == 0) self->joints.at[i].shaft.torque = false;
  if (quarters == 0 || began || c->speed == 0) c->pulse = c->target; /* jump: there is no known start */
  if (quarters == 0 || began) c->rate = 0;
}

/* Advance a channel's pulse by `dt` s. */
static void ramp(channel *c, double dt) {
  assert(c->target >= LEAST && c->target <= MOST);
  double most = c->speed ? c->speed * 100 : FASTEST; /* unit: 0.25 us per 10 ms */
  /* unit: 0.25 us per 10 ms per 80 ms */
  double acceleration = c->acceleration ? c->acceleration * 1250 : FASTEST;
  /* Brake in time: v <= sqrt(2 a s), and v grows by a dt at most. */
  double away = c->target - c->pulse, side = away < 0 ? -1 : 1;
  double rate = fmin(most, sqrt(2 * acceleration * fabs(away)));
  rate = fmin(rate, fabs(c->rate) + acceleration * dt);
  double went = fmin(fabs(away), rate * dt);
  /* Never past the target. */
  c->rate = dt > 0 ? side * went / dt : 0;
  c->pulse += side * went;
}

/* Bytes that are no packets set the board's error bits. */
static void note_faults(board *self, const brio_wire_stream *stream) {
  if (stream->faults[BRIO_WIRE_CHECK] > self->faults[BRIO_WIRE_CHECK]) self->errors |= CRC_ERROR;
  if (stream->faults[BRIO_WIRE_CONTENT] > self->faults[BRIO_WIRE_CONTENT]) self->errors |= PROTOCOL_ERROR;
  memcpy(self->faults, stream->faults, sizeof self->faults);
}

/* After the serial timeout all channels go off. */
void brio_maestro_emulator_step(void *device, double dt, brio_emulator *line) {
  board *self = device;
  self->silence += dt;
  note_faults(self, brio_emulator_stream(line));
  /* It is reported once per silence. */
  if (self->timeout > 0 && self->silence > self->timeout) {
    self->errors |= TIMEOUT_ERROR;
    self->silence = 0;
    for (int i = 0; i < self->joints.count; i++) set_target(self, self->joints.at[i].id, 0);
  }
  /* The servos follow the pulses. */
  for (int i = 0; i < self->joints.count; i++) {
    channel *c = &self->channels[i];
    if (c->target == 0) continue;
    ramp(c, dt);
    brio_joints_move(&self->joints, i, (c->pulse - CENTER) / QUARTERS, 0);
  }
  brio_joints_step(device, dt, line);
}

/* A twin answers at the same moment with another value. */
static void answer(const board *self, brio_emulator *line, int i, int value, int count) {
  const uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8)}, other[] = {bytes[0] ^ 0x15, bytes[1]};
  brio_emulator_answer_bytes(line, bytes, count, 0.0001, false);
  if (i >= 0 && self->joints.at[i].twin) brio_emulator_answer_bytes(line, other, count, 0.0001, true);
}

/* 0 for a channel that is off. */
static void answer_position(const board *self, int number, brio_emulator *line) {
  int i = brio_joints_find(&self->joints, number);
  if (i >= 0) answer(self, line, i, self->channels[i].target ? (int)lround(self->channels[i].pulse) : 0, 2);
}

/* Moving: a pulse is not yet at its target. */
static bool is_moving(const board *self) {
  for (int i = 0; i < self->joints.count; i++)
    if (self->channels[i].target && fabs(self->channels[i].pulse - self->channels[i].target) > 0.5)
      return true;
  return false;
}

/* 87: speed, 89: acceleration; 7 bits per byte, low ones first. */
static void set_limit(board *self, const brio_packet *p) {
  int i = brio_joints_find(&self->joints, p->data[0]), value = p->data[1] | p->data[2] << 7;
  if (i >= 0 && p->code == 0x87) self->channels[i].speed = value;
  if (i >= 0 && p->code == 0x89) self->channels[i].acceleration = value & 0xFF;
}

/* Execute a command for this board.  Any command restarts the timeout. */
static void obey(board *self, const brio_packet *p, brio_emulator *line) {
  const uint8_t *data = p->data;
  /* FF: Mini SSC, 84: set target, 90: position, 93: moving, A1: read errors, AE: script, A2: go
  ** home, 9F: targets of consecutive channels. */
  self->silence = 0;
  switch (p->code) {
    case BRIO_MAESTRO_SSC: set_target(self, data[0], CENTER + (int)lround((data[1] - 127) * SSC_STEP)); break;
    case 0x84: set_target(self, data[0], data[1] | data[2] << 7); break;
    case 0x87: case 0x89: set_limit(self, p); break;
    case 0x90: answer_position(self, data[0], line); break;
    case 0x93: answer(self, line, -1, is_moving(self), 1); break;
    /* Add the error bits that were set by command; reading clears all. */
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
      /* home positions are off */
      for (int i = 0; i < self->joints.count; i++) set_target(self, self->joints.at[i].id, 0);
      break;
    case 0x9F:
      for (int k = 0; 2 * k + 3 < p->length; k++)
        set_target(self, data[1] + k, data[2 * k + 2] | data[2 * k + 3] << 7);
      break;
    default: break; /* PWM and scripts: not here */
  }
}

/* Without a device number a packet is for any board. */
void brio_maestro_emulator_handle(void *device, const brio_packet *p, int baud, brio_emulator *line) {
  board *self = device;
  if (!brio_joints_hear(&self->joints, baud) || (p->id >= 0 && p->id != self->number)) return;
  obey(self, p, line);
}

/* 12 is the factory number; the timeout is at most 655.35 s.  Other commands are those of joints. */
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
