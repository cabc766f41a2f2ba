/* Open devices as the engine uses them: axes by name, each with a target (the position to reach), a
** command (the position that is sent now) and a measured state; named groups.  A device that fails does
** not affect the others.  Nothing is allocated after opening.  One thread uses an actuator at a time. */
#ifndef BRIO_DRIVERS_ACTUATOR_ACTUATOR_H
#define BRIO_DRIVERS_ACTUATOR_ACTUATOR_H

#include "drivers/actuator/device.h"

typedef struct brio_actuator brio_actuator;

typedef struct brio_actuator_setting {
  const char *name;
  double value;
  const char *text;              /* value of a text setting; NULL: it is a number */
} brio_actuator_setting;

typedef struct brio_actuator_group {
  const char *name;
  const char *const *axes;       /* count names */
  int count;
} brio_actuator_group;

/* One device of several. */
typedef struct brio_actuator_device {
  const char *name;
  const brio_driver_kind *kind;
  const char *const *axes;       /* count names */
  int count;
  const brio_actuator_setting *settings; /* nsetting */
  int nsetting;
  /* s: watchdog of the device; 0: BRIO_DEVICE_WATCHDOG for hardware; below 0: none */
  double watchdog;
  bool set_limits;               /* store the axes' limits in the device, too */
} brio_actuator_device;

/* An input of a device. */
typedef struct brio_actuator_input {
  brio_driver_input input;       /* copied */
  const char *device;            /* as in `devices`; NULL: the unnamed device, or the only one */
  int panic;                     /* panic stop while it is not 0 (1), while it is 0 (-1), never (0) */
} brio_actuator_input;

/* Axes that several motors move together. */
typedef struct brio_actuator_coupling {
  const char *const *axes;       /* count names, of one device */
  int count;
  const double *matrix;          /* count x count, by rows: motors = matrix axes */
} brio_actuator_coupling;

typedef struct brio_actuator_options {
  const brio_driver_kind *kind;  /* of the only device, or of the axes that `devices` leave */
  const brio_axis *axes;         /* count, names unique; copied */
  int count;
  const brio_actuator_setting *settings; /* nsetting: those that differ from the defaults */
  int nsetting;
  const brio_actuator_group *groups;     /* ngroup, names unique; copied */
  int ngroup;
  const brio_actuator_device *devices;   /* ndevice, names unique; NULL: one with all axes */
  int ndevice;
  const brio_mapping *mappings;          /* count; NULL: motors have the units of their axes */
  const double *steps; /* count: rounding of reported positions, in the axes' units; 0, NULL: none */
  /* count: closes a hand, so that an object in it stops the axis; NULL: none does */
  const bool *grips;
  const brio_gains *gains;               /* count: of the controllers; NULL: unchanged */
  /* count: the greatest impedance of each axis whose motor controls its torque, and what it begins with; a
  ** limit of NAN: a position servo; NULL: all are */
  const brio_impedance *impedances;
  const brio_actuator_input *inputs;     /* ninput */
  int ninput;
  double watchdog;                       /* as in a device, for the axes that `devices` leave */
  bool set_limits;
  const brio_actuator_coupling *couplings; /* ncoupling */
  int ncoupling;
  uint64_t seed;
  void *context;                 /* for the driver: the simulator's brio_world *, or NULL */
} brio_actuator_options;

/* The present state of an axis.  The name belongs to the actuator. */
typedef struct brio_actuator_axis {
  brio_axis limits;
  brio_axis opened;              /* limits at opening */
  /* range of its motor at opening, in the axis's unit; NaN: that of `opened`, or unknown */
  double motor_lower, motor_upper;
  double target;                 /* within the limits */
  double command, command_velocity;
  brio_axis_state measured;
  bool enabled;                  /* otherwise the device gets no targets for it */
  bool grip;                     /* it closes a hand: an object in the hand stops it */
  bool slewed;                   /* the command moves within the limits; otherwise it is the target */
  brio_impedance impedance;      /* the greatest; a limit of NAN: it has a position servo */
} brio_actuator_axis;

/* A named group of axes, by their numbers. */
typedef struct brio_actuator_members {
  const char *name;
  const int *axes;               /* count */
  int count;
} brio_actuator_members;

/* Open the devices.  Every axis starts enabled and slewed, with its target at its start position.  Return
** NULL and a sentence on wrong options (misuse) or a failure of a driver (device, no_memory). */
brio_actuator *brio_actuator_open(const brio_actuator_options *options, brio_error *err);

/* Close the devices and free all memory.  NULL is allowed. */
void brio_actuator_close(brio_actuator *actuator);

/* Close the devices only; no exchange may follow.  A driver has 5 s to return; one that does not return is
** abandoned, with all memory that it uses.  Errors: device. */
bool brio_actuator_shut(brio_actuator *actuator, brio_error *err);

