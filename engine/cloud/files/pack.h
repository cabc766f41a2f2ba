/* Lossless serialization of a cloud, for storage on the same type of machine. */
#ifndef BRIO_CLOUD_FILES_PACK_H
#define BRIO_CLOUD_FILES_PACK_H

#include <stddef.h>

#include "cloud/cloud.h"

/* Return the bytes of a serialized cloud. */
size_t brio_cloud_packed_size(const brio_cloud *cloud);

/* Write the cloud to `out`, without its time. */
void brio_cloud_pack(const brio_cloud *cloud, void *out);

/* Read `length` untrusted bytes into `cloud`; its time is `time`.  On failure it is empty.  Errors: format,
** limit, no_memory. */
bool brio_cloud_unpack(brio_cloud *cloud, const void *bytes, size_t length, double time, brio_error *err);

#endif
