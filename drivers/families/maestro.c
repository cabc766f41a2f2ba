/* Pololu Maestro as a driver: hobby servos at its channels.  A radian is `us_per_rad` microseconds
** of pulse, 0 rad is `center`.  It reports the pulse that it sends, because hobby servos report
** nothing.  Releasing a channel ends its pulses.  `form` selects the protocol of targets: compact,
** Pololu (with a device number, for several boards on a line) or Mini SSC (three bytes, 255
** positions, no check; questions are then compact).  Answers are bare bytes: only their order tells
** which question they answer.  Source: Pololu Maestro User's Guide, sections 4.b, 5.c to 5.f. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/families/board.h"
#include "drivers/protocols/checksum.h"
#include "drivers/protocols/maestro.h"
#include "drivers/setup/scan.h"
#include "drivers/setup/setup.h"
#include "drivers/targets.h"

/* Commands by number. */
enum {
  TARGET = 0x84,
  SPEED = 0x87,
  ACCELERATION = 0x89,
  GET = 0x90,
  SEVERAL = 0x9F,
  ERRORS = 0xA1,
  SAYS_BAUD = 0xAA
};
/* The driver's own settings and text, behind those of all boards; forms. */
enum {
  US_PER_RAD = BRIO_BOARD_OWN,
  CENTER,
  LEAST,
  MOST,
  DEVICE,
  CRC,
  BATCH,
  SPEED_LIMIT,
  ACCELERATION_LIMIT,
  RAMP,
  DETECT
};
enum { FORM = BRIO_BOARD_OWN_TEXT };
enum { COMPACT, POLOLU, MINI_SSC };
enum { FASTEST = 16383, MOST_STEPS = 254, BEYOND = 4 * 4096 /* quarters of us: no pulse is so long */ };

/* us/s: 0.25 us per 10 ms; us/s^2: 0.25 us per 10 ms per 80 ms */
static const double SPEED_UNIT = 25, ACCELERATION_UNIT = 312.5;
static const double LIKELY = 0.01; /* rad: tolerance of plausible pulses */
/* us, either way: factory setting of the board */
static const double SSC_RANGE = 476.25;

extern const brio_protocol brio_protocol_maestro, brio_protocol_maestro_crc;

static const brio_driver_setting settings_table[] = {
    BRIO_BOARD_SHARED(115200, 0, 23),
    /* 636.62 us per rad is 1000 us for 90 degrees, the usual travel of a hobby servo. */
    {"us_per_rad", "us", "Microseconds of pulse for each rad.", 636.62, 1, 10000},
    {"center", "us", "The pulse at 0 rad.", 1500, 64, 4080},
    {"least", "us", "The shortest pulse that is sent.", 500, 64, 4080},
    {"most", "us", "The longest pulse that is sent.", 2500, 64, 4080},
    {"device", "1", "The board's device number, for the form `pololu`.", 12, 0, 127},
    {"crc", "1", "1: \"Enable CRC\" is set in the board; packets end with a CRC-7.", 0, 0, 1},
    {"batch", "1", "1: neighboring channels share one packet; a Micro Maestro (6 channels) cannot.", 0, 0,
     1},
    /* Limits of the board: 14 bits of 25 us/s, 8 bits of 312.5 us/s^2. */
    {"speed", "us/s", "A limit kept by the board, set at opening; 0: none.", 0, 0, 409575},
    {"acceleration", "us/s^2", "A limit kept by the board, set at opening; 0: none.", 0, 0, 79687.5},
    {"ramp", "1", "1: each target also sets the board's speed limit, for even motion.", 0, 0, 1},
    {"detect", "1", "1: the board is set to \"detect baud rate\", and gets the byte for that at opening.", 0,
     0, 1},
    {0}};

static const brio_driver_text texts_table[] = {
    BRIO_BOARD_TEXTS,
    {"form", "The form of targets: compact, pololu or mini_ssc.", "compact"},
    {0}};

static const char *const alert_words[] = {"a serial signal error (baud rate?)",
                                          "a serial overrun",
                                          "a full serial buffer",
                                          "a wrong CRC",
                                          "a packet it does not know",
                                          "a serial timeout: it heard nothing for too long",
                                          "a script's stack error",
                                          "a script's call stack error",
                                          "a script's program counter error",
                                          NULL};

