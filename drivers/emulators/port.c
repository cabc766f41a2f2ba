/* Emulators behind pseudo-terminals.  The emulator uses the master end.  Programs open the slave
** end, which is also held open here, so that programs may come and go; the slave carries the baud
** rate that the program sets.  Unplugging closes both ends, which programs see as a hang-up;
** plugging in opens a port of another name, as for a real adapter.  A CAN bus, whose unit is the
** frame, is behind a Unix socket instead (SOCK_SEQPACKET, 16 bytes per frame), for one program at a
** time. */
#include <assert.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/emulators/port.h"
#include "drivers/ports/port_internal.h"

enum { PRIORITY = 20 /* below all threads of a robot */ };

static const double BEAT = 0.005; /* s: longest wait between two steps of a bus with a program on it */

struct brio_emulator_port {
  brio_emulator *line;
  int master, slave; /* -1: unplugged */
  char pulled[300];     /* the previous name; "": none */
  int listener;      /* of a bus; -1: none.  The master is then the program's connection. */
  struct sockaddr_in peer; /* sender of the last datagram */
  int64_t handed;    /* how often bytes were handed out */
  double late;       /* s: the sum of their delays */
  double early;      /* s: the end of a wait, spent without sleep: what this machine takes to wake up */
  char name[300], link[256];
  struct stat made;  /* the link, or the socket of a bus, as it was made */
  char typed[BRIO_EMULATOR_LINE];
  int ntyped;
};

/* Bounds of `early`, s; its share of a new measurement. */
static const double EARLIEST = 60e-6, LATEST = 5e-6, SHARE = 0.125;

/* Return the machine's monotonic time, s. */
static double now(void) { return (double)brio_clock_monotonic() * 1e-9; }

/* Set the line to raw: no echo, no line editing, no signals. */
static bool set_raw(int fd) {
  struct termios2 line;
  if (ioctl(fd, TCGETS2, &line) != 0) return false;
  line.c_iflag = line.c_oflag = line.c_lflag = 0;
  line.c_cflag = B38400 | CS8 | CREAD | CLOCAL;
  return ioctl(fd, TCSETS2, &line) == 0;
}

/* Whether programs reach the emulator by datagrams. */
static bool is_udp(const brio_emulator_port *port) { return brio_emulator_kind_of(port->line)->udp; }

/* Of the kinds with datagrams, those that are not UDP are CAN buses. */
static bool is_bus(const brio_emulator_port *port) {
  return brio_emulator_kind_of(port->line)->protocol->datagrams && !is_udp(port);
}

/* Whether a link or a socket of that name may be made: nothing else there may be lost. */
static bool is_free(const char *path, brio_error *err) {
  struct stat about;
  if (lstat(path, &about) != 0 || S_ISLNK(about.st_mode) || S_ISSOCK(about.st_mode)) return true;
  return brio_fail(err, BRIO_IO, "the link '%s' cannot be made: something else has that name", path);
}

/* Remember what was made there, if it was. */
static void note_made(brio_emulator_port *port, const char *path) {
  if (lstat(path, &port->made) != 0) port->made = (struct stat){0};
}

/* Remove it, unless another emulator has put its own in its place. */
static void remove_made(brio_emulator_port *port, const char *path) {
  struct stat about;
  if (lstat(path, &about) == 0 && about.st_ino == port->made.st_ino && about.st_dev == port->made.st_dev)
    unlink(path);
  /* Its number may be given to another one. */
  port->made = (struct stat){0};
}

/* Close what programs see, and remove its link.  The name is kept, so that the next port gets another. */
static void pull(brio_emulator_port *port) {
  /* The socket file of a bus is removed with its listener. */
  if (port->listener >= 0) {
    close(port->listener);
    remove_made(port, port->name + strlen("unix:"));
  }
  port->listener = -1;
  /* First the link: the system gives a terminal's name to the next one, which may be another emulator's. */
  if (port->link[0] && !is_bus(port)) remove_made(port, port->link);
  if (port->master >= 0) close(port->master);
  if (port->slave >= 0) close(port->slave);
  port->master = port->slave = -1;
  if (port->name[0]) snprintf(port->pulled, sizeof port->pulled, "%s", port->name);
  port->name[0] = 0;
}

/* Let the link name the port.  Renaming replaces it without a moment in which it is missing. */
static bool make_link(brio_emulator_port *port, brio_error *err) {
  if (!port->link[0]) return true;
  /* Make the link under another name, then rename it over the old one. */
  char fresh[sizeof port->link + 8];
  snprintf(fresh, sizeof fresh, "%s.new", port->link);
  if (!is_free(port->link, err) || !is_free(fresh, err)) return false;
  unlink(fresh);
  if (symlink(port->name, fresh) == 0 && rename(fresh, port->link) == 0) {
    note_made(port, port->link);
    return true;
  }
  return brio_fail(err, BRIO_IO, "the link '%s' cannot be made: %s", port->link, strerror(errno));
}

