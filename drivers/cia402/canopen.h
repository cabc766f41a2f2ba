/* A CANopen bus from the side of its master: SDOs (expedited and segmented), network management, SYNC,
** heartbeats.  Source: CiA 301 as makers' manuals print it. */
#ifndef BRIO_DRIVERS_CIA402_CANOPEN_H
#define BRIO_DRIVERS_CIA402_CANOPEN_H

#include "drivers/ports/exchange.h"

/* Commands of network management, and states in heartbeats. */
enum {
  BRIO_NMT_START = 1,
  BRIO_NMT_STOP = 2,
  BRIO_NMT_PREPARE = 0x80, /* go pre-operational */
  BRIO_NMT_RESET = 0x81,
  BRIO_NMT_RESET_LINK = 0x82,
  BRIO_NMT_BOOTS = 0,
  BRIO_NMT_STOPPED = 4,
  BRIO_NMT_OPERATIONAL = 5,
  BRIO_NMT_PREPARING = 0x7F,
  BRIO_CANOPEN_NODES = 127
};

typedef struct brio_canopen {
  brio_exchange x;
  /* Called for each received frame, before it is checked for an answer; may be NULL. */
  void (*hear)(void *context, const brio_packet *frame);
  void *context;
  uint32_t aborted;        /* abort code of the last refusal; 0: none */
  bool off;                /* the controller has reported bus-off */
  bool unheard;            /* no node acknowledges frames, or the controller is error passive */
  bool was_off;            /* it was bus-off and has returned: nodes may have missed anything */
} brio_canopen;

/* Start on an open port, which still belongs to the caller.  `latency`: s for an answer. */
void brio_canopen_start(brio_canopen *bus, brio_port *port, double latency);

/* Send a frame of up to 8 bytes.  Errors of all functions here: device, io (the port is gone). */
bool brio_canopen_send(brio_canopen *bus, int id, const uint8_t *data, int length, brio_error *err);

/* Send a command of network management to a node (0: all). */
bool brio_canopen_manage(brio_canopen *bus, int command, int node, brio_error *err);

/* Read the next frame into bus->x.in, until a time of the port.  Return 1; 0: none arrived; -1: the port
** failed or the bus is off. */
int brio_canopen_receive(brio_canopen *bus, double deadline, brio_error *err);

/* Process the frames that have arrived.  Return false if the port failed or the bus is off. */
bool brio_canopen_drain(brio_canopen *bus, brio_error *err);

/* Read an object of a node, of any length up to `room`; its length goes into `length`. */
bool brio_canopen_read(brio_canopen *bus, int node, int index, int sub, uint8_t *out, int room, int *length,
                       brio_error *err);

/* Write an object of a node: 1 to 4 bytes in one frame, more in segments. */
bool brio_canopen_write(brio_canopen *bus, int node, int index, int sub, const uint8_t *data, int length,
                        brio_error *err);

/* Read the device type (object 1000) of nodes `first` to `last`, several at a time, and write the numbers
** of those that answer into `nodes`.  Return their count, or -1. */
int brio_canopen_scan(brio_canopen *bus, int first, int last, uint8_t nodes[BRIO_CANOPEN_NODES],
                      brio_error *err);

#endif
