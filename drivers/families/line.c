/* Hobby servo boards with the line protocol, as a driver: docs/devices/line-protocol.md has the
** grammar, drivers/arduino/brio_servo a sketch for an Arduino.  One line sets all pulses; a report
** has all pulses that the board sends.  A board of version 1 has no limits, timed moves, inputs and
** status, and is not asked for them. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/families/board.h"
#include "drivers/setup/scan.h"
#include "drivers/setup/setup.h"

enum {
  CHANNELS = 16,
  INPUTS = 16,
  LINE = 190,
  GROUP = 8 /* channels in a line of limits */,
  SHORTEST = 8 /* ms: shorter moves are made at once */,
  LONGEST = 30000
};
enum { US_PER_RAD = BRIO_BOARD_OWN, CENTER, LEAST, MOST, BOARD };
/* Indices of the board's notes. */
enum { VERSION, HAS, NINPUT, WATCHDOG, REFUSED, SENSED, READINGS = 16, LINES = READINGS + INPUTS };
/* Bits of alerts. */
enum { STARTED = 1, LET_GO = 2, REFUSES = 4, OFF = 8 };

static const double STARTS = 2.5; /* s that a board may take to start */

extern const brio_protocol brio_protocol_line;

static const brio_driver_setting settings_table[] = {
    BRIO_BOARD_SHARED(115200, 0, 15),
    /* 636.62 us per rad is 1000 us for 90 degrees, the usual travel of a hobby servo. */
    {"us_per_rad", "us", "Microseconds of pulse for each rad.", 636.62, 1, 10000},
    {"center", "us", "The pulse at 0 rad.", 1500, 500, 2500},
    {"least", "us", "The shortest pulse that is sent.", 500, 500, 2500},
    {"most", "us", "The longest pulse that is sent.", 2500, 500, 2500},
    {"board", "1", "The board's id, if several share a line; -1: any, for a single board.", -1, -1, 127},
    {0}};

static const char *const alert_words[] = {"it has restarted, and its channels are off",
                                          "its watchdog switched its channels off", "it refused a command",
                                          "its channel is off", NULL};

/* A packet with the board's id, if it has one. */
static void make(brio_board *board, int code, const char *text, int length) {
  brio_exchange_make(&board->x, (int)board->settings[BOARD], code, (const uint8_t *)text, length);
}

/* Read numbers separated by spaces.  Return how many there were, at most `most`. */
static int read_numbers(brio_board *board, int *out, int most) {
  int count = 0, used;
  /* The buffer has room for the final 0. */
  board->x.in.data[board->x.in.length] = 0;
  for (const char *at = (const char *)board->x.in.data;
       count < most && sscanf(at, " %d%n", &out[count], &used) == 1; at += used)
    count++;
  return count;
}

/* angle = (pulse - center) / us_per_rad; the inverse is clamped to the shortest and longest pulse. */
static double rad_of(const brio_board *board, int pulse) {
  return (pulse - board->settings[CENTER]) / board->settings[US_PER_RAD];
}

/* Return the pulse of an angle, us, within `least` and `most`. */
static int pulse_of(const brio_board *board, double target) {
  double pulse = board->settings[CENTER] + target * board->settings[US_PER_RAD];
  return (int)lround(fmax(board->settings[LEAST], fmin(board->settings[MOST], pulse)));
}

/* Send a command until the board confirms it (K).  A refusal (E) is an error. */
static bool order(brio_board *board, int code, const char *text, int length, brio_error *err) {
  make(board, code, text, length);
  board->x.reply = 'K';
  int refused = board->notes[REFUSED];
  if (brio_board_insist(board, 0, 0, err)) return true;
  /* No refusal: the error is that of the exchange. */
  if (board->notes[REFUSED] == refused) return false;
  return brio_fail(err, BRIO_DEVICE, "the board on %s refused '%c%.40s'", board->x.port->name, code, text);
}