/* Listen on a Unix socket for the next program. */
static bool listen_for_programs(brio_emulator_port *port, brio_error *err) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  /* The socket is the link itself, or a file named by the process. */
  if (port->link[0]) snprintf(port->name, sizeof port->name, "unix:%s", port->link);
  else snprintf(port->name, sizeof port->name, "unix:/tmp/brio-bus-%d", (int)getpid());
  const char *path = port->name + strlen("unix:");
  if (strlen(path) >= sizeof address.sun_path) return brio_fail(err, BRIO_IO, "the link's path is too long");
  memcpy(address.sun_path, path, strlen(path) + 1);
  /* A socket file of an earlier process would prevent bind. */
  if (!is_free(path, err)) return false;
  unlink(path);
  /* SOCK_SEQPACKET keeps the frames of a stream apart; `bind` makes the socket file. */
  port->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (port->listener >= 0 && bind(port->listener, (struct sockaddr *)&address, sizeof address) == 0) {
    note_made(port, path);
    if (listen(port->listener, 1) == 0) return true;
  }
  brio_fail(err, BRIO_DEVICE, "no socket can be opened at %s: %s", path, strerror(errno));
  pull(port);
  return false;
}

/* Open a free UDP port of this machine (loopback only). */
static bool open_udp(brio_emulator_port *port, brio_error *err) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  port->master = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  /* Port 0: the kernel chooses a free one, which getsockname returns. */
  if (port->master >= 0 && bind(port->master, (struct sockaddr *)&address, size) == 0 &&
      getsockname(port->master, (struct sockaddr *)&address, &size) == 0) {
    snprintf(port->name, sizeof port->name, "udp:127.0.0.1:%d", ntohs(address.sin_port));
    return true;
  }
  brio_fail(err, BRIO_DEVICE, "no UDP port can be opened: %s", strerror(errno));
  pull(port);
  return false;
}

/* Open a pseudo-terminal with a name other than `before` ("": any).  Return its descriptor, or -1. */
static int open_terminal(const char *before, char *name, size_t size) {
  int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || ptsname_r(fd, name, size) != 0 || strcmp(name, before) != 0) return fd;
  int other = open_terminal("", name, size); /* the first one still holds the old name */
  close(fd);
  return other;
}

/* Plug in: open the port that suits the emulator's kind. */
static bool put_in(brio_emulator_port *port, brio_error *err) {
  if (is_bus(port)) return listen_for_programs(port, err);
  if (is_udp(port)) return open_udp(port, err);
  /* A terminal: its other end is held open, and raw from the start. */
  port->master = open_terminal(port->pulled, port->name, sizeof port->name);
  if (port->master < 0 || grantpt(port->master) != 0 || unlockpt(port->master) != 0) {
    brio_fail(err, BRIO_DEVICE, "no pseudo-terminal can be opened: %s", strerror(errno));
    pull(port);
    return false;
  }
  /* Opened here, too, so that a program that closes it causes no hang-up. */
  port->slave = open(port->name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (port->slave >= 0 && set_raw(port->slave)) return make_link(port, err);
  brio_fail(err, BRIO_DEVICE, "%s cannot be set up: %s", port->name, strerror(errno));
  pull(port);
  return false;
}

brio_emulator_port *brio_emulator_port_open(brio_emulator *line, const char *link, brio_error *err) {
  brio_emulator_port *port = calloc(1, sizeof *port);
  if (!port) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a port");
    return NULL;
  }
  port->line = line;
  port->early = EARLIEST;
  port->master = port->slave = port->listener = -1;
  prctl(PR_SET_TIMERSLACK, 1); /* wake up to the microsecond */
  /* devices do not wait for programs; without the right to real-time priority this has no effect */
  sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = PRIORITY});
  /* The link is optional; without it programs use the port's own name. */
  if (link && strlen(link) >= sizeof port->link) {
    brio_fail(err, BRIO_IO, "the link's path is too long");
  } else {
    if (link) snprintf(port->link, sizeof port->link, "%s", link);
    if (put_in(port, err)) return port;
  }
  /* A terminal is open even if its link cannot be made. */
  pull(port);
  free(port);
  return NULL;
}

/* The mean delay shows how busy the machine is. */
int64_t brio_emulator_port_late(const brio_emulator_port *port, double *late) {
  *late = port->late;
  return port->handed;
}

const char *brio_emulator_port_name(const brio_emulator_port *port) { return port->name; }

void brio_emulator_port_close(brio_emulator_port *port) {
  if (!port) return;
  pull(port);
  free(port);
}

/* Return the baud rate that the program has set; 0: the port has none. */
static int baud_of(const brio_emulator_port *port) {
  if (port->slave < 0) return 0;
  struct termios2 line;
  return ioctl(port->slave, TCGETS2, &line) == 0 ? (int)line.c_ospeed : 0;
}

