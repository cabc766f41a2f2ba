/* A hobby servo board with the line protocol, emulated: the behavior of drivers/arduino/brio_servo,
** with the grammar of docs/devices/line-protocol.md.  Pulses move as the sketch moves them, and the
** servos follow.  "analog 0 512" sets an input. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/emulators/joints.h"

/* Pulses in us; channels; inputs and their full scale; bytes of an answer. */
enum { CENTER = 1500, LEAST = 500, MOST = 2500, CHANNELS = 16, INPUTS = 4, FULL_SCALE = 1023, ANSWER = 200 };
/* Results of a line: the numbers of the protocol's errors. */
enum { DONE, NO_LINE, NO_NUMBER, NO_CHANNEL, BEYOND };
/* Flags of the status: it has started; its watchdog has released channels. */
enum { STARTED = 1, LET_GO = 2 };

static const double PULSE = 636.62; /* us per rad */

extern const brio_protocol brio_protocol_line;

/* A pulse on its way from `from` to `to`. */
typedef struct channel {
  double from, to, went, seconds; /* us; s */
  int least, most;
  bool sends;
} channel;

typedef struct board {
  brio_joints joints; /* must be first: a board is also a brio_joints */
  int id, flags, refused, new_baud;
  uint64_t spoiled;   /* line faults at the last status request */
  double silence, patience;
  int inputs[INPUTS];
  channel channels[CHANNELS];
} board;

/* Channels start at 0; an id above 1 is the board's number on a shared line. */
static void *open_board(const brio_emulator_options *options, brio_error *err) {
  brio_emulator_options from_zero = *options;
  from_zero.first_id = 0; /* channels, not ids */
  if (options->servos > CHANNELS) {
    brio_fail(err, BRIO_MISUSE, "a board has at most %d channels, not %d", CHANNELS, options->servos);
    return NULL;
  }
  board *self = brio_joints_open(&from_zero, sizeof *self, err);
  if (!self) return NULL;
  /* As after a reset: all channels off, limits of the sketch. */
  self->flags = STARTED;
  self->id = options->first_id > 1 ? options->first_id : 0;
  for (int i = 0; i < CHANNELS; i++) {
    self->channels[i].least = LEAST;
    self->channels[i].most = MOST;
  }
  return self;
}

/* ---- pulses ---- */

/* Linear interpolation over the move's duration, us; 0: off. */
static double pulse_of(const channel *c) {
  if (!c->sends) return 0;
  return c->went >= c->seconds ? c->to : c->from + (c->to - c->from) * c->went / c->seconds;
}

/* No pulses, so no torque. */
static void release(board *self, int i) {
  self->channels[i].sends = false;
  self->joints.at[i].shaft.torque = false;
}

/* When the watchdog expires all channels go off. */
static void step(void *device, double dt, brio_emulator *line) {
  board *self = device;
  assert(self->joints.count >= 0 && self->joints.count <= CHANNELS);
  self->silence += dt;
  bool late = self->patience > 0 && self->silence > self->patience;
  for (int i = 0; i < self->joints.count; i++) {
    /* Advance the pulse; when the watchdog has expired, end it. */
    channel *c = &self->channels[i];
    c->went += dt;
    if (late && c->sends) self->flags |= LET_GO;
    if (late) release(self, i);
    /* The servo follows the pulse. */
    if (c->sends) brio_joints_move(&self->joints, i, (pulse_of(c) - CENTER) / PULSE, 0);
  }
  brio_joints_step(device, dt, line);
}

/* ---- lines ---- */

/* An action on a channel and its numbers.  `doing`: carry it out; otherwise only check. */
typedef int action(board *self, const long *numbers, bool doing, double seconds);

