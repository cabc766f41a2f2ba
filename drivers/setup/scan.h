/* Scanning for devices of a family: requests that may be sent on a port without knowing what is connected.
**
** A scan moves no motor and changes no setting, whichever device receives it: it only sends requests that
** read, and listens.  A family that can be scanned for points to such a record from its brio_driver_kind. */
#ifndef BRIO_DRIVERS_SETUP_SCAN_H
#define BRIO_DRIVERS_SETUP_SCAN_H

#include "drivers/ports/port.h"

/* Kinds of ports that a family may use: bits. */
enum {
  BRIO_SCAN_SERIAL = 1, /* a serial line, or a pseudo-terminal */
  BRIO_SCAN_CAN = 2,    /* a CAN bus: "can:can0", or "unix:/path" */
  BRIO_SCAN_UDP = 4,    /* "udp:host:port" */
};

/* A device that answered. */
typedef struct brio_scan_found {
  int id;              /* its number on the bus; -1: it is the only one on the port */
  int axes, first;     /* count of its axes; number of the first */
  bool known;          /* it identifies itself; false: other families may answer alike */
  double lower, upper; /* rad, as stored in it; NaN: unknown */
  char name[64];       /* of its axis, where axes have names; otherwise "" */
  char words[160];     /* a description */
  /* driver settings that it needs besides port, baud and ids, as in a robot's file; NULL: none */
  const char *settings;
} brio_scan_found;

typedef struct brio_driver_scan brio_driver_scan;
struct brio_driver_scan {
  const char *sends;   /* the requests, in words and as bytes in hex */
  unsigned ports;      /* BRIO_SCAN_... */
  const int *bauds;    /* rates to try, likely ones first, ended by 0; NULL: `baud_at` has them */
  int (*baud_at)(const brio_driver_scan *scan, int i); /* the i-th rate; 0: there are no more */
  int last;            /* the highest possible id; -1: there are no ids */
  int turn;            /* order of families: first those that requests of others might move or disturb */
  bool alone;          /* a device that answered is the only one on its port: no other requests are needed */
  const void *own;     /* data for `look` */
  /* Send requests to ids `first` to `last` at the port's baud rate, and wait `latency` s for each besides
  ** the transmission of its bytes.  Return how many answered (at most `most` are kept), or -1 and a
  ** sentence if the port failed (io). */
  int (*look)(const brio_driver_scan *scan, brio_port *port, int first, int last, double latency,
              brio_scan_found *found, int most, brio_error *err);
};

/* Return the i-th baud rate to try; 0: there are no more. */
int brio_scan_baud(const brio_driver_scan *scan, int i);

/* Return the kind of port that a name denotes: one of BRIO_SCAN_... */
unsigned brio_scan_port(const char *name);

/* Fill in a device that was found, with its description by a format. */
void brio_scan_note(brio_scan_found *found, int id, int axes, int first, const char *format, ...);

/* Copy the error of a port that failed; return -1. */
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
