/* Clouds as bytes: see pack.h. The header as it is in memory, then all points, all colors, all labels. */
#include "cloud/files/pack.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cloud/cloud.h"

/* The header. Numbers are as in memory: packed clouds are for machines of one kind. */
typedef struct pack_head {
  char mark[8];
  int32_t width, height, parts, missing, far, none;
  int64_t unread;
  brio_pose viewpoint;
  char frame[BRIO_CLOUD_FRAME];
} pack_head;

static const char mark[8] = "BRIOCL1";

enum { POINT = 3 * sizeof(float), COLOR = 3, LABEL = sizeof(uint32_t) };

/* The parts that a cloud has in addition to its points, as bits. */
static int parts_of(const brio_cloud *cloud) {
  return (cloud->colors ? BRIO_CLOUD_COLORS : 0) | (cloud->labels ? BRIO_CLOUD_LABELS : 0);
}

/* The number of bytes of a packed cloud of `count` points. */
static size_t size_of(size_t count, int parts) {
  return sizeof(pack_head) +
         count * (POINT + (parts & BRIO_CLOUD_COLORS ? COLOR : 0) + (parts & BRIO_CLOUD_LABELS ? LABEL : 0));
}

size_t brio_cloud_packed_size(const brio_cloud *cloud) {
  return size_of((size_t)cloud->count, parts_of(cloud));
}

void brio_cloud_pack(const brio_cloud *cloud, void *out) {
  pack_head head;
  assert(cloud->count == cloud->width * cloud->height);
  size_t count = (size_t)cloud->count;
  unsigned char *at = out;
  /* Cleared first, padding included, so that equal clouds make equal bytes. */
  memset(&head, 0, sizeof head); /* equal clouds make equal bytes */
  memcpy(head.mark, mark, sizeof head.mark);
  head.width = cloud->width;
  head.height = cloud->height;
  head.parts = parts_of(cloud);
  head.missing = cloud->missing;
  head.far = cloud->far;
  head.unread = cloud->unread;
  head.viewpoint = cloud->viewpoint;
  snprintf(head.frame, sizeof head.frame, "%s", cloud->frame);
  /* memcpy, as `out` need not be aligned. */
  memcpy(at, &head, sizeof head);
  at += sizeof head;
  if (count == 0) return;
  memcpy(at, cloud->points, count * POINT);
  at += count * POINT;
  if (cloud->colors) {
    memcpy(at, cloud->colors, count * COLOR);
    at += count * COLOR;
  }
  if (cloud->labels) memcpy(at, cloud->labels, count * LABEL);
}

/* Whether the header is valid and announces exactly the bytes that are there. */
static bool is_good(const pack_head *head, size_t length) {
  if (memcmp(head->mark, mark, sizeof mark) != 0 || head->frame[BRIO_CLOUD_FRAME - 1] != 0) return false;
  if (head->width < 0 || head->height < 0 || (head->parts & ~(BRIO_CLOUD_COLORS | BRIO_CLOUD_LABELS)) != 0)
    return false;
  /* 64 bits hold the product; the length is checked before memory is allocated. */
  uint64_t count = (uint64_t)head->width * (uint64_t)head->height;
  return count <= BRIO_CLOUD_POINTS && length == size_of((size_t)count, head->parts);
}

bool brio_cloud_unpack(brio_cloud *cloud, const void *bytes, size_t length, double time, brio_error *err) {
  pack_head head;
  const unsigned char *at = bytes;
  if (length >= sizeof head) memcpy(&head, at, sizeof head);
  if (length < sizeof head || !is_good(&head, length)) {
    brio_cloud_resize(cloud, 0, 0, 0, NULL);
    return brio_fail(err, BRIO_FORMAT,
                     "%zu bytes are not a kept cloud: a header and its number of points were expected",
                     length);
  }
  /* From here on all lengths are known to fit. */
  if (!brio_cloud_resize(cloud, head.width, head.height, head.parts, err)) return false;
  size_t count = (size_t)cloud->count;
  at += sizeof head;
  if (count) memcpy(cloud->points, at, count * POINT);
  at += count * POINT;
  if (count && cloud->colors) memcpy(cloud->colors, at, count * COLOR);
  if (cloud->colors) at += count * COLOR;
  if (count && cloud->labels) memcpy(cloud->labels, at, count * LABEL);
  /* Sizes of later allocations follow from `missing`: it must be what the points say. */
  brio_cloud_judge(cloud);
  if (cloud->missing != head.missing || head.far < 0 || head.far > head.missing || head.unread < 0) {
    brio_fail(err, BRIO_FORMAT, "%zu bytes are not a kept cloud: %d pixels have no point, not %d", length,
              cloud->missing, head.missing);
    brio_cloud_resize(cloud, 0, 0, 0, NULL);
    return false;
  }
  /* The time is stored next to the bytes, by the caller. */
  memcpy(cloud->frame, head.frame, sizeof head.frame);
  cloud->viewpoint = head.viewpoint;
  cloud->far = head.far;
  cloud->unread = head.unread;
  cloud->time = time;
  return true;
}
