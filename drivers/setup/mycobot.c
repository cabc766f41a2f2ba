/* Settings of a myCobot: of a joint by its number, of the arm by any number.  Coordinates are the
** arm's own; writing one moves it. */
#include <math.h>

#include "drivers/setup/setup.h"

/* Flags in the codes of rows, commands that move, and their speed. */
enum {
  JOINTS = 6,
  JOINT_FIRST = 0x100,
  BY_JOINT = 0x200,
  CODE = 0xFF,
  COORD = 0x24,
  ANGLE = 0x21,
  SPEED = 30,
  TRIES = 3
};
/* Commands by number. */
enum {
  PAUSE = 0x26,
  RESUME = 0x28,
  ON = 0x10,
  OFF = 0x11,
  CLEAR = 0x08,
  FOCUS = 0x57,
  RELEASE = 0x56,
  GRIPPER = 0x67
};

#define DEGREE (3.141592653589793 / 180)
#define TENTH (DEGREE / 10)
#define HUNDREDTH (DEGREE / 100)

extern const brio_protocol brio_protocol_mycobot;

/* JOINT_FIRST: question and answer start with the joint; BY_JOINT: the answer has a number per
** joint. */
static const brio_setup_row rows[] = {
    /* Joints, by their number. */
    {"lower", "rad", "The least angle of a joint.", 0x4A | JOINT_FIRST, 0x4C, -2, 1, 3, TENTH, 0, -3.1416,
     3.1416},
    {"upper", "rad", "The greatest angle of a joint.", 0x4B | JOINT_FIRST, 0x4D, -2, 1, 3, TENTH, 0, -3.1416,
     3.1416},
    {"torque", "1", "1: a joint holds; 0: it is limp.", 0x50 | JOINT_FIRST, FOCUS, 1, 1, 2, 1, 0, 0, 1},
    {"angle", "rad", "Where a joint is.  Written: it goes there at speed 30.", 0x20 | BY_JOINT, ANGLE, -2, 0,
     12, HUNDREDTH, 0, -3.1416, 3.1416},
    {"voltage", "V", "Of a joint's servo.", 0xE3 | BY_JOINT, -1, 1, 0, 6, 0.1, 0, 0, 0},
    {"status", "1",
     "Of a joint's servo, by bits: 1 voltage, 2 sensor, 4 heat, 8 current, 16 angle, 32 overload.",
     0xE4 | BY_JOINT, -1, 1, 0, 6, 1, 0, 0, 0},
    {"temperature", "degrees C", "Of a joint's servo.", 0xE5 | BY_JOINT, -1, 1, 0, 6, 1, 0, 0, 0},
    /* The tool, in the arm's own coordinates. */
    {"x", "m", "Of the tool.  Written: it goes there at speed 30.", 0x23, COORD, -2, 0, 12, 1e-4, 0, -0.3,
     0.3},
    {"y", "m", "Of the tool.", 0x23, COORD, -2, 2, 12, 1e-4, 0, -0.3, 0.3},
    {"z", "m", "Of the tool.", 0x23, COORD, -2, 4, 12, 1e-4, 0, -0.1, 0.42},
    {"rx", "rad", "Of the tool, about x.", 0x23, COORD, -2, 6, 12, HUNDREDTH, 0, -3.1416, 3.1416},
    {"ry", "rad", "Of the tool, about y.", 0x23, COORD, -2, 8, 12, HUNDREDTH, 0, -3.1416, 3.1416},
    {"rz", "rad", "Of the tool, about z.", 0x23, COORD, -2, 10, 12, HUNDREDTH, 0, -3.1416, 3.1416},
    /* The arm as a whole. */
    {"speed", "1", "The arm's own speed, 1 to 100.", 0x40, 0x41, 1, 0, 1, 1, 0, 1, 100},
    {"powered", "1", "1: the servos have power.", 0x12, ON, 1, 0, 1, 1, 0, 0, 1},
    {"free", "1", "1: the arm can be moved by hand.", 0x1B, 0x1A, 1, 0, 1, 1, 0, 0, 1},
    {"fresh", "1", "1: a new order replaces the one before; 0: orders queue.", 0x17, 0x16, 1, 0, 1, 1, 0, 0,
     1},
    {"paused", "1", "1: the arm waits.", 0x27, PAUSE, 1, 0, 1, 1, 0, 0, 1},
    {"moving", "1", "1: the arm moves.", 0x2B, -1, 1, 0, 1, 1, 0, 0, 0},
    {"error", "1",
     "1-6: that joint is beyond its limit; 16-19: a collision; 32-34: no solution.  Write 0 to clear it.",
     0x07, CLEAR, 1, 0, 1, 1, 0, 0, 0},
    {"gripper", "1", "0: closed; 1: open.", 0x65, GRIPPER, 1, 0, 1, 0.01, 0, 0, 1},
    {0}};

