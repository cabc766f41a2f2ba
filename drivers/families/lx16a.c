/* LewanSoul and Hiwonder bus servos as a driver.  Each servo needs a move packet and a question per
** cycle: there is no broadcast that moves.  Positions are 0 to 1000 over 240 degrees, and may be
** reported slightly beyond.  A move has a duration: from the pipeline's speed, or `move_time`.
** Servos do not report errors.  Problems are found by reading temperature and voltage against the
** limits stored in the servo, and whether it still has torque.  Source: "Hiwonder Bus Servo
** Communication Protocol". */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "drivers/families/board.h"
#include "drivers/setup/scan.h"
#include "drivers/setup/setup.h"

/* Commands by number, and constants of position and speed. */
enum {
  MOVE = 1,
  LIMITS_SET = 20,
  LIMITS = 21,
  VOLTAGES = 23,
  HOTTEST = 25,
  TEMPERATURE = 26,
  VOLTAGE = 27,
  POSITION = 28,
  MODE_SET = 29,
  MODE = 30,
  LOAD_SET = 31,
  LOAD = 32,
  CENTER = 500,
  STEPS = 1000,
  LONGEST = 30000 /* ms */,
  FULL_SPEED = 1000,
};
/* The driver's own setting and text, behind those of all boards; then bits of alerts. */
enum { MOVE_TIME = BRIO_BOARD_OWN };
enum { WHEELS = BRIO_BOARD_OWN_TEXT };
enum { HOT = 1, VOLTS = 2, LIMP = 4 };
/* What is kept of each servo: its limits of temperature, degrees C, and of voltage, mV; how often they were
** requested. */
enum { MOST_HEAT, LEAST_MV, MOST_MV, TRIES };
enum { MAX_TRIES = 20 }; /* a servo that has not answered by then has no such limits */

static const double TURN = 240 * 3.141592653589793 / 180;

extern const brio_protocol brio_protocol_lx16a;

static const brio_driver_setting settings_table[] = {
    BRIO_BOARD_SHARED(115200, 1, 253),
    {"move_time", "s", "Duration of a move without a known speed.", 0.02, 0, 30},
    {0}};

static const brio_driver_text texts_table[] = {
    BRIO_BOARD_TEXTS,
    {"wheels", "Ids of servos in wheel mode: their targets are -1 to 1, the share of full speed.", ""},
    {0}};

static const char *const alert_words[] = {"hotter than the limit set in it",
                                          "a voltage beyond the limits set in it", "it has lost its torque",
                                          NULL};

/* 16 bits with sign, low byte first. */
static int number(const uint8_t *bytes) { return (int16_t)(bytes[0] | bytes[1] << 8); }

/* The note of an axis: 1 for a wheel. */
static bool is_wheel(const brio_board *board, int i) { return board->notes[i] != 0; }

/* Read `length` bytes from servo `i` by command `code`. */
static bool question(brio_board *board, int i, int code, int length, brio_error *err) {
  assert(i >= 0 && i < board->count);
  brio_exchange_make(&board->x, board->ids[i], code, NULL, 0);
  return brio_exchange_ask(&board->x, length, length, err);
}

/* Commands are not answered. */
static bool order(brio_board *board, int i, int code, const uint8_t *data, int length, brio_error *err) {
  assert(i >= 0 && i < board->count);
  brio_exchange_make(&board->x, board->ids[i], code, data, length);
  return brio_exchange_send(&board->x, err);
}

/* A wheel reports its speed instead: as it was set. */
static bool ask(brio_board *board, int i, brio_error *err) {
  if (!question(board, i, POSITION, 2, err)) return false;
  int position = number(board->x.in.data);
  /* Beyond the range by more than its length: a damaged report. */
  if (position < -STEPS || position > 2 * STEPS) {
    board->refusals.refused++;
    return brio_fail(err, BRIO_FORMAT, "servo %d reports a position of %d", board->ids[i], position);
  }
  double place = (position - CENTER) * TURN / STEPS;
  /* What a wheel reports as a position would jump. */
  if (is_wheel(board, i)) place = isnan(board->told[i]) ? 0 : board->told[i];
  brio_board_place(board, i, place);
  return true;
}