/* The last note of the board is the form. */
static int form_of(const brio_board *board) { return board->notes[BRIO_BOARD_NOTES - 1]; }

/* Fill x.out, with the device number in the Pololu form. */
static void make(brio_board *board, int code, const uint8_t *data, int length) {
  int device = form_of(board) == POLOLU ? (int)board->settings[DEVICE] : -1;
  brio_exchange_make(&board->x, device, code, data, length);
}

/* Numbers have 14 bits, 7 per byte, low ones first. */
static bool tell_number(brio_board *board, int code, int channel, int value, brio_error *err) {
  const uint8_t data[] = {(uint8_t)channel, (uint8_t)(value & 0x7F), (uint8_t)(value >> 7 & 0x7F)};
  make(board, code, data, 3);
  return brio_exchange_send(&board->x, err);
}

/* ---- finding a board ---- */

/* Return true if nothing follows the two bytes of an answer, and they can be a pulse. */
static bool is_pulse(brio_exchange *x, const uint8_t *bytes, brio_error *err) {
  /* A Maestro sends two bytes: nothing may follow. */
  uint8_t more;
  /* Pulses are 64 to 4080 us, or 0. */
  int pulse = bytes[0] | bytes[1] << 8, got = brio_port_read(x->port, &more, 1, x->latency, err);
  if (got == 0 && (pulse == 0 || (pulse >= 4 * 64 && pulse <= 4 * 4080))) return true;
  if (got >= 0)
    brio_fail(err, BRIO_DEVICE, "what answers on %s at %d baud is no Maestro", x->port->name, x->port->baud);
  return false;
}

/* Read channel 0 without a CRC, then add the CRC: a board that waits for it answers then. */
bool brio_maestro_meet(brio_exchange *x, int device, brio_error *err) {
  const uint8_t channel = 0;
  uint8_t bytes[2];
  brio_error why = {0};
  int tries = x->tries;
  brio_exchange_make(x, device, GET, &channel, 1);
  x->tries = 1;
  bool there = brio_exchange_bytes(x, bytes, 2, &why), with_crc = x->protocol == &brio_protocol_maestro_crc;
  if (!there && why.code != BRIO_IO && !with_crc) {
    /* The question again would be a second packet; its CRC-7 completes the first one. */
    uint8_t crc = brio_checksum_crc7(x->question, x->sent);
    there = brio_exchange_add(x, &crc, 1, bytes, 2, &why);
    if (there) x->protocol = x->stream.protocol = &brio_protocol_maestro_crc;
    /* a late answer would be taken for that to the next question */
    else brio_exchange_wait_for_silence(x);
  }
  x->tries = tries;
  if (there) return is_pulse(x, bytes, err);
  if (err) *err = why;
  return false;
}

/* ---- opening ---- */

/* Find the form; show the baud rate to a board that detects it. */
static bool begin(brio_board *board, brio_error *err) {
  static const char *const forms[] = {"compact", "pololu", "mini_ssc"};
  const char *form = board->texts[FORM];
  const uint8_t mark = SAYS_BAUD;
  int which = 0;
  while (which < 3 && strcmp(forms[which], form) != 0) which++;
  if (which == 3)
    return brio_fail(err, BRIO_MISUSE, "form must be compact, pololu or mini_ssc, not '%s'", form);
  board->notes[BRIO_BOARD_NOTES - 1] = which;
  if (!brio_board_check_pulses(board->settings[LEAST], board->settings[MOST], err)) return false;
  return board->settings[DETECT] == 0 || brio_port_write(board->x.port, &mark, 1, err);
}

/* Read the pulse of a channel in quarters of a microsecond.  Return -1 if there was no answer. */
static int ask_channel(brio_board *board, int i, brio_error *err) {
  /* 16 bits, low byte first. */
  uint8_t bytes[2];
  make(board, GET, &board->ids[i], 1);
  return brio_exchange_bytes(&board->x, bytes, 2, err) ? bytes[0] | bytes[1] << 8 : -1;
}

