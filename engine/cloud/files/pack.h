/* A cloud as bytes and back, to the last bit: for keeping it, on the machine type that wrote it. */
#ifndef BRIO_CLOUD_FILES_PACK_H
#define BRIO_CLOUD_FILES_PACK_H

#include <stddef.h>

#include "cloud/cloud.h"

/* How many bytes a cloud takes. */
size_t brio_cloud_packed_size(const brio_cloud *cloud);

/* Write them to `out`: all of the cloud but its time. */
void brio_cloud_pack(const brio_cloud *cloud, void *out);

/* Make `cloud` what `length` bytes say, of which nothing is believed; its time is `time`.  On failure it is
** empty.  Errors: format, limit, no_memory. */
bool brio_cloud_unpack(brio_cloud *cloud, const void *bytes, size_t length, double time, brio_error *err);

#endif
