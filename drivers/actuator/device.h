/* A device behind an actuator: some of its axes, each mapped to the units of a motor, and the driver that
** serves them.  Injected faults act here, statistics are kept here, and a lost device is reopened after a
** pause that grows.  One thread uses a device at a time. */
#ifndef BRIO_DRIVERS_ACTUATOR_DEVICE_H
#define BRIO_DRIVERS_ACTUATOR_DEVICE_H

#include "base/arena.h"
#include "base/threads/atomic.h"
#include "base/grid.h"
#include "base/histogram.h"
#include "drivers/actuator/fault.h"
#include "drivers/driver.h"
#include "motor/mapping.h"

enum {
  BRIO_DEVICE_SETTINGS = BRIO_DRIVER_SETTINGS,
  BRIO_DEVICE_FAULTS = 16,
  BRIO_DEVICE_TEXT = 512,
  BRIO_DEVICE_WORDS = 512
};

#define BRIO_DEVICE_PATIENCE                                                                                 \
  5.0 /* s: time limit of a driver to open, to report its motors' positions for the first time, or to close */
#define BRIO_DEVICE_WATCHDOG 0.5 /* s: default of a device that has a watchdog */

/* Channels that several motors move together. */
typedef struct brio_device_coupling {
  brio_coupling coupling;
  int channels[BRIO_COUPLING_MOST];
} brio_device_coupling;

typedef struct brio_device_stats {
  int64_t exchanges, failures, losses; /* writes and reads that succeeded; failed ones; losses */
  double slowest;                      /* s: longest exchange; only with a thread of its own */
  double typical;                      /* s: mean of about the last hundred exchanges; likewise */
  brio_driver_counts counts;           /* the driver's own, since the device was first opened */
} brio_device_stats;

typedef struct brio_device {
  const char *name;
  const brio_driver_kind *kind;
  void *handle;                        /* the driver's device */
  bool lost;                           /* no exchanges take place */
  /* a thread is still inside its driver: none of its memory may be freed */
  bool stuck;
  atomic_bool left;                    /* the same, for that thread, should it return */
  int count;                           /* channels */
  int delay;                           /* exchanges for which a target may wait in the driver */
  int *axes;                           /* count: numbers of the axes in the actuator */
  brio_axis *limits;                   /* count: in the axes' units */
  brio_axis *channels;                 /* count: in the motors' units, as the driver sees them */
  brio_mapping *mappings;              /* count */
  brio_grid *steps;                    /* count: grids to which reported positions are rounded */
  brio_device_coupling *couplings;     /* ncoupling */
  int ncoupling;
  double settings[BRIO_DEVICE_SETTINGS];
  char texts[BRIO_DRIVER_TEXTS][BRIO_DEVICE_TEXT];
  const char *text_list[BRIO_DRIVER_TEXTS];
  uint64_t seed;
  void *context;
  brio_driver_config config;           /* applied at each opening */
  brio_input_state *inputs;            /* config.ninput: newest */
  char words[BRIO_DEVICE_WORDS];       /* the driver's description at the last opening */
  double time;                         /* s since it was first opened */
  double *targets, *speeds;            /* count: in motors' units; scratch */
  struct brio_device_torques *torques; /* of axes with impedance; NULL: it has none */
  brio_axis_state *states;             /* count: newest reports, in the axes' units */
  double *scratch;                     /* 2 x count */
  brio_fault faults[BRIO_DEVICE_FAULTS];
  int nfault;
  bool *on;                            /* count: motors whose torque is on */
  bool plain;                          /* each motor counts as its axis does */
  bool limp;                           /* an active fault takes the power of some */
  double blocked_until;                /* s: until then a fault keeps it busy */
  bool busy;                           /* it was busy at the last write */
  void (*sleep)(double seconds);       /* how it waits; NULL: only its time passes */
  double retry_at, back_off;           /* s: time of the next attempt to reopen it; next pause */
  double back_at;                      /* s: time of the last attempt */
  brio_device_stats stats;
  brio_driver_counts before;           /* the driver's counts before it was last opened */
  brio_error error;                    /* newest failure */
} brio_device;

/* Allocate `count` channels from the arena, with identity mappings; the device is not open. */
bool brio_device_start(brio_device *device, brio_arena *arena, int count);