/* angle = (pulse - center) / us_per_rad. */
static double place_of(const brio_board *board, int i, int quarters) {
  if (quarters == 0) return board->states[i].position; /* no pulses: keep the last position */
  return (quarters / 4.0 - board->settings[CENTER]) / board->settings[US_PER_RAD];
}

/* Return true if the board may send this pulse now: it lies between the last one and the target. */
static bool is_likely(const brio_board *board, int i, int quarters) {
  double last = board->states[i].position, told = isnan(board->told[i]) ? last : board->told[i];
  double place = place_of(board, i, quarters);
  if (quarters > BEYOND) return false;
  /* Any pulse is plausible before the first report. */
  return isinf(board->heard[i]) || (place >= fmin(last, told) - LIKELY && place <= fmax(last, told) + LIKELY);
}

/* Read the board's error bits, which reading clears.  They do not belong to a channel. */
static unsigned health(brio_board *board, int i) {
  uint8_t bytes[2];
  (void)i;
  /* Two bytes, low first; bits 0 to 8 have words. */
  make(board, ERRORS, NULL, 0);
  if (!brio_exchange_bytes(&board->x, bytes, 2, NULL)) return board->alerts[i];
  return (unsigned)(bytes[0] | bytes[1] << 8) & 0x1FF;
}

/* Check that the CRC setting is that of the board. */
static bool check_crc(const brio_board *board, brio_error *err) {
  /* The board's choice is known from the first answer. */
  bool has = board->x.protocol == &brio_protocol_maestro_crc, told = board->settings[CRC] > 0;
  if (has == told) return true;
  const char *what = has ? "has \"Enable CRC\" set: set crc = 1"
                         : "answers without a CRC: set crc = 0, or \"Enable CRC\" in the board";
  return brio_fail(err, BRIO_DEVICE, "the Maestro on %s %s", board->x.port->name, what);
}

/* Read a channel.  An answer has no check and does not name its question: an implausible one is
** asked again after silence, and accepted if it is repeated. */
static bool ask(brio_board *board, int i, brio_error *err) {
  int quarters = ask_channel(board, i, err);
  if (quarters < 0) return false;
  if (!is_likely(board, i, quarters)) {
    board->refusals.refused++;
    /* Late bytes must be gone before the next question. */
    brio_exchange_wait_for_silence(&board->x);
    int again = ask_channel(board, i, err);
    if (again < 0) return false;
    /* The pulse may have moved by 4 us meanwhile. */
    if (again > BEYOND || (!is_likely(board, i, again) && abs(again - quarters) > 16))
      return brio_fail(err, BRIO_FORMAT, "channel %d reports pulses of %d us and %d us", board->ids[i],
                       quarters / 4, again / 4);
    quarters = again;
  }
  brio_board_place(board, i, place_of(board, i, quarters));
  return true;
}

/* Find the board that the settings describe.  A late answer looks like one to the next question,
** with or without CRC: a board that seems to be set differently is asked again, up to three times. */
static bool meet_as_set(brio_board *board, brio_error *err) {
  int device = form_of(board) == POLOLU ? (int)board->settings[DEVICE] : -1;
  brio_error why = {0};
  for (int k = 0; k < 3 && why.code != BRIO_IO; k++) {
    if (!brio_maestro_meet(&board->x, device, &why)) continue;
    if (check_crc(board, &why)) return true;
    /* Start over without a CRC. */
    brio_exchange_wait_for_silence(&board->x);
    board->x.protocol = board->x.stream.protocol = &brio_protocol_maestro;
  }
  if (err) *err = why;
  return false;
}

/* The angle of a pulse, us. */
static double rad_of(const brio_board *board, double pulse) {
  return (pulse - board->settings[CENTER]) / board->settings[US_PER_RAD];
}

