/* Digests: SHA-256 for contents and SHA-1 for protocols that demand it (libmd), and FNV-1a in 64 bits, which
** can be continued, for comparing runs. */
#include "base/hash.h"

#include <sha1.h>
#include <sha2.h>
#include <sys/types.h>

void brio_hash_sha256(const void *bytes, size_t length, char hex[65]) {
  SHA256Data(bytes, length, hex);
}

void brio_hash_sha1(const void *bytes, size_t length, unsigned char digest[20]) {
  SHA1_CTX context;
  SHA1Init(&context);
  SHA1Update(&context, bytes, length);
  SHA1Final(digest, &context);
}

uint64_t brio_hash_fold(uint64_t digest, const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  /* FNV-1a: multiply by the prime 2^40 + 2^8 + 0xb3 after each byte. */
  for (size_t i = 0; i < length; i++) digest = (digest ^ byte[i]) * 0x100000001b3u;
  return digest;
}
