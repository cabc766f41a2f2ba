/* What the two forms of the Maestro's protocol share: with and without its CRC-7. */
#ifndef BRIO_DRIVERS_MAESTRO_H
#define BRIO_DRIVERS_MAESTRO_H

#include "drivers/wire.h"

enum { BRIO_MAESTRO_SSC = 0xFF /* the code of a Mini SSC packet */ };

/* The functions of brio_protocol, with `checks` bytes of CRC (0 or 1). */
int brio_maestro_parse(const uint8_t *bytes, int count, brio_direction direction, int checks, brio_packet *out);
int brio_maestro_write(const brio_packet *packet, int checks, uint8_t *out, int room);
void brio_maestro_describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog, brio_text *out);

#endif
