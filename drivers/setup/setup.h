/* Setting devices up by hand: named numbers that may be read from a device, and changed in it, before a robot
** runs on it: its id, its limits, what it complains of.  A family that has some points to a record of these
** from its brio_driver_kind; `brio setup` and brio.serial show them to people. */
#ifndef BRIO_DRIVERS_SETUP_SETUP_H
#define BRIO_DRIVERS_SETUP_SETUP_H

#include "drivers/ports/exchange.h"

/* One number.  What the codes mean is the family's affair. */
typedef struct brio_setup_row {
  const char *name, *unit, *doc;
  int read, write;      /* the codes that ask for it and change it; -1: that cannot be */
  int form;             /* bytes: 1, 2; negative: with a sign */
  int at, length;       /* where it stands in an answer's data, and how long these are */
  double scale, zero;   /* value = (number - zero) x scale */
  double lower, upper;  /* of what may be written */
} brio_setup_row;

typedef struct brio_driver_setup brio_driver_setup;
struct brio_driver_setup {
  const brio_protocol *protocol;
  const brio_setup_row *rows; /* ends at name NULL */
  int highest;                /* id */
  bool big_endian;
  /* Read, or change, what a row says at device (joint, channel) `id`.  Changes are read back where they can
  ** be. Errors: device, io, misuse. */
  bool (*get)(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
              double *value, brio_error *err);
  bool (*set)(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
              double value, brio_error *err);
};

/* Return the row of that name, or NULL and an error with the nearest name (misuse). */
const brio_setup_row *brio_setup_find(const brio_driver_setup *setup, const char *name, brio_error *err);

/* Read or change a number at a port.  Errors: those of the family, and misuse: an id or value that may not
** be. */
bool brio_setup_get(const brio_driver_setup *setup, brio_port *port, int id, const char *name, double *value,
                    brio_error *err);
bool brio_setup_set(const brio_driver_setup *setup, brio_port *port, int id, const char *name, double value,
                    brio_error *err);

/* For families: a row's number in an answer's data, and the other way. */
double brio_setup_value(const brio_driver_setup *setup, const brio_setup_row *row, const uint8_t *data);
void brio_setup_bytes(const brio_driver_setup *setup, const brio_setup_row *row, double value, uint8_t *data);

extern const brio_driver_setup brio_setup_dynamixel, brio_setup_dynamixel1, brio_setup_sts, brio_setup_scs;
extern const brio_driver_setup brio_setup_lx16a, brio_setup_mycobot, brio_setup_maestro, brio_setup_line;

#endif
