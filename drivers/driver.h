/* The interface of a device family: bytes of a device to SI values and back.  A driver knows axes (numbers
** with limits), not robots.  To add one: write drivers/families/<family>.c and add X(<family>) to
** drivers.def. */
#ifndef BRIO_DRIVERS_DRIVER_H
#define BRIO_DRIVERS_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "math/detection.h"
#include "motor/impedance.h"

/* One thing that can be commanded. */
typedef struct brio_axis {
  const char *name;
  double lower, upper;           /* rad, m or 1; -inf, inf: no limit */
  double velocity, acceleration; /* limits, per s and s^2; INFINITY: none */
  double start;                  /* position when the device is opened */
} brio_axis;

/* Bits: quantities of a report in addition to position and velocity. */
enum {
  BRIO_KNOWS_LOAD = 1,
  BRIO_KNOWS_CURRENT = 2,
  BRIO_KNOWS_TEMPERATURE = 4,
  BRIO_KNOWS_VOLTAGE = 8,
  BRIO_KNOWS_TORQUE = 16,
};

/* What an axis reports. */
typedef struct brio_axis_state {
  double position, velocity;     /* as the device's own sensors measured them */
  bool valid;                    /* false: no fresh report */
  unsigned knows;                /* BRIO_KNOWS_...: which of the following are valid */
  double load;                   /* share of the greatest torque, -1 to 1 */
  double current, temperature, voltage; /* A, degrees Celsius, V */
  /* N m or N: of the motor on its joint, since the report before; as driver and motor count, a torque times a
  ** velocity is a power in W */
  double torque;
  /* the motor lost its torque, or accepts no goal until it is switched on again */
  bool failed;
} brio_axis_state;

/* A number that may be set when the driver opens. */
typedef struct brio_driver_setting {
  const char *name, *unit, *doc;
  double fallback, lower, upper;
} brio_driver_setting;

/* A text that may be set when the driver opens: a port, a list of ids. */
typedef struct brio_driver_text {
  const char *name, *doc, *fallback;
} brio_driver_text;

enum { BRIO_DRIVER_TEXTS = 8, BRIO_DRIVER_SETTINGS = 64 /* of a family, at most */ };

/* Gains of a motor's controller, in the device's own units; NAN: left as they are in the device. */
typedef struct brio_gains {
  double p, i, d;
  double velocity, acceleration; /* feedforward */
} brio_gains;

/* An input of a device: the robot's name for it, the place where it is connected ("3", "A0", the name of a
** field: each family documents its own), and the count of its numbers (1, or BRIO_INPUT_NUMBERS for an
** IMU). */
typedef struct brio_driver_input {
  const char *name, *line;
  int width;
} brio_driver_input;

/* The values of an input: one number (a button: pressed above 0.5; m; dB; or the row's own scale), or
** those of an IMU: acceleration x, y, z (m/s^2), angular velocity x, y, z (rad/s) and orientation x, y, z,
** w.  NaN: not known now. */
enum { BRIO_INPUT_NUMBERS = 10, BRIO_DRIVER_INPUTS = 32 /* of a device, at most */ };

typedef struct brio_input_state {
  double values[BRIO_INPUT_NUMBERS];
} brio_input_state;

/* The configuration of a device, applied after each opening and reopening, before any target is sent. */
typedef struct brio_driver_config {
  double watchdog;                 /* s without a message after which the device acts by itself; 0: never */
  const brio_gains *gains;         /* one per axis; NULL: all stay as they are */
  bool limits;                     /* store the axes' limits in the device, where it has registers for them */
  const brio_axis *axes;           /* as at opening */
  /* one per axis: those with a limit get impedances, with these as the greatest stiffness, damping and limit;
  ** NULL: none does */
  const brio_impedance *impedances;
  const brio_driver_input *inputs; /* ninput: the inputs to read */
  int ninput;
} brio_driver_config;

/* Statistics of a driver since it was opened. */
typedef struct brio_driver_counts {
  int64_t retries;   /* requests that were repeated */
  int64_t timeouts;  /* answers that did not arrive in time */
  int64_t refused;   /* packets with a wrong check code, length or content */
  int64_t strays;    /* packets that answered no request */
} brio_driver_counts;

