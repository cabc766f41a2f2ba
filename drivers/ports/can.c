/* CAN buses as ports: SocketCAN ("can:can0"), or a Unix socket that carries the same frames where
** there is no CAN interface ("unix:/path", opened by `brio emulate`).  A frame is 16 bytes, those
** of struct can_frame; one system call transfers several.  SocketCAN as in the kernel's
** Documentation/networking/can.rst: a full transmit queue is ENOBUFS, and poll does not report when
** there is room again, so sending is retried after a pause.  An interface taken down is ENETDOWN,
** an unplugged one ENODEV.  Reports of the controller (bus-off, error passive, restart, no
** acknowledgement) arrive as frames with CAN_ERR_FLAG, which must be requested. */
#include <errno.h>
#include <fcntl.h>
#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "drivers/ports/port_internal.h"

static const double BUSY = 0.1;     /* s for which a bus may accept no frames */
static const long PAUSE = 200000; /* ns between tries of a full queue: time for a frame or two */

/* The greatest node number, also the mask of node numbers. */
enum { NODES = 127 };

/* ---- frames ---- */

/* One buffer per frame: recvmmsg fills as many as there are. */
int brio_port_can_receive(int fd, uint8_t *out, int room) {
  struct iovec pieces[BRIO_CAN_BURST];
  struct mmsghdr messages[BRIO_CAN_BURST];
  /* As many frames as fit into `out`, and into one call. */
  int most = room / BRIO_CAN_FRAME < BRIO_CAN_BURST ? room / BRIO_CAN_FRAME : BRIO_CAN_BURST, bytes = 0;
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < most; i++) {
    pieces[i] = (struct iovec){out + i * BRIO_CAN_FRAME, BRIO_CAN_FRAME};
    messages[i].msg_hdr.msg_iov = &pieces[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  int got = recvmmsg(fd, messages, (unsigned)most, MSG_DONTWAIT, NULL);
  if (got < 0) return -1;
  /* Of a Unix socket: the other end was closed. */
  if (got == 0 || messages[0].msg_len == 0) return 0;
  /* Drop what is not a whole frame, and close the gaps. */
  for (int i = 0; i < got; i++) {
    if (messages[i].msg_len != BRIO_CAN_FRAME || (messages[i].msg_hdr.msg_flags & MSG_TRUNC)) continue;
    if (bytes != i * BRIO_CAN_FRAME) memmove(out + bytes, out + i * BRIO_CAN_FRAME, BRIO_CAN_FRAME);
    bytes += BRIO_CAN_FRAME;
  }
  /* Frames of wrong size only: like nothing. */
  if (bytes == 0) errno = EAGAIN;
  return bytes > 0 ? bytes : -1;
}

/* Likewise for sending; MSG_NOSIGNAL: a closed socket is an error, not a signal. */
int brio_port_can_send(int fd, const uint8_t *bytes, int count) {
  struct iovec pieces[BRIO_CAN_BURST];
  struct mmsghdr messages[BRIO_CAN_BURST];
  int frames = count / BRIO_CAN_FRAME < BRIO_CAN_BURST ? count / BRIO_CAN_FRAME : BRIO_CAN_BURST;
  /* Each frame is a message with one buffer.  The socket does not write to it, so const is cast away. */
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < frames; i++) {
    pieces[i] = (struct iovec){(void *)(uintptr_t)(bytes + i * BRIO_CAN_FRAME), BRIO_CAN_FRAME};
    messages[i].msg_hdr.msg_iov = &pieces[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  int sent = sendmmsg(fd, messages, (unsigned)frames, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 ? -1 : sent * BRIO_CAN_FRAME;
}

/* Report why the bus failed.  Return -1. */
static int failed(const brio_port *port, int why, brio_error *err) {
  if (why == ENETDOWN || why == ENXIO) {
    brio_fail(err, BRIO_IO, "%s is down: `ip link set %s up` brings it back", port->name,
              strncmp(port->name, "can:", 4) == 0 ? port->name + 4 : port->name);
    return -1;
  }
  return brio_port_gone(port, err);
}

/* Read what is there; otherwise wait once, and read again. */
static int read_frames(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err) {
  for (int tries = 0;; tries++) {
    int got = brio_port_can_receive(port->fd, out, room);
    if (got > 0) return got;
    if (got == 0) return brio_port_gone(port, err);
    if (errno != EAGAIN && errno != EINTR) return failed(port, errno, err);
    if (tries > 0 || timeout <= 0) return 0;
    if (brio_port_wait(port, POLLIN, timeout) == 0) return 0; /* reading reports a hang-up */
  }
}

/* Wait until frames may fit again.  Return false if they did not for too long. */
static bool wait_for_room(const brio_port *port, int why, double since, brio_error *err) {
  bool full = why == ENOBUFS;
  /* Without another node no frame is acknowledged, and the queue stays full. */
  if (brio_port_now(port) - since >= BUSY)
    return brio_fail(err, BRIO_DEVICE, "%s took no frames for %g s: %s", port->name, BUSY,
                     full ? "is anybody else on the bus, at its bit rate, and is it terminated?"
                          : "it is held busy");
  /* poll does not wait for room in the queue, so sleep. */
  if (full) clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, PAUSE}, NULL);
  else brio_port_wait(port, POLLOUT, BUSY / 10);
  return true;
}

/* Part of the frames may have been sent: go on with the rest.  Progress restarts the time limit. */
static bool write_frames(brio_port *port, const uint8_t *bytes, int count, brio_error *err) {
  double since = brio_port_now(port);
  while (count > 0) {
    int sent = brio_port_can_send(port->fd, bytes, count);
    /* Some frames were sent: continue with the first of the others. */
    if (sent > 0) {
      bytes += sent;
      count -= sent;
      since = brio_port_now(port);
    } else if (errno == EAGAIN || errno == ENOBUFS) {
      if (!wait_for_room(port, errno, since, err)) return false;
    } else if (errno != EINTR) {
      return failed(port, errno, err) > 0;
    }
  }
  return true;
}

/* ---- opening ---- */

/* Accept any rate: the rate of the bus is a property of the interface. */
static bool set_baud(brio_port *port, int baud, brio_error *err) {
  (void)port;
  (void)baud;
  (void)err;
  return true; /* `ip link` sets the rate of the bus */
}

/* Both kinds differ only in how they are opened. */
static void close_socket(brio_port *port) { close(port->fd); }

static const brio_port_kind can_kind = {read_frames, write_frames, set_baud, close_socket, NULL};
static const brio_port_kind unix_kind = {read_frames, write_frames, set_baud, close_socket, NULL};

/* Report errno as the reason, close the socket, and return false. */
static bool fail_open(brio_port *port, brio_error *err) {
  brio_fail(err, BRIO_DEVICE, "%s cannot be opened: %s%s", port->name, strerror(errno),
            errno == EAFNOSUPPORT ? " (this system has no SocketCAN)" : "");
  if (port->fd >= 0) close(port->fd);
  return false;
}

/* Check that the interface exists, is a CAN interface and is up.  Its index goes into `address`. */
static bool find_interface(const brio_port *port, const char *name, struct sockaddr_can *address,
                           brio_error *err) {
  /* Names are shorter than IFNAMSIZ; index 0 means that there is no such interface. */
  struct ifreq about = {0};
  address->can_ifindex = strlen(name) < IFNAMSIZ && *name ? (int)if_nametoindex(name) : 0;
  if (address->can_ifindex == 0)
    return brio_fail(err, BRIO_NO_FILE, "there is no interface '%.40s': `ip link` lists them", name);
  /* The kernel reports hardware type and flags by the interface's name. */
  memcpy(about.ifr_name, name, strlen(name) + 1);
  /* Only CAN hardware (or vcan), and only an interface that is up, carries frames. */
  if (ioctl(port->fd, SIOCGIFHWADDR, &about) == 0 && about.ifr_hwaddr.sa_family != ARPHRD_CAN)
    return brio_fail(err, BRIO_MISUSE, "'%s' is no CAN interface", name);
  if (ioctl(port->fd, SIOCGIFFLAGS, &about) == 0 && !(about.ifr_flags & IFF_UP))
    return brio_fail(err, BRIO_DEVICE,
                     "%s is down: `ip link set %s up type can bitrate 1000000` brings it up", name, name);
  return true;
}

/* Ask for the error frames that the driver evaluates. */
bool brio_port_open_can(brio_port *port, const char *interface, brio_error *err) {
  struct sockaddr_can address = {.can_family = AF_CAN};
  can_err_mask_t errors =
      CAN_ERR_TX_TIMEOUT | CAN_ERR_CRTL | CAN_ERR_ACK | CAN_ERR_BUSOFF | CAN_ERR_RESTARTED;
  port->kind = &can_kind;
  /* Raw frames; the socket never blocks. */
  port->fd = socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
  if (port->fd < 0) return fail_open(port, err);
  if (!find_interface(port, interface, &address, err)) {
    close(port->fd);
    return false;
  }
  if (setsockopt(port->fd, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof errors) != 0)
    return fail_open(port, err);
  return bind(port->fd, (struct sockaddr *)&address, sizeof address) == 0 || fail_open(port, err);
}

/* Filters by node: the low 7 bits of the identifier.  None, or too many, let every frame pass. */
bool brio_port_can_nodes(brio_port *port, const uint8_t *nodes, int count, brio_error *err) {
  struct can_filter filters[NODES];
  if (port->kind != &can_kind) return true;
  for (int i = 0; i < count && i < NODES; i++)
    filters[i] =
        (struct can_filter){nodes[i], NODES | CAN_EFF_FLAG | CAN_RTR_FLAG}; /* the low 7 bits are the node */
  if (count == 0 || count > NODES) filters[0] = (struct can_filter){0, 0};
  socklen_t size = (socklen_t)((count == 0 || count > NODES ? 1 : (size_t)count) * sizeof *filters);
  if (setsockopt(port->fd, SOL_CAN_RAW, CAN_RAW_FILTER, filters, size) == 0) return true;
  return brio_fail(err, BRIO_DEVICE, "%s takes no filters: %s", port->name, strerror(errno));
}

/* Connect to a socket of an emulator. */
bool brio_port_open_unix(brio_port *port, const char *path, brio_error *err) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  port->kind = &unix_kind;
  if (strlen(path) >= sizeof address.sun_path)
    return brio_fail(err, BRIO_MISUSE, "the path '%.120s' is too long", path);
  memcpy(address.sun_path, path, strlen(path) + 1);
  /* SOCK_SEQPACKET keeps the boundaries of frames, as a CAN socket does. */
  port->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (port->fd < 0) return fail_open(port, err);
  return connect(port->fd, (struct sockaddr *)&address, sizeof address) == 0 || fail_open(port, err);
}
