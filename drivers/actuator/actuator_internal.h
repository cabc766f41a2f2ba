/* What the files of an actuator share: open.c (putting it together) and actuator.c (using it). */
#ifndef BRIO_DRIVERS_ACTUATOR_ACTUATOR_INTERNAL_H
#define BRIO_DRIVERS_ACTUATOR_ACTUATOR_INTERNAL_H

#include "base/arena.h"
#include "base/name.h"
#include "drivers/actuator/actuator.h"

struct brio_actuator {
  brio_arena arena;                /* owns everything here, the actuator too */
  brio_device *devices;            /* ndevice */
  int ndevice;
  uint64_t seed;
  int count, ngroup;
  brio_actuator_axis *axes;        /* count */
  brio_actuator_members *groups;   /* ngroup, by name */
  brio_name_index index;           /* name -> axis */
  brio_actuator_sensed *inputs;    /* ninput */
  int ninput;
  double *targets;                 /* count: handed to the device; NAN: leave alone */
  brio_error error;                /* newest failure */
  int failures;
};

#endif
