/* Emulated bus servos of any family: registers, torque, limits, error bits, baud rate. */
#ifndef BRIO_DRIVERS_SERVO_EMULATOR_H
#define BRIO_DRIVERS_SERVO_EMULATOR_H

#include "drivers/emulators/emulator.h"
#include "drivers/servo/servo.h"

/* The commands of emulated bus servos, besides the settings of the line. */
extern const char brio_servo_emulator_commands[];

/* Create the servos of a family; NULL and a sentence if there is no memory. */
void *brio_servo_emulator_open(const brio_servo_family *family, const brio_emulator_options *options,
                               brio_error *err);

/* The functions of brio_emulator_kind. */
void brio_servo_emulator_handle(void *device, const brio_packet *packet, int baud, brio_emulator *line);
void brio_servo_emulator_step(void *device, double dt, brio_emulator *line);
int brio_servo_emulator_command(void *device, const char *const *words, int count, brio_text *out,
                                brio_error *err);
void brio_servo_emulator_tell(const void *device, brio_text *out);
void brio_servo_emulator_close(void *device);

/* Return a register's value of servo `id`; INT32_MIN: no such servo or register. */
int32_t brio_servo_emulator_value(const void *device, int id, brio_servo_role role);

#endif
