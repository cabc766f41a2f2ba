/* One device behind an actuator: some of its axes, each mapped to a motor's units, and a driver's
** record behind them.  Faults on purpose strike here, statistics are kept here, and a device that
** was lost is opened anew, later and later.  One thread uses a device at a time. */
#ifndef BRIO_DRIVERS_ACTUATOR_DEVICE_H
#define BRIO_DRIVERS_ACTUATOR_DEVICE_H

#include "base/arena.h"
#include "base/threads/atomic.h"
#include "base/grid.h"
#include "base/histogram.h"
#include "drivers/actuator/fault.h"
#include "drivers/driver.h"
#include "motor/mapping.h"

enum { BRIO_DEVICE_SETTINGS = 64, BRIO_DEVICE_FAULTS = 16, BRIO_DEVICE_TEXT = 512, BRIO_DEVICE_WORDS = 512 };

#define BRIO_DEVICE_PATIENCE                                                                                 \
  5.0 /* s that a driver has to open, to say for the first time where its motors are, or to close */
#define BRIO_DEVICE_WATCHDOG 0.5 /* s: of a device that has a watchdog, unless the robot's file says */

/* Channels whose motors move them together. */
typedef struct brio_device_coupling {
  brio_coupling coupling;
  int channels[BRIO_COUPLING_MOST];
} brio_device_coupling;

typedef struct brio_device_stats {
  int64_t exchanges, failures, losses; /* writes and reads that went well; that failed; times it was lost */
  double slowest;                      /* s that one took at most; with a thread of its own only */
  double typical;                      /* s that one takes, averaged over the last hundred or so; likewise */
  brio_driver_counts counts;           /* the driver's own, since the device was first opened */
} brio_device_stats;

typedef struct brio_device {
  const char *name;
  const brio_driver_kind *kind;
  void *handle;                        /* the driver's device */
  bool lost;                           /* no exchange takes place */
  /* a thread is left in its driver for good: nothing of it may be given back */
  bool stuck;
  atomic_bool left;                    /* likewise, for that thread to see, should it return */
  int count;                           /* channels */
  int delay;                           /* exchanges that a target waits at most in the driver */
  int *axes;                           /* count: their numbers at the actuator */
  brio_axis *limits;                   /* count: in the axes' units */
  brio_axis *channels;                 /* count: in the motors' units, as the driver sees them */
  brio_mapping *mappings;              /* count */
  brio_grid *steps;                    /* count: positions that are reported are rounded to these */
  brio_device_coupling *couplings;     /* ncoupling */
  int ncoupling;
  double settings[BRIO_DEVICE_SETTINGS];
  char texts[BRIO_DRIVER_TEXTS][BRIO_DEVICE_TEXT];
  const char *text_list[BRIO_DRIVER_TEXTS];
  uint64_t seed;
  void *context;
  brio_driver_config config;           /* what it is set to whenever it is opened */
  brio_input_state *inputs;            /* config.ninput: newest */
  char words[BRIO_DEVICE_WORDS];       /* what the driver says is there, since it was last opened */
  double time;                         /* s that passed since it was first opened */
  double *targets, *speeds;            /* count: in motors' units; scratch */
  brio_axis_state *states;             /* count: newest reports, in the axes' units */
  double *scratch;                     /* 2 x count */
  brio_fault faults[BRIO_DEVICE_FAULTS];
  int nfault;
  bool *on;                            /* count: which motors are to hold their places */
  bool limp;                           /* a fault takes power from some */
  double blocked_until;                /* s: a fault lets it do nothing so long */
  bool busy;                           /* and so it did nothing when it was last told something */
  void (*sleep)(double seconds);       /* how it blocks; NULL: it only does nothing for so long */
  double retry_at, back_off;           /* s: when a lost device is tried again, and how long after that */
  double back_at;                      /* s: when it was tried last */
  brio_device_stats stats;
  brio_driver_counts before;           /* what the driver had counted before it was last opened */
  brio_error error;                    /* newest failure */
} brio_device;

/* Take memory for `count` channels from the arena: identity mappings, nothing open. */
bool brio_device_start(brio_device *device, brio_arena *arena, int count);

/* Return the channel of a device that an axis of the actuator is; -1: none. */
int brio_device_channel(const brio_device *device, int axis);

/* Take memory for `count` inputs, which config.inputs then lists: names and lines are copied. */
bool brio_device_take_inputs(brio_device *device, brio_arena *arena, const brio_driver_input *inputs,
                             int count);

/* Work out what the driver sees, open it and set it up.  Errors: misuse, and the driver's own. */
bool brio_device_open(brio_device *device, brio_error *err);

/* Let its motors count otherwise from now on: `mappings` (count), which were checked.  The device is closed
** and opened anew; what cannot be opened is lost.  Only while its motors are told nothing. */
void brio_device_remap(brio_device *device, const brio_mapping *mappings);

/* The same, before it has a thread of its own, with patience: a driver that does not return is left behind,
** and the device is lost and stuck, with a sentence in device->error.  True then, too. */
bool brio_device_open_soon(brio_device *device, brio_arena *arena, brio_error *err);

/* Call read(device), likewise. */
void brio_device_ask_soon(brio_device *device, brio_arena *arena,
                          void (*ask)(void *context, brio_device *device), void *context);

/* Close the driver's device; faults are forgotten. */
void brio_device_close(brio_device *device);

/* The same with patience.  False: the driver did not return; the device is stuck, and says so in
** device->error. */
bool brio_device_close_soon(brio_device *device, brio_arena *arena);

/* Hand over a target for every axis of the actuator (NaN: leave it), with the speeds (signed) that lead there
** from the last, or NULL. */
bool brio_device_write(brio_device *device, const double *values, const double *speeds, brio_error *err);

/* How targets left that count for a while only (drivers/targets.h). */
typedef struct brio_device_leaving {
  int64_t latest; /* ns, monotonic: until then they count; given by the caller */
  bool again;     /* they are computed again, after they were late; given by the caller */
  bool late;      /* they were out of date, and nothing was sent: no failure of the device */
  int64_t at;     /* ns: when they left; 0: the driver does not say */
} brio_device_leaving;

/* The same with targets that count until leaving->latest. */
bool brio_device_write_soon(brio_device *device, const double *values, const double *speeds,
                            brio_device_leaving *leaving, brio_error *err);

/* Let motors hold their places or go limp: one flag for every axis of the actuator. */
bool brio_device_power(brio_device *device, const bool *on, brio_error *err);

/* Let dt s pass. */
void brio_device_pass(brio_device *device, double dt);

/* Read device->states.  On failure, and where nothing fresh came, they are not valid.  Inputs are read, too,
** into device->inputs. */
bool brio_device_read(brio_device *device, brio_error *err);

/* Let go of a device that does not answer: it is tried again after a while. */
void brio_device_lose(brio_device *device);

/* Open a lost device when its time has come.  Return whether it is there. */
bool brio_device_return(brio_device *device);

#endif