/* One report for all channels; 0: the channel is off. */
static bool ask(brio_board *board, int i, brio_error *err) {
  int pulses[CHANNELS] = {0};
  (void)i;
  make(board, 'R', NULL, 0);
  if (!brio_exchange_ask(&board->x, 2, LINE, err)) return false;
  int count = read_numbers(board, pulses, CHANNELS);
  /* Implausible pulses are refused; a channel that is off keeps its last position. */
  for (int k = 0; k < board->count; k++) {
    int pulse = board->ids[k] < count ? pulses[board->ids[k]] : -1;
    if (pulse < 0 || pulse > 2500 || (pulse > 0 && pulse < 500)) board->refusals.refused++;
    else brio_board_place(board, k, pulse > 0 ? rad_of(board, pulse) : board->states[k].position);
    if (pulse > 0) board->alerts[k] &= ~(unsigned)OFF;
  }
  return true;
}

/* ---- health ---- */

/* In ms; 0: off. */
static bool arm_watchdog(brio_board *board, brio_error *err) {
  char text[16];
  return order(board, 'T', text, snprintf(text, sizeof text, " %d", board->notes[WATCHDOG]), err);
}

/* Read the status: whether the board restarted, its watchdog expired, or it refused something,
** since the last time. */
static unsigned health(brio_board *board, int i) {
  int status[3] = {0};
  unsigned bits = 0;
  if (board->notes[VERSION] < 2) return 0;
  make(board, 'S', NULL, 0);
  /* Without an answer the alerts stay. */
  if (!brio_exchange_ask(&board->x, 2, LINE, NULL) || read_numbers(board, status, 3) < 3)
    return board->alerts[i];
  /* Status: flags (1 restarted, 2 watchdog expired), damaged lines, refused lines. */
  if (status[0] & 1) bits |= STARTED;
  if (status[0] & 2) bits |= LET_GO;
  if (status[2] > 0) bits |= REFUSES;
  /* A restarted board has lost its watchdog: arm it again. */
  if (bits & STARTED && board->notes[WATCHDOG] > 0) arm_watchdog(board, NULL);
  return bits;
}

/* ---- opening ---- */

/* Count refusals that arrive without a question. */
static void notice(void *context, const brio_packet *packet) {
  brio_board *board = context;
  board->notes[REFUSED] += packet->code == 'E';
}

/* Narrow the axes to the limits of the board's channels. */
static bool take_limits(brio_board *board, brio_error *err) {
  /* Pairs of pulses, channel by channel. */
  int limits[2 * CHANNELS] = {0};
  /* "L" without arguments reads the limits of all channels. */
  make(board, 'L', NULL, 0);
  if (!brio_board_insist(board, 4, LINE, err)) return false;
  int count = read_numbers(board, limits, 2 * CHANNELS) / 2;
  for (int i = 0; i < board->count; i++) {
    /* Channel k has its shortest pulse at 2 k, its longest at 2 k + 1. */
    int channel = board->ids[i];
    if (channel >= count) return brio_fail(err, BRIO_DEVICE, "the board has no channel %d", channel);
    if (!brio_board_narrow(board, i, rad_of(board, limits[2 * channel]),
                           rad_of(board, limits[2 * channel + 1]), err))
      return false;
  }
  return true;
}

/* An Arduino restarts when its port is opened, and is silent until then: ask until it answers. */
static bool wait_for_board(brio_board *board, brio_error *err) {
  double until = brio_port_now(board->x.port) + STARTS;
  for (;;) {
    /* Only a port failure ends this early. */
    brio_error why = {0};
    make(board, 'V', NULL, 0);
    if (brio_exchange_ask(&board->x, 2, LINE, &why)) return true;
    if (why.code != BRIO_IO && brio_port_now(board->x.port) < until) continue;
    if (err) *err = why;
    return false;
  }
}

/* Before anything is sent. */
static bool begin(brio_board *board, brio_error *err) {
  return brio_board_check_pulses(board->settings[LEAST], board->settings[MOST], err);
}

/* Version, channels and inputs; a board of version 1 has no inputs. */
static bool greet(brio_board *board, brio_error *err) {
  int *notes = board->notes;
  board->x.notice = notice;
  board->x.noticed_by = board;
  if (!wait_for_board(board, err)) return false;
  board->x.in.data[board->x.in.length] = 0;
  if (sscanf((const char *)board->x.in.data, " brio-servo %d %d %d", &notes[VERSION], &notes[HAS],
             &notes[NINPUT]) < 2)
    return brio_fail(err, BRIO_DEVICE, "%s is not a servo board: it answers '%.60s'", board->x.port->name,
                     (const char *)board->x.in.data);
  /* All channels must exist. */
  for (int i = 0; i < board->count; i++)
    if (board->ids[i] >= notes[HAS])
      return brio_fail(err, BRIO_MISUSE, "the board has %d channels, from 0: there is no %d", notes[HAS],
                       board->ids[i]);
  for (int i = 0; i < board->count; i++)
    if (!brio_board_narrow(board, i, rad_of(board, (int)board->settings[LEAST]),
                           rad_of(board, (int)board->settings[MOST]), err))
      return false;
  if (notes[VERSION] >= 2 && !take_limits(board, err)) return false;
  health(board, 0); /* clear what happened before */
  return ask(board, 0, NULL) || ask(board, 0, err);
}

