/* Traffic on file: a line for each piece that went through a port.
**
**   # brio trace 2: ttyUSB0 is /dev/ttyUSB0, dynamixel2, 1000000 baud
**   93842.000213 ttyUSB0 > FF FF FD 00 01 03 00 01 19 4E
**   93842.000701 ttyUSB0 < FF FF FD 00 01 07 00 55 00 06 04 26 65 5D
**   # ttyUSB0 closed: 2 pieces, 0 lost
**
** Seconds of the machine's monotonic clock, which all buses of a run share; the bus; > to the device, < from
** it; bytes in hex; # for remarks.  Several buses may write one file: each appends whole lines, so it is
** sorted by bus and nearly so by time.  Traces of version 1 have no bus in their lines, and seconds since
** they began.
**
** Whoever speaks with a device only puts pieces into a ring; a thread of the trace's own writes them out, so
** a slow or full disk holds up nobody: what finds the ring full is counted and said in the file, and what
** cannot be written ends the trace, which brio_trace_close tells. */
#ifndef BRIO_DRIVERS_PORTS_TRACE_H
#define BRIO_DRIVERS_PORTS_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "drivers/protocols/wire.h"

typedef struct brio_trace brio_trace;

enum { BRIO_TRACE_BUS = 64 /* bytes of a bus' name, with its end */ };

/* Begin a trace, behind what the file holds already.  Return NULL and a sentence when the file cannot be
** written (io, no_memory). */
brio_trace *brio_trace_open(const char *path, const char *protocol, const char *port, int baud,
                            brio_error *err);

/* Note a piece that passed at time `now` (s, of the port).  Never waits, allocates or touches the file. */
void brio_trace_write(brio_trace *trace, double now, brio_direction direction, const uint8_t *bytes,
                      int count);

/* Note that the port speaks at another baud rate from `now` on. */
void brio_trace_baud(brio_trace *trace, double now, int baud);

/* Finish it (NULL: nothing).  Return false and a sentence when not all could be written (io). */
bool brio_trace_close(brio_trace *trace, brio_error *err);

/* One line of a trace. */
typedef struct brio_trace_piece {
  double seconds;
  char bus[BRIO_TRACE_BUS]; /* "": a trace of version 1 */
  brio_direction direction;
  int count;                /* bytes */
  uint8_t bytes[BRIO_FRAME_MOST];
} brio_trace_piece;

/* Read one line of a trace.  Return 1; 0: a remark; -1: it is not a line of a trace, or a piece of one. */
int brio_trace_line(const char *line, brio_trace_piece *out);

/* Read a remark that tells which bus speaks which protocol: false: it tells something else. */
bool brio_trace_remark(const char *line, char bus[BRIO_TRACE_BUS], char protocol[BRIO_TRACE_BUS], int *baud);

#endif
