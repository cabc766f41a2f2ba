/* Targets on their way to a device: when they expire, and how fast a device moves to them.
**
** A process may be suspended between the computation of targets and their transmission.  Targets that are
** sent then are obsolete.  Therefore the caller of a driver sets a deadline for its targets, and the
** driver checks it just before it sends them. */
#ifndef BRIO_DRIVERS_TARGETS_H
#define BRIO_DRIVERS_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Set the deadline of the targets that this thread passes to a driver from now on (ns, monotonic); 0:
** none. */
void brio_targets_due(int64_t latest);

/* Called by a driver before the first byte of a message with targets: return whether the deadline has
** passed.  If so, `err` has a sentence (limit), and the driver returns false without sending or changing
** anything. */
bool brio_targets_late(brio_error *err);

/* Return whether a driver found the deadline passed since brio_targets_due. */
bool brio_targets_were_late(void);

/* Return the time of the last check by a driver since brio_targets_due (ns, monotonic), which is about
** when the bytes were sent; 0: no check. */
int64_t brio_targets_left_at(void);

/* Return the speed, per s, at which a device moves to a target on a path of `speed` (per s, at least 0; NaN:
** as fast as it may) if its last report was `place` (NaN: unknown).  Farther behind than usual it moves
** faster, in proportion: at the speed of a path that slows down it would creep for seconds after a stall. */
double brio_targets_speed(double speed, double target, double place);

#endif
