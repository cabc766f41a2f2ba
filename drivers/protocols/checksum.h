/* The check codes of the serial protocols. */
#ifndef BRIO_DRIVERS_PROTOCOLS_CHECKSUM_H
#define BRIO_DRIVERS_PROTOCOLS_CHECKSUM_H

#include <stdint.h>

/* Return the CRC-16 of `count` bytes, most significant bit first, continued from `crc`, with
** the polynomial given without its leading 1: 0x8005 (Dynamixel 2.0), 0x1021 (EPOS). */
uint16_t brio_checksum_crc16(const uint8_t *bytes, int count, uint16_t crc, uint16_t polynomial);

/* Return the CRC-16/MODBUS: reflected 0xA001, started at 0xFFFF. */
uint16_t brio_checksum_modbus(const uint8_t *bytes, int count);

/* Return Pololu's CRC-7: polynomial 0x91, bits least significant first, top bit 0. */
uint8_t brio_checksum_crc7(const uint8_t *bytes, int count);

/* Return the inverted 8-bit sum (Dynamixel 1.0, Feetech, LX-16A). */
uint8_t brio_checksum_sum(const uint8_t *bytes, int count);

#endif
