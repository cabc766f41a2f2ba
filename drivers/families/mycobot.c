/* myCobot 280 as a driver: all six angles are set and read in one packet each.  An axis without a
** target gets the angle that it reported last.  The arm does not answer commands.  Besides the
** joints, ids 1 to 6, its gripper (7: 0 closed, 1 open) and the red, green and blue of its light
** (8, 9, 10: 0 to 1) may be axes.  Opening sets "fresh mode", in which a new command replaces the
** previous one; without it commands queue, and the arm lags behind.  Packets have no check code, so
** a report is accepted only if it is plausible: angles within the joint's range and reachable since
** the last report, or reported twice.  Source: elephantrobotics/pymycobot (MIT) for command numbers
** and scaling. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "drivers/families/board.h"
#include "drivers/setup/scan.h"
#include "drivers/setup/setup.h"
#include "drivers/targets.h"

/* Commands by number, and the numbers of parts. */
enum {
  ERROR = 0x07,
  POWER_ON = 0x10,
  RELEASE = 0x13,
  FRESH = 0x16,
  GET_ANGLES = 0x20,
  SEND_ANGLES = 0x22,
  RESUME = 0x28,
  LOWEST = 0x4A,
  HIGHEST = 0x4B,
  ALL_ENABLED = 0x51,
  GRIPPER = 0x65,
  SET_GRIPPER = 0x67,
  COLOR = 0x6A,
  VOLTAGES = 0xE3,
  STATUS = 0xE4,
  TEMPERATURES = 0xE5,
  JOINTS = 6,
  FIRST_COLOR = 8,
  PARTS = 10,
};
/* The driver's own settings, behind those of all boards. */
enum { SPEED = BRIO_BOARD_OWN, FULL_SPEED, GRIPPER_SPEED };
/* Indices of the board's notes. */
enum {
  DOUBTED = 0 /* JOINTS: angles that were implausible */,
  IN_DOUBT = 8,
  SHOWN = 9 /* 3: the light */,
  HELD = 12,
  DEAF = 16 /* 4: consecutive questions without an answer */,
  ASKED = 24
};
/* Unanswered questions after which a question is no longer asked. */
enum { GIVE_UP = 3 };

/* A joint turns less than half a turn either way. */
static const double CENTIDEGREE = 3.141592653589793 / 18000, MOST_TURN = 3.1415,
                    JUMP = 0.1 /* rad, added to what the speed allows */;

extern const brio_protocol brio_protocol_mycobot;

static const brio_driver_setting settings_table[] = {
    BRIO_BOARD_SHARED(115200, 1, 6),
    {"speed", "1", "The arm's speed of moves, 1 to 100, for targets without a speed, and its maximum.", 80, 1,
     100},
    {"full_speed", "rad/s", "Velocity of a joint at speed 100.", 2.79, 0.1, 100},
    {"gripper_speed", "1", "The gripper's speed, 1 to 100.", 80, 1, 100},
    {0}};

/* The status byte of each servo by bits, then the error of the whole arm. */
static const char *const alert_words[] = {"voltage",
                                          "position sensor",
                                          "too hot",
                                          "current",
                                          "angle",
                                          "overload",
                                          "bit 6",
                                          "bit 7",
                                          "a joint beyond its limit",
                                          "a collision",
                                          "no solution for the coordinates",
                                          "an error of the arm",
                                          NULL};

/* 16 bits with sign, high byte first. */
static int number(const uint8_t *bytes) { return (int16_t)(bytes[0] << 8 | bytes[1]); }

/* The index of a joint; -1: the gripper or the light. */
static int joint_of(const brio_board *board, int i) {
  return board->ids[i] <= JOINTS ? board->ids[i] - 1 : -1;
}

/* ---- positions ---- */

