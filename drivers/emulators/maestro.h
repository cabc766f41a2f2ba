/* The emulated Maestro, with and without its CRC: the common part of both kinds. */
#ifndef BRIO_DRIVERS_EMULATORS_MAESTRO_H
#define BRIO_DRIVERS_EMULATORS_MAESTRO_H

#include "drivers/emulators/joints.h"

/* The commands. */
extern const char brio_maestro_commands[];

/* The functions of brio_emulator_kind. */
void *brio_maestro_emulator_open(const brio_emulator_options *options, brio_error *err);
void brio_maestro_emulator_handle(void *device, const brio_packet *p, int baud, brio_emulator *line);
void brio_maestro_emulator_step(void *device, double dt, brio_emulator *line);
int brio_maestro_emulator_command(void *device, const char *const *words, int count, brio_text *out,
                                  brio_error *err);

#endif
