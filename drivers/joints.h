/* What emulated boards and single servos share: joints with a motor each, and words about them. */
#ifndef BRIO_DRIVERS_JOINTS_H
#define BRIO_DRIVERS_JOINTS_H

#include "drivers/emulator.h"
#include "drivers/shaft.h"

typedef struct brio_joints {
  int count, first, baud;
  int ids[BRIO_EMULATOR_SERVOS];
  bool silent[BRIO_EMULATOR_SERVOS];
  brio_shaft shafts[BRIO_EMULATOR_SERVOS];
} brio_joints;

/* What may be typed. */
extern const char brio_joints_commands[];

/* Make joints at rest at 0 rad, with ids from options->first_id on, or NULL and a sentence. */
void *brio_joints_open(const brio_emulator_options *options, brio_error *err);

/* The functions of brio_emulator_kind but for handle. */
void brio_joints_step(void *device, double dt, brio_emulator *line);
int brio_joints_command(void *device, const char *const *words, int count, brio_text *out, brio_error *err);
void brio_joints_tell(const void *device, brio_text *out);
void brio_joints_close(void *device);

/* Whether the host speaks at the devices' baud rate. */
bool brio_joints_hear(const brio_joints *joints, int baud);

/* Return the number of the joint with an id that is not silent, or -1. */
int brio_joints_find(const brio_joints *joints, int id);

/* Tell a joint where to go, within so many seconds (0: as fast as it can). */
void brio_joints_move(brio_joints *joints, int i, double target, double seconds);

/* Send an answer of this id and code (-1: none). */
void brio_joints_answer(brio_emulator *line, int id, int code, const uint8_t *data, int length);

#endif