/* Return whether an angle (hundredths of a degree) is plausible.  One that is not is accepted when
** it is reported again. */
static bool believe(brio_board *board, int i, int angle) {
  assert(joint_of(board, i) >= 0 && joint_of(board, i) < JOINTS);
  int *doubted = &board->notes[DOUBTED + joint_of(board, i)];
  /* The farthest that a joint can be: a jump plus two times its full speed since the last report. */
  double place = angle * CENTIDEGREE, away = fabs(place - board->states[i].position);
  /* A bound keeps the product finite before the first report. */
  double time = fmin(10, brio_port_now(board->x.port) - board->heard[i]);
  if (fabs(place) > 18000 * CENTIDEGREE) return false;
  if (isinf(board->heard[i]) || away <= JUMP + 2 * board->settings[FULL_SPEED] * time) return true;
  /* Again: within 5 degrees of the doubted one. */
  bool again = board->notes[IN_DOUBT] >> joint_of(board, i) & 1 && abs(*doubted - angle) < 500;
  *doubted = angle;
  board->notes[IN_DOUBT] |= 1 << joint_of(board, i);
  return again;
}

/* Angles of all joints, 16 bits each, in one report. */
static void take_angles(brio_board *board, const uint8_t *data) {
  for (int i = 0; i < board->count; i++) {
    int joint = joint_of(board, i);
    if (joint < 0) continue;
    /* An implausible angle leaves the last position, which is then not fresh. */
    int angle = number(data + 2 * joint);
    if (!believe(board, i, angle)) {
      board->refusals.refused++;
      continue;
    }
    board->notes[IN_DOUBT] &= ~(1 << joint);
    brio_board_place(board, i, angle * CENTIDEGREE);
  }
}

/* The gripper is read in every fourth cycle, and keeps its position in between.  The light is as it
** was set. */
static void take_others(brio_board *board) {
  bool turn = board->notes[ASKED]++ % 4 == 0;
  for (int i = 0; i < board->count; i++) {
    if (board->ids[i] >= FIRST_COLOR)
      brio_board_place(board, i, board->notes[SHOWN + board->ids[i] - FIRST_COLOR] / 255.0);
    if (board->ids[i] != JOINTS + 1) continue;
    /* The gripper's last report is valid for a second. */
    board->fresh[i] = isfinite(board->heard[i]) && brio_port_now(board->x.port) - board->heard[i] < 1;
    if (!turn) continue;
    brio_exchange_make(&board->x, -1, GRIPPER, NULL, 0);
    /* Old firmware answers with two bytes: the last one counts. */
    if (brio_exchange_ask(&board->x, 1, 2, NULL) && board->x.in.data[board->x.in.length - 1] <= 100)
      brio_board_place(board, i, board->x.in.data[board->x.in.length - 1] / 100.0);
  }
}

/* One question for all joints. */
static bool ask(brio_board *board, int i, brio_error *err) {
  (void)i;
  brio_exchange_make(&board->x, -1, GET_ANGLES, NULL, 0);
  if (!brio_exchange_ask(&board->x, 2 * JOINTS, 2 * JOINTS, err)) return false;
  take_angles(board, board->x.in.data);
  take_others(board);
  return true;
}

/* ---- opening ---- */

/* All joints must be axes: a packet has no gaps. */
static bool check_parts(const brio_board *board, brio_error *err) {
  int there = 0;
  for (int i = 0; i < board->count; i++) {
    if (board->ids[i] < 1) return brio_fail(err, BRIO_MISUSE, "joints of the arm are 1 to %d, not 0", JOINTS);
    /* One bit per joint: all six must be set. */
    there |= joint_of(board, i) >= 0 ? 1 << joint_of(board, i) : 0;
  }
  if (there == (1 << JOINTS) - 1) return true;
  /* The light and the gripper may be left out. */
  return brio_fail(
      err, BRIO_MISUSE,
      "all %d joints of the arm must be axes, because one packet contains all of them: some of the ids 1-6 "
      "are missing",
      JOINTS);
}

