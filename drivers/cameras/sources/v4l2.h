/* The system calls by which a V4L2 device is used, so that tests can replace the kernel. */
#ifndef BRIO_CAMERAS_V4L2_H
#define BRIO_CAMERAS_V4L2_H

#include <poll.h>
#include <stddef.h>
#include <sys/types.h>

/* As the system calls of these names, but for what is said; errors in errno. */
typedef struct brio_v4l2_system {
  int (*open)(const char *path);
  int (*close)(int fd);
  int (*ioctl)(int fd, unsigned long request, void *argument);
  void *(*map)(int fd, size_t length, off_t offset); /* NULL: failed */
  int (*unmap)(void *at, size_t length);
  int (*poll)(struct pollfd *fds, int milliseconds); /* of one descriptor */
} brio_v4l2_system;

/* The kernel's; tests set others. */
extern const brio_v4l2_system *brio_v4l2;

#endif