/* Pass to the emulator what programs have written. */
static void take_in(brio_emulator_port *port) {
  uint8_t bytes[BRIO_FRAME_MOST];
  socklen_t size = sizeof port->peer;
  ssize_t got = is_udp(port)   ? recvfrom(port->master, bytes, sizeof bytes - 1, 0,
                                          (struct sockaddr *)&port->peer, &size)
                : is_bus(port) ? brio_port_can_receive(port->master, bytes, sizeof bytes)
                               : read(port->master, bytes, sizeof bytes);
  /* A datagram is a message: add the line end that ends messages elsewhere. */
  if (is_udp(port) && got > 0 && bytes[got - 1] != '\n') bytes[got++] = '\n';
  if (got > 0) brio_emulator_feed(port->line, bytes, (int)got, now(), baud_of(port));
  /* End of file at a bus: the program has gone, and the next one may connect. */
  if (!is_bus(port) || got > 0 || (got < 0 && errno == EAGAIN)) return;
  close(port->master); /* ready for the next program */
  port->master = -1;
}

/* Pass to programs what is due; without a reader it is lost, as on a wire.  Bytes that are due
** within `early` are waited for by polling, because waking up takes as long. */
static void hand_out(brio_emulator_port *port) {
  uint8_t bytes[BRIO_FRAME_MOST];
  int count;
  double due = brio_emulator_due(port->line);
  for (double left = due - now(); left > 0 && left < port->early;) left = due - now();
  /* Statistics of the delay. */
  if (due <= now()) {
    port->handed++;
    port->late += now() - due;
  }
  int room = is_bus(port) ? BRIO_CAN_BURST * BRIO_CAN_FRAME : (int)sizeof bytes;
  /* Whole frames only for a bus. */
  while ((count = brio_emulator_take(port->line, now(), bytes, room)) > 0) {
    if (port->master < 0) continue;
    if (is_bus(port)) brio_port_can_send(port->master, bytes, count);
    else if (is_udp(port))
      sendto(port->master, bytes, (size_t)count, 0, (struct sockaddr *)&port->peer, sizeof port->peer);
    else if (write(port->master, bytes, (size_t)count) < 0) return;
  }
}

/* Wait for at most `left` seconds for bytes from programs or a terminal.  Return false: the port failed.
** A sleep that ends by time shows how long this machine takes to wake up; the next ones end that much
** earlier. */
static bool sleep_for(brio_emulator_port *port, double left, struct pollfd watched[2]) {
  struct timespec most = {(time_t)left, (long)((left - floor(left)) * 1e9)};
  double until = now() + left;
  int ready = ppoll(watched, 2, &most, NULL);
  if (ready == 0 && left > 0) {
    double took = fmin(EARLIEST, fmax(LATEST, 2 * (now() - until)));
    port->early += SHARE * (took - port->early);
  }
  return ready >= 0 || errno == EINTR;
}

/* Read typed characters.  Return 1: `typed` has a line; 2: end of input; 0: neither. */
static int take_typed(brio_emulator_port *port, char typed[BRIO_EMULATOR_LINE]) {
  char byte;
  assert(port->ntyped >= 0 && port->ntyped < BRIO_EMULATOR_LINE);
  while (true) {
    /* Read only what is there: this must not block. */
    struct pollfd one = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&one, 1, 0) != 1) return 0;
    if (read(STDIN_FILENO, &byte, 1) != 1) return 2;
    if (byte == '\n') break;
    if (port->ntyped < BRIO_EMULATOR_LINE - 1) port->typed[port->ntyped++] = byte;
  }
  /* Hand over the line, and start the next one. */
  memcpy(typed, port->typed, (size_t)port->ntyped);
  typed[port->ntyped] = 0;
  port->ntyped = 0;
  return 1;
}

/* Carry out the commands "unplug" and "plug". */
static bool follow_plug(brio_emulator_port *port, brio_error *err) {
  if (brio_emulator_plugged(port->line)) return port->master >= 0 || port->listener >= 0 || put_in(port, err);
  pull(port);
  return true;
}

int brio_emulator_port_step(brio_emulator_port *port, double wait, bool input, char typed[BRIO_EMULATOR_LINE],
                            brio_error *err) {
  /* Until the time is up: follow the cable, wait for bytes either way, pass them on. */
  double until = now() + wait;
  do {
    if (!follow_plug(port, err)) return -1;
    /* Sleep until shortly before the next bytes are due. */
    double left = fmax(0, fmin(until, brio_emulator_due(port->line) - port->early) - now());
    /* drives on a bus send on their own */
    if (is_bus(port) && port->master >= 0) left = fmin(left, BEAT);
    int line = port->master >= 0 ? port->master : port->listener; /* a line that is held is not read */
    struct pollfd watched[2] = {{.fd = brio_emulator_busy(port->line) ? -1 : line, .events = POLLIN},
                                {.fd = input ? STDIN_FILENO : -1, .events = POLLIN}};
    if (!sleep_for(port, left, watched)) {
      brio_fail(err, BRIO_DEVICE, "the emulator's port failed: %s", strerror(errno));
      return -1;
    }
    /* A program connects, or has written. */
    if (watched[0].revents && port->master < 0)
      port->master = accept4(port->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    else if (watched[0].revents & (POLLIN | POLLHUP)) take_in(port);
    hand_out(port);
    /* A typed line returns to the caller at once. */
    int read_line = watched[1].revents ? take_typed(port, typed) : 0;
    if (read_line) return read_line;
  } while (now() < until);
  return 0;
}