/* ---- opening ---- */

/* Mark the wheels among the axes. */
static bool take_wheels(brio_board *board, brio_error *err) {
  uint8_t wheels[BRIO_BOARD_AXES];
  int count = brio_exchange_ids(board->texts[WHEELS], wheels, BRIO_BOARD_AXES, 253);
  if (count < 0)
    return brio_fail(err, BRIO_MISUSE, "wheels must be ids as in \"1,2\", not '%s'", board->texts[WHEELS]);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < board->count; i++)
      if (board->ids[i] == wheels[k]) board->notes[i] = 1;
  return true;
}

/* Check that servo `i` is there, and narrow the axis to the limits stored in it. */
static bool meet(brio_board *board, int i, brio_error *err) {
  brio_exchange_make(&board->x, board->ids[i], POSITION, NULL, 0);
  if (!brio_board_insist(board, 2, 2, err)) return false;
  /* Limits do not concern wheels. */
  if (is_wheel(board, i)) return true;
  brio_exchange_make(&board->x, board->ids[i], LIMITS, NULL, 0);
  if (!brio_board_insist(board, 4, 4, err)) return false;
  /* Lower limit, then upper limit, 16 bits each, in steps of 0.24 degrees. */
  const uint8_t *data = board->x.in.data;
  return brio_board_narrow(board, i, (number(data) - CENTER) * TURN / STEPS,
                           (number(data + 2) - CENTER) * TURN / STEPS, err);
}

/* First positions may be missing; the cycle repeats the question. */
static bool greet(brio_board *board, brio_error *err) {
  if (!take_wheels(board, err)) return false;
  for (int i = 0; i < board->count; i++)
    if (!meet(board, i, err)) return false;
  for (int i = 0; i < board->count; i++) ask(board, i, NULL);
  return true;
}

/* ---- a cycle ---- */

/* Mode 1 is a motor; speed -1000 to 1000. */
static bool turn(brio_board *board, int i, double share, brio_error *err) {
  /* Data: mode, a reserved 0, speed with sign, low byte first. */
  int speed = (int)lround(FULL_SPEED * fmax(-1, fmin(1, share)));
  const uint8_t data[] = {1, 0, (uint8_t)speed, (uint8_t)(speed >> 8)};
  return order(board, i, MODE_SET, data, 4, err);
}

/* Return the duration of a move in ms: it arrives when the next target comes. */
static int time_of(const brio_board *board, int i, double target, const double *speeds) {
  /* From the last target, or from the last report. */
  double from = isnan(board->told[i]) ? board->states[i].position : board->told[i];
  double time = speeds && speeds[i] > 0 ? fabs(target - from) / speeds[i] : board->settings[MOVE_TIME];
  return (int)lround(fmin(LONGEST, 1000 * time));
}

/* One packet per servo: position and duration, low bytes first. */
static bool tell(brio_board *board, const double *targets, const double *speeds, brio_error *err) {
  for (int i = 0; i < board->count; i++) {
    if (isnan(targets[i])) continue;
    if (is_wheel(board, i)) {
      if (!turn(board, i, targets[i], err)) return false;
      continue;
    }
    /* Clamped to the range of the protocol. */
    int position = (int)fmax(0, fmin(STEPS, round(CENTER + targets[i] * STEPS / TURN)));
    int ms = time_of(board, i, targets[i], speeds);
    const uint8_t data[] = {(uint8_t)position, (uint8_t)(position >> 8), (uint8_t)ms, (uint8_t)(ms >> 8)};
    if (!order(board, i, MOVE, data, 4, err)) return false;
  }
  return true;
}

