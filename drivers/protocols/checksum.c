/* Check codes of the serial protocols, computed bit by bit: frames have at most a few hundred
** bytes, for which a table is not worth its cache lines.  Polynomials: ROBOTIS DynamixelSDK
** (0x8005), maxon EPOS4 Communication Guide (0x1021), Pololu Maestro User's Guide 5.d (0x91). */
#include "drivers/protocols/checksum.h"

/* Most significant bit first.  O(8 count). */
uint16_t brio_checksum_crc16(const uint8_t *bytes, int count, uint16_t crc, uint16_t polynomial) {
  for (int i = 0; i < count; i++) {
    crc ^= (uint16_t)(bytes[i] << 8);
    for (int bit = 0; bit < 8; bit++)
      crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ polynomial : crc << 1);
  }
  return crc;
}

/* A reflected CRC: least significant bit first.  O(8 count). */
static uint16_t reflected(const uint8_t *bytes, int count, uint16_t crc, uint16_t polynomial) {
  for (int i = 0; i < count; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1);
  }
  return crc;
}

/* Modbus: 0x8005 reflected is 0xA001, from FFFF. */
uint16_t brio_checksum_modbus(const uint8_t *bytes, int count) {
  return reflected(bytes, count, 0xFFFF, 0xA001);
}

/* 0x91 reflected over 7 bits, shifted out at the low end: x^7 + x^4 + 1 is 0x48 once the outgoing
** bit has been dropped. */
uint8_t brio_checksum_crc7(const uint8_t *bytes, int count) {
  return (uint8_t)(reflected(bytes, count, 0, 0x91 >> 1) & 0x7F);
}

/* The inverted sum of the bytes, modulo 256. */
uint8_t brio_checksum_sum(const uint8_t *bytes, int count) {
  unsigned sum = 0;
  for (int i = 0; i < count; i++) sum += bytes[i];
  return (uint8_t)~sum;
}
