/* Keeping clouds: see keep.h. A file is written under another name and renamed, so a file named by a hash
** is always complete. Feed's thread. */
#include "feed/keep.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/hash.h"
#include "cloud/files/pack.h"

#define ROOM ((int64_t)16000000000)    /* bytes, if no other limit is given */
#define LEFT_ALONE ((uint64_t)1000000000) /* bytes of the disk that are never used */

void brio_feed_keep_start(brio_feed_keep *keep, const char *folder, int64_t room) {
  memset(keep, 0, sizeof *keep);
  if (!folder || !folder[0] || strlen(folder) >= sizeof keep->folder - 1) return;
  snprintf(keep->folder, sizeof keep->folder, "%s", folder);
  keep->room = room > 0 ? room : ROOM;
  mkdir(folder, 0777); /* on failure no file can be written, which is reported for each */
}

void brio_feed_keep_end(brio_feed_keep *keep) {
  free(keep->bytes);
  keep->bytes = NULL;
}

/* Grow the buffer for a packed cloud; it never shrinks. False: no memory. */
static bool make_room(brio_feed_keep *keep, size_t length) {
  if (length <= keep->size) return true;
  unsigned char *bytes = realloc(keep->bytes, length);
  if (!bytes) return false;
  keep->bytes = bytes;
  keep->size = length;
  return true;
}

/* Write all bytes: write() may write fewer than requested. False: an error. */
static bool write_all(int file, const unsigned char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(file, bytes, length);
    if (count <= 0) return false;
    bytes += count;
    length -= (size_t)count;
  }
  return true;
}

/* Write the file `path`, under the name `part` until it is complete. False: no space or an error, and
** nothing is left behind. */
static bool write_file(const brio_feed_keep *keep, const char *part, const char *path, size_t length) {
  struct statvfs disk;
  /* Leave space on the disk for everything else, above all the run store. */
  if (statvfs(keep->folder, &disk) != 0 || (uint64_t)disk.f_bavail * disk.f_frsize < LEFT_ALONE + length)
    return false;
  int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return false;
  bool good = write_all(file, keep->bytes, length);
  /* Closing may report a late error; only then is the file given its name. */
  good = close(file) == 0 && good && rename(part, path) == 0;
  if (!good) unlink(part);
  return good;
}

int64_t brio_feed_keep_cloud(brio_feed_keep *keep, const brio_cloud *cloud, char hash[BRIO_FEED_HASH]) {
  char path[sizeof keep->folder + BRIO_FEED_HASH], part[sizeof path + 32];
  struct stat there;
  size_t length = brio_cloud_packed_size(cloud);
  hash[0] = 0;
  if (!keep->folder[0] || !make_room(keep, length)) return 0;
  /* The packed bytes are hashed and written. */
  brio_cloud_pack(cloud, keep->bytes);
  brio_hash_sha256(keep->bytes, length, hash);
  snprintf(path, sizeof path, "%s/%s", keep->folder, hash);
  /* An equal cloud is kept already. */
  if (stat(path, &there) == 0 && there.st_size == (off_t)length) return (int64_t)length;
  /* The temporary name is unique per process and feed. */
  snprintf(part, sizeof part, "%s.%ld-%p", path, (long)getpid(), (void *)keep);
  /* Room is counted down to 0; a cloud that fails costs none. */
  if ((int64_t)length > keep->room || !write_file(keep, part, path, length)) {
    hash[0] = 0;
    return 0;
  }
  keep->room -= (int64_t)length;
  return (int64_t)length;
}
