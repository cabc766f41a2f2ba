/* When targets go out of date on their way to a device.
**
** A process may be stopped between the moment in which it works out where the motors should be and the moment
** in which the bytes leave.  What is sent then is a place of the past.  So whoever calls a driver says until
** when its targets count, and a driver asks once more right before it sends them. */
#ifndef BRIO_DRIVERS_TARGETS_H
#define BRIO_DRIVERS_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Targets that this thread hands to a driver from now on count until `latest` (ns, monotonic); 0: for
** ever. */
void brio_targets_due(int64_t latest);

/* Asked by a driver before the first byte of a message with targets: whether they are out of date.  If so,
** `err` has a sentence (limit), and the driver returns false without sending or changing anything. */
bool brio_targets_late(brio_error *err);

/* Whether a driver was told so since brio_targets_due. */
bool brio_targets_were_late(void);

/* When a driver asked last since brio_targets_due (ns, monotonic): about then the bytes left.  0: none
** asked. */
int64_t brio_targets_left_at(void);

#endif
