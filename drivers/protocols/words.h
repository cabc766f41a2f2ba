/* Descriptions of packet data by a list of fields; and packets of small frames with an 8-bit sum. */
#ifndef BRIO_DRIVERS_PROTOCOLS_WORDS_H
#define BRIO_DRIVERS_PROTOCOLS_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "drivers/protocols/wire.h"

/* Write data in words.  `fields`: fields separated by commas, each type letters, a space and a name: "H
** angle,H ms,ccc degrees".  B b: 1 byte without and with sign; H h: 2 bytes; i: 4 bytes with sign; c: 2
** bytes with sign, in hundredths; d: in tenths; q: 7 low bits, 7 high bits.  Several letters: a list.
** Surplus bytes follow in hex; missing ones are marked as missing. */
void brio_words_fields(const char *fields, bool big_endian, const uint8_t *data, int length, brio_text *out);

/* Add bytes in hex, at most 64 of them. */
void brio_words_hex(const uint8_t *data, int length, brio_text *out);

/* Frames of two equal marks, id, length, code, data and an inverted sum.  `counted`: how many bytes
** besides the data the length counts (2: Dynamixel 1.0 and Feetech, 3: LX-16A). */
int brio_sum_frame_parse(uint8_t mark, int counted, const uint8_t *bytes, int count, brio_packet *out);
int brio_sum_frame_write(uint8_t mark, int counted, const brio_packet *packet, uint8_t *out, int room);

#endif
