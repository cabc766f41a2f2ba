/* Clouds that are kept: files in a folder, each named by the SHA-256 of its bytes (cloud/files/pack.h), so
** that equal ones are one.  The feed's thread writes them before the tick has them; clouds without room
** are not kept. */
#ifndef BRIO_FEED_KEEP_H
#define BRIO_FEED_KEEP_H

#include <stddef.h>
#include <stdint.h>

#include "cloud/cloud.h"

enum { BRIO_FEED_HASH = 65 };

typedef struct brio_feed_keep {
  char folder[512];      /* "": none are kept */
  int64_t room;          /* bytes that may still be written */
  unsigned char *bytes;  /* of the cloud that is written */
  size_t size;
} brio_feed_keep;

/* Begin: `folder` is made where it is not there; NULL or "": nothing is kept.  `room`: bytes that may be
** written in all; 0: 16 GB. */
void brio_feed_keep_start(brio_feed_keep *keep, const char *folder, int64_t room);
void brio_feed_keep_end(brio_feed_keep *keep);

/* Thread: keep a cloud.  Writes its hash, "" when it is not kept (no room, or the disk's last gigabyte), and
** returns its bytes. */
int64_t brio_feed_keep_cloud(brio_feed_keep *keep, const brio_cloud *cloud, char hash[BRIO_FEED_HASH]);

#endif