/* ---- targets ---- */

/* Return the duration of a move in ms, from the slowest axis; 0: at once. */
static int time_of(const brio_board *board, const double *targets, const double *speeds) {
  double most = 0;
  if (!speeds || board->notes[VERSION] < 2) return 0;
  /* Duration = distance / speed. */
  for (int i = 0; i < board->count; i++) {
    /* Start from the last target, or from the last report. */
    double from = isnan(board->told[i]) ? board->states[i].position : board->told[i];
    if (!isnan(targets[i]) && speeds[i] > 0) most = fmax(most, fabs(targets[i] - from) / speeds[i]);
  }
  int ms = (int)lround(fmin(LONGEST, 1000 * most));
  return ms < SHORTEST ? 0 : ms;
}

/* All targets in one line; without targets nothing is sent. */
static bool tell(brio_board *board, const double *targets, const double *speeds, brio_error *err) {
  char text[LINE] = "";
  int ms = time_of(board, targets, speeds), length = 0, head = 0;
  /* A timed move starts with its duration. */
  if (ms > 0) head = length = snprintf(text, sizeof text, " %d", ms);
  for (int i = 0; i < board->count; i++)
    if (!isnan(targets[i]))
      length += snprintf(text + length, sizeof text - (size_t)length, " %d %d", board->ids[i],
                         pulse_of(board, targets[i]));
  make(board, ms > 0 ? 'M' : 'P', text, length);
  return length == head || brio_exchange_send(&board->x, err);
}

/* All channels in one line, confirmed. */
static bool power(brio_board *board, const bool *on, brio_error *err) {
  char text[LINE] = "";
  int length = 0;
  for (int i = 0; i < board->count; i++)
    /* 1: on, 0: off. */
    length += snprintf(text + length, sizeof text - (size_t)length, " %d %d", board->ids[i], on[i]);
  return order(board, 'O', text, length, err);
}

/* ---- scan ---- */

/* Find a board by its version: it is alone on its line, so there are no ids. */
static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  brio_exchange x;
  brio_error why = {0};
  int channels = 0, version = 0;
  (void)row, (void)first, (void)last;
  brio_exchange_start(&x, &brio_protocol_line, port);
  x.latency = fmax(latency, 0.7); /* an Arduino restarts when its port is opened */
  x.tries = 3;
  brio_exchange_make(&x, -1, 'V', NULL, 0);
  /* Ask for the version three times: the first question may be lost. */
  bool there = most > 0 && brio_exchange_ask(&x, 2, 190, &why);
  if (why.code == BRIO_IO) return brio_scan_gone(err, &why);
  x.in.data[there ? x.in.length : 0] = 0;
  if (!there || sscanf((const char *)x.in.data, " brio-servo %d %d", &version, &channels) != 2 ||
      channels < 1)
    return 0;
  if (channels > CHANNELS) channels = CHANNELS;
  brio_scan_note(found, -1, channels, 0, "a servo board, version %d, with %d channels", version, channels);
  return 1;
}

static const brio_driver_scan scan = {.sends = "identify: $V*56 and a line feed, three times",
                                      .ports = BRIO_SCAN_SERIAL,
                                      .bauds = (const int[]){115200, 0},
                                      .last = -1,
                                      .turn = 3,
                                      .alone = true,
                                      .look = look};

const brio_board_kind brio_board_line = {
    .name = "channel",
    .protocol = &brio_protocol_line,
    .settings = settings_table,
    .most = CHANNELS,
    .highest = CHANNELS - 1,
    .at_once = true,
    .alerts = alert_words,
    .begin = begin,
    .greet = greet,
    .tell = tell,
    .ask = ask,
    .power = power,
    .health = health,
    .shared_health = true,
};

