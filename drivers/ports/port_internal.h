/* The kinds of ports, for port.c, which chooses. */
#ifndef BRIO_DRIVERS_PORTS_PORT_INTERNAL_H
#define BRIO_DRIVERS_PORTS_PORT_INTERNAL_H

#include "drivers/ports/port.h"

/* Return a port of that name, still closed; or NULL and an error. */
brio_port *brio_port_new(const char *name, int baud, brio_error *err);

/* Open a real serial port (serial.c) or a pseudo-terminal (pty.c) by its resolved path. */
bool brio_port_open_serial(brio_port *port, const char *path, brio_error *err);
bool brio_port_open_pty(brio_port *port, const char *path, brio_error *err);

/* Check that a port may be opened (claim.c): false and a sentence of what would help. */
bool brio_port_permitted(const brio_port *port, const char *path, brio_error *err);

/* Take an open port for this process alone.  Return false and a sentence when another one has it. */
bool brio_port_claim(const brio_port *port, brio_error *err);

/* Open a CAN interface (can.c), or a Unix socket that carries its frames. */
bool brio_port_open_can(brio_port *port, const char *interface, brio_error *err);
bool brio_port_open_unix(brio_port *port, const char *path, brio_error *err);

/* Frames of a bus, of BRIO_CAN_FRAME bytes each, through a socket without waiting, many in one call.  Return
** how many bytes; -1: none (errno: EAGAIN, ...).  Receiving: 0 is the end; frames of another size are passed
** over. */
enum { BRIO_CAN_FRAME = 16, BRIO_CAN_BURST = 32 /* frames in one call, at most */ };
int brio_port_can_receive(int fd, uint8_t *out, int room);
int brio_port_can_send(int fd, const uint8_t *bytes, int count);

/* Wait for `events` of poll at most `timeout` seconds: 1 they are there, 0 they are not, -1 hung up. */
int brio_port_wait(const brio_port *port, short events, double timeout);

/* Say that the port is gone; return -1. */
int brio_port_gone(const brio_port *port, brio_error *err);

/* Open a UDP socket to "host:port" (udp.c). */
bool brio_port_open_udp(brio_port *port, const char *where, brio_error *err);

#endif