/* Close the devices and free all memory, with the same time limit and errors. */
bool brio_actuator_end(brio_actuator *actuator, brio_error *err);

/* Return the driver's record (of the first device). */
const brio_driver_kind *brio_actuator_kind(const brio_actuator *actuator);

/* Return the devices. */
brio_device *brio_actuator_devices(const brio_actuator *actuator, int *count);

/* Return whether all devices are simulated. */
bool brio_actuator_simulated(const brio_actuator *actuator);

/* Return whether all devices are brio's own simulators, whose reports are determined by their targets.  A
** driver from a shared object may behave otherwise, or be another one when a run is replayed. */
bool brio_actuator_repeats(const brio_actuator *actuator);

/* Start a fault: see drivers/actuator/fault.h.  Before or during a run, but by the devices' own thread.
** Errors: misuse (no such fault, no device, group or axis of that name), limit, no_memory. */
bool brio_actuator_fault(brio_actuator *actuator, const char *sentence, brio_error *err);

/* Record command and report of an axis, where another thread talks to the devices. */
void brio_actuator_note(brio_actuator *actuator, int axis, double command, double velocity,
                        const brio_axis_state *state);

/* Record failures of the devices, where another thread talks to them. */
void brio_actuator_note_failures(brio_actuator *actuator, const brio_error *newest, int count);

/* Return the axes in the order given at opening, or the groups in the order of their names. */
const brio_actuator_axis *brio_actuator_axes(const brio_actuator *actuator, int *count);
const brio_actuator_members *brio_actuator_groups(const brio_actuator *actuator, int *count);

/* Return the number of the axis of that name, or -1 and the nearest name (misuse). */
int brio_actuator_find(const brio_actuator *actuator, const char *name, brio_error *err);

/* Set the target of an axis, clamped to its limits.  Errors: misuse (no such axis, not finite). */
bool brio_actuator_set_target(brio_actuator *actuator, int axis, double target, brio_error *err);

/* Narrow the limits of an axis that the actuator slews: `lower`, `upper`, `velocity` and `acceleration` of
** `limits` are used.  The axis moves into its new range within these limits, without a jump.  Errors:
** misuse (no such axis, limits wider than at opening, lower above upper). */
bool brio_actuator_set_limits(brio_actuator *actuator, int axis, const brio_axis *limits, brio_error *err);

/* Enable or disable an axis.  When it is enabled, command and target start at the measured position.  An
** invalid number does nothing. */
void brio_actuator_enable(brio_actuator *actuator, int axis, bool enabled);

/* Switch the torque of the motors on for enabled axes, off for others, where the devices can; for callers
** that talk to the devices themselves.  Errors: those of the devices. */
bool brio_actuator_power(brio_actuator *actuator, brio_error *err);

/* Choose whether the actuator limits the motion of the axis itself (for axes outside the kinematic tree,
** which the solver does not limit) or passes its targets on unchanged.  An invalid number does nothing. */
void brio_actuator_slew(brio_actuator *actuator, int axis, bool slewed);

/* Advance the commands by `dt` seconds (0: not at all) towards the targets, and send them to the devices.
** Return false if a device failed; the error is also kept. */
bool brio_actuator_write(brio_actuator *actuator, double dt, brio_error *err);

/* Advance the simulated devices by `dt` seconds. */
void brio_actuator_step(brio_actuator *actuator, double dt);

/* Read the measured states.  Return false if a device failed; its states are then not valid. */
bool brio_actuator_read(brio_actuator *actuator, brio_error *err);

/* Write, step and read, in steps of at most 5 ms, until `dt` seconds (at most 60) have passed. */
bool brio_actuator_run(brio_actuator *actuator, double dt, brio_error *err);

/* Write the present detections into `out`, at most `most`; return their number. */
int brio_actuator_detect(brio_actuator *actuator, brio_detection *out, int most);

/* Return the newest failure of a device (code BRIO_OK: none yet), and the count of failures. */
const brio_error *brio_actuator_error(const brio_actuator *actuator, int *count);

/* The present state of an input.  The name belongs to the actuator. */
typedef struct brio_actuator_sensed {
  const char *name;
  int device, width, panic;      /* number of the device; `place`: index in that device's list */
  int place;
  brio_input_state state;        /* NAN: not known now */
} brio_actuator_sensed;

/* Return the inputs in the order given at opening. */
const brio_actuator_sensed *brio_actuator_inputs(const brio_actuator *actuator, int *count);

/* Record the values of an input, where another thread talks to the devices. */
void brio_actuator_note_input(brio_actuator *actuator, int input, const brio_input_state *state);

/* Move a number towards a target for `dt` seconds within limits of velocity and acceleration (both above
** 0, INFINITY: none), so that it arrives at rest. */
void brio_slew(double *position, double *velocity, double target, double greatest_velocity,
               double greatest_acceleration, double dt);

#endif
