/* Looking for devices of a family: what may be asked of a port without knowing what is behind it.
**
** A scan moves no motor and changes no setting, whatever device hears it: it sends questions only, and
** listens.  A family that can be looked for points to a record of these from its brio_driver_kind. */
#ifndef BRIO_DRIVERS_SETUP_SCAN_H
#define BRIO_DRIVERS_SETUP_SCAN_H

#include "drivers/ports/port.h"

/* Kinds of ports that a family may be behind: bits. */
enum {
  BRIO_SCAN_SERIAL = 1, /* a serial line, or a pseudo-terminal */
  BRIO_SCAN_CAN = 2,    /* a CAN bus: "can:can0", or "unix:/path" */
  BRIO_SCAN_UDP = 4,    /* "udp:host:port" */
};

/* One thing that answered. */
typedef struct brio_scan_found {
  int id;              /* its number on the bus; -1: it is alone behind the port */
  int axes, first;     /* how many it moves; the number of the first of them */
  bool known;          /* it says what it is; false: other families may answer like that */
  double lower, upper; /* rad, as set in it; NAN: it does not tell */
  char name[64];       /* of its one axis, where it has names; else "" */
  char words[160];     /* what it is, in words */
  /* what its driver must be set to besides port, baud and ids, as a robot's file says it; NULL: nothing */
  const char *settings;
} brio_scan_found;

typedef struct brio_driver_scan brio_driver_scan;
struct brio_driver_scan {
  const char *sends;   /* what it sends, in words, with the bytes in hex */
  unsigned ports;      /* BRIO_SCAN_... */
  const int *bauds;    /* rates to try, likely ones first, ended by 0; NULL: `baud_at` says them */
  int (*baud_at)(const brio_driver_scan *scan, int i); /* the i-th rate; 0: there are no more */
  int last;            /* the highest id there may be; -1: there are no ids */
  int turn;            /* who is asked first: those that others' questions might move or upset */
  bool alone;          /* one that answered is alone behind its port, which needs no other questions then */
  const void *own;     /* what `look` needs besides */
  /* Ask ids `first` to `last` at the port's baud rate, and wait `latency` s for each besides its bytes' time.
  ** Return how many answered (at most `most` are kept), or -1 and a sentence when the port failed (io). */
  int (*look)(const brio_driver_scan *scan, brio_port *port, int first, int last, double latency,
              brio_scan_found *found, int most, brio_error *err);
};

/* Return the i-th baud rate to try; 0: there are no more. */
int brio_scan_baud(const brio_driver_scan *scan, int i);

/* Return what kind of port a name means: one of BRIO_SCAN_... */
unsigned brio_scan_port(const char *name);

/* Begin a row of what was found: words by a format. */
void brio_scan_note(brio_scan_found *found, int id, int axes, int first, const char *format, ...);

/* Hand on why a port failed; return -1. */
int brio_scan_gone(brio_error *err, const brio_error *why);

/* The record of a family of bus servos: `own` is its brio_servo_family (servo/scan.c). */
int brio_servo_scan_baud(const brio_driver_scan *scan, int i);
int brio_servo_scan_look(const brio_driver_scan *scan, brio_port *port, int first, int last, double latency,
                         brio_scan_found *found, int most, brio_error *err);
#define BRIO_SERVO_SCAN(family, bytes)                                                                       \
  {                                                                                                          \
    .sends = "ping to each id: " bytes "; then its limits are read", .ports = BRIO_SCAN_SERIAL,              \
    .baud_at = brio_servo_scan_baud, .last = 252, .turn = 4, .own = &(family), .look = brio_servo_scan_look  \
  }

#endif
