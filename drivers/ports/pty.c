/* Pseudo-terminals, which emulators use. libserialport refuses them because they have no modem
** lines.  They are set to raw; the baud rate is stored, although only emulators evaluate it. */
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "drivers/ports/port_internal.h"

/* Set the line to raw, at any baud rate. */
static bool set_line(int fd, int baud) {
  struct termios2 line;
  if (ioctl(fd, TCGETS2, &line) != 0) return false;
  line.c_iflag = 0;
  line.c_oflag = 0;
  line.c_lflag = 0;
  /* BOTHER: the rate is a number, not one of the constants. */
  line.c_cflag = BOTHER | CS8 | CREAD | CLOCAL;
  line.c_ispeed = line.c_ospeed = (speed_t)baud;
  /* A read returns as soon as one byte is there, without a timer between bytes. */
  line.c_cc[VMIN] = 1;
  line.c_cc[VTIME] = 0;
  return ioctl(fd, TCSETS2, &line) == 0;
}

/* Set the rate together with the raw mode, which another program may have changed. */
static bool set_baud(brio_port *port, int baud, brio_error *err) {
  /* The kernel accepts any rate for a pseudo-terminal. */
  if (set_line(port->fd, baud)) return true;
  return brio_fail(err, BRIO_DEVICE, "%s refuses %d baud: %s", port->name, baud, strerror(errno));
}

static void close_pty(brio_port *port) { close(port->fd); }

bool brio_port_open_pty(brio_port *port, const char *path, brio_error *err) {
  /* Reading and writing are those of files. */
  static const brio_port_kind kind = {NULL, NULL, set_baud, close_pty, NULL};
  port->kind = &kind;
  port->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (port->fd < 0)
    return brio_fail(err, BRIO_DEVICE, "%s cannot be opened: %s", port->name, strerror(errno));
  /* A file that is no terminal is refused by set_line. */
  if (set_line(port->fd, port->baud)) return true;
  brio_fail(err, BRIO_DEVICE, "%s is no terminal: %s", port->name, strerror(errno));
  close(port->fd);
  return false;
}
