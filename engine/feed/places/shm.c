/* Clouds over POSIX shared memory: the sender writes raw frames into slots in turn, and sets the number of
** the newest one; docs/perception/detectors.md has the layout.
**
** The memory is read by pread, never mapped: a segment that shrinks or vanishes while it is read causes a
** short read, where a mapping would end the program. A frame that the sender overwrote meanwhile is
** recognized by the slot's sequence number, which must be even, and the same before and after (a sequence
** lock); then it is read again. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "feed/feed_internal.h"

/* Sizes and offsets of the layout, bytes; attempts per frame. */
enum {
  VERSION = 1, HEAD = 64, SLOT_HEAD = 64, MAX_SLOTS = 64, TRIES = 3,
  AT_VERSION = 4, AT_SLOTS = 6, AT_SIZE = 8, AT_NEWEST = 16, AT_SEQUENCE = 0, AT_LENGTH = 8,
  LOOK_MS = 2,               /* interval between two looks for a new frame */
};

#define LOOK_FOR 250000000 /* ns between two checks that the segment is still the same */

/* The segment being read. */
typedef struct shm {
  char name[128];
  int fd;                  /* -1: it does not exist */
  dev_t device;
  ino_t inode;
  int64_t looked;          /* ns: when its identity was checked last */
  uint64_t newest;         /* number of the frame read last */
  char *bytes;             /* room for one frame */
  size_t room;
} shm;

/* Prepare for a segment of that name, which need not exist yet. False: an invalid name, or no memory. */
static bool shm_place_open(brio_feed *feed, const char *rest, brio_error *err) {
  shm *link = calloc(1, sizeof *link);
  if (!link) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
  feed->link = link;
  link->fd = -1;
  /* A leading slash is optional in the place, and required by shm_open. */
  if (*rest == '/') rest++;
  if (!*rest || strchr(rest, '/') || strlen(rest) + 2 > sizeof link->name)
    return brio_fail(err, BRIO_MISUSE,
                     "shm: expects the name of a segment, without a '/', as in shm:depth, not '%.100s'",
                     rest);
  snprintf(link->name, sizeof link->name, "/%s", rest);
  /* Room for the largest frame that the settings accept. */
  link->room = brio_feed_longest(feed);
  link->bytes = malloc(link->room);
  return link->bytes || brio_fail(err, BRIO_NO_MEMORY, "no memory for a feed");
}

/* Close the segment, if one is open; its numbering is void. */
static void let_go(shm *link) {
  if (link->fd >= 0) close(link->fd);
  link->fd = -1;
  link->newest = 0;
}

static void shm_place_close(brio_feed *feed) {
  shm *link = feed->link;
  let_go(link);
  free(link->bytes);
  free(link);
}

/* A little-endian number of `bytes` bytes. */
static uint64_t number(const unsigned char *at, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; i--) value = value << 8 | at[i];
  return value;
}

/* Read exactly `count` bytes at an offset. The offset comes from the sender, so it is checked. */
static bool read_at(const shm *link, void *out, size_t count, uint64_t at) {
  return at <= INT64_MAX / 2 && pread(link->fd, out, count, (off_t)at) == (ssize_t)count;
}

/* Open the segment of that name, or verify, every LOOK_FOR ns, that it is still the one that is open. */
static void look_for(brio_feed *feed, shm *link, int64_t now) {
  struct stat about;
  if (link->looked && now - link->looked < LOOK_FOR) return;
  link->looked = now;
  int fd = shm_open(link->name, O_RDONLY | O_CLOEXEC, 0);
  /* A sender that restarts creates another segment under the same name. */
  bool there = fd >= 0 && fstat(fd, &about) == 0,
       same = there && link->fd >= 0 && about.st_dev == link->device && about.st_ino == link->inode;
  /* Keep the new descriptor only if it is another segment. */
  if (fd >= 0 && (same || !there)) close(fd);
  if (same) return;
  let_go(link);
  if (!there) return;
  /* Device and inode identify the segment. */
  link->fd = fd;
  link->device = about.st_dev;
  link->inode = about.st_ino;
  /* A new sender: its clock and numbers start again. */
  brio_feed_greet(feed, link->name);
}

