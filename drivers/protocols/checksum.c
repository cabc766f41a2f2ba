/* The check codes of the serial protocols, bit by bit: a frame has some hundred bytes, and no
** table is worth its cache lines.  Polynomials: ROBOTIS DynamixelSDK (0x8005), maxon EPOS4
** Communication Guide (0x1021), Pololu Maestro User's Guide 5.d (0x91). */
#include "drivers/protocols/checksum.h"

uint16_t brio_checksum_crc16(const uint8_t *bytes, int count, uint16_t crc, uint16_t polynomial) {
  for (int i = 0; i < count; i++) {
    crc ^= (uint16_t)(bytes[i] << 8);
    for (int bit = 0; bit < 8; bit++)
      crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ polynomial : crc << 1);
  }
  return crc;
}

/* A reflected CRC: least significant bit first. */
static uint16_t reflected(const uint8_t *bytes, int count, uint16_t crc, uint16_t polynomial) {
  for (int i = 0; i < count; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1);
  }
  return crc;
}

uint16_t brio_checksum_modbus(const uint8_t *bytes, int count) {
  return reflected(bytes, count, 0xFFFF, 0xA001);
}

/* 0x91 reflected over 7 bits and shifted out at the low end: x^7 + x^4 + 1 is 0x48 once the
** bit that leaves has been dropped. */
uint8_t brio_checksum_crc7(const uint8_t *bytes, int count) {
  return (uint8_t)(reflected(bytes, count, 0, 0x91 >> 1) & 0x7F);
}

uint8_t brio_checksum_sum(const uint8_t *bytes, int count) {
  unsigned sum = 0;
  for (int i = 0; i < count; i++) sum += bytes[i];
  return (uint8_t)~sum;
}