/* Return the channel of an axis of the actuator; -1: it belongs to another device. */
int brio_device_channel(const brio_device *device, int axis);

/* Allocate `count` inputs, which config.inputs then lists; names and lines are copied. */
bool brio_device_take_inputs(brio_device *device, brio_arena *arena, const brio_driver_input *inputs,
                             int count);

/* Compute the limits that the driver sees, open it and configure it.  Errors: misuse, and those of the
** driver. */
bool brio_device_open(brio_device *device, brio_error *err);

/* Compute the limits that the driver sees (channels.c), and whether the device is plain. */
void brio_device_make_channels(brio_device *device);

/* Replace the mappings of its motors: `mappings` (count), which were checked.  The device is closed and
** reopened; if it cannot be opened, it is lost.  Only while its motors get no targets. */
void brio_device_remap(brio_device *device, const brio_mapping *mappings);

/* Open the device with a time limit, before it has a thread of its own.  A driver that does not return is
** abandoned: the device is lost and stuck, with a sentence in device->error, and the result is true. */
bool brio_device_open_soon(brio_device *device, brio_arena *arena, brio_error *err);

/* Call ask(context, device) with the same time limit. */
void brio_device_ask_soon(brio_device *device, brio_arena *arena,
                          void (*ask)(void *context, brio_device *device), void *context);

/* Close the driver's device and remove its faults. */
void brio_device_close(brio_device *device);

/* The same with a time limit.  Return false if the driver did not return; the device is then stuck, with a
** sentence in device->error. */
bool brio_device_close_soon(brio_device *device, brio_arena *arena);

/* Send a target for every axis of the actuator (NaN: unchanged), with the speeds (signed) that lead there
** from the last target, or NULL. */
bool brio_device_write(brio_device *device, const double *values, const double *speeds, brio_error *err);

/* How targets with a deadline were sent (drivers/targets.h). */
typedef struct brio_device_leaving {
  int64_t latest; /* ns, monotonic: their deadline; set by the caller */
  bool again;     /* they were computed again after they were late; set by the caller */
  bool late;      /* the deadline had passed, and nothing was sent: no failure of the device */
  int64_t at;     /* ns: when they were sent; 0: unknown */
} brio_device_leaving;

/* The same with targets whose deadline is leaving->latest. */
bool brio_device_write_soon(brio_device *device, const double *values, const double *speeds,
                            brio_device_leaving *leaving, brio_error *err);

/* Switch the torque of motors: one flag for every axis of the actuator. */
bool brio_device_power(brio_device *device, const bool *on, brio_error *err);

/* Give axes impedance: one for each axis of the actuator, in the axes' units, the greatest that it may have,
** and what it begins with; before the device is opened.  NULL, or none with a limit: no axis.  Errors: misuse
** (one that is invalid, a driver without impedance, an axis of a coupling, a mapping that is not linear),
** no_memory. */
bool brio_device_take_impedances(brio_device *device, brio_arena *arena, const brio_impedance *impedances,
                                 brio_error *err);

/* The impedances of the next targets, for each axis of the actuator; they are guarded before they are sent.
** Without axes that have one this does nothing. */
void brio_device_impede(brio_device *device, const brio_impedance *impedances);

/* Return how many commands of impedance had to be changed because they were beyond a limit. */
int64_t brio_device_guarded(const brio_device *device);

/* For device.c: send device->targets, with signed speeds of the axes (NULL: 0); update the limits after the
** mappings changed; convert a torque of a motor to its axis. */
bool brio_device_send_impedances(brio_device *device, const double *speeds, brio_error *err);
void brio_device_map_impedances(brio_device *device);
double brio_device_torque_of(const brio_device *device, int channel, double torque);

/* Advance the time of the device by dt s. */
void brio_device_pass(brio_device *device, double dt);

/* Read device->states and device->inputs.  States are not valid on failure, or where nothing new arrived. */
bool brio_device_read(brio_device *device, brio_error *err);

/* Mark a device that does not answer as lost: it is reopened after a pause. */
void brio_device_lose(brio_device *device);

/* Reopen a lost device when its pause is over.  Return whether it is open. */
bool brio_device_return(brio_device *device);

#endif