typedef struct brio_driver_kind {
  const char *name, *doc;
  const char *alias;                     /* a second, shorter name; NULL: none */
  bool simulated;                        /* no hardware moves */
  bool watchdog;                         /* `configure` arms a watchdog in the device */
  /* it reports its commands, not measurements: a motor that does not follow is not noticed */
  bool open_loop;
  const char *when_silent;               /* a sentence: what the device does in silence */
  const brio_driver_setting *settings;   /* ends at name == NULL */
  const brio_driver_text *texts;         /* ends at name == NULL; NULL: none */
  /* Open a device for `count` axes, with a value for every setting, in order.  `context`: further data of
  ** the family (the simulator: a brio_world *, may be NULL; a family with texts: a const char *const *
  ** with a text for each, in order).  Return the device, or NULL and a sentence (device, no_file, misuse,
  ** no_memory). */
  void *(*open)(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                brio_error *err);
  /* The same for a family that is created at run time and needs its own record (NULL: `open` is called). */
  void *(*open_as)(const struct brio_driver_kind *kind, const brio_axis *axes, int count,
                   const double *settings, uint64_t seed, void *context, brio_error *err);
  /* Configure the device: called once after each `open`, before anything else.  NULL: it has nothing to
  ** configure, and gains and inputs are refused.  A request that it cannot carry out is a failure with a
  ** sentence (misuse: never possible; device, io: not possible now).  The data of `config` live as long as
  ** the device. */
  bool (*configure)(void *device, const brio_driver_config *config, brio_error *err);
  /* Accept `count` targets; NaN: leave that axis as it is.  Return false on failure. */
  bool (*write)(void *device, const double *targets, brio_error *err);
  /* The same, with the speed (1/s, above 0) at which each axis reaches its target when the next one is due
  ** (NULL: the device has no use for speeds, and `write` is called). */
  bool (*write_timed)(void *device, const double *targets, const double *speeds, brio_error *err);
  /* Accept `count` commands of impedance in place of targets, if config.impedances has some (NULL: the device
  ** cannot, and a robot's file that wants it is refused): each axis's motor controls its torque as
  ** motor/impedance.h has it, at the device's own rate, until the next one comes.  An axis whose limit is NAN
  ** gets a target alone; a target of NaN leaves an axis as it is.  The commands were guarded: all numbers are
  ** finite and within the configured limits. */
  bool (*write_impedances)(void *device, const brio_impedance_command *commands, brio_error *err);
  /* Switch the torque of the motors, one flag per axis (NULL: the device cannot). */
  bool (*power)(void *device, const bool *on, brio_error *err);
  /* Let `dt` seconds pass (simulated devices; NULL: time passes by itself). */
  void (*step)(void *device, double dt);
  /* Report every axis.  Return false on failure. */
  bool (*read)(void *device, brio_axis_state *states, brio_error *err);
  /* Report every input that `configure` named, in that order (NULL: the device has none).  Called after
  ** `read`, by the same thread; values that arrived with the reports need no exchange of their own.
  ** Return false on failure. */
  bool (*sense)(void *device, brio_input_state *inputs, brio_error *err);
  /* Return the range of an axis's motor, in the axis's unit: targets beyond it are clamped (NULL: the
  ** range of the axis). */
  void (*range)(const void *device, int axis, double *lower, double *upper);
  /* Return the number of exchanges, in addition to its own, for which a target may wait until the motors have
  ** it (NULL: 0). */
  int (*delay)(const void *device);
  /* Describe the device in `out`, in one sentence or a few: models, ids, firmware (NULL: no description). */
  void (*describe)(void *device, char *out, size_t size);
  /* Return the statistics (NULL: there are none). */
  void (*count)(void *device, brio_driver_counts *counts);
  /* Return the present detections: at most `most` in `out`; return their number (NULL: no detector).
  ** Called by the scripts' thread while another thread may be in any of the other functions. */
  int (*detect)(void *device, brio_detection *out, int most);
  void (*close)(void *device);
  /* how to scan for it (drivers/setup/scan.h); NULL: no scan */
  const struct brio_driver_scan *scan;
  /* its settings for `brio setup` (drivers/setup/setup.h); NULL: none */
  const struct brio_driver_setup *setup;
} brio_driver_kind;

/* Check an axis.  Errors: misuse: no name, limits that cross, a velocity or acceleration limit that is not
** above 0, a start that is not finite. */
bool brio_axis_check(const brio_axis *axis, brio_error *err);

/* The record that a shared object with a driver exports as brio_driver.  The numbers detect a driver that
** was built against another version of this file. */
typedef struct brio_driver_plugin {
  int version;                 /* BRIO_DRIVER_VERSION */
  size_t size;                 /* of brio_driver_kind */
  const brio_driver_kind *kind;
} brio_driver_plugin;

enum { BRIO_DRIVER_VERSION = 4 };

/* All families, ended by NULL. */
extern const brio_driver_kind *const brio_driver_kinds[];

/* Return the family of that name or alias, or the one in the shared object at that path (a name with a
** '/'; the object stays loaded), or NULL and an error with the nearest name (misuse, no_file, format). */
const brio_driver_kind *brio_driver_find(const char *name, brio_error *err);

#endif
