/* Shared by the files of the host's side of bus servos: making packets, sending requests. */
#ifndef BRIO_DRIVERS_SERVO_BUS_INTERNAL_H
#define BRIO_DRIVERS_SERVO_BUS_INTERNAL_H

#include "drivers/servo/bus.h"

enum { BRIO_SERVO_OVERHEAD = 11 /* bytes of the longest empty answer */ };

/* Start a packet to servo `id`. */
void brio_servo_bus_begin(brio_servo_bus *bus, int id, int code);

/* Append bytes, or a number of the family's width.  Return false if there is no room. */
bool brio_servo_bus_add(brio_servo_bus *bus, const uint8_t *bytes, int count);
bool brio_servo_bus_add_number(brio_servo_bus *bus, int value);

/* Return the deadline, s, of `answers` answers of `bytes` bytes in total to the packet just sent. */
double brio_servo_bus_deadline(const brio_servo_bus *bus, int bytes, int answers);

/* Read the next packet of a servo.  Return 1; 0: none until the deadline; -1: the port failed. */
int brio_servo_bus_receive(brio_servo_bus *bus, double deadline, brio_error *err);

/* Send the packet and wait for its acknowledgement, unless it is a broadcast. */
bool brio_servo_bus_tell(brio_servo_bus *bus, brio_error *err);

/* Return the error byte of the last packet. */
int brio_servo_bus_error(const brio_servo_bus *bus);

#endif
