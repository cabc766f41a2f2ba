/* Shared by the files of an actuator: open.c (construction) and actuator.c (use). */
#ifndef BRIO_DRIVERS_ACTUATOR_ACTUATOR_INTERNAL_H
#define BRIO_DRIVERS_ACTUATOR_ACTUATOR_INTERNAL_H

#include "base/arena.h"
#include "base/name.h"
#include "drivers/actuator/actuator.h"

struct brio_actuator {
  brio_arena arena;                /* owns all memory here, also the actuator */
  brio_device *devices;            /* ndevice */
  int ndevice;
  uint64_t seed;
  int count, ngroup;
  brio_actuator_axis *axes;        /* count */
  brio_actuator_members *groups;   /* ngroup, by name */
  brio_name_index index;           /* name -> axis */
  brio_actuator_sensed *inputs;    /* ninput */
  int ninput;
  double *targets;                 /* count: sent to the devices; NaN: unchanged */
  brio_error error;                /* newest failure */
  int failures;
};

#endif
