/* Settings of devices: named numbers that can be read from a device and changed in it before a robot runs
** on it, such as its id, its limits and its errors.  A family that has settings points to such a record
** from its brio_driver_kind; `brio setup` and brio.serial present them. */
#ifndef BRIO_DRIVERS_SETUP_SETUP_H
#define BRIO_DRIVERS_SETUP_SETUP_H

#include "drivers/ports/exchange.h"

/* One setting.  The meaning of the codes is up to the family. */
typedef struct brio_setup_row {
  const char *name, *unit, *doc;
  int read, write;      /* codes to read and to write it; -1: impossible */
  int form;             /* bytes: 1, 2; negative: signed */
  int at, length;       /* its offset in the data of an answer, and their length */
  double scale, zero;   /* value = (number - zero) x scale */
  double lower, upper;  /* range of writable values */
} brio_setup_row;

typedef struct brio_driver_setup brio_driver_setup;
struct brio_driver_setup {
  const brio_protocol *protocol;
  const brio_setup_row *rows; /* ends at name NULL */
  int highest;                /* id */
  bool big_endian;
  /* Read or change a row of device (joint, channel) `id`.  Changes are read back where possible.  Errors:
  ** device, io, misuse. */
  bool (*get)(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
              double *value, brio_error *err);
  bool (*set)(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
              double value, brio_error *err);
};

/* Return the row of that name, or NULL and an error with the nearest name (misuse). */
const brio_setup_row *brio_setup_find(const brio_driver_setup *setup, const char *name, brio_error *err);

/* Read or change a setting on a port.  Errors: those of the family, and misuse: an invalid id or value. */
bool brio_setup_get(const brio_driver_setup *setup, brio_port *port, int id, const char *name, double *value,
                    brio_error *err);
bool brio_setup_set(const brio_driver_setup *setup, brio_port *port, int id, const char *name, double value,
                    brio_error *err);

/* For families: convert a row's number from the data of an answer, and back. */
double brio_setup_value(const brio_driver_setup *setup, const brio_setup_row *row, const uint8_t *data);
void brio_setup_bytes(const brio_driver_setup *setup, const brio_setup_row *row, double value, uint8_t *data);

extern const brio_driver_setup brio_setup_dynamixel, brio_setup_dynamixel1, brio_setup_sts, brio_setup_scs;
extern const brio_driver_setup brio_setup_lx16a, brio_setup_mycobot, brio_setup_maestro, brio_setup_line;

#endif
