/* Targets: see targets.h.  The state is per thread: each device's thread sets and checks its own. */
#include "drivers/targets.h"

#include <math.h>

#include "base/clock.h"

static const double FOLLOW = 5; /* per s: speed for each unit that a device is behind */
static const double LAG = 0.1;  /* s of its path that a device is behind as a rule */

static _Thread_local int64_t latest, asked; /* ns; 0: never */
static _Thread_local bool were_late;

/* A new deadline forgets the outcome of the last one. */
void brio_targets_due(int64_t time) {
  latest = time;
  asked = 0;
  were_late = false;
}

bool brio_targets_late(brio_error *err) {
  if (latest == 0) return false;
  /* The check notes when the targets leave, so that the caller needs no clock of its own. */
  asked = brio_clock_monotonic();
  if (asked <= latest) return false;
  were_late = true;
  return !brio_fail(err, BRIO_LIMIT, "the targets are out of date by %.1f ms",
                    (double)(asked - latest) * 1e-6);
}

bool brio_targets_were_late(void) { return were_late; }

int64_t brio_targets_left_at(void) { return asked; }

double brio_targets_speed(double speed, double target, double place) {
  double behind = fabs(target - place) - LAG * speed;
  return behind > 0 ? speed + FOLLOW * behind : speed; /* false if any of the three is unknown */
}