/* Switch torque until the servo confirms it when asked: the command is not answered, and may be
** lost. */
static bool switch_one(brio_board *board, int i, bool on, brio_error *err) {
  const uint8_t flag = on;
  /* A wheel must stop first. */
  if (is_wheel(board, i) && !on && !turn(board, i, 0, err)) return false;
  for (int k = 0; k < 4; k++) {
    if (!order(board, i, LOAD_SET, &flag, 1, err)) return false;
    brio_error why = {0};
    if (question(board, i, LOAD, 1, &why) && (board->x.in.data[0] != 0) == on) return true;
    if (why.code == BRIO_IO) break;
  }
  return brio_fail(err, BRIO_DEVICE, "servo %d does not %s", board->ids[i], on ? "take torque" : "let go");
}

/* Switch all, and report the first failure. */
static bool power(brio_board *board, const bool *on, brio_error *err) {
  bool good = true;
  for (int i = 0; i < board->count; i++)
    if (!switch_one(board, i, on[i], good ? err : NULL)) good = false;
  return good;
}

/* A wheel would turn on for ever. */
static void end(brio_board *board) {
  for (int i = 0; i < board->count; i++)
    if (is_wheel(board, i) && board->on[i]) turn(board, i, 0, NULL);
}

/* Read bytes that must be the same twice: an 8-bit sum lets a damaged answer pass now and then. */
static bool ask_twice(brio_board *board, int i, int code, int length, uint8_t bytes[4]) {
  if (!question(board, i, code, length, NULL)) return false;
  memcpy(bytes, board->x.in.data, (size_t)length);
  return question(board, i, code, length, NULL) && memcmp(bytes, board->x.in.data, (size_t)length) == 0;
}

/* Read the limits that are stored in a servo, once. Requests without an answer cost the bus time, so they
** end. */
static void know_limits(brio_board *board, int i) {
  int *stored = board->stored[i];
  uint8_t bytes[4];
  bool known = stored[MOST_HEAT] > 0 && stored[MOST_MV] > 0;
  if (known || stored[TRIES] == MAX_TRIES) return;
  stored[TRIES]++;
  if (stored[MOST_HEAT] == 0 && ask_twice(board, i, HOTTEST, 1, bytes)) stored[MOST_HEAT] = bytes[0];
  if (stored[MOST_MV] == 0 && ask_twice(board, i, VOLTAGES, 4, bytes)) {
    stored[LEAST_MV] = bytes[0] | bytes[1] << 8;
    stored[MOST_MV] = bytes[2] | bytes[3] << 8;
  }
}

/* Set or clear a bit. */
static unsigned with(unsigned bits, unsigned bit, bool on) { return on ? bits | bit : bits & ~bit; }

/* Temperature and voltage against the servo's limits, and torque.  What is not answered keeps its
** bit. */
static unsigned health(brio_board *board, int i) {
  brio_axis_state *state = &board->states[i];
  /* Start from what is known. */
  unsigned bits = board->alerts[i];
  const uint8_t *data = board->x.in.data;
  const int *stored = board->stored[i];
  know_limits(board, i);
  /* Temperature, degrees C. */
  if (question(board, i, TEMPERATURE, 1, NULL)) {
    state->temperature = data[0];
    state->knows |= BRIO_KNOWS_TEMPERATURE;
    if (stored[MOST_HEAT] > 0) bits = with(bits, HOT, data[0] > stored[MOST_HEAT]);
  }
  /* Voltage, mV, in 16 bits. */
  if (question(board, i, VOLTAGE, 2, NULL)) {
    int mv = data[0] | data[1] << 8;
    state->voltage = mv / 1000.0;
    state->knows |= BRIO_KNOWS_VOLTAGE;
    if (stored[MOST_MV] > 0) bits = with(bits, VOLTS, mv < stored[LEAST_MV] || mv > stored[MOST_MV]);
  }
  /* Torque that was switched on must still be on. */
  if (board->on[i] && question(board, i, LOAD, 1, NULL)) bits = with(bits, LIMP, data[0] == 0);
  if (!board->on[i]) bits = with(bits, LIMP, false);
  state->failed = bits & LIMP;
  return bits;
}

/* ---- scan ---- */

