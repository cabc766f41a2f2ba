/* Settings of a Maestro, by the compact protocol, with a CRC where the board has that enabled; ids
** are channels.  Baud rate, device number, limits of channels and timeout are set over USB by
** Pololu's Maestro Control Center. */
#include <math.h>

#include "drivers/protocols/maestro.h"
#include "drivers/setup/setup.h"

/* Commands with arguments of their own. */
enum { GET = 0x90, TARGET = 0x84, HOME = 0xA2 };

extern const brio_protocol brio_protocol_maestro;

/* -1: cannot be read, or not be written. */
static const brio_setup_row rows[] = {
    /* Units of the board: 0.25 us; 25 us/s (0.25 us per 10 ms); 312.5 us/s^2 (0.25 us per 10 ms per 80
    ** ms). */
    {"pulse", "us", "What a channel sends; 0: nothing.", GET, TARGET, 2, 0, 2, 0.25, 0, 0, 4080},
    {"speed", "us/s", "A channel's limit; 0: none.", -1, 0x87, 2, 0, 0, 25, 0, 0, 409575},
    {"acceleration", "us/s^2", "A channel's limit; 0: none.", -1, 0x89, 2, 0, 0, 312.5, 0, 0, 79687.5},
    {"moving", "1", "1: a channel is on its way, by its speed limit.", 0x93, -1, 1, 0, 1, 1, 0, 0, 0},
    {"errors", "1",
     "The board's errors, by bits, which reading clears: 1 signal, 2 overrun, 4 buffer, 8 CRC, 16 protocol, "
     "32 timeout.",
     0xA1, -1, 2, 0, 2, 1, 0, 0, 0},
    {"script", "1", "0: a script runs.", 0xAE, -1, 1, 0, 1, 1, 0, 0, 0},
    {"home", "1", "Write 1: all channels go where errors send them.", -1, HOME, 1, 0, 0, 1, 0, 1, 1},
    {0}};

/* Find out whether the board wants a CRC. */
static bool meet(brio_exchange *x, brio_error *err) {
  brio_error why = {0};
  for (int k = 0; k < x->tries && why.code != BRIO_IO; k++)
    if (brio_maestro_meet(x, -1, &why)) return true;
  if (err) *err = why;
  return false;
}

/* Only the position belongs to a channel. */
static bool get(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double *value, brio_error *err) {
  uint8_t bytes[2];
  const uint8_t channel = (uint8_t)id;
  if (!meet(x, err)) return false;
  /* GET names a channel, other questions have no data. */
  brio_exchange_make(x, -1, row->read, &channel, row->read == GET ? 1 : 0);
  if (!brio_exchange_bytes(x, bytes, row->length, err)) return false;
  *value = brio_setup_value(setup, row, bytes);
  return true;
}

/* Numbers have 14 bits, 7 per byte, low ones first.  There is no answer. */
static bool set(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double value, brio_error *err) {
  int raw = (int)lround(value / row->scale);
  const uint8_t data[] = {(uint8_t)id, (uint8_t)(raw & 0x7F), (uint8_t)(raw >> 7 & 0x7F)};
  (void)setup;
  if (!meet(x, err)) return false;
  brio_exchange_make(x, -1, row->write, data, row->write == HOME ? 0 : 3);
  return brio_exchange_send(x, err);
}

const brio_driver_setup brio_setup_maestro = {&brio_protocol_maestro, rows, 23, false, get, set};