/* Limits of speed and acceleration are set in the board at each opening; 0: none. */
static bool greet(brio_board *board, brio_error *err) {
  if (!meet_as_set(board, err)) return false;
  health(board, 0); /* clears old errors */
  int speed = (int)ceil(board->settings[SPEED_LIMIT] / SPEED_UNIT);
  int acceleration = (int)fmin(255, ceil(board->settings[ACCELERATION_LIMIT] / ACCELERATION_UNIT));
  /* The board keeps limits until it loses power. */
  for (int i = 0; i < board->count; i++) {
    board->notes[i] = speed;
    if (!brio_board_narrow(board, i, rad_of(board, board->settings[LEAST]),
                           rad_of(board, board->settings[MOST]), err))
      return false;
    if (!tell_number(board, SPEED, board->ids[i], speed, err)) return false;
    if (!tell_number(board, ACCELERATION, board->ids[i], acceleration, err)) return false;
    ask(board, i, NULL);
  }
  return true;
}

/* ---- targets ---- */

/* Clamped to the shortest and longest pulse, in quarters of us. */
static int quarters_of(const brio_board *board, double target) {
  double pulse = board->settings[CENTER] + target * board->settings[US_PER_RAD];
  return (int)lround(4 * fmax(board->settings[LEAST], fmin(board->settings[MOST], pulse)));
}

/* Mini SSC: 0 to 254 over the range, 127 in the middle. */
static bool tell_ssc(brio_board *board, int i, int quarters, brio_error *err) {
  /* Share of the range, -1 to 1, around the neutral pulse of 1500 us. */
  double away = (quarters / 4.0 - 1500) / SSC_RANGE;
  int step = (int)lround(fmax(0, fmin(MOST_STEPS, 127 + 127 * away)));
  const uint8_t data[] = {board->ids[i], (uint8_t)step};
  brio_exchange_make(&board->x, -1, BRIO_MAESTRO_SSC, data, 2);
  return brio_exchange_send(&board->x, err);
}

/* Return how many axes from `i` on are on consecutive channels and have targets. */
static int run_from(const brio_board *board, const double *targets, int i) {
  int n = 1;
  /* Stop at a gap in channels or targets. */
  while (i + n < board->count && board->ids[i + n] == board->ids[i] + n && !isnan(targets[i + n])) n++;
  return n;
}

/* A packet for consecutive channels: their count, the first one, then 14 bits each. */
static bool tell_run(brio_board *board, const double *targets, int i, int n, brio_error *err) {
  assert(i >= 0 && n > 0 && i + n <= board->count && board->count <= BRIO_BOARD_AXES);
  uint8_t data[2 + 2 * BRIO_BOARD_AXES] = {(uint8_t)n, board->ids[i]};
  for (int k = 0; k < n; k++) {
    int quarters = quarters_of(board, targets[i + k]);
    data[2 + 2 * k] = (uint8_t)(quarters & 0x7F);
    data[3 + 2 * k] = (uint8_t)(quarters >> 7 & 0x7F);
  }
  make(board, SEVERAL, data, 2 + 2 * n);
  return brio_exchange_send(&board->x, err);
}

/* Set the board's speed limit for the next move, only if it is too low, or more than twice too
** high. */
static bool tell_speed(brio_board *board, int i, double speed, brio_error *err) {
  double need = speed * board->settings[US_PER_RAD] / SPEED_UNIT,
         limit = board->settings[SPEED_LIMIT] / SPEED_UNIT;
  if (limit > 0) need = fmin(need, limit);
  /* The note of a channel is the limit that the board has now, in its unit. */
  int now = board->notes[i];
  if (now > 0 && now >= need && now <= 2 * need + 1) return true;
  /* 10 % more than needed, so that the limit is seldom set again. */
  board->notes[i] = (int)fmax(1, fmin(FASTEST, ceil(1.1 * need)));
  return tell_number(board, SPEED, board->ids[i], board->notes[i], err);
}

/* Speed limits first, then targets, in the form that is set. */
static bool tell(brio_board *board, const double *targets, const double *speeds, brio_error *err) {
  bool ramp = speeds && board->settings[RAMP] > 0, batch = board->settings[BATCH] > 0;
  for (int i = 0; i < board->count && ramp; i++)
    if (!isnan(targets[i]) &&
        !tell_speed(board, i, brio_targets_speed(speeds[i], targets[i], board->states[i].position), err))
      return false;
  for (int i = 0, n; i < board->count; i += n) {
    n = 1;
    if (isnan(targets[i])) continue;
    if (form_of(board) == MINI_SSC) {
      if (!tell_ssc(board, i, quarters_of(board, targets[i]), err)) return false;
      continue;
    }
    /* Consecutive channels share a packet. */
    if (batch && (n = run_from(board, targets, i)) > 1) {
      if (!tell_run(board, targets, i, n, err)) return false;
      continue;
    }
    if (!tell_number(board, TARGET, board->ids[i], quarters_of(board, targets[i]), err)) return false;
  }
  return true;
}

