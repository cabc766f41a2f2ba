/* Settings of an LX-16A servo.  Its baud rate is fixed at 115200. */
#include <math.h>
#include <string.h>

#include "drivers/setup/setup.h"

/* Commands that need more than a number, and tries of a change. */
enum { ID_SET = 13, ID = 14, OFFSET_SET = 17, OFFSET_SAVE = 18, TRIES = 4 };

#define STEP (240 * 3.141592653589793 / 180 / 1000) /* rad */

extern const brio_protocol brio_protocol_lx16a;

/* Codes, forms and places are those of the protocol: see protocols/lx16a.c. */
static const brio_setup_row rows[] = {
    /* Identity and range of motion; angles are 240 degrees in 1000 steps, 500 in the middle. */
    {"id", "1", "Its id.", ID, ID_SET, 1, 0, 1, 1, 0, 0, 253},
    {"lower", "rad", "The least angle it moves to.", 21, 20, 2, 0, 4, STEP, 500, -2.0944, 2.0944},
    {"upper", "rad", "The greatest angle it moves to.", 21, 20, 2, 2, 4, STEP, 500, -2.0944, 2.0944},
    {"offset", "rad", "What is added to all its angles; kept.", 19, OFFSET_SET, -1, 0, 1, STEP, 0, -0.5236,
     0.5236},
    /* Limits at which the servo switches its torque off. */
    {"least_voltage", "V", "Below this it lets go and blinks.", 23, 22, 2, 0, 4, 0.001, 0, 4.5, 12},
    {"most_voltage", "V", "Above this it lets go and blinks.", 23, 22, 2, 2, 4, 0.001, 0, 4.5, 12},
    {"hottest", "degrees C", "Above this it lets go and blinks.", 25, 24, 1, 0, 1, 1, 0, 50, 100},
    /* Measurements: read only. */
    {"temperature", "degrees C", "How warm it is.", 26, -1, 1, 0, 1, 1, 0, 0, 0},
    {"voltage", "V", "What it is powered with.", 27, -1, 2, 0, 2, 0.001, 0, 0, 0},
    {"position", "rad", "Where it is.", 28, -1, -2, 0, 2, STEP, 500, 0, 0},
    /* Mode, torque and light. */
    {"wheel", "1", "1: it turns like a wheel; 0: it goes to angles.  Forgotten without power.", 30, 29, 1, 0,
     4, 1, 0, 0, 1},
    {"speed", "1", "Of a wheel, as a share of full speed.  It turns at once.", 30, 29, -2, 2, 4, 0.001, 0, -1,
     1},
    {"torque", "1", "1: it holds; 0: it is limp.", 32, 31, 1, 0, 1, 1, 0, 0, 1},
    {"led", "1", "0: its light is on; 1: off.", 34, 33, 1, 0, 1, 1, 0, 0, 1},
    {"led_errors", "1", "What its light blinks for: 1 temperature, 2 voltage, 4 stalling, added.", 36, 35, 1,
     0, 1, 1, 0, 0, 7},
    {0}};

/* Read the numbers of a row's command into x->in.data. */
static bool read_data(brio_exchange *x, int id, const brio_setup_row *row, brio_error *err) {
  brio_exchange_make(x, id, row->read, NULL, 0);
  return brio_exchange_ask(x, row->length, row->length, err);
}

/* A row is read by its own command, and cut from the answer. */
static bool get(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double *value, brio_error *err) {
  if (!read_data(x, id, row, err)) return false;
  *value = brio_setup_value(setup, row, x->in.data);
  return true;
}

/* Commands are not answered. */
static bool send(brio_exchange *x, int id, int code, const uint8_t *data, int length, brio_error *err) {
  brio_exchange_make(x, id, code, data, length);
  return brio_exchange_send(x, err);
}

/* Set the id, which must be free: two servos with one id cannot be told apart.  The new id must
** answer. */
static bool set_id(brio_exchange *x, int id, const brio_setup_row *row, int other, brio_error *err) {
  const uint8_t data = (uint8_t)other;
  if (other == id) return true;
  if (read_data(x, other, row, NULL))
    return brio_fail(err, BRIO_MISUSE, "servo %d: there is one already", other);
  /* The command is not answered: ask for the new id. */
  for (int i = 0; i < TRIES; i++) {
    if (!send(x, id, ID_SET, &data, 1, err)) return false;
    if (read_data(x, other, row, NULL)) return true;
  }
  return brio_fail(err, BRIO_DEVICE, "servo %d does not take id %d", id, other);
}

/* Numbers of one command are written together, so read the others first.  Repeat until it is read
** back. */
static bool set(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double value, brio_error *err) {
  uint8_t data[8];
  if (row->write == ID_SET) return set_id(x, id, row, (int)lround(value), err);
  /* Done when what is read is what would be written. */
  for (int i = 0; i < TRIES; i++) {
    if (!read_data(x, id, row, err)) return false;
    memcpy(data, x->in.data, (size_t)row->length);
    brio_setup_bytes(setup, row, value, data);
    /* An offset is effective at once, but must be saved. */
    if (i > 0 && memcmp(data, x->in.data, (size_t)row->length) == 0)
      return row->write != OFFSET_SET || send(x, id, OFFSET_SAVE, NULL, 0, err);
    if (!send(x, id, row->write, data, row->length, err)) return false;
  }
  return brio_fail(err, BRIO_DEVICE, "servo %d does not take %s %g", id, row->name, value);
}

const brio_driver_setup brio_setup_lx16a = {&brio_protocol_lx16a, rows, 253, false, get, set};
