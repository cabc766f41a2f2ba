/* The motor side: what stands between the scripts' commands and the devices, so that nothing that
** scripts do can move the robot wildly.
**
** In a run on the real clock it is a thread of its own with a clock of its own, 1 kHz by default,
** and one thread for each device (a bus), so that one that blocks stalls nobody else.  Commands
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

typedef struct brio_motor brio_motor;

typedef struct brio_motor_options {
  brio_actuator *actuator;   /* must outlive the motor, which alone speaks with its devices */
  int tree;                  /* its first axes are joints of the kinematic tree */
  double rate;               /* Hz, 50 to 2000; 0: 1000 */
  bool armed;                /* from the beginning; simulated devices are anyway */
  bool goes_on;              /* when a device is lost the others go on; else the robot stops */
  double silence;            /* s without a pose after which the scripts are called silent; 0: 0.1 */
  const int *stages;         /* axes: of low-pass filters outside the tree; NULL: none */
  const double *tau;         /* axes: their time constants, s */
  const brio_interlock *rules; /* nrule */
  int nrule;
  /* BRIO_ALARM_KINDS; NULL: the default, which only reports in simulation */
  const brio_alarm_setting *alarms;
} brio_motor_options;

/* What happened, for people: see brio_motor_event_text. */
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
  BRIO_MOTOR_EVENTS
} brio_motor_event_kind;

typedef struct brio_motor_event {
  brio_motor_event_kind kind;
  int which;                 /* axis, device or input */
  int alarm;                 /* which condition */
  brio_reaction reaction;
  double value, limit, time; /* time: s since the motor side began */
} brio_motor_event;

/* What a stage takes, us. */
typedef struct brio_motor_share {
  double p50, p99;
} brio_motor_share;

/* How the motor side goes. */
typedef struct brio_motor_report {
  bool armed, settled, silent, threaded, realtime; /* realtime: the system gave SCHED_FIFO */
  bool behind;               /* since it settled, some device that answers was not yet told all of the way */
  bool memory_locked;
  unsigned causes;           /* why it does not move on (motor/motion.h); 0: it does */
  uint32_t anew;
  int64_t periods, lost;     /* done; left out because the thread woke too late */
  int64_t taken, stale, refused, clamped, dropped, stretched, tracked, braked; /* see motion.h and path.h */
  double tick, margin, ahead, spare; /* s, of the path: see path.h */
  int windows;
  int64_t corner;            /* where it is on the path: at the corner of this pose, of those handed over, */
  double along;              /* and so many s behind it */
  /* ns of the monotonic clock: when the period was due whose commands these are; 0: in lockstep */
  int64_t at;
  double late_p50, late_p99, late_max;             /* us that it woke late; 0 in lockstep */
  double call_p50, call_p99, call_max;             /* us from handing over to the first call of a driver */
  brio_motor_share wait, work, wake; /* of that: until the motors' next period takes it, until a device's
                                                   ** thread is told, until that calls its driver */
} brio_motor_report;

/* How a device goes. */
typedef struct brio_motor_device {
  const char *name, *driver;
  bool lost;
  brio_device_stats stats;
  double rate;               /* of writing and reading, Hz, on average */
  brio_error error;          /* newest failure */
  bool open_loop;            /* what it reports is what it was told: of its motors nothing is noticed */
  bool counts;               /* the driver has counts of its own */
  const char *words;         /* what the driver said is there when the run began */
} brio_motor_device;

/* Put the motor side together: the robot is where its devices report, nothing moves.  Errors: misuse,
** no_memory, device. */
brio_motor *brio_motor_new(const brio_motor_options *options, brio_error *err);
void brio_motor_free(brio_motor *motor);

/* Start the threads; stop them.  A driver has 5 s to return from what it does then; one that does not is left
** behind, which is said (BRIO_MOTOR_STUCK): neither the motor side nor the actuator gives anything back after
** that. Errors: limit (no thread to be had). */
bool brio_motor_start(brio_motor *motor, brio_error *err);
void brio_motor_stop(brio_motor *motor);

/* What follows is for one thread, the scripts'. */

/* With what acceleration each joint (tree) may brake from the poses that are handed over next: as the solver
** judged it. Kept by the caller; NULL: with its greatest. */
void brio_motor_brake_with(brio_motor *motor, const double *brakes);

/* Hand over a value for every axis (NaN outside the tree: leave its target), dt s after the last.  Poses of
** joints go on from brio_motor_end. */
void brio_motor_hand_over(brio_motor *motor, const double *values, double dt);

/* In lockstep: let dt s pass, in whole periods; what is left counts the next time. */
void brio_motor_advance(brio_motor *motor, double dt);

/* Take the newest state over into the actuator.  Return whether the path of the joints does not go on as the
** poses did, so that the solver has to go on from where the path ends. */
bool brio_motor_look(brio_motor *motor);

/* Where the path of an axis ends, as brio_motor_look last saw it; and its speed there, per s. */
double brio_motor_end(const brio_motor *motor, int axis, double *speed);

/* Hold for a cause, or take it back.  Panic is raised by brio_panic, and taken back here. */
void brio_motor_hold(brio_motor *motor, unsigned causes);
void brio_motor_release(brio_motor *motor, unsigned causes);
void brio_motor_arm(brio_motor *motor, bool armed);
void brio_motor_panic(brio_motor *motor); /* as brio_panic, of who is told apart from others in a replay */

/* Let motors count otherwise: a mapping for every axis.  Each device is opened anew with them, by its own
** thread. Errors: misuse (the motors are armed, or a mapping is none), and then nothing changes. */
bool brio_motor_remap(brio_motor *motor, const brio_mapping *mappings, brio_error *err);

/* The next thing that happened; false: nothing more.  And a sentence for it, in `out`; its name, and
** how bad it is: "info", "warning" or "error". */
bool brio_motor_event_next(brio_motor *motor, brio_motor_event *event);
void brio_motor_event_text(const brio_motor *motor, const brio_motor_event *event, char *out, size_t size);
const char *brio_motor_event_name(const brio_motor_event *event);
const char *brio_motor_event_severity(const brio_motor_event *event);

/* As brio_motor_look last saw it. */
brio_motor_report brio_motor_report_now(const brio_motor *motor);
bool brio_motor_threaded(const brio_motor *motor); /* it was started */
int brio_motor_devices(const brio_motor *motor);
brio_motor_device brio_motor_device_now(const brio_motor *motor, int device);

#endif
