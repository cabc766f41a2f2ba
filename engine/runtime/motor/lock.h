/* A lock on a device, so that no two engines drive one robot: a file lock, which the system releases when the
** engine ends in any way. */
#ifndef BRIO_RUNTIME_MOTOR_LOCK_H
#define BRIO_RUNTIME_MOTOR_LOCK_H

#include "base/error.h"
#include "drivers/actuator/device.h"

/* Lock a device, by its driver, name and settings.  Return a file descriptor that holds the lock until it is
** closed, or -1 and a sentence (device: another process holds it; io). */
int brio_lock_device(const brio_device *device, brio_error *err);

#endif
