/* What every device family provides: bytes to SI values and back.  A driver knows axes
** (numbers with limits), not robots.  To add one: write drivers/families/<family>.c and add
** X(<family>) to drivers.def. */
#ifndef BRIO_DRIVERS_DRIVER_H
#define BRIO_DRIVERS_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "math/detection.h"

/* One thing that can be commanded. */
typedef struct brio_axis {
  const char *name;
  double lower, upper;           /* rad, m or 1; -inf, inf: no end */
  double velocity, acceleration; /* greatest, per s and s^2; INFINITY: none */
  double start;                  /* where it stands when the device opens */
} brio_axis;

/* What a report knows besides position and velocity: bits. */
enum {
  BRIO_KNOWS_LOAD = 1,
  BRIO_KNOWS_CURRENT = 2,
  BRIO_KNOWS_TEMPERATURE = 4,
  BRIO_KNOWS_VOLTAGE = 8,
};

/* What an axis reports. */
typedef struct brio_axis_state {
  double position, velocity;     /* measured, by the device's own sensors */
  bool valid;                    /* false: no fresh report */
  unsigned knows;                /* which of the following are known, too */
  double load;                   /* share of the greatest torque, -1 to 1 */
  double current, temperature, voltage; /* A, degrees Celsius, V */
  /* its motor lost its torque or accepts no goal until it is switched on again */
  bool failed;
} brio_axis_state;

/* A named number a person may set when the driver opens. */
typedef struct brio_driver_setting {
  const char *name, *unit, *doc;
  double fallback, lower, upper;
} brio_driver_setting;

/* A named text a person may set when the driver opens: a port, a list of ids. */
typedef struct brio_driver_text {
  const char *name, *doc, *fallback;
} brio_driver_text;

enum { BRIO_DRIVER_TEXTS = 8 /* a family has at most */ };

/* Gains of a motor's controller, as numbers of the device's own; NAN: left as it is in the device. */
typedef struct brio_gains {
  double p, i, d;
  double velocity, acceleration; /* fed forward */
} brio_gains;

/* Something that a device senses besides its axes: the robot's name for it, where it hangs ("3", "A0", the
** name of a field: the family says), and how many numbers it is (1, or BRIO_INPUT_NUMBERS for an IMU). */
typedef struct brio_driver_input {
  const char *name, *line;
  int width;
} brio_driver_input;

/* What an input reports: one number (a button: pressed above 0.5; m; dB; or what the row's scale makes so),
** or of an IMU acceleration x, y, z (m/s^2), rates of turning x, y, z (rad/s) and orientation x, y, z, w.
** NAN: not known now. */
enum { BRIO_INPUT_NUMBERS = 10, BRIO_DRIVER_INPUTS = 32 /* of a device, at most */ };

typedef struct brio_input_state {
  double values[BRIO_INPUT_NUMBERS];
} brio_input_state;

/* What a device is set to whenever it was opened: before it is told anything, and after each return. */
typedef struct brio_driver_config {
  double watchdog;                 /* s without a word after which the device acts by itself; 0: never */
  const brio_gains *gains;         /* one an axis; NULL: all are left */
  bool limits;                     /* the axes' limits are to be set in the device, where it keeps some */
  const brio_axis *axes;           /* as at opening */
  const brio_driver_input *inputs; /* ninput: what it is to sense */
  int ninput;
} brio_driver_config;

/* What a driver counted since it was opened, besides what everybody sees. */
typedef struct brio_driver_counts {
  int64_t retries;   /* questions that were asked again */
  int64_t timeouts;  /* answers that did not come */
  int64_t refused;   /* packets with a wrong check code, length or content */
  int64_t strays;    /* packets that nobody had asked for */
} brio_driver_counts;

