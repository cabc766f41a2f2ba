/* Reading and writing any kind of port, with deadlines.  A serial device that hangs up, and the end
** of a file, read as 0 bytes from then on; POLLHUP of poll tells these cases.  A line that accepts
** no bytes (held busy, flow control) is given up after a tenth of a second. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/ports/port_internal.h"

/* How long a port may accept no bytes. */
static const double BUSY = 0.1; /* s */

brio_port *brio_port_new(const char *name, int baud, brio_error *err) {
  brio_port *port = calloc(1, sizeof *port);
  if (!port) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a port");
    return NULL;
  }
  /* -1: not a file, until a kind opens one. */
  port->fd = -1;
  port->baud = baud;
  snprintf(port->name, sizeof port->name, "%s", name);
  return port;
}

/* NULL is allowed. */
void brio_port_close(brio_port *port) {
  if (!port) return;
  port->kind->close(port);
  free(port);
}

/* Wait until the file is ready.  Return 1; 0: timeout; -1: hang-up. */
int brio_port_wait(const brio_port *port, short events, double timeout) {
  struct pollfd one = {.fd = port->fd, .events = events};
  /* At most an hour, so that the time fits struct timespec. */
  timeout = timeout > 0 ? fmin(timeout, 3600) : 0;
  struct timespec most = {(time_t)timeout, (long)((timeout - floor(timeout)) * 1e9)};
  int n = ppoll(&one, 1, &most, NULL);
  if (n <= 0) return n < 0 && errno != EINTR ? -1 : 0;
  /* Bytes that are there can be read even after a hang-up. */
  if (one.revents & events) return 1;
  return one.revents & (POLLHUP | POLLERR | POLLNVAL) ? -1 : 0;
}

int brio_port_gone(const brio_port *port, brio_error *err) {
  brio_fail(err, BRIO_IO, "%s is gone: unplugged?", port->name);
  return -1;
}

/* Report that the line accepted no bytes for BUSY s.  Return false. */
static bool busy(const brio_port *port, brio_error *err) {
  return brio_fail(err, BRIO_DEVICE, "%s took no bytes for %g s: the line is held busy", port->name, BUSY);
}

/* Read, without poll if there is nothing to wait for.  A hang-up then looks like no data, but the
** next wait detects it. */
static int read_file(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err) {
  assert(room > 0);
  int ready = timeout > 0 ? brio_port_wait(port, POLLIN, timeout) : 1;
  if (ready <= 0) return ready < 0 ? brio_port_gone(port, err) : 0;
  ssize_t got = read(port->fd, out, (size_t)room);
  if (got > 0) return (int)got;
  /* A signal or an empty buffer is no error. */
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  /* 0 bytes after a successful poll is the end of the file: the device hung up. */
  return got == 0 && !(timeout > 0) ? 0 : brio_port_gone(port, err);
}

/* Write all bytes to a file descriptor; wait for room for at most BUSY s at a time. */
static bool write_file(brio_port *port, const uint8_t *bytes, int count, brio_error *err) {
  assert(count >= 0);
  double until = brio_port_now(port) + BUSY;
  /* A port may accept the bytes in parts. */
  while (count > 0) {
    ssize_t put = write(port->fd, bytes, (size_t)count);
    if (put < 0 && errno != EAGAIN && errno != EINTR) return brio_port_gone(port, err) > 0;
    if (put > 0) {
      bytes += put;
      count -= (int)put;
      until = brio_port_now(port) + BUSY;
      continue;
    }
    /* No room: wait for it, at most BUSY.  A signal ends a wait, not the time. */
    int ready = brio_port_wait(port, POLLOUT, until - brio_port_now(port));
    if (ready < 0) return brio_port_gone(port, err) > 0;
    if (ready == 0 && brio_port_now(port) >= until) return busy(port, err);
  }
  return true;
}

/* A kind of port has functions of its own, or uses those of files.  The trace records all bytes. */
int brio_port_read(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err) {
  int got = (port->kind->read ? port->kind->read : read_file)(port, out, room, timeout, err);
  if (got > 0 && port->trace) brio_trace_write(port->trace, brio_port_now(port), BRIO_FROM_DEVICE, out, got);
  return got;
}

