/* A trace: the traffic of a port in a text file, one line per piece.
**
**   # brio trace 2: ttyUSB0 is /dev/ttyUSB0, dynamixel2, 1000000 baud
**   93842.000213 ttyUSB0 > FF FF FD 00 01 03 00 01 19 4E
**   93842.000701 ttyUSB0 < FF FF FD 00 01 07 00 55 00 06 04 26 65 5D
**   # ttyUSB0 closed: 2 pieces, 0 lost
**
** A line has the time in seconds of the machine's monotonic clock, which all buses of a run share; the
** bus; > for bytes to the device, < for bytes from it; the bytes in hex. # starts a remark.  Several buses
** may append to one file.  Each writes whole lines, so the file is sorted by bus and nearly sorted by
** time.  Traces of version 1 have no bus in their lines, and count seconds from their start.
**
** The thread that talks to the device only puts pieces into a ring; a thread of the trace writes them to
** the file, so that a slow or full disk delays nobody.  Pieces that find the ring full are counted, and
** the file reports their number.  A failed write ends the trace; brio_trace_close reports it. */
#ifndef BRIO_DRIVERS_PORTS_TRACE_H
#define BRIO_DRIVERS_PORTS_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "drivers/protocols/wire.h"

typedef struct brio_trace brio_trace;

enum { BRIO_TRACE_BUS = 64 /* bytes of a bus's name, with the final 0 */ };

/* Start a trace at the end of the file.  Return NULL and a sentence if the file cannot be written (io,
** no_memory). */
brio_trace *brio_trace_open(const char *path, const char *protocol, const char *port, int baud,
                            brio_error *err);

/* Record a piece that passed at time `now` (s, of the port).  Never waits, allocates or touches the file. */
void brio_trace_write(brio_trace *trace, double now, brio_direction direction, const uint8_t *bytes,
                      int count);

/* Record that the port has another baud rate from `now` on. */
void brio_trace_baud(brio_trace *trace, double now, int baud);

/* Write the rest and close the trace (NULL is allowed).  Return false and a sentence if a write failed
** (io). */
bool brio_trace_close(brio_trace *trace, brio_error *err);

/* One line of a trace. */
typedef struct brio_trace_piece {
  double seconds;
  char bus[BRIO_TRACE_BUS]; /* "": a trace of version 1 */
  brio_direction direction;
  int count;                /* bytes */
  uint8_t bytes[BRIO_FRAME_MOST];
} brio_trace_piece;

/* Parse one line of a trace.  Return 1; 0: a remark; -1: not a line of a trace, or an incomplete one. */
int brio_trace_line(const char *line, brio_trace_piece *out);

/* Parse a remark that names a bus, its protocol and its rate.  Return false for any other remark. */
bool brio_trace_remark(const char *line, char bus[BRIO_TRACE_BUS], char protocol[BRIO_TRACE_BUS], int *baud);

#endif
