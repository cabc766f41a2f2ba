/* See lock.h. The lock file is never removed: if it were removed while another process opens it, two
** processes could lock two files of one name. */
#include "runtime/motor/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

/* The device's setting `port`; "": no such setting. */
static const char *port_of(const brio_device *device) {
  const brio_driver_text *texts = device->kind->texts;
  for (int i = 0; texts && texts[i].name; i++)
    if (strcmp(texts[i].name, "port") == 0) return device->texts[i];
  return "";
}

/* The name of a lock file by port; false if the port is no file. Such a port belongs to one engine,
** whatever the name of its device; devices on a shared bus (can:can0, udp:...) are also distinguished by
** name and settings. The port counts by its name in the robot's file, since the file behind it may be
** another device after unplugging. Two names of one port are found out when it is opened
** (drivers/port_claim.c). */
static bool name_by_port(const brio_device *device, char *out, size_t size) {
  const char *port = port_of(device);
  if (port[0] != '/') return false;
  uint64_t number = brio_hash_fold(BRIO_HASH_START, port, strlen(port));
  snprintf(out, size, "port-%08x.lock", (unsigned)(number & 0xFFFFFFFF));
  return true;
}

/* The path of a device's lock file; characters other than letters, digits, '-', '_' and '.' become '-'. */
static void path_of(const brio_device *device, char *out, size_t size) {
  struct stat about;
  /* /run/lock where every user may write, else /tmp: engines of all users must find the same file. */
  const char *folder = stat("/run/lock", &about) == 0 && (about.st_mode & S_IWOTH) ? "/run/lock" : "/tmp";
  /* A device without a port of its own is identified by its settings, too. */
  uint64_t settings = brio_hash_fold(BRIO_HASH_START, device->settings, sizeof device->settings);
  settings = brio_hash_fold(settings, port_of(device), strlen(port_of(device)));
  int n = snprintf(out, size, "%s/brio-", folder);
  char *name = out + n;
  if (name_by_port(device, name, size - (size_t)n)) return;
  snprintf(name, size - (size_t)n, "%.40s-%.40s-%08x.lock", device->kind->name, device->name,
           (unsigned)(settings & 0xFFFFFFFF));
  /* Only characters that every file system accepts. */
  for (char *c = name; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", *c)) *c = '-';
}

/* The process id in a lock file; 0: the file is empty. */
static long holder(int file) {
  char text[32] = "";
  ssize_t n = pread(file, text, sizeof text - 1, 0);
  return n > 0 ? strtol(text, NULL, 10) : 0;
}

/* Open a lock file, or create it.  A file that is there is opened without O_CREAT: the kernel refuses that
** for a file of another user in a folder such as /tmp, even to root (fs.protected_regular). */
static int open_lock(const char *path) {
  /* O_NOFOLLOW: no link may lead the engine to another file. */
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  int file = open(path, flags);
  if (file < 0 && errno == ENOENT) file = open(path, flags | O_CREAT | O_EXCL, 0666);
  /* Another process created it in between. */
  if (file < 0 && errno == EEXIST) file = open(path, flags);
  return file;
}

int brio_lock_device(const brio_device *device, brio_error *err) {
  char path[256], text[32];
  path_of(device, path, sizeof path);
  int file = open_lock(path);
  if (file < 0) {
    brio_fail(err, BRIO_IO, "device '%s' cannot be locked at %s: %s", device->name, path, strerror(errno));
    return -1;
  }
  fchmod(file, 0666); /* for other users, whatever the mask; refused where another owns it */
  /* The kernel drops the lock when the last descriptor closes, however the process ends. */
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    brio_fail(err, BRIO_DEVICE, "device '%s' is driven by another engine, process %ld: end that one first",
              device->name, holder(file));
    close(file);
    return -1;
  }
  /* The process id is only for the sentence above: failing to write it does not matter. */
  int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
  /* only for people */
  if (ftruncate(file, 0) != 0 || pwrite(file, text, (size_t)length, 0) != length) text[0] = 0;
  return file;
}
