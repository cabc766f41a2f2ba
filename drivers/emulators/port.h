/* An emulator behind a pseudo-terminal: programs open its port as they would a serial adapter. */
#ifndef BRIO_DRIVERS_EMULATORS_PORT_H
#define BRIO_DRIVERS_EMULATORS_PORT_H

#include "drivers/emulators/emulator.h"

typedef struct brio_emulator_port brio_emulator_port;

enum { BRIO_EMULATOR_LINE = 256 /* bytes of a typed line, at most */ };

/* Open a port for an emulator, which still belongs to the caller.  `link`: a path that always leads to the
** port, also after it was unplugged and plugged in again; NULL: none.  Return NULL and a sentence (device,
** io, no_memory). */
brio_emulator_port *brio_emulator_port_open(brio_emulator *line, const char *link, brio_error *err);

/* Return the name of the port that programs open; "" while unplugged. */
const char *brio_emulator_port_name(const brio_emulator_port *port);

/* Move bytes between programs and the emulator for at most `wait` seconds.  With `input`, return 1 at
** once when a line was typed at standard input, which is put into `typed` without its end; 2 when
** standard input has ended.  Else return 0; -1 and a sentence when the port failed. */
int brio_emulator_port_step(brio_emulator_port *port, double wait, bool input, char typed[BRIO_EMULATOR_LINE],
                            brio_error *err);

/* Return how often bytes were handed to programs, and in *late the sum, in s, of their delays after they
** were due: the overhead of this machine. */
int64_t brio_emulator_port_late(const brio_emulator_port *port, double *late);

/* Close the port.  NULL is allowed. */
void brio_emulator_port_close(brio_emulator_port *port);

#endif
