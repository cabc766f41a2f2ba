/* CAN buses as ports: SocketCAN ("can:can0"), or a Unix socket that carries the same frames where there
** is no CAN interface ("unix:/path", which `brio emulate` opens).  A read or write is one frame of 16
** bytes, struct can_frame's. */
#include <errno.h>
#include <fcntl.h>
#include <linux/can.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "drivers/port_internal.h"

static bool set_baud(brio_port *port, int baud, brio_error *err) {
  (void)port;
  (void)baud;
  (void)err;
  return true; /* the bus' rate is set by `ip link` */
}

static void close_socket(brio_port *port) { close(port->fd); }

static const brio_port_kind kind = {NULL, NULL, set_baud, close_socket};

static bool fail_open(brio_port *port, brio_error *err) {
  brio_fail(err, BRIO_DEVICE, "%s cannot be opened: %s", port->name, strerror(errno));
  if (port->fd >= 0) close(port->fd);
  return false;
}

bool brio_port_open_can(brio_port *port, const char *interface, brio_error *err) {
  struct sockaddr_can address = {.can_family = AF_CAN, .can_ifindex = (int)if_nametoindex(interface)};
  port->kind = &kind;
  port->fd = socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
  if (port->fd < 0 || address.can_ifindex == 0) return fail_open(port, err);
  return bind(port->fd, (struct sockaddr *)&address, sizeof address) == 0 || fail_open(port, err);
}

bool brio_port_open_unix(brio_port *port, const char *path, brio_error *err) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  port->kind = &kind;
  if (strlen(path) >= sizeof address.sun_path) return brio_fail(err, BRIO_MISUSE, "the path '%.120s' is too long", path);
  memcpy(address.sun_path, path, strlen(path) + 1);
  port->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (port->fd < 0) return fail_open(port, err);
  return connect(port->fd, (struct sockaddr *)&address, sizeof address) == 0 || fail_open(port, err);
}
