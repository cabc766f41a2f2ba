/* Memory that only grows, for buffers that are filled again and again. */
#ifndef BRIO_CLOUD_ROOM_H
#define BRIO_CLOUD_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Make room for `count` items of `size` bytes at the pointer `block` points to; what it holds is lost when it
** grows, which adds to `growths` unless that is NULL.  False: there is no memory. */
bool brio_cloud_room(void *block, int *room, int count, size_t size, int *growths);

#endif
