/* Settings of bus servos, in units; `brio servo` has their registers by name.  The code of a row is
** the role of its register. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "drivers/servo/bus.h"
#include "drivers/setup/setup.h"

#define STEP 0.0052 /* rad: the coarsest of all families */
#define ROW(name, unit, doc, role, writes, scale, lower, upper) \
  {name, unit, doc, BRIO_ROLE_##role, (writes) ? BRIO_ROLE_##role : -1, 0, 0, 0, scale, 0, lower, upper}
#define COMMON                                                                                               \
  ROW("id", "1", "Its id.", ID, true, 1, 0, 252),                                                            \
      ROW("baud", "1/s", "Its baud rate; the port follows.", BAUD, true, 1, 1200, 10500000),                 \
      ROW("lower", "rad", "The least angle it moves to.", LOWER, true, STEP, -3.1416, 3.1416),               \
      ROW("upper", "rad", "The greatest angle it moves to.", UPPER, true, STEP, -3.1416, 3.1416),            \
      ROW("hottest", "degrees C", "Above this it lets go.", TEMPERATURE_LIMIT, true, 1, 30, 100),            \
      ROW("torque", "1", "1: it holds; 0: it is limp.", TORQUE, true, 1, 0, 1),                              \
      ROW("position", "rad", "Where it is.", POSITION, false, STEP, 0, 0),                                   \
      ROW("voltage", "V", "What it is powered with.", VOLTAGE, false, 0.1, 0, 0),                            \
      ROW("temperature", "degrees C", "How warm it is.", TEMPERATURE, false, 1, 0, 0)
/* Gains are in units of the servo. */
#define GAINS(most)                                                                                          \
  ROW("p", "1", "Gain of its controller.", GAIN_P, true, 1, 0, most),                                        \
      ROW("i", "1", "Gain of its controller.", GAIN_I, true, 1, 0, most),                                    \
      ROW("d", "1", "Gain of its controller.", GAIN_D, true, 1, 0, most)

/* Protocol 2.0, Protocol 1.0 and SCS, STS. */
static const brio_setup_row wide_rows[] = {
    COMMON, GAINS(16383), ROW("mode", "1", "3: within a turn, 4: many turns.", MODE, true, 1, 3, 5), {0}};
static const brio_setup_row narrow_rows[] = {COMMON, {0}};
static const brio_setup_row feetech_rows[] = {COMMON, GAINS(254), {0}};

/* Roles whose values are converted to angles. */
static bool is_angle(int role) {
  return role == BRIO_ROLE_LOWER || role == BRIO_ROLE_UPPER || role == BRIO_ROLE_POSITION;
}

/* Ping the servo, so that its registers are known.  The bus is static per thread, because it is
** returned. */
static brio_servo_bus *start(const brio_driver_setup *setup, const brio_exchange *x, int id,
                             brio_error *err) {
  static _Thread_local brio_servo_bus bus;
  brio_servo_found found;
  /* The family is that of the protocol.  O(families). */
  const brio_servo_family *family = NULL;
  for (int i = 0; brio_servo_families[i]; i++)
    if (strcmp(brio_servo_families[i]->protocol, setup->protocol->name) == 0) family = brio_servo_families[i];
  /* The bus has its own exchange on the same port. */
  brio_servo_bus_start(&bus, family, x->port);
  /* The last try reports its error. */
  for (int i = 1; i < bus.x.tries; i++)
    if (brio_servo_bus_ping(&bus, id, &found, NULL)) return &bus;
  return brio_servo_bus_ping(&bus, id, &found, err) ? &bus : NULL;
}

/* Angles, rates and voltages are converted, others are as in the register. */
static bool get(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double *value, brio_error *err) {
  brio_servo_bus *bus = start(setup, x, id, err);
  int32_t number;
  if (!bus || !brio_servo_bus_get(bus, id, (brio_servo_role)row->read, &number, err)) return false;
  const brio_servo_family *layout = brio_servo_bus_layout(bus, id);
  *value = is_angle(row->read)                ? brio_servo_angle(layout, number)
           : row->read == BRIO_ROLE_BAUD    ? brio_servo_code_baud(layout, number)
           : row->read == BRIO_ROLE_VOLTAGE ? number * layout->volt
                                            : number;
  return true;
}

/* Rates and torque need more than writing a register. */
static bool set(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double value, brio_error *err) {
  brio_servo_bus *bus = start(setup, x, id, err);
  if (!bus) return false;
  /* The registers are those of the model that answered the ping. */
  const brio_servo_family *layout = brio_servo_bus_layout(bus, id);
  const brio_register *reg = brio_servo_role_register(layout, (brio_servo_role)row->write);
  if (!reg) return brio_fail(err, BRIO_MISUSE, "servo %d has no %s", id, row->name);
  if (row->write == BRIO_ROLE_BAUD) return brio_servo_bus_change_baud(bus, id, (int)lround(value), err);
  if (row->write == BRIO_ROLE_TORQUE) return brio_servo_bus_hold(bus, id, value > 0, err);
  int32_t number = is_angle(row->write) ? brio_servo_position(layout, value) : (int32_t)lround(value);
  /* Rounding must not lead beyond the register's range. */
  if (is_angle(row->write))
    number = number < reg->lower ? reg->lower : number > reg->upper ? reg->upper : number;
  return brio_servo_bus_configure(bus, id, reg, number, err);
}

/* One set of rows per family. */
extern const brio_protocol brio_protocol_dynamixel2, brio_protocol_dynamixel1, brio_protocol_sts,
    brio_protocol_scs;

const brio_driver_setup brio_setup_dynamixel = {&brio_protocol_dynamixel2, wide_rows, 252, false, get, set};
const brio_driver_setup brio_setup_dynamixel1 = {
    &brio_protocol_dynamixel1, narrow_rows, 252, false, get, set};
const brio_driver_setup brio_setup_sts = {&brio_protocol_sts, feetech_rows, 252, false, get, set};
const brio_driver_setup brio_setup_scs = {&brio_protocol_scs, feetech_rows, 252, false, get, set};
