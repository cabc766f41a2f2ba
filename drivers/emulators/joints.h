/* Shared by emulated boards and single servos: joints with a motor each, their faults, and descriptions. */
#ifndef BRIO_DRIVERS_EMULATORS_JOINTS_H
#define BRIO_DRIVERS_EMULATORS_JOINTS_H

#include "drivers/emulators/emulator.h"
#include "drivers/emulators/shaft.h"

typedef struct brio_emulated_joint {
  int id;
  brio_shaft shaft;
  bool silent, refuses, twin; /* silent; without torque; a second one has its id */
  int error;                  /* the device's error bits */
  double temperature;         /* degrees Celsius: of its surroundings, or as set by a command */
  double warmth;              /* degrees added by its own load */
} brio_emulated_joint;

typedef struct brio_joints {
  int count, baud;
  double voltage;    /* V */
  bool restarted;    /* power was lost since the last status request */
  double limit;      /* rad/s: greatest speed of a joint */
  brio_emulated_joint at[BRIO_EMULATOR_SERVOS];
} brio_joints;

/* The commands. */
extern const char brio_joints_commands[];

/* Create joints at rest at 0 rad, with ids from options->first_id on, in a record of `size` bytes that
** starts with a brio_joints; NULL and a sentence on failure. */
void *brio_joints_open(const brio_emulator_options *options, size_t size, brio_error *err);

/* The functions of brio_emulator_kind but for handle. */
void brio_joints_step(void *device, double dt, brio_emulator *line);
int brio_joints_command(void *device, const char *const *words, int count, brio_text *out, brio_error *err);
void brio_joints_tell(const void *device, brio_text *out);
void brio_joints_close(void *device);

/* Return whether the host uses the devices' baud rate. */
bool brio_joints_hear(const brio_joints *joints, int baud);

/* Return the number of the joint with an id that is not silent, or -1. */
int brio_joints_find(const brio_joints *joints, int id);

/* Move a joint to a target within `seconds` (0: as fast as it can).  One that refuses torque does not
** move. */
void brio_joints_move(brio_joints *joints, int i, double target, double seconds);

/* Switch the torque of a joint, which keeps its position. */
void brio_joints_hold(brio_joints *joints, int i, bool on);

/* Return a joint's temperature in degrees, as a byte. */
int brio_joints_temperature(const brio_joints *joints, int i);

/* Whether any joint moves. */
bool brio_joints_moving(const brio_joints *joints);

/* Send an answer with this id and code (-1: none).  `i`: the joint that answers, whose twin answers at the
** same time; -1: none. */
void brio_joints_answer(const brio_joints *joints, int i, brio_emulator *line, int id, int code,
                        const uint8_t *data, int length);

#endif