/* Start from the pulse at present, or jump where there was none. */
static int set_pulse(board *self, const long *numbers, bool doing, double seconds) {
  channel *c = &self->channels[numbers[0]];
  if (numbers[1] < c->least || numbers[1] > c->most) return BEYOND;
  if (!doing) return DONE;
  /* The move starts where the pulse is now; seconds = 0 jumps. */
  c->from = c->sends ? pulse_of(c) : (double)numbers[1];
  c->to = (double)numbers[1];
  c->went = 0;
  c->seconds = seconds;
  c->sends = true;
  return DONE;
}

/* 0 switches a channel off; its next pulse switches it on. */
static int set_output(board *self, const long *numbers, bool doing, double seconds) {
  (void)seconds;
  if (doing && numbers[1] == 0) release(self, (int)numbers[0]);
  return DONE;
}

/* Limits must be ordered and within those of the sketch. */
static int set_limits(board *self, const long *numbers, bool doing, double seconds) {
  (void)seconds;
  if (numbers[1] < LEAST || numbers[2] > MOST || numbers[1] >= numbers[2]) return BEYOND;
  if (!doing) return DONE;
  self->channels[numbers[0]].least = (int)numbers[1];
  self->channels[numbers[0]].most = (int)numbers[2];
  return DONE;
}

/* Read a number that a space or the end follows.  Return false if there is none. */
static bool read_number(const char **text, long *value) {
  char *end;
  *value = strtol(*text, &end, 10);
  if (end == *text || (*end && *end != ' ')) return false;
  *text = end;
  return true;
}

/* Whether only spaces remain. */
static bool at_end(const char *text) { return text[strspn(text, " ")] == 0; }

/* Run an action on each group of a channel and `more` numbers.  All groups are checked before the
** first is carried out. */
static int each_group(board *self, const char *text, int more, action *act, double seconds) {
  for (int doing = 0; doing < 2; doing++) {
    for (const char *at = text; !at_end(at);) {
      long numbers[3] = {0};
      for (int k = 0; k <= more; k++)
        if (!read_number(&at, &numbers[k])) return NO_NUMBER;
      if (numbers[0] < 0 || numbers[0] >= self->joints.count) return NO_CHANNEL;
      /* A silent channel does not exist. */
      int result = self->joints.at[numbers[0]].silent ? NO_CHANNEL : act(self, numbers, doing, seconds);
      if (result != DONE) return result;
    }
  }
  return DONE;
}

/* A line of one number within a range. */
static int one_number(const char *text, long least, long most, long *value) {
  if (!read_number(&text, value) || !at_end(text)) return NO_NUMBER;
  return *value < least || *value > most ? BEYOND : DONE;
}

/* Carry out a line by its letter.  P: pulses, M: timed pulses, O: output, L: limits, T: watchdog,
** N: number, B: baud rate. */
static int do_line(board *self, int letter, const char *text) {
  long value = 0;
  int result = NO_LINE;
  /* M starts with the duration, ms. */
  if (letter == 'M' && (!read_number(&text, &value) || value < 0 || value > 60000)) return NO_NUMBER;
  if (letter == 'P' || letter == 'M') return each_group(self, text, 1, set_pulse, (double)value / 1000);
  if (letter == 'O') return each_group(self, text, 1, set_output, 0);
  if (letter == 'L') return each_group(self, text, 2, set_limits, 0);
  if (letter == 'T' && (result = one_number(text, 0, 60000, &value)) == DONE)
    self->patience = (double)value / 1000;
  if (letter == 'N' && (result = one_number(text, 0, 127, &value)) == DONE) self->id = (int)value;
  if (letter == 'B' && (result = one_number(text, 9600, 1000000, &value)) == DONE)
    self->new_baud = (int)value;
  return result;
}

/* Append a number to an answer. */
static int add(char *out, int length, int value) {
  assert(length >= 0 && length < ANSWER);
  return length + snprintf(out + length, (size_t)(ANSWER - length), " %d", value);
}

/* Bad lines, as counted by the decoder of the line. */
static uint64_t faults_of(const brio_emulator *line) {
  return brio_emulator_stream(line)->faults[BRIO_WIRE_CHECK] +
         brio_emulator_stream(line)->faults[BRIO_WIRE_CONTENT];
}