/* Find servos by their position, and read their limits.  Ids are 0 to 253. */
static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  brio_exchange x;
  int count = 0;
  (void)row;
  brio_exchange_start(&x, &brio_protocol_lx16a, port);
  x.latency = latency;
  x.tries = 1;
  /* Ask each id for its position, then for its limits. */
  for (int id = first; id <= last && count < most; id++) {
    brio_error why = {0};
    brio_exchange_make(&x, id, POSITION, NULL, 0);
    bool there = brio_exchange_ask(&x, 2, 2, &why);
    if (!there && why.code == BRIO_IO) return brio_scan_gone(err, &why);
    if (!there) continue;
    brio_scan_note(&found[count], id, 1, id, "an LX-16A or one of its kin");
    brio_exchange_make(&x, id, LIMITS, NULL, 0);
    if (brio_exchange_ask(&x, 4, 4, NULL)) {
      found[count].lower = ((x.in.data[0] | x.in.data[1] << 8) - CENTER) * TURN / STEPS;
      found[count].upper = ((x.in.data[2] | x.in.data[3] << 8) - CENTER) * TURN / STEPS;
    }
    count++;
  }
  return count;
}

static const brio_driver_scan scan = {
    .sends = "where is it, to each id: 55 55 ID 03 1C SUM; then its limits are read",
    .ports = BRIO_SCAN_SERIAL, .bauds = (const int[]){115200, 0}, .last = 253, .turn = 4, .look = look};

const brio_board_kind brio_board_lx16a = {
    .name = "servo",
    .protocol = &brio_protocol_lx16a,
    .settings = settings_table,
    .most = BRIO_BOARD_AXES,
    .highest = 253,
    .alerts = alert_words,
    .greet = greet,
    .tell = tell,
    .ask = ask,
    .power = power,
    .health = health,
    .end = end,
};

/* Store limits in the servo, in steps of 0.24 degrees, and read them back. */
static bool set_limits(brio_board *board, int i, const brio_axis *axis, brio_error *err) {
  if (is_wheel(board, i) || !isfinite(axis->lower) || !isfinite(axis->upper)) return true;
  /* Rounded inwards; the tolerance keeps limits that are exact. */
  int lower = (int)fmax(0, ceil(CENTER + axis->lower * STEPS / TURN - 1e-6));
  int upper = (int)fmin(STEPS, floor(CENTER + axis->upper * STEPS / TURN + 1e-6));
  /* Low bytes first. */
  const uint8_t data[] = {(uint8_t)lower, (uint8_t)(lower >> 8), (uint8_t)upper, (uint8_t)(upper >> 8)};
  /* Write until the servo has them; it is not written to without need. */
  for (int k = 0; k < 4; k++) {
    if (question(board, i, LIMITS, 4, NULL) && number(board->x.in.data) == lower &&
        number(board->x.in.data + 2) == upper)
      return true;
    if (!order(board, i, LIMITS_SET, data, 4, err)) return false;
  }
  return brio_fail(err, BRIO_DEVICE, "servo %d does not take limits of %d to %d steps", board->ids[i], lower,
                   upper);
}

/* Store limits if wanted; there are no gains, and no watchdog. */
static bool configure(void *device, const brio_driver_config *config, brio_error *err) {
  brio_board *board = device;
  if (config->gains) return brio_fail(err, BRIO_MISUSE, "LX-16A servos have no gains that can be set");
  for (int i = 0; i < board->count && config->limits; i++)
    if (!set_limits(board, i, &config->axes[i], err)) return false;
  return true;
}

BRIO_BOARD_OPEN(brio_board_lx16a)

const brio_driver_kind brio_driver_lx16a = {
    .name = "lx16a",
    .alias = "lewansoul",
    .doc = "LewanSoul and Hiwonder bus servos, LX-16A and its kin.",
    .when_silent = "A servo finishes its last move and holds; a wheel continues to turn.",
    .settings = settings_table,
    .texts = texts_table,
    .configure = configure,
    .scan = &scan,
    BRIO_BOARD_FUNCTIONS,
    .setup = &brio_setup_lx16a,
};