/* Read a joint's limits, rad.  Return false if the arm does not answer: old firmware does not have
** them. */
static bool ask_limits(brio_exchange *x, uint8_t joint, double ends[2]) {
  for (int k = 0; k < 2; k++) {
    brio_exchange_make(x, -1, k ? HIGHEST : LOWEST, &joint, 1);
    if (!brio_exchange_ask(x, 3, 3, NULL) || x->in.data[0] != joint) return false;
    ends[k] = number(x->in.data + 1) * 10 * CENTIDEGREE;
  }
  return true;
}

/* Narrow a joint to what a joint can do, since farther targets have no number in a packet, and to the
** arm's limits, if it reports them. */
static bool take_limits(brio_board *board, int i, brio_error *err) {
  double ends[2];
  if (!brio_board_narrow(board, i, -MOST_TURN, MOST_TURN, err)) return false;
  return !ask_limits(&board->x, board->ids[i], ends) || brio_board_narrow(board, i, ends[0], ends[1], err);
}

/* Check the axes, read the angles, set fresh mode, then the limits. */
static bool greet(brio_board *board, brio_error *err) {
  const uint8_t newest = 1;
  if (!check_parts(board, err)) return false;
  brio_exchange_make(&board->x, -1, GET_ANGLES, NULL, 0);
  if (!brio_board_insist(board, 2 * JOINTS, 2 * JOINTS, err)) return false;
  ask(board, 0, NULL);
  brio_exchange_make(&board->x, -1, FRESH, &newest, 1);
  if (!brio_exchange_send(&board->x, err)) return false;
  /* Gripper and light go from 0 to 1. */
  for (int i = 0; i < board->count; i++) {
    if (board->ids[i] <= JOINTS ? !take_limits(board, i, err) : !brio_board_narrow(board, i, 0, 1, err))
      return false;
  }
  return true;
}

/* ---- targets ---- */

/* Return the speed, 1 to 100, at which all joints arrive in time. */
static int speed_of(const brio_board *board, const double *targets, const double *speeds) {
  double most = 0;
  for (int i = 0; speeds && i < board->count; i++)
    if (!isnan(targets[i]) && joint_of(board, i) >= 0)
      most = fmax(most, brio_targets_speed(speeds[i], targets[i], board->states[i].position));
  /* Rounded up, within the greatest speed of the settings. */
  double share = speeds ? ceil(100 * most / board->settings[FULL_SPEED]) : 100;
  return (int)fmax(1, fmin(share, board->settings[SPEED]));
}

/* A joint without a target gets its last position; without any target nothing is sent. */
static bool tell_joints(brio_board *board, const double *targets, const double *speeds, brio_error *err) {
  uint8_t data[2 * JOINTS + 1] = {0};
  bool any = false;
  for (int i = 0; i < board->count; i++) {
    int joint = joint_of(board, i);
    if (joint < 0) continue;
    any |= !isnan(targets[i]);
    int angle = (int)lround((isnan(targets[i]) ? board->states[i].position : targets[i]) / CENTIDEGREE);
    data[2 * joint] = (uint8_t)(angle >> 8);
    data[2 * joint + 1] = (uint8_t)angle;
  }
  /* Angles in hundredths of a degree, then the speed. */
  data[2 * JOINTS] = (uint8_t)speed_of(board, targets, speeds);
  brio_exchange_make(&board->x, -1, SEND_ANGLES, data, sizeof data);
  return !any || brio_exchange_send(&board->x, err);
}

/* Send gripper and light only when their values change. */
static bool tell_others(brio_board *board, const double *targets, brio_error *err) {
  bool light = false;
  for (int i = 0; i < board->count; i++) {
    int id = board->ids[i];
    if (id <= JOINTS || isnan(targets[i])) continue;
    /* The gripper has 100 steps, a color 255. */
    int *shown = id >= FIRST_COLOR ? &board->notes[SHOWN + id - FIRST_COLOR] : &board->notes[HELD];
    int value = (int)lround(fmax(0, fmin(1, targets[i])) * (id >= FIRST_COLOR ? 255 : 100));
    if (*shown == value && !isnan(board->told[i])) continue;
    *shown = value;
    light |= id >= FIRST_COLOR;
    const uint8_t data[] = {(uint8_t)value, (uint8_t)board->settings[GRIPPER_SPEED]};
    brio_exchange_make(&board->x, -1, SET_GRIPPER, data, 2);
    if (id < FIRST_COLOR && !brio_exchange_send(&board->x, err)) return false;
  }
  /* All three colors in one packet. */
  const int *shown = &board->notes[SHOWN];
  const uint8_t color[] = {(uint8_t)shown[0], (uint8_t)shown[1], (uint8_t)shown[2]};
  brio_exchange_make(&board->x, -1, COLOR, color, 3);
  return !light || brio_exchange_send(&board->x, err);
}

