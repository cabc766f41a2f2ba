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

/* Ask a board for channel 0's pulse, in the Pololu form where `device` is not -1: the one question that every
** Maestro answers, and that can raise no error in it, for errors may send servos home.  A board whose CRC is
** enabled waits for the CRC behind the question: it is sent when nothing answered without it.  x->protocol is
** the board's then, and stays so. Return whether exactly two bytes came that may be a pulse.  Errors: device,
** io. */
bool brio_maestro_meet(brio_exchange *x, int device, brio_error *err);

#endif