/* End the pulses of a channel, and check that they have ended.  Pulses start with the first target. */
static bool let_go(brio_board *board, int i, brio_error *err) {
  for (int k = 0; k < 4; k++) {
    uint8_t bytes[2];
    brio_error why = {0};
    /* A target of 0 ends the pulses; commands are not answered, so read it back. */
    if (!tell_number(board, TARGET, board->ids[i], 0, err)) return false;
    make(board, GET, &board->ids[i], 1);
    if (brio_exchange_bytes(&board->x, bytes, 2, &why) && bytes[0] == 0 && bytes[1] == 0) return true;
    if (why.code == BRIO_IO) break;
  }
  return brio_fail(err, BRIO_DEVICE, "channel %d still sends pulses", board->ids[i]);
}

/* Switching on sends nothing: the first target does. */
static bool power(brio_board *board, const bool *on, brio_error *err) {
  bool good = true;
  for (int i = 0; i < board->count; i++)
    if (!on[i] && !let_go(board, i, good ? err : NULL)) good = false;
  return good;
}

/* ---- scan ---- */

static const char has_crc[] = "crc = 1";

/* Find a board by its answer to GET, with or without CRC; it has no id. */
static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  brio_exchange x;
  brio_error why = {0};
  (void)row, (void)first, (void)last;
  brio_exchange_start(&x, &brio_protocol_maestro, port);
  x.latency = latency;
  /* Two answers: bytes of another device would hardly pass twice. */
  bool there = most > 0 && brio_maestro_meet(&x, -1, &why) && brio_maestro_meet(&x, -1, &why);
  if (why.code == BRIO_IO) return brio_scan_gone(err, &why);
  if (!there) return 0;
  bool crc = x.protocol == &brio_protocol_maestro_crc;
  brio_scan_note(found, -1, 6, 0, "a Maestro%s: 6 channels are taken, it may have 12, 18 or 24",
                 crc ? " with its CRC enabled" : "");
  if (crc) found->settings = has_crc;
  return 1;
}

static const brio_driver_scan scan = {
    .sends = "which pulse has channel 0: 90 00, and where that is not answered its CRC, 65; twice",
    .ports = BRIO_SCAN_SERIAL,
    .bauds = (const int[]){115200, 9600, 0},
    .last = -1,
    .turn = 1,
    .alone = true,
    .look = look};

const brio_board_kind brio_board_maestro = {
    .name = "channel",
    .protocol = &brio_protocol_maestro,
    .settings = settings_table,
    .most = 24,
    .highest = 23,
    .alerts = alert_words,
    .begin = begin,
    .greet = greet,
    .tell = tell,
    .ask = ask,
    .power = power,
    .health = health,
    .shared_health = true,
};

/* Neither gains nor limits can be set over the serial port. */
static bool configure(void *device, const brio_driver_config *config, brio_error *err) {
  (void)device;
  if (config->gains) return brio_fail(err, BRIO_MISUSE, "hobby servos have no gains that can be set");
  if (config->limits)
    return brio_fail(
        err, BRIO_MISUSE,
        "a Maestro's limits are set over USB, by Pololu's Maestro Control Center: leave `limits` out");
  return true;
}

BRIO_BOARD_OPEN(brio_board_maestro)

const brio_driver_kind brio_driver_maestro = {
    .name = "maestro",
    .alias = "pololu",
    .doc = "Pololu Maestro: hobby servos.",
    .open_loop = true,
    .when_silent =
        "The board continues its pulses, or, with a serial timeout, follows its settings for errors.",
    .settings = settings_table,
    .texts = texts_table,
    .configure = configure,
    .scan = &scan,
    BRIO_BOARD_FUNCTIONS,
    .setup = &brio_setup_maestro,
};
