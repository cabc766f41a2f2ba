/* One open device as the engine uses it: axes by name, each with a target (where it should
** go), a command (where it is told to be now) and a measured state; named groups; a device
** that fails keeps its error to itself.  Nothing allocates after opening.  One thread uses
** an actuator at a time. */
#ifndef BRIO_DRIVERS_ACTUATOR_ACTUATOR_H
#define BRIO_DRIVERS_ACTUATOR_ACTUATOR_H

#include "drivers/actuator/device.h"

typedef struct brio_actuator brio_actuator;

typedef struct brio_actuator_setting {
  const char *name;
  double value;
  const char *text;              /* of a setting that is a text; NULL: it is a number */
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
  /* s: of the device's own; 0: BRIO_DEVICE_WATCHDOG, of hardware; below 0: none */
  double watchdog;
  bool set_limits;               /* the axes' limits are set in the device, too */
} brio_actuator_device;

/* Something that a device senses besides its axes. */
typedef struct brio_actuator_input {
  brio_driver_input input;       /* copied */
  const char *device;            /* its name, as in `devices`; NULL: the one without (or the only one) */
  int panic;                     /* panic stop while it is not 0 (1), while it is 0 (-1); 0: it means none */
} brio_actuator_input;

/* Axes that several motors move together. */
typedef struct brio_actuator_coupling {
  const char *const *axes;       /* count names, of one device */
  int count;
  const double *matrix;          /* count x count, by rows: motors = matrix axes */
} brio_actuator_coupling;

typedef struct brio_actuator_options {
  const brio_driver_kind *kind;  /* of the one device, or of what `devices` leave */
  const brio_axis *axes;         /* count, names unique; copied */
  int count;
  const brio_actuator_setting *settings; /* nsetting: what differs from the driver's defaults */
  int nsetting;
  const brio_actuator_group *groups;     /* ngroup, names unique; copied */
  int ngroup;
  const brio_actuator_device *devices;   /* ndevice, names unique; NULL: one, with all axes */
  int ndevice;
  const brio_mapping *mappings;          /* count; NULL: motors count as their axes do */
  const double *steps; /* count: to which positions that are reported are rounded, in the axes' units,
                                         ** 0: they are not; NULL: none is */
  /* count: it shuts a hand, what is in the hand stops it; NULL: none does */
  const bool *grips;
  const brio_gains *gains;               /* count: of the axes' controllers; NULL: all are left as they are */
  const brio_actuator_input *inputs;     /* ninput */
  int ninput;
  double watchdog;                       /* as in a device: of what `devices` leave */
  bool set_limits;
  const brio_actuator_coupling *couplings; /* ncoupling */
  int ncoupling;
  uint64_t seed;
  void *context;                 /* for the driver: the simulator's brio_world *, or NULL */
} brio_actuator_options;

/* One axis as it stands.  The name belongs to the actuator. */
typedef struct brio_actuator_axis {
  brio_axis limits;
  brio_axis opened;              /* the limits that the device was opened with */
  /* how far its motor went when it was opened, in the axis's unit; NaN: as far as `opened`, or not known */
  double motor_lower, motor_upper;
  double target;                 /* within the limits */
  double command, command_velocity;
  brio_axis_state measured;
  bool enabled;                  /* else the device is told nothing about it */
  bool grip;                     /* it shuts a hand: what is in the hand stops it */
  bool slewed;                   /* the command moves to the target within the limits; else it is it */
} brio_actuator_axis;

/* A named group of axes, by their numbers. */
typedef struct brio_actuator_members {
  const char *name;
  const int *axes;               /* count */
  int count;
} brio_actuator_members;

/* Open a device.  Every axis starts enabled and slewed, its target where it stands.  Return
** NULL and a sentence on wrong options (misuse) or the driver's failure (device, no_memory). */
brio_actuator *brio_actuator_open(const brio_actuator_options *options, brio_error *err);

/* Close the device and give everything back.  NULL is allowed. */
void brio_actuator_close(brio_actuator *actuator);

/* Close the devices only: nobody may speak with them any more.  A driver has 5 s to return; one that does not
** is left behind, with all that it uses.  Errors: device. */
bool brio_actuator_shut(brio_actuator *actuator, brio_error *err);

/* Close it, with the same patience and errors. */
bool brio_actuator_end(brio_actuator *actuator, brio_error *err);

/* Return the driver's record (of the first device). */
const brio_driver_kind *brio_actuator_kind(const brio_actuator *actuator);

/* Return the devices. */
brio_device *brio_actuator_devices(const brio_actuator *actuator, int *count);

