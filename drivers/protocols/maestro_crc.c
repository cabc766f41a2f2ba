/* Pololu Maestro with "Enable CRC" set: each packet except Mini SSC ends with a CRC-7. */
#include "drivers/protocols/maestro.h"

/* One byte of check code at the end. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  return brio_maestro_parse(bytes, count, direction, 1, out);
}

/* The inverse: the CRC-7 is added at the end. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  return brio_maestro_write(packet, 1, out, room);
}

/* Otherwise as without a CRC. */
const brio_protocol brio_protocol_maestro_crc = {
    .name = "maestro_crc",
    .doc = "Pololu Maestro with its CRC-7 enabled.",
    .check = "CRC-7 (0x91), none on Mini SSC",
    .accepts = 1.0 / 128,
    .longest = 300,
    .waits = true,
    .parse = parse,
    .write = write_packet,
    .describe = brio_maestro_describe,
};
