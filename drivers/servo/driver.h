/* Bus servos of any family as a driver: each axis is a servo. */
#ifndef BRIO_DRIVERS_SERVO_DRIVER_H
#define BRIO_DRIVERS_SERVO_DRIVER_H

#include "drivers/driver.h"
#include "drivers/ports/port.h"
#include "drivers/servo/servo.h"

/* The settings and texts of every family of bus servos. */
extern const brio_driver_setting brio_servo_driver_settings[];
extern const brio_driver_text brio_servo_driver_texts[];

/* Open the servos of a family: see brio_driver_kind.  Every servo must answer. */
void *brio_servo_driver_open(const brio_servo_family *family, const brio_axis *axes, int count,
                             const double *settings, void *context, brio_error *err);

/* The same on an open port (NULL: `texts` names one), which belongs to the driver from then on. */
void *brio_servo_driver_open_on(const brio_servo_family *family, const brio_axis *axes, int count,
                                const double *settings, const char *const *texts, brio_port *port,
                                brio_error *err);

/* The functions of brio_driver_kind. */
bool brio_servo_driver_configure(void *device, const brio_driver_config *config, brio_error *err);
bool brio_servo_driver_write(void *device, const double *targets, brio_error *err);
bool brio_servo_driver_write_timed(void *device, const double *targets, const double *speeds,
                                   brio_error *err);
/* Of families with a mode of currents. */
bool brio_servo_driver_write_impedances(void *device, const brio_impedance_command *commands,
                                        brio_error *err);
bool brio_servo_driver_power(void *device, const bool *on, brio_error *err);
bool brio_servo_driver_read(void *device, brio_axis_state *states, brio_error *err);
void brio_servo_driver_range(const void *device, int axis, double *lower, double *upper);
void brio_servo_driver_describe(void *device, char *out, size_t size);
void brio_servo_driver_count(void *device, brio_driver_counts *counts);
void brio_servo_driver_close(void *device);

#endif
