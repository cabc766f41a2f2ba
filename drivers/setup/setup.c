/* Shared by the settings of all families: see setup.h. */
#include "drivers/setup/setup.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"

/* Tries of each exchange: a person waits for the result. */
enum { TRIES = 4 };

/* List the rows for a hint on misspelt names; the last row has no name. */
static const char *row_name_at(const void *rows, int i) { return ((const brio_setup_row *)rows)[i].name; }

/* By name; a wrong one gets the nearest as a hint. */
const brio_setup_row *brio_setup_find(const brio_driver_setup *setup, const char *name, brio_error *err) {
  char hint[96];
  for (int i = 0; setup->rows[i].name; i++)
    if (strcmp(setup->rows[i].name, name) == 0) return &setup->rows[i];
  brio_fail(err, BRIO_MISUSE, "there is no '%.64s' in %s%s", name, setup->protocol->name,
            brio_name_hint(name, row_name_at, setup->rows, hint));
  return NULL;
}

/* The id must be one that the protocol can address. */
static bool start(const brio_driver_setup *setup, brio_exchange *x, brio_port *port, int id,
                  brio_error *err) {
  if (id < 0 || id > setup->highest)
    return brio_fail(err, BRIO_MISUSE, "ids of %s are 0 to %d, not %d", setup->protocol->name, setup->highest,
                     id);
  brio_exchange_start(x, setup->protocol, port);
  x->tries = TRIES;
  return true;
}

/* The exchange is static per thread: its buffers take several kilobytes. */
bool brio_setup_get(const brio_driver_setup *setup, brio_port *port, int id, const char *name, double *value,
                    brio_error *err) {
  static _Thread_local brio_exchange x;
  const brio_setup_row *row = brio_setup_find(setup, name, err);
  if (!row || !start(setup, &x, port, id, err)) return false;
  /* Some numbers can only be written. */
  if (row->read < 0)
    return brio_fail(err, BRIO_MISUSE, "%s can be changed, but the device does not report it", name);
  return setup->get(setup, &x, id, row, value, err);
}

bool brio_setup_set(const brio_driver_setup *setup, brio_port *port, int id, const char *name, double value,
                    brio_error *err) {
  static _Thread_local brio_exchange x;
  const brio_setup_row *row = brio_setup_find(setup, name, err);
  if (!row || !start(setup, &x, port, id, err)) return false;
  /* Some numbers can only be read. */
  if (row->write < 0) return brio_fail(err, BRIO_MISUSE, "%s can be read, but not be changed", name);
  /* Negated, so that NaN fails, too. */
  if (!(value >= row->lower && value <= row->upper))
    return brio_fail(err, BRIO_MISUSE, "%s is from %g to %g %s, not %g", name, row->lower, row->upper,
                     row->unit, value);
  return setup->set(setup, &x, id, row, value, err);
}

/* `form`: bytes of the number, negative with sign; value = (raw - zero) scale. */
double brio_setup_value(const brio_driver_setup *setup, const brio_setup_row *row, const uint8_t *data) {
  assert(row->at >= 0 && row->form != 0 && abs(row->form) <= 2);
  const uint8_t *at = data + row->at;
  /* Assemble one or two bytes in the family's order. */
  int raw = abs(row->form) == 1 ? at[0] : setup->big_endian ? at[0] << 8 | at[1] : at[0] | at[1] << 8;
  if (row->form == -1) raw = (raw ^ 0x80) - 0x80; /* its upper bit is the sign */
  if (row->form == -2) raw = (int16_t)raw;
  return (raw - row->zero) * row->scale;
}

/* The inverse, rounded. */
void brio_setup_bytes(const brio_driver_setup *setup, const brio_setup_row *row, double value,
                      uint8_t *data) {
  assert(row->at >= 0 && row->form != 0 && abs(row->form) <= 2);
  int raw = (int)lround(value / row->scale + row->zero);
  /* One byte, or two in the family's order. */
  uint8_t *at = data + row->at;
  if (abs(row->form) == 1) {
    at[0] = (uint8_t)raw;
    return;
  }
  at[setup->big_endian ? 1 : 0] = (uint8_t)raw;
  at[setup->big_endian ? 0 : 1] = (uint8_t)(raw >> 8);
}