/* Joints in one packet, then what changed of gripper and light. */
static bool tell(brio_board *board, const double *targets, const double *speeds, brio_error *err) {
  return tell_joints(board, targets, speeds, err) && tell_others(board, targets, err);
}

/* The arm has a single power switch: on while any joint is to hold.  Send until it confirms when
** asked.  Before that an arm that was paused goes on: one wrong bit makes a target the command to pause, and
** packets have no check sum. */
static bool power(brio_board *board, const bool *on, brio_error *err) {
  bool any = false;
  for (int i = 0; i < board->count; i++) any |= joint_of(board, i) >= 0 && on[i];
  brio_exchange_make(&board->x, -1, RESUME, NULL, 0);
  if (any && !brio_exchange_send(&board->x, err)) return false;
  /* Commands are not answered: up to four tries, each with a question. */
  for (int k = 0; k < 4; k++) {
    brio_error why = {0};
    brio_exchange_make(&board->x, -1, any ? POWER_ON : RELEASE, NULL, 0);
    if (!brio_exchange_send(&board->x, err)) return false;
    brio_exchange_make(&board->x, -1, ALL_ENABLED, NULL, 0);
    if (brio_exchange_ask(&board->x, 1, 1, &why) && (board->x.in.data[0] == 1) == any) return true;
    if (why.code == BRIO_IO) break;
  }
  return brio_fail(err, BRIO_DEVICE, "the arm on %s does not %s", board->x.port->name,
                   any ? "take torque" : "let go");
}

/* ---- health ---- */

/* Read six bytes, one per joint; NULL: no answer.  A question that old firmware never answers is
** given up. */
static const uint8_t *six(brio_board *board, int which, int code) {
  int *deaf = &board->notes[DEAF + which];
  if (*deaf >= GIVE_UP) return NULL;
  brio_exchange_make(&board->x, -1, code, NULL, 0);
  bool answered = brio_exchange_ask(&board->x, JOINTS, JOINTS, NULL);
  *deaf = answered ? 0 : *deaf + 1;
  return answered ? board->x.in.data : NULL;
}

/* Errors by number: 1 to 6 a joint's limit, 16 to 19 a collision, 32 to 34 no solution. */
static unsigned error_bits(int error) {
  if (error >= 1 && error <= JOINTS) return 1u << 8;
  if (error >= 16 && error <= 19) return 1u << 9;
  if (error >= 32 && error <= 34) return 1u << 10;
  return error ? 1u << 11 : 0;
}

/* Keep the bytes of all joints: voltages in tenths of V, or temperatures in degrees C; NULL: no answer. */
static void take_six(brio_board *board, const uint8_t *data, bool heat) {
  for (int i = 0; i < board->count && data; i++) {
    int joint = joint_of(board, i);
    brio_axis_state *state = &board->states[i];
    if (joint < 0) continue;
    if (heat) state->temperature = data[joint];
    else state->voltage = data[joint] / 10.0;
    state->knows |= heat ? BRIO_KNOWS_TEMPERATURE : BRIO_KNOWS_VOLTAGE;
  }
}

