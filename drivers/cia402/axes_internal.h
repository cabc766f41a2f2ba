/* What the parts of the CiA 402 axes share: axes.c, and power.c, which switches drives on and off. */
#ifndef BRIO_DRIVERS_CIA402_AXES_INTERNAL_H
#define BRIO_DRIVERS_CIA402_AXES_INTERNAL_H

#include "drivers/cia402/axes.h"

/* Phases of the set-point handshake: new-set-point bit low, high, low but still acknowledged. */
enum { BRIO_CIA402_IDLE, BRIO_CIA402_RISEN, BRIO_CIA402_FALLEN };
/* Control words (6040). */
enum { BRIO_CIA402_SHUTDOWN = 0x06, BRIO_CIA402_OPERATION = 0x0F };

/* The invariant: the count fits the array, and each handshake is in one of its phases. */
bool brio_cia402_is_consistent(const brio_cia402_axes *axes);

/* Return false, with the reason (device), if the device must be opened again. */
bool brio_cia402_is_whole(const brio_cia402_axes *axes, brio_error *err);

/* Write or read an object of 1 to 4 bytes of drive `i` through the link: by SDOs on a CAN bus, or frames of a
** serial line.  Errors: device. */
bool brio_cia402_write_object(brio_cia402_axes *axes, int i, int index, int sub, int32_t value, int size,
                              brio_error *err);
bool brio_cia402_read_object(brio_cia402_axes *axes, int i, int index, int sub, int32_t *value,
                             brio_error *err);

/* Write an optional object.  A refusal counts as success: the drive does not have the object. */
bool brio_cia402_write_if_there(brio_cia402_axes *axes, int i, int index, int sub, double value, int size,
                                brio_error *err);

/* Read and keep the status word of drive `i`. */
bool brio_cia402_read_status(brio_cia402_axes *axes, int i, brio_error *err);

/* Return an angle, rad, in counts of the drive, rounded. */
int32_t brio_cia402_to_counts(const brio_cia402_axes *axes, double angle);

#endif
