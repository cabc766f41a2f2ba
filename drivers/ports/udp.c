/* UDP as a port, "udp:host:port".  One read or write is one datagram; a line feed is added where it
** does not end with one. */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "drivers/ports/port_internal.h"

/* A rate means nothing here. */
static bool set_baud(brio_port *port, int baud, brio_error *err) {
  (void)port;
  (void)baud;
  (void)err;
  return true;
}

/* Close the socket; UDP has no connection to end. */
static void close_socket(brio_port *port) { close(port->fd); }

/* Read a datagram.  A refusal by the other host counts as silence: it may be started later. */
static int read_datagram(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err) {
  struct pollfd one = {.fd = port->fd, .events = POLLIN};
  (void)err;
  /* Room for the line feed; rounded up to whole milliseconds. */
  if (room < 2 || poll(&one, 1, timeout > 0 ? (int)(timeout * 1000 + 0.999) : 0) != 1) return 0;
  ssize_t got = recv(port->fd, out, (size_t)room - 1, 0);
  if (got <= 0) return 0;
  /* Messages end with a line feed everywhere in brio. */
  if (out[got - 1] != '\n') out[got++] = '\n';
  return (int)got;
}

/* Without a receiver a datagram is lost, as any datagram may be. */
static bool write_datagram(brio_port *port, const uint8_t *bytes, int count, brio_error *err) {
  if (send(port->fd, bytes, (size_t)count, 0) == count || errno == ECONNREFUSED || errno == EAGAIN)
    return true;
  return brio_fail(err, BRIO_IO, "%s takes no datagrams: %s", port->name, strerror(errno));
}

bool brio_port_open_udp(brio_port *port, const char *where, brio_error *err) {
  static const brio_port_kind kind = {read_datagram, write_datagram, set_baud, close_socket, NULL};
  char host[128];
  const char *number = strrchr(where, ':');
  struct addrinfo hints = {.ai_socktype = SOCK_DGRAM}, *found = NULL;
  /* Both a host and a port are required.  The last colon separates them: an IPv6 host has colons,
  ** too. */
  if (!number || (size_t)(number - where) >= sizeof host)
    return brio_fail(err, BRIO_MISUSE, "a UDP port is udp:HOST:PORT, not '%.120s'", port->name);
  snprintf(host, sizeof host, "%.*s", (int)(number - where), where);
  /* Resolve host and port, for IPv4 or IPv6; this may block for a name server. */
  int result = getaddrinfo(host, number + 1, &hints, &found);
  if (result != 0)
    return brio_fail(err, BRIO_DEVICE, "%s cannot be found: %s", port->name, gai_strerror(result));
  /* connect sets the destination, and filters out other senders. */
  port->kind = &kind;
  port->fd = socket(found->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  bool good = port->fd >= 0 && connect(port->fd, found->ai_addr, found->ai_addrlen) == 0;
  freeaddrinfo(found);
  if (good) return true;
  brio_fail(err, BRIO_DEVICE, "%s cannot be opened: %s", port->name, strerror(errno));
  if (port->fd >= 0) close(port->fd);
  return false;
}