/* Voltages and temperatures of all joints; then status bits of joint `i`, and the error of the arm. */
static unsigned health(brio_board *board, int i) {
  int joint = joint_of(board, i);
  unsigned bits = 0;
  const uint8_t *data;
  if (joint < 0) return 0;
  take_six(board, six(board, 0, VOLTAGES), false);
  take_six(board, six(board, 1, TEMPERATURES), true);
  if ((data = six(board, 2, STATUS))) bits = data[joint];
  /* This question, too, is given up if it is never answered. */
  brio_exchange_make(&board->x, -1, ERROR, NULL, 0);
  if (board->notes[DEAF + 3] >= GIVE_UP) return bits;
  bool answered = brio_exchange_ask(&board->x, 1, 2, NULL);
  board->notes[DEAF + 3] = answered ? 0 : board->notes[DEAF + 3] + 1;
  return answered ? bits | error_bits(board->x.in.data[board->x.in.length - 1]) : bits;
}

/* ---- scan ---- */

/* Find an arm by its answer to "get angles", and read the limits of its joints. */
static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  brio_exchange x;
  brio_error why = {0};
  (void)row, (void)first, (void)last;
  brio_exchange_start(&x, &brio_protocol_mycobot, port);
  /* The arm's firmware answers slowly. */
  x.latency = fmax(latency, 0.05);
  x.tries = 1;
  /* One try per rate, since frames have no check code and no id. */
  brio_exchange_make(&x, -1, GET_ANGLES, NULL, 0);
  bool there = most > 0 && brio_exchange_ask(&x, 2 * JOINTS, 2 * JOINTS, &why);
  if (why.code == BRIO_IO) return brio_scan_gone(err, &why);
  /* All joints with their limits, where the arm reports them. */
  for (int i = 0; i < JOINTS && i < most && there; i++) {
    double ends[2];
    brio_scan_note(&found[i], -1, 1, i + 1, "a myCobot with %d joints", JOINTS);
    if (!ask_limits(&x, (uint8_t)(i + 1), ends)) continue;
    found[i].lower = ends[0];
    found[i].upper = ends[1];
  }
  return there ? JOINTS : 0;
}

static const brio_driver_scan scan = {
    .sends = "which angles have you: FE FE 02 20 FA; then its joints' limits are read",
    .ports = BRIO_SCAN_SERIAL,
    .bauds = (const int[]){115200, 1000000, 0},
    .last = -1,
    .turn = 2,
    .alone = true,
    .look = look};

const brio_board_kind brio_board_mycobot = {
    .name = "joint",
    .protocol = &brio_protocol_mycobot,
    .settings = settings_table,
    .most = PARTS,
    .highest = PARTS,
    .at_once = true,
    .alerts = alert_words,
    .greet = greet,
    .tell = tell,
    .ask = ask,
    .power = power,
    .health = health,
    .shared_health = true,
};

/* Store limits in the arm, in tenths of a degree.  What it does not report back counts as not set. */
static bool configure(void *device, const brio_driver_config *config, brio_error *err) {
  brio_board *board = device;
  if (config->gains) return brio_fail(err, BRIO_MISUSE, "the arm's gains are not set by brio");
  for (int i = 0; i < board->count && config->limits; i++) {
    const brio_axis *axis = &config->axes[i];
    if (joint_of(board, i) < 0) continue;
    if (!brio_setup_set(&brio_setup_mycobot, board->x.port, board->ids[i], "lower",
                        fmax(axis->lower, -MOST_TURN), err) ||
        !brio_setup_set(&brio_setup_mycobot, board->x.port, board->ids[i], "upper",
                        fmin(axis->upper, MOST_TURN), err))
      return false;
  }
  return true;
}

BRIO_BOARD_OPEN(brio_board_mycobot)

const brio_driver_kind brio_driver_mycobot = {
    .name = "mycobot",
    .alias = NULL,
    .doc = "Elephant Robotics myCobot 280, M5 and Pi.",
    .when_silent = "The arm finishes its last move and holds.",
    .settings = settings_table,
    .texts = brio_board_texts,
    .configure = configure,
    .scan = &scan,
    BRIO_BOARD_FUNCTIONS,
    .setup = &brio_setup_mycobot,
};
