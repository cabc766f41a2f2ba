/* The check code of Ethernet, zip and PNG: CRC-32 (IEEE 802.3), as zlib's crc32 has it. */
#ifndef BRIO_BASE_CRC32_H
#define BRIO_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Return the check code of `length` bytes. */
uint32_t brio_crc32(const void *bytes, size_t length);

/* Return the check code of what had the check code `before` (0: nothing) with `length` bytes behind it. */
uint32_t brio_crc32_more(uint32_t before, const void *bytes, size_t length);

#endif