/* Settings of a joint need one that exists. */
static bool check_joint(const brio_setup_row *row, int id, brio_error *err) {
  bool of_joint = row->read & (JOINT_FIRST | BY_JOINT);
  if (!of_joint || (id >= 1 && id <= JOINTS)) return true;
  return brio_fail(err, BRIO_MISUSE, "%s is of a joint: 1 to %d, not %d", row->name, JOINTS, id);
}

/* The numbers of all joints follow each other in one answer. */
static bool get(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double *value, brio_error *err) {
  const uint8_t joint = (uint8_t)id;
  brio_setup_row own = *row;
  if (!check_joint(row, id, err)) return false;
  /* Joint k has the k-th number of the answer. */
  if (row->read & BY_JOINT) own.at = (id - 1) * (row->form < 0 ? -row->form : row->form);
  brio_exchange_make(x, -1, row->read & CODE, &joint, row->read & JOINT_FIRST ? 1 : 0);
  if (!brio_exchange_ask(x, row->length, row->length, err)) return false;
  *value = brio_setup_value(setup, &own, x->in.data);
  return true;
}

/* Make the command that changes a setting.  Return the length of its data. */
static int order_of(const brio_driver_setup *setup, int id, const brio_setup_row *row, double value,
                    uint8_t *data, int *code) {
  brio_setup_row own = *row;
  bool on = value != 0;
  *code = row->write;
  /* Switches are pairs of commands without data. */
  if (row->write == ON) return *code = on ? ON : OFF, 0;
  if (row->write == PAUSE) return *code = on ? PAUSE : RESUME, 0;
  if (row->write == CLEAR) return 0;
  if (row->write == FOCUS) *code = on ? FOCUS : RELEASE;
  data[0] = (uint8_t)id;
  if (row->write == FOCUS) return 1;
  /* The value follows the number of the joint or coordinate. */
  own.at = row->write == COORD || row->write == ANGLE || row->read & JOINT_FIRST ? 1 : 0;
  brio_setup_bytes(setup, &own, value, data);
  if (row->write == COORD) data[0] = (uint8_t)(row->at / 2 + 1);
  /* Coordinates and angles: number, value (2 bytes), speed; the gripper: value, speed. */
  data[3] = SPEED;
  if (row->write == GRIPPER) return data[1] = SPEED, 2;
  return row->write == COORD || row->write == ANGLE ? 4 : own.at ? 3 : 1;
}

/* Commands are not answered: what changes at once is read back, and sent again if necessary. */
static bool set(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double value, brio_error *err) {
  uint8_t data[8];
  int code, length = order_of(setup, id, row, value, data, &code);
  bool moves = row->write == COORD || row->write == ANGLE || row->write == GRIPPER;
  if (!check_joint(row, id, err)) return false;
  /* Moves are not waited for. */
  for (int i = 0; i < TRIES; i++) {
    double now;
    brio_exchange_make(x, -1, code, data, length);
    if (!brio_exchange_send(x, err)) return false;
    if (moves) return true;
    /* Half a step of tolerance for rounding. */
    if (get(setup, x, id, row, &now, NULL) && fabs(now - value) <= 0.51 * row->scale) return true;
  }
  return brio_fail(err, BRIO_DEVICE, "the arm does not take %s %g", row->name, value);
}

const brio_driver_setup brio_setup_mycobot = {&brio_protocol_mycobot, rows, JOINTS, true, get, set};
