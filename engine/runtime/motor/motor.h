/* The motor side: the safety layer between the scripts' commands and the devices.  It keeps the limits for
** every input.
**
** In a run on the real clock it is a thread of its own with a clock of its own, 1 kHz by default,
** and one thread for each device (a bus), so that one that blocks does not stall the others.  Commands
** come in through a ring, state goes out through a triple buffer; the motor thread takes no lock,
** allocates nothing, touches no file.  On the fast clock, and in tests, there are no threads: the
** same code is stepped in lockstep with the tick.
**
** What it does in each period: motor/motion.h.  It stops the robot when scripts are silent, a device
** is lost, something watched is wrong (motor/alarm.h), or somebody raises the panic stop. */
#ifndef BRIO_RUNTIME_MOTOR_MOTOR_H
#define BRIO_RUNTIME_MOTOR_MOTOR_H

#include <stdint.h>

#include "drivers/actuator/actuator.h"
#include "motor/alarm.h"
#include "motor/motion.h"
#include "robot/robot.h"
#include "runtime/live_poses.h"
#include "runtime/motor/collisions.h"

typedef struct brio_motor brio_motor;

typedef struct brio_motor_options {
  brio_actuator *actuator;   /* must outlive the motor, which alone speaks with its devices */
  int tree;                  /* its first axes are joints of the kinematic tree */
  double rate;               /* Hz, 50 to 2000; 0: 1000 */
  bool armed;                /* from the beginning; simulated devices are anyway */
  bool goes_on;              /* when a device is lost the others continue; false: the robot stops */
  double silence;            /* s without a pose after which the scripts count as silent; 0: 0.1 */
  const int *stages;         /* axes: of low-pass filters outside the tree; NULL: none */
  const double *tau;         /* axes: their time constants, s */
  const brio_interlock *rules; /* nrule */
  int nrule;
  /* BRIO_ALARM_KINDS; NULL: the default, which only reports in simulation */
  const brio_alarm_setting *alarms;
  const brio_robot *robot;   /* whose variables the tree's axes are; needed for the following alone */
  /* axes: of those that control their torque (brio_actuator_axis), whether their feed-forward carries their
  ** weight; NULL: none does */
  const bool *gravity;
  const brio_motor_collision_options *collisions; /* watch for collisions, which needs `robot`; NULL: no */
} brio_motor_options;

/* Events, for people: see brio_motor_event_text. */
typedef enum brio_motor_event_kind {
  BRIO_MOTOR_SILENT,
  BRIO_MOTOR_BACK,
  BRIO_MOTOR_LOST,
  BRIO_MOTOR_FOUND,
  BRIO_MOTOR_AXIS_SILENT,
  BRIO_MOTOR_ALARM,
  BRIO_MOTOR_PANIC,
  BRIO_MOTOR_HELD,
  BRIO_MOTOR_GOES_ON,
  BRIO_MOTOR_ARMED,
  BRIO_MOTOR_DISARMED,
  BRIO_MOTOR_REFUSED,
  BRIO_MOTOR_PAUSED,
  BRIO_MOTOR_NOT_REALTIME,
  BRIO_MOTOR_LINE,
  BRIO_MOTOR_LINE_SILENT,
  BRIO_MOTOR_LINE_KEEPS,
  BRIO_MOTOR_STUCK,
  BRIO_MOTOR_WAITS,
  BRIO_MOTOR_COMPLAINS,
  BRIO_MOTOR_AXIS_FAILED,
  BRIO_MOTOR_BEGINS_DISARMED,
  BRIO_MOTOR_COLLISION,
  BRIO_MOTOR_NO_TORQUES,
  BRIO_MOTOR_EVENTS
} brio_motor_event_kind;

typedef struct brio_motor_event {
  brio_motor_event_kind kind;
  int which;                 /* axis, device or input */
  int alarm;                 /* which condition */
  brio_reaction reaction;
  double value, limit, time; /* time: s since the motor side began */
} brio_motor_event;

/* Times of a stage, us. */
typedef struct brio_motor_share {
  double p50, p99;
} brio_motor_share;

/* Status of the motor side. */
typedef struct brio_motor_report {
  bool armed, settled, silent, threaded, realtime; /* realtime: the system granted SCHED_FIFO */
  bool behind;               /* since it settled, some device that answers did not get all of the path */
  bool memory_locked;
  unsigned causes;           /* bits of brio_motion_cause (motor/motion.h); 0: motion is not held */
  uint32_t anew;
  int64_t periods, lost;     /* done; skipped because the thread woke too late */
  int64_t taken, stale, refused, clamped, dropped, stretched, tracked, braked; /* see motion.h and path.h */
  double tick, margin, ahead, spare; /* s, of the path: see path.h */
  int windows;
  int64_t corner;            /* position on the path: at the corner of this pose (numbers of poses handed
                             ** over), */
  double along;              /* and this many s behind it */
  bool watches;              /* for collisions; then: how many there were, and the one that acts now: its */
  int64_t collisions;        /* axis (-1: none), torque and threshold, N m or N */
  int collision_axis;
  double collision_torque, collision_limit;
  /* ns of the monotonic clock: when the period of these commands was due; 0: in lockstep */
  int64_t at;
  double late_p50, late_p99, late_max;             /* us that it woke late; 0 in lockstep */
  double call_p50, call_p99, call_max;             /* us from handing over to the first call of a driver */
  brio_motor_share wait, work, wake; /* parts of that: until the motors' next period gets it, until the
                                     ** device's thread gets it, until that calls the driver */
} brio_motor_report;

