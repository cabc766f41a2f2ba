/* Traffic on file: a line for each piece that went through a port.
**
**   # brio trace 1: dynamixel2, /dev/ttyUSB0, 1000000 baud
**   0.000213 > FF FF FD 00 01 03 00 01 19 4E
**   0.000701 < FF FF FD 00 01 07 00 55 00 06 04 26 65 5D
**
** Seconds since the trace began; > to the device, < from it; bytes in hex; # for remarks. */
#ifndef BRIO_DRIVERS_TRACE_H
#define BRIO_DRIVERS_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "drivers/wire.h"

typedef struct brio_trace brio_trace;

/* Begin a trace, behind what the file holds already.  Return NULL and a sentence when the file cannot be written (io, no_memory). */
brio_trace *brio_trace_open(const char *path, const char *protocol, const char *port, int baud, brio_error *err);

/* Write a piece that passed at time `now` (s, of the port). */
void brio_trace_write(brio_trace *trace, double now, brio_direction direction, const uint8_t *bytes, int count);

/* Finish it (NULL: nothing).  Return false and a sentence when not all could be written (io). */
bool brio_trace_close(brio_trace *trace, brio_error *err);

/* Read one line of a trace.  Return the bytes in it; 0: a remark; -1: not a line of a trace. */
int brio_trace_line(const char *line, double *seconds, brio_direction *direction, uint8_t *out, int room);

#endif
