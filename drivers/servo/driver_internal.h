/* Shared by the files of the bus servos' driver. */
#ifndef BRIO_DRIVERS_SERVO_DRIVER_INTERNAL_H
#define BRIO_DRIVERS_SERVO_DRIVER_INTERNAL_H

#include "drivers/servo/bus.h"
#include "drivers/servo/driver.h"

enum { BRIO_SERVO_AXES = 128, BRIO_SERVO_GROUPS = 8 };
enum { BRIO_SERVO_BLOCK = 16 /* bytes of one servo in a cycle's packet, at most */ };

#define BRIO_SERVO_AHEAD 1.2 /* of speeds: lets a servo that fell behind catch up */

/* One axis and its servo. */
typedef struct brio_servo_axis {
  const brio_servo_family *layout;
  double lower, upper;            /* rad: intersection of the limits of axis and servo */
  double fastest;                 /* rad/s */
  int quickest;                   /* its velocity limit, in the register's unit; 0: unknown */
  bool timed;                     /* goals carry a speed */
  bool wheel;                     /* it turns endlessly: it gets speeds, by which it follows positions */
  bool drives;                    /* it gets currents: its torque is controlled from here */
  double constant;                /* N m/A of such a servo */
  brio_impedance_command command; /* its newest; a limit of NAN: none yet */
  double velocity;                /* rad/s, as last read */
  /* position, rad; of a wheel: last target, rad; time of that target, s */
  double place, told, told_at;
  double rate;                    /* rad/s: speed of its targets */
  /* in the register's unit: its goal current, 0: none is set; of a servo that drives the greatest */
  int current;
  bool on, barred, limp;          /* torque: switched on; switched off; lost or refused by the servo */
  bool rebooted;                  /* its gains must be set again */
  int missing;                    /* consecutive cycles without an answer */
  /* it did not answer for a while: its watchdog may have expired, its torque may be off */
  bool unsure;
  int alert;                      /* error bits last reported */
  unsigned knows;
  double voltage, temperature, load, amperes;
} brio_servo_axis;

/* Axes with the same register addresses, which one packet writes or reads. */
typedef struct brio_servo_group {
  const brio_servo_family *layout;
  bool timed, wheel, drives;
  int count;
  uint8_t axes[BRIO_SERVO_AXES];
} brio_servo_group;

typedef struct brio_servo_driver {
  const brio_servo_family *family;
  brio_port *port;
  brio_servo_bus bus;
  int count, silent;              /* axes; cycles without any answer */
  int cycle, next;                /* cycles read; whose health is read next */
  double health, asked;           /* s: period in which the health of all is read; time of the last reading */
  int watchdog;                   /* its code; 0: not armed */
  double amperes;                 /* the setting `current` */
  int unknown_as;                 /* the model assumed for unknown ones; -1: they are refused */
  const brio_gains *gains;        /* count: of the configuration; NULL: unchanged */
  double heard;                   /* s: time of the last packet to the servos */
  /* s: the longest silence since watchdogs were checked; 0: none */
  double quiet;
  bool dead;                      /* a servo was without power: all must be configured again */
  brio_error news;                /* reported by the next read; code BRIO_OK: nothing */
  int ngroup;
  brio_servo_group groups[BRIO_SERVO_GROUPS];
  uint8_t ids[BRIO_SERVO_AXES];
  int models[BRIO_SERVO_AXES];    /* as reported by the servos */
  brio_servo_axis axes[BRIO_SERVO_AXES];
} brio_servo_driver;

#define BRIO_SERVO_WATCHDOG 0.02 /* s: unit of the watchdog register */

enum { BRIO_SERVO_STRIKE = -1 /* value of the watchdog register once it has expired */ };

/* Send positions and speeds to some axes of a group: values[k] rad and speeds[k] rad/s (NULL, NaN: as fast
** as the axis may) to the group's axis which[k].  Wheels get values[k] rad/s, servos that drive N m. */
bool brio_servo_driver_tell(brio_servo_driver *self, const brio_servo_group *group, const uint8_t *which,
                            int n, const double *values, const double *speeds, brio_error *err);

/* Find the registers that one packet writes or reads: those of two roles and what is between them. */
void brio_servo_driver_block(const brio_servo_group *group, brio_servo_role one, brio_servo_role other,
                             int *address, int *size);

/* Read the text "torques": which servos drive, and their constants.  Errors: misuse. */
bool brio_servo_driver_take_torques(brio_servo_driver *self, const char *text, brio_error *err);

/* Check that exactly the axes with an impedance drive, and that a watchdog guards them.  Errors: misuse. */
bool brio_servo_driver_check_torques(const brio_servo_driver *self, const brio_driver_config *config,
                                     brio_error *err);

/* Return the torque of a servo that drives, by its newest command about `target` and its last report. */
double brio_servo_driver_torque(const brio_servo_axis *axis, double target);

/* Set a servo's watchdog to 0, then to its value; goals are then accepted again.  Does nothing for a servo
** without watchdog. */
bool brio_servo_driver_arm(brio_servo_driver *self, int i, brio_error *err);

/* Set the gains of axis `i` that are not NaN.  Errors: misuse (no such gain, out of range), device, io. */
bool brio_servo_driver_gains(brio_servo_driver *self, int i, const brio_gains *gains, brio_error *err);

/* Let a servo whose watchdog expired accept goals again, from its present position. */
bool brio_servo_driver_revive(brio_servo_driver *self, int i, brio_error *err);

/* Return the number of bytes that each servo of an axis's group reports in a cycle.  O(axes). */
int brio_servo_driver_cycle_bytes(const brio_servo_driver *self, int i);

/* ---- health.c ---- */

/* Get the value of a register from `count` bytes that were read from address `first` on.  Return false if
** it is not among them. */
bool brio_servo_driver_value_in(const brio_servo_axis *axis, brio_servo_role role, const uint8_t *bytes,
                                int first, int count, int32_t *value);

/* Check that torque is as it was switched, and whether the watchdog expired. */
void brio_servo_driver_check_torque(brio_servo_driver *self, int i);

/* Take the error byte of a servo's answer: an alert is reported when it begins. */
void brio_servo_driver_check_alert(brio_servo_driver *self, int i, int error);

/* Ask for the health of the servos that are due; called once a cycle. */
void brio_servo_driver_ask_health(brio_servo_driver *self);

#endif
