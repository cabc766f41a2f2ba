/* Ports that bytes go through: a serial line, a pseudo-terminal, a Unix or UDP socket, or an emulator in
** this process whose time is made up.  Reading and writing have deadlines; nothing allocates after
** opening.  A port belongs to one thread at a time. */
#ifndef BRIO_DRIVERS_PORTS_PORT_H
#define BRIO_DRIVERS_PORTS_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "drivers/emulators/emulator.h"
#include "drivers/ports/trace.h"

typedef struct brio_port brio_port;

/* How a serial line speaks, besides its rate. */
typedef enum brio_parity { BRIO_PARITY_NONE, BRIO_PARITY_EVEN, BRIO_PARITY_ODD } brio_parity;
typedef enum brio_flow { BRIO_FLOW_NONE, BRIO_FLOW_RTSCTS, BRIO_FLOW_XONXOFF } brio_flow;

typedef struct brio_port_line {
  int bits, stop;     /* 5 to 8; 1 or 2 */
  brio_parity parity;
  brio_flow flow;
  int rts, dtr;       /* 1 on, 0 off, -1 as it is */
} brio_port_line;

/* What a kind of port does; the first two are left out by what is a file descriptor. */
typedef struct brio_port_kind {
  /* Read at most `room` bytes, waiting at most `timeout` s: bytes, 0 none came, -1 and a sentence. */
  int (*read)(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err);
  bool (*write)(brio_port *port, const uint8_t *bytes, int count, brio_error *err);
  bool (*set_baud)(brio_port *port, int baud, brio_error *err);
  void (*close)(brio_port *port);
  /* NULL: 8 bits, no parity, 1 stop bit alone */
  bool (*set_line)(brio_port *port, const brio_port_line *line, brio_error *err);
} brio_port_kind;

struct brio_port {
  const brio_port_kind *kind;
  int fd;               /* -1: none */
  int baud;
  void *own;            /* what the kind keeps */
  brio_trace *trace;    /* what goes through is written there; NULL: not */
  double made_up;       /* s: the time, where it is made up */
  char name[128];
};

/* One port that there is. */
typedef struct brio_port_found {
  char name[128], words[160]; /* "/dev/ttyUSB0", "USB adapter, FTDI, serial number FT1234" */
} brio_port_found;

/* Open a port: a device's path or a link to one, "can:can0", "unix:/path" (frames of a CAN bus) or
** "udp:host:port".
** Return NULL and a sentence (no_file, device, misuse). */
brio_port *brio_port_open(const char *name, int baud, brio_error *err);

/* Open an emulator that lives in this process, in made-up time.  It still belongs to the caller. */
brio_port *brio_port_emulated(brio_emulator *line, int baud, brio_error *err);

/* Let a CAN interface hear these nodes of a CANopen bus only (`count` 0: all).  Other ports hear all there
** is. */
bool brio_port_can_nodes(brio_port *port, const uint8_t *nodes, int count, brio_error *err);

/* Close it (NULL: nothing). */
void brio_port_close(brio_port *port);

/* Read what is there, waiting at most `timeout` seconds for the first byte.  Return how many bytes;
** 0: none came; -1 and a sentence: the device is gone (io). */
int brio_port_read(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err);

/* Write all bytes.  Return false and a sentence when the device is gone, or takes none for 0.1 s. */
bool brio_port_write(brio_port *port, const uint8_t *bytes, int count, brio_error *err);

/* Change the baud rate. */
bool brio_port_set_baud(brio_port *port, int baud, brio_error *err);

/* Change how it speaks.  Errors: misuse (what no line can), device (this one cannot). */
bool brio_port_set_line(brio_port *port, const brio_port_line *line, brio_error *err);

/* Throw away what has come and was not read. */
void brio_port_clear(brio_port *port);

/* Return the port's time in s: monotonic, or made up. */
double brio_port_now(const brio_port *port);

/* List serial ports: at most `most`; return how many there are. */
int brio_port_list(brio_port_found *out, int most);

#endif
