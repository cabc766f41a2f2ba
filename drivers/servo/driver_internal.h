/* What the files of the bus servos' driver share. */
#ifndef BRIO_DRIVERS_SERVO_DRIVER_INTERNAL_H
#define BRIO_DRIVERS_SERVO_DRIVER_INTERNAL_H

#include "drivers/servo/bus.h"
#include "drivers/servo/driver.h"

enum { BRIO_SERVO_AXES = 128, BRIO_SERVO_GROUPS = 8 };

/* One axis and its servo. */
typedef struct brio_servo_axis {
  const brio_servo_family *layout;
  double lower, upper;            /* rad: the axis' limits and those set in the servo */
  double fastest;                 /* rad/s */
  int quickest;                   /* its velocity limit, as its register has it; 0: it tells none */
  bool timed;                     /* it is told how fast to go */
  bool wheel;                     /* it is told speeds, by which it follows places */
  /* of a wheel: where it is, rad; its last target, rad, and when that came, s */
  double place, told, told_at;
  double rate;                    /* rad/s: how fast its targets go */
  int current;                    /* its greatest current, as its register has it; 0: it is not told any */
  bool on, barred, limp;          /* torque was switched on; off; the servo switched it off, or refused */
  bool rebooted;                  /* it has forgotten its gains */
  int missing;                    /* cycles without an answer, one after another */
  /* it did not answer for a while: its watchdog may have struck, its torque be gone */
  bool unsure;
  int alert;                      /* error bits that it told last */
  unsigned knows;
  double voltage, temperature, load, amperes;
} brio_servo_axis;

/* Axes whose registers lie alike, which one packet tells or asks. */
typedef struct brio_servo_group {
  const brio_servo_family *layout;
  bool timed, wheel;
  int count;
  uint8_t axes[BRIO_SERVO_AXES];
} brio_servo_group;

typedef struct brio_servo_driver {
  const brio_servo_family *family;
  brio_port *port;
  brio_servo_bus bus;
  int count, silent;              /* axes; cycles without any answer */
  int cycle, next;                /* cycles read; who is asked next how it is */
  double health, asked;           /* s: in which all are asked; when one was */
  int watchdog;                   /* its code; 0: not armed */
  double amperes;                 /* the setting `current` */
  int unknown_as;                 /* the model that unknown ones are taken for; -1: they are refused */
  const brio_gains *gains;        /* count: as it was set up; NULL: as they are */
  double heard;                   /* s: when the servos heard something last */
  /* s: the longest silence after which watchdogs were not looked at; 0: none */
  double quiet;
  bool dead;                      /* a servo was without power: all must be set up anew */
  brio_error news;                /* what the next read tells; code BRIO_OK: nothing */
  int ngroup;
  brio_servo_group groups[BRIO_SERVO_GROUPS];
  uint8_t ids[BRIO_SERVO_AXES];
  int models[BRIO_SERVO_AXES];    /* as they say */
  brio_servo_axis axes[BRIO_SERVO_AXES];
} brio_servo_driver;

#define BRIO_SERVO_WATCHDOG 0.02 /* s that 1 of a watchdog is */

/* Tell some axes of a group places and speeds: values[k] rad and speeds[k] rad/s (NULL, NAN: as fast as the
** axis may) to the group's axis which[k].  Wheels are told values[k] rad/s. */
bool brio_servo_driver_tell(brio_servo_driver *self, const brio_servo_group *group, const uint8_t *which,
                            int n, const double *values, const double *speeds, brio_error *err);

/* Set a servo's watchdog to 0, and back; a goal may then be written again.  Without one nothing happens. */
bool brio_servo_driver_arm(brio_servo_driver *self, int i, brio_error *err);

/* Set the gains of axis `i` that are not NAN.  Errors: misuse (it has none, out of range), device, io. */
bool brio_servo_driver_gains(brio_servo_driver *self, int i, const brio_gains *gains, brio_error *err);

#endif
