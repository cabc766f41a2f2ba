/* Ports: a serial line, a pseudo-terminal, a CAN bus, a Unix or UDP socket, or an emulator in this
** process, which has a simulated clock.  Reading and writing have deadlines; nothing is allocated after
** opening.  A port belongs to one thread at a time. */
#ifndef BRIO_DRIVERS_PORTS_PORT_H
#define BRIO_DRIVERS_PORTS_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "drivers/emulators/emulator.h"
#include "drivers/ports/trace.h"

typedef struct brio_port brio_port;

/* The format of a serial line, besides its rate. */
typedef enum brio_parity { BRIO_PARITY_NONE, BRIO_PARITY_EVEN, BRIO_PARITY_ODD } brio_parity;
typedef enum brio_flow { BRIO_FLOW_NONE, BRIO_FLOW_RTSCTS, BRIO_FLOW_XONXOFF } brio_flow;

typedef struct brio_port_line {
  int bits, stop;     /* 5 to 8; 1 or 2 */
  brio_parity parity;
  brio_flow flow;
  int rts, dtr;       /* 1 on, 0 off, -1 unchanged */
} brio_port_line;

/* The functions of a kind of port.  `read` and `write` are NULL for kinds that are file descriptors. */
typedef struct brio_port_kind {
  /* Read at most `room` bytes; wait at most `timeout` s.  Return their number; 0: none arrived; -1 and a
  ** sentence. */
  int (*read)(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err);
  bool (*write)(brio_port *port, const uint8_t *bytes, int count, brio_error *err);
  bool (*set_baud)(brio_port *port, int baud, brio_error *err);
  void (*close)(brio_port *port);
  /* NULL: only 8 bits, no parity, 1 stop bit */
  bool (*set_line)(brio_port *port, const brio_port_line *line, brio_error *err);
} brio_port_kind;

struct brio_port {
  const brio_port_kind *kind;
  int fd;               /* -1: none */
  int baud;
  void *own;            /* data of the kind */
  brio_trace *trace;    /* records all bytes; NULL: no trace */
  double made_up;       /* s: the simulated clock, if there is one */
  char name[128];
};

/* A port of this machine. */
typedef struct brio_port_found {
  char name[128], words[160]; /* "/dev/ttyUSB0", "USB adapter, FTDI, serial number FT1234" */
} brio_port_found;

/* Open a port: a device's path or a link to one, "can:can0", "unix:/path" (frames of a CAN bus) or
** "udp:host:port".
** Return NULL and a sentence (no_file, device, misuse). */
brio_port *brio_port_open(const char *name, int baud, brio_error *err);

/* Open an emulator in this process, with a simulated clock.  The emulator still belongs to the caller. */
brio_port *brio_port_emulated(brio_emulator *line, int baud, brio_error *err);

/* Let a CAN interface receive frames of these CANopen nodes only (`count` 0: all).  Other ports receive
** everything. */
bool brio_port_can_nodes(brio_port *port, const uint8_t *nodes, int count, brio_error *err);

/* Close the port.  NULL is allowed. */
void brio_port_close(brio_port *port);

/* Read what is there; wait at most `timeout` seconds for the first byte.  Return the number of bytes; 0:
** none arrived; -1 and a sentence: the device is gone (io). */
int brio_port_read(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err);

/* Write all bytes.  Return false and a sentence if the device is gone, or accepts nothing for 0.1 s. */
bool brio_port_write(brio_port *port, const uint8_t *bytes, int count, brio_error *err);

/* Change the baud rate.  Errors: misuse (50 to 20000000), device. */
bool brio_port_set_baud(brio_port *port, int baud, brio_error *err);

/* Change the format of the line.  Errors: misuse (no line has it), device (this port does not have it). */
bool brio_port_set_line(brio_port *port, const brio_port_line *line, brio_error *err);

/* Discard the bytes that arrived and were not read. */
void brio_port_clear(brio_port *port);

/* Return the port's time in s: monotonic, or simulated. */
double brio_port_now(const brio_port *port);

/* List serial ports: at most `most` in `out`; return how many exist. */
int brio_port_list(brio_port_found *out, int most);

#endif