/* Status of a device. */
typedef struct brio_motor_device {
  const char *name, *driver;
  bool lost;
  brio_device_stats stats;
  double rate;               /* of writing and reading, Hz, on average */
  brio_error error;          /* newest failure */
  bool open_loop;            /* its reports are its commands: a fault of its motors goes unnoticed */
  bool counts;               /* the driver has counters of its own */
  const char *words;         /* what the driver reports as present at the start of the run */
} brio_motor_device;

/* Create the motor side: the robot is where its devices report, nothing moves.  Errors: misuse, no_memory,
** device. */
brio_motor *brio_motor_new(const brio_motor_options *options, brio_error *err);
void brio_motor_free(brio_motor *motor);

/* Start the threads; stop them.  A driver has 5 s to return from a call; one that does not is abandoned and
** reported (BRIO_MOTOR_STUCK): neither the motor side nor the actuator frees anything after that. Errors:
** limit (no thread). */
bool brio_motor_start(brio_motor *motor, brio_error *err);
void brio_motor_stop(brio_motor *motor);

/* The functions below are for one thread, the scripts'. */

/* Set the accelerations with which each joint (tree) may brake from the poses that are handed over next, as
** the solver computed them. Kept by the caller; NULL: the greatest. */
void brio_motor_brake_with(brio_motor *motor, const double *brakes);

/* Ask for the impedance of an axis whose motor controls its torque, from the next pose that is handed over
** on: stiffness and damping up to those of the robot's file, and a feed-forward torque, which is added to the
** weight and bounded by the limit of the file.  Errors: misuse (a position servo, a number that is not finite
** or out of range). */
bool brio_motor_impede(brio_motor *motor, int axis, const brio_impedance *asked, brio_error *err);

/* Hand over a value for every axis (NaN outside the tree: keep its target), dt s after the last.  Poses of
** joints continue from brio_motor_end. */
void brio_motor_hand_over(brio_motor *motor, const double *values, double dt);

/* In lockstep: let dt s pass, in whole periods; the remainder is added to the next call. */
void brio_motor_advance(brio_motor *motor, double dt);

/* Copy the newest state into the actuator.  Return whether the path of the joints does not continue as the
** poses did, so that the solver has to continue from the path's end. */
bool brio_motor_look(brio_motor *motor);

/* The end of the path of an axis, as brio_motor_look last read it; and its speed there, per s. */
double brio_motor_end(const brio_motor *motor, int axis, double *speed);

/* Hold for a cause, or release it.  Panic is raised by brio_panic, and released here. */
void brio_motor_hold(brio_motor *motor, unsigned causes);
void brio_motor_release(brio_motor *motor, unsigned causes);
void brio_motor_arm(brio_motor *motor, bool armed);
void brio_motor_panic(brio_motor *motor); /* as brio_panic, for callers whose panics a replay keeps apart */

/* Change how motors count: a mapping for every axis.  Each device is opened again with them, by its own
** thread. Errors: misuse (the motors are armed, or a mapping is invalid); then nothing changes. */
bool brio_motor_remap(brio_motor *motor, const brio_mapping *mappings, brio_error *err);

/* Get the next event; false: none.  And a sentence for it, in `out`; its name, and its severity: "info",
** "warning" or "error". */
bool brio_motor_event_next(brio_motor *motor, brio_motor_event *event);
void brio_motor_event_text(const brio_motor *motor, const brio_motor_event *event, char *out, size_t size);
const char *brio_motor_axis_name(const brio_motor *motor, int axis);
const char *brio_motor_event_name(const brio_motor_event *event);
const char *brio_motor_event_severity(const brio_motor_event *event);

/* The board of positions for viewers, which the motor side writes while it is watched. */
brio_live_poses *brio_motor_live(const brio_motor *motor);

/* As brio_motor_look last read it. */
brio_motor_report brio_motor_report_now(const brio_motor *motor);
bool brio_motor_threaded(const brio_motor *motor); /* it was started */
int brio_motor_devices(const brio_motor *motor);
brio_motor_device brio_motor_device_now(const brio_motor *motor, int device);

#endif
