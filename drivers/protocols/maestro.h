/* What the two forms of the Maestro's protocol share: with and without its CRC-7. */
#ifndef BRIO_DRIVERS_PROTOCOLS_MAESTRO_H
#define BRIO_DRIVERS_PROTOCOLS_MAESTRO_H

#include "drivers/ports/exchange.h"

enum { BRIO_MAESTRO_SSC = 0xFF /* the code of a Mini SSC packet */ };

/* The functions of brio_protocol, with `checks` bytes of CRC (0 or 1). */
int brio_maestro_parse(const uint8_t *bytes, int count, brio_direction direction, int checks,
                       brio_packet *out);
int brio_maestro_write(const brio_packet *packet, int checks, uint8_t *out, int room);
void brio_maestro_describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog,
                           brio_text *out);

/* Read channel 0's pulse of a board, in the Pololu form unless `device` is -1.  Every Maestro answers this
** request, and it cannot raise an error, which matters because errors may send servos home.  A board with
** its CRC enabled waits for the CRC: it is sent if there was no answer without it. x->protocol is the
** board's from then on.  Return whether exactly two bytes arrived that can be a pulse.  Errors: device,
** io. */
bool brio_maestro_meet(brio_exchange *x, int device, brio_error *err);

#endif
