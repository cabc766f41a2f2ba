/* What emulated boards and single servos share: joints with a motor each, what may be wrong with them, and
** words about them. */
#ifndef BRIO_DRIVERS_EMULATORS_JOINTS_H
#define BRIO_DRIVERS_EMULATORS_JOINTS_H

#include "drivers/emulators/emulator.h"
#include "drivers/emulators/shaft.h"

typedef struct brio_emulated_joint {
  int id;
  brio_shaft shaft;
  bool silent, refuses, twin; /* takes part in nothing; takes no torque; another has its id */
  int error;                  /* the device's error bits */
  double temperature;         /* degrees Celsius: of its surroundings, and of what it is told to be */
  double warmth;              /* what its own work adds */
} brio_emulated_joint;

typedef struct brio_joints {
  int count, baud;
  double voltage;    /* V */
  bool restarted;    /* power was lost since the device was asked */
  double limit;      /* rad/s that a joint moves at most */
  brio_emulated_joint at[BRIO_EMULATOR_SERVOS];
} brio_joints;

/* What may be typed. */
extern const char brio_joints_commands[];

/* Make joints at rest at 0 rad, with ids from options->first_id on, in memory of `size` bytes that begins
** with a brio_joints, or return NULL and a sentence. */
void *brio_joints_open(const brio_emulator_options *options, size_t size, brio_error *err);

/* The functions of brio_emulator_kind but for handle. */
void brio_joints_step(void *device, double dt, brio_emulator *line);
int brio_joints_command(void *device, const char *const *words, int count, brio_text *out, brio_error *err);
void brio_joints_tell(const void *device, brio_text *out);
void brio_joints_close(void *device);

/* Whether the host speaks at the devices' baud rate. */
bool brio_joints_hear(const brio_joints *joints, int baud);

/* Return the number of the joint with an id that is not silent, or -1. */
int brio_joints_find(const brio_joints *joints, int id);

/* Tell a joint where to go, within so many seconds (0: as fast as it can).  One that refuses torque stays. */
void brio_joints_move(brio_joints *joints, int i, double target, double seconds);

/* Let a joint hold where it is, or go limp. */
void brio_joints_hold(brio_joints *joints, int i, bool on);

/* Return a joint's temperature in degrees, as a byte. */
int brio_joints_temperature(const brio_joints *joints, int i);

/* Whether any joint moves. */
bool brio_joints_moving(const brio_joints *joints);

/* Send an answer of this id and code (-1: none).  `i`: whose it is, and whose twin speaks at once; -1:
** nobody's. */
void brio_joints_answer(const brio_joints *joints, int i, brio_emulator *line, int id, int code,
                        const uint8_t *data, int length);

#endif