typedef struct brio_driver_kind {
  const char *name, *doc;
  const char *alias;                     /* a second, shorter name; NULL: none */
  bool simulated;                        /* no hardware moves */
  bool watchdog;                         /* `configure` arms a watchdog in the device */
  /* what it reports is what it was told: of its motors nothing is noticed */
  bool open_loop;
  const char *when_silent;               /* a sentence: what the device does when it hears nothing any more */
  const brio_driver_setting *settings;   /* ends at name == NULL */
  const brio_driver_text *texts;         /* ends at name == NULL; NULL: none */
  /* Open a device for `count` axes with a value for every setting, in order.
  ** `context` is what the family needs besides (the simulator: a brio_world *, may be NULL; a family
  ** with texts: a const char *const * with a text for each, in order).
  ** Return the device, or NULL and a sentence (device, no_file, misuse, no_memory). */
  void *(*open)(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                brio_error *err);
  /* The same, for a family that was made at run time and must know its own record (NULL: `open` is
  ** called). */
  void *(*open_as)(const struct brio_driver_kind *kind, const brio_axis *axes, int count,
                   const double *settings, uint64_t seed, void *context, brio_error *err);
  /* Set the device up: called once after each `open`, before all else (NULL: there is nothing to set, and
  ** nobody may ask for gains or inputs).  What it cannot do of what is asked is a failure with a sentence
  ** (misuse: it never will; device, io: not now).  What `config` points to lives as long as the device. */
  bool (*configure)(void *device, const brio_driver_config *config, brio_error *err);
  /* Hand over `count` targets; NaN: leave that axis as it is.  Return false on failure. */
  bool (*write)(void *device, const double *targets, brio_error *err);
  /* The same, with the speed (1/s, above 0) for each axis that reaches its target when the next one
  ** comes (NULL: the device has no use for it, and `write` is called). */
  bool (*write_timed)(void *device, const double *targets, const double *speeds, brio_error *err);
  /* Let motors hold their places, or go limp, one flag an axis (NULL: the device cannot). */
  bool (*power)(void *device, const bool *on, brio_error *err);
  /* Let `dt` seconds pass (simulated devices; NULL: time passes by itself). */
  void (*step)(void *device, double dt);
  /* Report every axis.  Return false on failure. */
  bool (*read)(void *device, brio_axis_state *states, brio_error *err);
  /* Report every input that `configure` named, in that order (NULL: it senses nothing else).  Called after
  ** `read`, by the same thread; what came with the reports needs no exchange of its own.  Return false on
  ** failure. */
  bool (*sense)(void *device, brio_input_state *inputs, brio_error *err);
  /* Report from where to where an axis's motor goes, in the axis's unit: targets beyond are clamped (NULL: as
  ** far as the axis). */
  void (*range)(const void *device, int axis, double *lower, double *upper);
  /* Return how many exchanges a target waits at most until the motors have it, besides its own (NULL: 0). */
  int (*delay)(const void *device);
  /* Say in `out` what is there, one sentence or a few: models, ids, firmware (NULL: nothing to say). */
  void (*describe)(void *device, char *out, size_t size);
  /* Tell what was counted (NULL: nothing is). */
  void (*count)(void *device, brio_driver_counts *counts);
  /* Report what is seen now: at most `most` detections; return how many (NULL: sees nothing).
  ** Called by the scripts' thread while another may be in any of the others. */
  int (*detect)(void *device, brio_detection *out, int most);
  void (*close)(void *device);
  /* how to look for it (drivers/setup/scan.h); NULL: it cannot be looked for */
  const struct brio_driver_scan *scan;
  /* what can be read and changed in it by hand (drivers/setup/setup.h); NULL: nothing */
  const struct brio_driver_setup *setup;
} brio_driver_kind;

/* Return false and say what is wrong with an axis: no name, limits that cross, a greatest
** velocity or acceleration that is not above 0, a start that is not finite (misuse). */
bool brio_axis_check(const brio_axis *axis, brio_error *err);

/* What a shared object with a driver defines, by the name brio_driver.  The numbers tell a driver that
** was built against another record. */
typedef struct brio_driver_plugin {
  int version;                 /* BRIO_DRIVER_VERSION */
  size_t size;                 /* of brio_driver_kind */
  const brio_driver_kind *kind;
} brio_driver_plugin;

enum { BRIO_DRIVER_VERSION = 3 };

/* All families, ended by NULL. */
extern const brio_driver_kind *const brio_driver_kinds[];

/* Return the family of that name or alias, or of the shared object at that path (one with a '/' in it, which
** stays loaded), or NULL and an error with the nearest name (misuse, no_file, format). */
const brio_driver_kind *brio_driver_find(const char *name, brio_error *err);

#endif
