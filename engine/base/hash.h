/* Content hashes: a version of a behavior is known by the SHA-256 of its text. */
#ifndef BRIO_BASE_HASH_H
#define BRIO_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Write the SHA-256 of `length` bytes as 64 lower-case hex digits and a closing 0. */
void brio_hash_sha256(const void *bytes, size_t length, char hex[65]);

/* Write the SHA-1 of `length` bytes.  For protocols that demand it (RFC 6455), not for security. */
void brio_hash_sha1(const void *bytes, size_t length, unsigned char digest[20]);

/* Fold `length` bytes into a running 64-bit digest (FNV-1a); start from
** BRIO_HASH_START.  For noticing that two runs differ, not for security. */
uint64_t brio_hash_fold(uint64_t digest, const void *bytes, size_t length);
#define BRIO_HASH_START 0xcbf29ce484222325u

#endif