/* Write the answer to a question.  Return its length; -1: not a question. */
static int answer_of(board *self, int letter, const brio_emulator *line, char *out) {
  /* V: version, R: pulses, I: inputs, L: limits, S: status, which it clears. */
  int length = 0, channels = self->joints.count;
  switch (letter) {
    case 'V': return snprintf(out, ANSWER, " brio-servo 2 %d %d %d", channels, INPUTS, self->id);
    case 'R':
      for (int i = 0; i < channels; i++) length = add(out, length, (int)lround(pulse_of(&self->channels[i])));
      return length;
    case 'I':
      for (int i = 0; i < INPUTS; i++) length = add(out, length, self->inputs[i]);
      return length;
    case 'L':
      for (int i = 0; i < channels; i++)
        length = add(out, add(out, length, self->channels[i].least), self->channels[i].most);
      return length;
    case 'S':
      length = add(out, add(out, add(out, 0, self->flags), (int)(faults_of(line) - self->spoiled)),
                   self->refused);
      self->flags = self->refused = 0;
      self->spoiled = faults_of(line);
      return length;
    default: return -1;
  }
}

/* A line for another board is ignored, one at a wrong rate is not understood. */
static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  static const char *const reasons[] = {"", "no such line", "a number is missing or wrong", "no such channel",
                                        "beyond its limits"};
  board *self = device;
  char text[256], out[ANSWER];
  if (!brio_joints_hear(&self->joints, baud) || (packet->id >= 0 && packet->id != self->id)) return;
  /* A copy that ends in 0; any line for this board feeds its watchdog. */
  snprintf(text, sizeof text, "%.*s", packet->length, (const char *)packet->data);
  self->silence = 0;
  /* A letter alone is a question; others are commands, answered with K or E and the reason. */
  int code = packet->code, length = at_end(text) ? answer_of(self, code, line, out) : -1;
  if (length < 0) {
    int result = do_line(self, code, text);
    self->refused += result != DONE;
    length = result == DONE ? 0 : snprintf(out, sizeof out, " %d %s", result, reasons[result]);
    code = result == DONE ? 'K' : 'E';
  }
  brio_joints_answer(&self->joints, 0, line, packet->id, code, (const uint8_t *)out, length);
  /* The new rate takes effect after the answer. */
  if (self->new_baud) self->joints.baud = self->new_baud;
  self->new_baud = 0;
}

/* `analog` sets an input; after `power` the board is as after a reset. */
static int command(void *device, const char *const *words, int count, brio_text *out, brio_error *err) {
  board *self = device;
  int i = count == 3 ? atoi(words[1]) : -1;
  if (strcmp(words[0], "analog") == 0 && i >= 0 && i < INPUTS) {
    self->inputs[i] = atoi(words[2]) < 0 ? 0 : atoi(words[2]) > FULL_SCALE ? FULL_SCALE : atoi(words[2]);
    brio_text_format(out, "input %d reads %d\n", i, self->inputs[i]);
    return 1;
  }
  if (strcmp(words[0], "power") == 0) {
    /* As after switching on. */
    for (int k = 0; k < self->joints.count; k++) release(self, k);
    self->flags = STARTED;
    self->patience = 0;
  }
  return brio_joints_command(device, words, count, out, err);
}

const brio_emulator_kind brio_emulator_line = {
    .name = "line",
    .alias = NULL,
    .doc = "Hobby servo board by lines of text, channels from 0.",
    .protocol = &brio_protocol_line,
    .baud = 115200,
    .servos = 8,
    .commands = "analog N VALUE  value of input N, 0 to 1023\n"
                "block ID        block its shaft (again: release it)\n"
                "silence ID      the channel does not answer (again: it does)\n"
                "power           lose power for a moment: all channels off\n",
    .open = open_board,
    .handle = handle,
    .step = step,
    .command = command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
