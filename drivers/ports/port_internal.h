/* The kinds of ports, shared by the files of this folder. */
#ifndef BRIO_DRIVERS_PORTS_PORT_INTERNAL_H
#define BRIO_DRIVERS_PORTS_PORT_INTERNAL_H

#include "drivers/ports/port.h"

/* Return a port of that name, not open yet; or NULL and an error. */
brio_port *brio_port_new(const char *name, int baud, brio_error *err);

/* Check a baud rate (misuse). */
bool brio_port_check_baud(int baud, brio_error *err);

/* Open a real serial port (serial.c) or a pseudo-terminal (pty.c) by its resolved path. */
bool brio_port_open_serial(brio_port *port, const char *path, brio_error *err);
bool brio_port_open_pty(brio_port *port, const char *path, brio_error *err);

/* Check the permission to open a port (claim.c).  Return false, with a sentence that names the remedy. */
bool brio_port_permitted(const brio_port *port, const char *path, brio_error *err);

/* Lock an open port for this process alone.  Return false and a sentence if another process has it. */
bool brio_port_claim(const brio_port *port, brio_error *err);

/* Open a CAN interface (can.c), or a Unix socket that carries its frames. */
bool brio_port_open_can(brio_port *port, const char *interface, brio_error *err);
bool brio_port_open_unix(brio_port *port, const char *path, brio_error *err);

/* Receive or send frames of BRIO_CAN_FRAME bytes each through a socket, without waiting, many in one call.
** Return the number of bytes; -1: none (errno: EAGAIN, ...).  Receiving: 0 is the end; frames of another
** size are skipped. */
enum { BRIO_CAN_FRAME = 16, BRIO_CAN_BURST = 32 /* frames in one call, at most */ };
int brio_port_can_receive(int fd, uint8_t *out, int room);
int brio_port_can_send(int fd, const uint8_t *bytes, int count);

/* Wait for `events` of poll at most `timeout` seconds.  Return 1: ready; 0: timeout; -1: hang-up. */
int brio_port_wait(const brio_port *port, short events, double timeout);

/* Report that the port is gone; return -1. */
int brio_port_gone(const brio_port *port, brio_error *err);

/* Open a UDP socket to "host:port" (udp.c). */
bool brio_port_open_udp(brio_port *port, const char *where, brio_error *err);

#endif