/* ---- configuration ---- */

/* Set the intersection of the axes' limits and the settings, as pulses, in lines of at most GROUP
** channels, since a line is too short for all; then read them back. */
static bool set_limits(brio_board *board, const brio_axis *axes, brio_error *err) {
  for (int first = 0; first < board->count; first += GROUP) {
    char text[LINE] = "";
    int length = 0;
    for (int i = first; i < board->count && i < first + GROUP; i++) {
      double least = fmax(axes[i].lower, rad_of(board, (int)board->settings[LEAST]));
      double most = fmin(axes[i].upper, rad_of(board, (int)board->settings[MOST]));
      length += snprintf(text + length, sizeof text - (size_t)length, " %d %d %d", board->ids[i],
                         pulse_of(board, least), pulse_of(board, most));
    }
    assert(length < LINE);
    if (!order(board, 'L', text, length, err)) return false;
  }
  return take_limits(board, err);
}

/* A line is a number, with or without an A.  Return it; -1: it is none. */
static int number_of(const char *line) {
  line += line[0] == 'A';
  size_t digits = strspn(line, "0123456789");
  return digits == 0 || digits > 4 || line[digits] ? -1 : atoi(line);
}

/* Each input must be one of the board's. */
static bool take_inputs(brio_board *board, const brio_driver_config *config, brio_error *err) {
  for (int i = 0; i < config->ninput; i++) {
    const char *line = config->inputs[i].line;
    int number = number_of(line);
    if (config->inputs[i].width != 1 || number < 0 || number >= board->notes[NINPUT] || number >= INPUTS)
      return brio_fail(
          err, BRIO_MISUSE,
          "input '%.40s' hangs at '%.20s', but the board's %d inputs are A0 to A%d, one number each",
          config->inputs[i].name, line, board->notes[NINPUT], board->notes[NINPUT] - 1);
    /* Kept per input: the number of the pin on the board. */
    board->notes[LINES + i] = number;
  }
  return true;
}

/* A board of version 1 has neither limits nor inputs. */
static bool configure(void *device, const brio_driver_config *config, brio_error *err) {
  brio_board *board = device;
  bool new = board->notes[VERSION] >= 2;
  if (config->gains) return brio_fail(err, BRIO_MISUSE, "hobby servos have no gains that can be set");
  if (!new && (config->limits || config->ninput > 0))
    return brio_fail(err, BRIO_MISUSE,
                     "the board's sketch is version 1, which knows no limits and no inputs");
  if (config->limits && !set_limits(board, config->axes, err)) return false;
  if (!take_inputs(board, config, err)) return false;
  /* The watchdog last: it must not expire while opening. */
  board->notes[SENSED] = config->ninput;
  board->notes[WATCHDOG] = (int)lround(1000 * fmin(60, config->watchdog));
  return arm_watchdog(board, err);
}

/* Read all inputs: 0 to 1, as a share of full scale (1023). */
static bool sense(void *device, brio_input_state *inputs, brio_error *err) {
  brio_board *board = device;
  int *readings = board->notes + READINGS, count = 0;
  brio_error why = {0};
  /* One exchange for all inputs. */
  make(board, 'I', NULL, 0);
  if (brio_exchange_ask(&board->x, 2, LINE, &why))
    count = read_numbers(board, readings, INPUTS);
  if (why.code == BRIO_IO && err) *err = why;
  for (int i = 0; i < board->notes[SENSED]; i++) {
    /* A number that is missing or out of range is unknown. */
    int number = board->notes[LINES + i];
    bool known = number < count && readings[number] >= 0 && readings[number] <= 1023;
    inputs[i].values[0] = known ? readings[number] / 1023.0 : NAN;
  }
  return why.code != BRIO_IO;
}

BRIO_BOARD_OPEN(brio_board_line)

const brio_driver_kind brio_driver_line = {
    .name = "line",
    .alias = NULL,
    .doc = "Hobby servo boards by lines of text.",
    .watchdog = true,
    .open_loop = true,
    .when_silent = "With a watchdog the board switches its channels off; without, it continues its pulses.",
    .settings = settings_table,
    .texts = brio_board_texts,
    .configure = configure,
    .sense = sense,
    .scan = &scan,
    BRIO_BOARD_FUNCTIONS,
    .setup = &brio_setup_line,
};