bool brio_port_write(brio_port *port, const uint8_t *bytes, int count, brio_error *err) {
  /* Recorded before it is written: an answer must come later in the trace. */
  if (port->trace) brio_trace_write(port->trace, brio_port_now(port), BRIO_TO_DEVICE, bytes, count);
  return (port->kind->write ? port->kind->write : write_file)(port, bytes, count, err);
}

/* Rates that no adapter has are typing errors; all times are computed with the rate. */
bool brio_port_check_baud(int baud, brio_error *err) {
  return (baud >= 50 && baud <= 20000000) ||
         brio_fail(err, BRIO_MISUSE, "a baud rate of %d cannot be", baud);
}

/* The new rate is kept, and noted in the trace, only if the port accepted it. */
bool brio_port_set_baud(brio_port *port, int baud, brio_error *err) {
  if (!brio_port_check_baud(baud, err) || !port->kind->set_baud(port, baud, err)) return false;
  if (port->trace && baud != port->baud) brio_trace_baud(port->trace, brio_port_now(port), baud);
  port->baud = baud;
  return true;
}

/* Other ports than serial lines accept only the usual form: 8N1, no flow control. */
bool brio_port_set_line(brio_port *port, const brio_port_line *line, brio_error *err) {
  /* Only serial lines have other forms. */
  bool usual = line->bits == 8 && line->stop == 1 && line->parity == BRIO_PARITY_NONE &&
               line->flow == BRIO_FLOW_NONE;
  /* Refuse what no UART can do, before the kind of port is considered. */
  if (line->bits < 5 || line->bits > 8 || line->stop < 1 || line->stop > 2)
    return brio_fail(err, BRIO_MISUSE, "a serial line has 5 to 8 bits and 1 or 2 stop bits, not %d and %d",
                     line->bits, line->stop);
  if (port->kind->set_line) return port->kind->set_line(port, line, err);
  /* Without modem lines only "leave RTS and DTR as they are" can be honored. */
  if (usual && line->rts < 0 && line->dtr < 0) return true;
  return brio_fail(err, BRIO_DEVICE, "%s is not a serial line: it only has 8 bits, no parity and 1 stop bit",
                   port->name);
}

void brio_port_clear(brio_port *port) {
  uint8_t bytes[512];
  /* At most 128 KiB: a port that is never silent must not block the caller. */
  for (int i = 0; i < 256 && brio_port_read(port, bytes, sizeof bytes, 0, NULL) > 0; i++) continue;
}

/* A port of an emulator in this process has a clock of its own. */
double brio_port_now(const brio_port *port) {
  return port->fd < 0 ? port->made_up : (double)brio_clock_monotonic() * 1e-9;
}

/* ---- an emulator in this process: waiting lets its time pass ---- */

/* Wait until its next bytes are due, or for the timeout. */
static int read_emulated(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err) {
  brio_emulator *line = port->own;
  if (!brio_emulator_plugged(line)) return brio_port_gone(port, err);
  /* The clock jumps to the next bytes, but not beyond the timeout. */
  double until = port->made_up + (timeout > 0 ? timeout : 0);
  port->made_up = fmax(port->made_up, fmin(brio_emulator_due(line), until));
  return brio_emulator_take(line, port->made_up, out, room);
}

/* A busy line costs the time that a real port would wait. */
static bool write_emulated(brio_port *port, const uint8_t *bytes, int count, brio_error *err) {
  brio_emulator *line = port->own;
  if (!brio_emulator_plugged(line)) return brio_port_gone(port, err) > 0;
  if (brio_emulator_busy(line)) {
    port->made_up += BUSY;
    return busy(port, err);
  }
  brio_emulator_feed(line, bytes, count, port->made_up, port->baud);
  return true;
}

/* The emulator sees the port's rate with each write. */
static bool set_emulated(brio_port *port, int baud, brio_error *err) {
  (void)port;
  (void)baud;
  (void)err;
  return true;
}

/* The emulator belongs to the caller: nothing to close. */
static void close_emulated(brio_port *port) { (void)port; }

brio_port *brio_port_emulated(brio_emulator *line, int baud, brio_error *err) {
  static const brio_port_kind kind = {read_emulated, write_emulated, set_emulated, close_emulated, NULL};
  /* fd stays -1: brio_port_now then returns the emulator's own time. */
  brio_port *port = brio_port_new(brio_emulator_kind_of(line)->name, baud, err);
  if (!port) return NULL;
  port->kind = &kind;
  port->own = line;
  port->made_up = brio_emulator_now(line);
  return port;
}
