/* Opening a port by its name: choose its kind, and check that it is free. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/ports/port_internal.h"

/* Open a port that is not a serial line. */
static brio_port *open_bus(const char *name, bool (*open)(brio_port *, const char *, brio_error *),
                           const char *what, int baud, brio_error *err) {
  brio_port *port = brio_port_new(name, baud, err);
  if (!port || open(port, what, err)) return port;
  /* The port is not open yet: only free it. */
  free(port);
  return NULL;
}

brio_port *brio_port_open(const char *name, int baud, brio_error *err) {
  char path[4096];
  if (!brio_port_check_baud(baud, err)) return NULL;
  /* The prefix of the name selects the kind; other names are files. */
  if (strncmp(name, "can:", 4) == 0) return open_bus(name, brio_port_open_can, name + 4, baud, err);
  if (strncmp(name, "unix:", 5) == 0) return open_bus(name, brio_port_open_unix, name + 5, baud, err);
  if (strncmp(name, "udp:", 4) == 0) return open_bus(name, brio_port_open_udp, name + 4, baud, err);
  if (!realpath(name, path)) { /* resolve links such as /dev/serial/by-id, which libserialport refuses */
    brio_fail(err, BRIO_NO_FILE, "there is no port '%.120s': %s", name, strerror(errno));
    return NULL;
  }
  /* Pseudo-terminals have no modem lines, so they need their own way of opening (pty.c). */
  brio_port *port = brio_port_new(name, baud, err);
  if (!port) return NULL;
  bool good = brio_port_permitted(port, path, err) &&
              (strncmp(path, "/dev/pts/", 9) == 0 ? brio_port_open_pty(port, path, err)
                                                  : brio_port_open_serial(port, path, err));
  /* Locked only after opening: the lock is on the open file. */
  if (good && brio_port_claim(port, err)) return port;
  if (good) port->kind->close(port);
  free(port);
  return NULL;
}