/* Whether no hardware moves. */
bool brio_actuator_simulated(const brio_actuator *actuator);

/* Whether all devices are brio's own simulators, whose reports follow from what they are told: a driver in a
** file of somebody's may do otherwise, or be another, when a run is replayed. */
bool brio_actuator_repeats(const brio_actuator *actuator);

/* Strike devices with a fault: see drivers/actuator/fault.h.  Before or while it runs, but by the devices'
** own thread.  Errors: misuse (no such fault, nobody of that name), limit, no_memory. */
bool brio_actuator_fault(brio_actuator *actuator, const char *sentence, brio_error *err);

/* Note what an axis is told and what it reports, where somebody else speaks with the devices. */
void brio_actuator_note(brio_actuator *actuator, int axis, double command, double velocity,
                        const brio_axis_state *state);

/* Note failures of the devices, where somebody else speaks with them. */
void brio_actuator_note_failures(brio_actuator *actuator, const brio_error *newest, int count);

/* Return the axes in the order given at opening, or the groups in the order of their names. */
const brio_actuator_axis *brio_actuator_axes(const brio_actuator *actuator, int *count);
const brio_actuator_members *brio_actuator_groups(const brio_actuator *actuator, int *count);

/* Return the number of the axis of that name, or -1 and the nearest name (misuse). */
int brio_actuator_find(const brio_actuator *actuator, const char *name, brio_error *err);

/* Set where an axis should go, clamped to its limits.  Errors: misuse (no such axis, not finite). */
bool brio_actuator_set_target(brio_actuator *actuator, int axis, double target, brio_error *err);

/* Tighten the limits of an axis that the actuator slews: `lower`, `upper`, `velocity` and `acceleration` of
** `limits` count.  It moves into its new range within them, never at a jump.  Errors: misuse (no such axis,
** limits looser than those at opening, a range upside down). */
bool brio_actuator_set_limits(brio_actuator *actuator, int axis, const brio_axis *limits, brio_error *err);

/* Let the device move an axis, or leave it alone.  A command starts from where the axis is
** measured when it is enabled, and its target with it.  Numbers out of range do nothing. */
void brio_actuator_enable(brio_actuator *actuator, int axis, bool enabled);

/* Let the motors of axes that are enabled hold their places, and others go limp, where the devices can: for
** who speaks with the devices alone.  Errors: the devices'. */
bool brio_actuator_power(brio_actuator *actuator, brio_error *err);

/* Choose whether the actuator limits the axis itself (outside the kinematic tree: the solver
** does not) or passes targets on as they are.  Numbers out of range do nothing. */
void brio_actuator_slew(brio_actuator *actuator, int axis, bool slewed);

/* Move the commands `dt` seconds (0: not at all) towards the targets and hand them to the
** device.  Return false when the device failed; the error is also kept. */
bool brio_actuator_write(brio_actuator *actuator, double dt, brio_error *err);

/* Let `dt` seconds pass in a simulated device. */
void brio_actuator_step(brio_actuator *actuator, double dt);

/* Read the measured states.  Return false when the device failed; states are then not valid. */
bool brio_actuator_read(brio_actuator *actuator, brio_error *err);

/* Write, step and read, in steps of at most 5 ms, until `dt` seconds (at most 60) have passed. */
bool brio_actuator_run(brio_actuator *actuator, double dt, brio_error *err);

/* Write what the device sees now into `out`, at most `most`; return how many. */
int brio_actuator_detect(brio_actuator *actuator, brio_detection *out, int most);

/* Return the newest failure of the device (code BRIO_OK: none yet), and how many there were. */
const brio_error *brio_actuator_error(const brio_actuator *actuator, int *count);

/* An input as it stands.  The name belongs to the actuator. */
typedef struct brio_actuator_sensed {
  const char *name;
  int device, width, panic;      /* number of the device, in whose list it is `place` */
  int place;
  brio_input_state state;        /* NAN: not known now */
} brio_actuator_sensed;

/* Return the inputs in the order given at opening. */
const brio_actuator_sensed *brio_actuator_inputs(const brio_actuator *actuator, int *count);

/* Note what an input reports, where somebody else speaks with the devices. */
void brio_actuator_note_input(brio_actuator *actuator, int input, const brio_input_state *state);

/* Move one number towards a target for `dt` seconds within a greatest velocity and
** acceleration (both above 0, INFINITY: none), so that it arrives at rest. */
void brio_slew(double *position, double *velocity, double target, double greatest_velocity,
               double greatest_acceleration, double dt);

#endif