/* The head of the segment. */
typedef struct layout {
  uint64_t slots, size, newest;
} layout;

/* Read and validate the head. False: invalid (counted), or not complete yet. */
static bool read_layout(brio_feed *feed, const shm *link, layout *out) {
  unsigned char head[HEAD];
  /* Shorter than its head: it is being created, or of another kind. */
  if (!read_at(link, head, sizeof head, 0))
    return brio_feed_refuse(&feed->meter, BRIO_FEED_SEGMENT, "less than %d bytes", HEAD);
  *out = (layout){number(head + AT_SLOTS, 2), number(head + AT_SIZE, 8), number(head + AT_NEWEST, 8)};
  if (memcmp(head, "BRPS", 4) == 0 && number(head + AT_VERSION, 2) == VERSION && out->slots >= 1 &&
      out->slots <= MAX_SLOTS &&
      /* The size is bounded so that no offset overflows. */
      out->size >= SLOT_HEAD && out->size <= INT64_MAX / 4 / MAX_SLOTS)
    return true;
  if (memcmp(head, "\0\0\0\0", 4) == 0) return false; /* it is being created */
  return brio_feed_refuse(&feed->meter, BRIO_FEED_SEGMENT,
                          "it does not begin with BRPS, version %d, and 1 to %d slots", VERSION, MAX_SLOTS);
}

/* Copy the newest frame out of its slot. Return its length; 0: it is being written, was overwritten, or is
** invalid. */
static size_t read_frame(brio_feed *feed, const shm *link, const layout *l) {
  /* Frame n is in slot (n - 1) mod slots. */
  uint64_t at = HEAD + (l->newest - 1) % l->slots * l->size;
  unsigned char before[SLOT_HEAD], after[8];
  if (!read_at(link, before, sizeof before, at)) {
    brio_feed_refuse(&feed->meter, BRIO_FEED_SEGMENT, "it ends before slot %d",
                     (int)((l->newest - 1) % l->slots));
    return 0;
  }
  /* An odd number: the sender is writing. */
  uint64_t sequence = number(before + AT_SEQUENCE, 8), length = number(before + AT_LENGTH, 8);
  if (sequence % 2 == 1) return 0;
  /* The length comes from the sender: it must fit the slot and the buffer. */
  if (length < BRIO_CLOUD_HEADER || length > l->size - SLOT_HEAD || length > link->room) {
    brio_feed_refuse(&feed->meter, BRIO_FEED_LENGTH,
                     "a frame of %llu bytes in a slot of %llu; at most %zu are read",
                     (unsigned long long)length, (unsigned long long)(l->size - SLOT_HEAD), link->room);
    return 0;
  }
  if (!read_at(link, link->bytes, (size_t)length, at + SLOT_HEAD)) {
    brio_feed_refuse(&feed->meter, BRIO_FEED_SEGMENT, "it ends within a frame");
    return 0;
  }
  /* The same number behind the copy: the frame is complete. */
  bool same = read_at(link, after, sizeof after, at) && number(after, 8) == sequence;
  return same ? (size_t)length : 0;
}

/* One round of the thread: read the newest frame, if it is a new one, in up to TRIES attempts. */
static void shm_place_work(brio_feed *feed) {
  shm *link = feed->link;
  layout l;
  look_for(feed, link, brio_clock_monotonic());
  if (link->fd < 0) {
    brio_feed_rest(BRIO_FEED_WAIT_MS);
    return;
  }
  /* Read only if the sender has published another frame. */
  bool good = read_layout(feed, link, &l);
  for (int i = 0; good && l.newest != link->newest && l.newest > 0 && i < TRIES; i++) {
    size_t length = read_frame(feed, link, &l);
    if (length > 0) {
      link->newest = l.newest;
      brio_feed_hear(feed, link->bytes, length, brio_clock_monotonic(), true);
    }
    /* After a failure the newest one may be another. */
    good = read_layout(feed, link, &l);
  }
  brio_feed_rest(good ? LOOK_MS : BRIO_FEED_WAIT_MS);
}

const brio_feed_place brio_feed_place_shm = {
    .name = "shm",
    .live = true,
    .contents = {false, true},
    .open = shm_place_open,
    .work = shm_place_work,
    .close = shm_place_close,
};
