/* Shared by the files of the motor side: motor.c (the scripts' side), period.c (what is done
** in a period), watch.c (alarms and inputs), bus.c (the devices' threads), thread.c (the clock), event.c. */
#ifndef BRIO_RUNTIME_MOTOR_MOTOR_INTERNAL_H
#define BRIO_RUNTIME_MOTOR_MOTOR_INTERNAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "base/threads/ring.h"
#include "base/threads/triple.h"
#include "motor/follow.h"
#include "runtime/live_poses.h"
#include "runtime/motor/backlog.h"
#include "runtime/motor/motor.h"
#include "runtime/motor/tape_code.h"
#include "runtime/motor/torques.h"
#include "runtime/motor/trail.h"

enum { BRIO_MOTOR_CALLS = 2, BRIO_MOTOR_POSES = 64, BRIO_MOTOR_ORDERS = 64, BRIO_MOTOR_NEWS = 256 };

/* Requests to the motor side. */
typedef enum brio_motor_order_kind { BRIO_MOTOR_ORDER_HOLD, BRIO_MOTOR_ORDER_RELEASE, BRIO_MOTOR_ORDER_ARM,
                                     BRIO_MOTOR_ORDER_ON, BRIO_MOTOR_ORDER_LIMITS } brio_motor_order_kind;

typedef struct brio_motor_order {
  brio_motor_order_kind kind;
  unsigned causes;     /* hold, release */
  int axis;            /* on, limits */
  bool on;             /* on, arm */
  brio_axis_limits limits;
} brio_motor_order;

/* A pose in the ring: this, a value for every axis, and the acceleration with which every joint may brake
** from there. */
typedef struct brio_motor_pose {
  double dt;
  double time;         /* robot time, s: the sum of all dt up to here */
  int64_t number;      /* of all poses that were handed over: 1, 2, ... */
  int64_t made;        /* ns of the monotonic clock; 0: in lockstep */
  uint32_t anew;
  double numbers[];
} brio_motor_pose;

/* A bus's commands of a period, before `axes` values, as many speeds, and as many flags of power; behind
** them, where some axis controls its torque, as many impedances (brio_impedance). */
typedef struct brio_motor_telling {
  int64_t made;        /* of the newest pose in it */
  int64_t at;          /* ns: when the period of these commands began; 0: in lockstep */
  double numbers[];
} brio_motor_telling;

/* A report of a bus. */
enum { BRIO_MOTOR_COMPLAINT = 96 /* bytes by which two are compared */ };

typedef struct brio_motor_answer {
  bool any, lost;      /* any: it is one */
  bool well;           /* it accepted its commands and answered */
  double lag;          /* s by which the device lags behind its commands */
  double delay;        /* s that a target waits in the driver, at most */
  double patience;     /* s that may pass between two answers; after that it is late */
  int64_t at;          /* ns: when its reading began */
  int64_t called;      /* ns from the creation of a pose to the driver's call; 0: none since the last */
  int64_t woke;        /* ns of that: until the device's thread woke */
  brio_device_stats stats;
  brio_error error;
  /* followed by a brio_input_state for each input, and the command of each axis, NaN: none, that was sent
  ** before the states were read */
  brio_axis_state states[];
} brio_motor_answer;

/* An input of a device, as the motor side knows it. */
typedef struct brio_motor_input {
  brio_input_state state;
  double unknown;      /* s since it was last known */
  bool was_known;
  bool raised;         /* it requests the panic stop */
} brio_motor_input;

/* One device, and in a threaded run the only thread that calls its driver. */
typedef struct brio_motor_bus {
  brio_motor *motor;
  brio_device *device;
  /* mappings of its channels, in force from when the motors get no commands */
  brio_triple told, answers, mappings;
  bool remaps;         /* some are not in force yet */
  atomic_uint remap, remapped; /* how often they were handed over; the number of those in force */
  sem_t wake, done;    /* done: the thread ends now */
  pthread_t thread;
  bool runs;
  atomic_bool ends;
  int64_t last;        /* ns: when time last passed for the device */
  int64_t made;        /* the newest pose handed to the driver */
  double power_again, power_wait; /* s: when its motors are switched again */
  bool power_refused;
  double deaf, dumb;   /* s for which every write has failed, and every read */
  double *frame;       /* axes: the driver's last commands; NaN: none */
  double *before;      /* axes: scratch: the frame before */
  double *speeds;      /* axes: scratch */
  int64_t told_at;     /* ns: when the driver's call returned */
  int64_t left_at;     /* ns: when its bytes left; told_at if the driver does not report that */
  int64_t led_to;      /* ns: the time on the path for which the newest frame was made */
  /* s, of the newest calls of the driver: until the bytes left, and from then on; rings */
  double waits[BRIO_MOTOR_CALLS], sends[BRIO_MOTOR_CALLS];
  unsigned ncall;
  bool stood;          /* the newest came after a pause: the device is at rest */
  double *target;      /* of the device's axes: scratch of the motor thread */
  double *newest, *paces, *place; /* of the device's axes: scratch of the bus */
  brio_motor_backlog backlog;
  double cycle;        /* s: duration of an exchange, smoothed */
  bool *on;            /* axes: scratch */
  bool again;          /* it has answered in time since its last silence */
  bool was_limp;
  int64_t heard_at;    /* ns: `at` of the newest answer that the motor side has heard */
  double quiet;        /* s without a report, as the motor side sees it */
  double unheard;      /* s without an answer */
  double rhythm;       /* s between two reports, smoothed */
  bool lost;           /* as the motor side sees it */
  atomic_bool switches; /* its driver switches motors, which takes long on a slow line; no answer since */
  bool late;           /* it did not answer in time, or lags behind its commands */
  int64_t answered;    /* answers since the positions of its axes were last unknown */
  bool returns;        /* they are still unknown */
  double back;         /* s since the first of these answers */
  int64_t failures;    /* of the device's failures: those that were reported or belong to a loss */
  double complained;   /* s: when its newest error was reported */
  char complaint[BRIO_MOTOR_COMPLAINT];
  char words[BRIO_DEVICE_WORDS]; /* what the driver reports as present at the start of the run */
  int lock;            /* descriptor of the lock file; -1: none */
} brio_motor_bus;

/* The state that goes out: this, and the axes. */
typedef struct brio_motor_axis_state {
  double x, v;
  double end, end_speed; /* the end of its path, from which poses continue */
  brio_axis_state state;
} brio_motor_axis_state;

typedef struct brio_motor_bus_state {
  bool lost;
  brio_device_stats stats;
  brio_error error;
} brio_motor_bus_state;

typedef struct brio_motor_state {
  brio_motor_report report;
  /* followed by a brio_motor_bus_state for each bus, and a brio_input_state for each input */
  brio_motor_axis_state axes[];
} brio_motor_state;

enum { BRIO_MOTOR_FIELDS = 8 /* numbers of an axis on the tape */ };

/* The state of these numbers for an axis. */
typedef struct brio_motor_codes {
  brio_coded fields[BRIO_MOTOR_FIELDS];
  brio_coded smooth, late, bent_speed, late_speed; /* the measured position, predicted by several
                                                   ** predictors */
  double level;                /* of its measured positions, smoothed */
  double speeds[2];            /* of the measurement before the newest, and of the one before that */
  int still;                   /* writing: records since it changed, up to a maximum */
  unsigned mask;               /* those that changed when it last did */
} brio_motor_codes;

/* The state of a device's measurement times. */
typedef struct brio_motor_lag {
  double since, before[2];     /* s: since the measurement before; the same of earlier ones */
  brio_coded code;             /* coder of that */
  double delay, more;          /* s that it lags behind the path: the learned value, and the rest in this
                               ** record */
  double ways, squares;        /* of least squares: sums with forgetting */
  double moved, speeds;        /* scratch: the same of this record */
  bool active;                 /* an axis of its is in this record */
  bool known;                  /* the place on the path at that time is known */
  brio_view view;              /* of that */
} brio_motor_lag;

/* Kinds of numbers on the tape other than the fields of axes. */
enum { BRIO_SHAPE_SINCE = BRIO_MOTOR_FIELDS, BRIO_SHAPE_PERIODS, BRIO_SHAPE_CORNER, BRIO_SHAPE_ALONG,
       BRIO_SHAPE_INPUT, BRIO_SHAPES };

/* The motor side as the script thread has seen it, for the tape. */
typedef struct brio_motor_seen {
  brio_motor_axis_state *axes; /* count */
  brio_input_state *inputs;    /* ninput */
  brio_grid *grids;            /* count: grid to which measured positions are rounded */
  brio_motor_codes *codes;     /* count */
  brio_coded *input_codes;     /* ninput x BRIO_INPUT_NUMBERS */
  brio_code_shape *shapes;          /* BRIO_SHAPES */
  int *leads;                  /* count: the first axis of the same device, as it was in the run */
  brio_motor_lag *lags;        /* count: of the device whose first axis it is */
  bool *changed;               /* count: those that are in the newest record */
  brio_trail trail;            /* the poses that were handed over */
  brio_path_spot spot;              /* on the path, at the newest record */
  brio_coded count_code, corner_code, along_code;
  brio_chance head, same_end, same_mask, input, axis[2], on_path;
  unsigned flags, causes;      /* of the newest record */
  uint32_t anew;
  double tick;                 /* of the path, at the newest record with ends */
  brio_coded delay;            /* in records of earlier formats */
  int64_t periods, passed;     /* of the motor side, at it; since the one before */
  int failures;
  bool any;                    /* something was noted, or read */
  bool before;                 /* reading: records are of an earlier format */
  unsigned char *bytes;        /* scratch: the longest record of a call */
} brio_motor_seen;

struct brio_motor {
  brio_arena arena;
  brio_actuator *actuator;
  int count, tree;
  double rate, period, silence;  /* Hz, s, s */
  bool goes_on, threaded;
  brio_motion motion;
  brio_alarm alarm;
  brio_alarm_axis *known;        /* count: the monitored values of each axis, as last reported */
  brio_follow *follow;           /* count: the recent commands of each axis */
  double *sent;                  /* count: the newest command that its device is known to have got */
  brio_motor_torques *torques;   /* of axes that control their torque; NULL: none does */
  brio_motor_collisions *collisions; /* NULL: nobody watches for them */
  bool impedes;                  /* the scripts' side: impedances changed since the last pose */
  brio_motor_bus *buses;         /* nbus */
  int nbus;
  brio_axis_state *states;       /* count: newest reports */
  brio_motor_input *inputs;      /* ninput */
  int ninput;
  int *bus_of;                   /* count */
  double *values, *speeds;       /* count: the commands */
  const double *brakes;          /* of the next pose: the caller's, tree; NULL: those of the limits */
  brio_motor_pose *pose;         /* scratch of the reader */
  brio_motor_pose *made;         /* scratch of the scripts' side */
  bool *wanted_on;               /* count: axes that the scripts have switched on, as the motor side knows
                                 ** it */
  bool *powered;                 /* count: whether its motor holds its position */
  /* count: its position is unknown, or its motor failed, so it gets no command */
  bool *blind;
  bool *failed;                  /* count: its motor reports that it accepts no goal */
  double *unseen;                /* count: s since its last report */
  bool *reports;                 /* count: it reported until its device fell silent, if that did */
  int64_t since;                 /* ns: earlier reports are out of date */
  bool *was_on;                  /* count: the last value from the scripts' side */
  brio_axis_limits *was_limits;        /* count */
  brio_ring poses, orders, news;
  brio_triple state;
  int64_t newest_made;
  int64_t newest_pose;           /* its number */
  double newest_time;            /* its robot time, s */
  double handed_time;            /* of the scripts' side: robot time of the newest pose handed over, s */
  brio_live_poses *live;         /* for viewers */
  double time;                   /* s since it began */
  double owed;                   /* s, less than a period: in lockstep, time that passed and is not processed
                                 ** yet */
  bool silent;
  bool arms;                     /* to be armed as soon as its devices count in the new units */
  bool was_armed;                /* as it was announced */
  unsigned panics;               /* of brio_panic_count: the panics that it has seen; released up to here */
  /* this period was due long ago: devices get its commands with the last of the late ones */
  bool makes_up;
  bool more;                     /* another period follows at once: the state goes out after that one */
  double waits;                  /* s since the report that the robot waits for a device */
  int64_t refused;               /* invalid poses, as reported */
  brio_histogram late, call;     /* us */
  brio_histogram wait, work, wake; /* us: parts of `call` */
  int64_t taken_at;              /* ns: when the newest pose was accepted; 0: its devices have it */
  brio_motor_report shares;      /* of which the percentiles are updated at intervals */
  int64_t periods, missed;
  int64_t woke;                  /* ns: when the motor thread woke last; 0: in lockstep */
  int64_t due;                   /* ns: when the current period was due; 0: in lockstep */
  int64_t settled;               /* ns: when the held motion last came to rest */
  pthread_t thread;
  bool runs;
  atomic_bool ends;
  bool realtime, memory_locked;
  uint32_t seen_anew;            /* by the scripts' side */
  brio_motor_seen seen;
  bool counted;                  /* in lockstep: panic stops are reported by the tick */
  unsigned panics_told;          /* by it, and by scripts */
  unsigned panics_known;         /* of brio_panic_count: those that panics_told includes */
};

/* Gaps in which the motor thread did not run. */
typedef enum brio_motor_gap {
  BRIO_GAP_NONE,
  BRIO_GAP_SHORT, /* devices have reached their last target: they start from rest */
  BRIO_GAP_LONG,  /* the robot's position is uncertain: it is read first */
} brio_motor_gap;

/* period.c: one period of h s, after a gap. */
void brio_motor_period(brio_motor *motor, double h, brio_motor_gap gap);

/* watch.c: take the reports of a bus that was heard, h s after the period before. */
void brio_motor_measure(brio_motor *motor, brio_motor_bus *bus, double h);

/* watch.c: run the alarms of all axes. O(axes x alarms). */
void brio_motor_watch(brio_motor *motor, double h);

/* period.c: publish the state. */
void brio_motor_publish(brio_motor *motor);

/* A device without commands for longer than this starts at rest, s: it must not leap to the newest target. */
#define BRIO_MOTOR_MADE_UP 0.02

/* period.c: the buses' part of a state. */
static inline brio_motor_bus_state *brio_motor_bus_states(const brio_motor *motor,
                                                          const brio_motor_state *state) {
  return (brio_motor_bus_state *)(uintptr_t)(state->axes + motor->count);
}

/* watch.c: the inputs' part of a state; monitor those that mean the panic stop; whether one requests it. */
brio_input_state *brio_motor_input_states(const brio_motor *motor, const brio_motor_state *state);
void brio_motor_watch_inputs(brio_motor *motor, double h);
bool brio_motor_panic_asked(const brio_motor *motor);

/* bus.c */
bool brio_motor_bus_start(brio_motor_bus *bus, brio_error *err);
void brio_motor_bus_stop(brio_motor_bus *bus);
bool brio_motor_bus_room(brio_motor_bus *bus, brio_motor *motor, brio_device *device, brio_error *err);
void brio_motor_bus_end(brio_motor_bus *bus);
void brio_motor_bus_tell(brio_motor_bus *bus, double h);
/* before it runs: its driver did not return; the error is known */
void brio_motor_bus_leave(brio_motor_bus *bus);
bool brio_motor_bus_hear(brio_motor_bus *bus);

/* thread.c */
void *brio_motor_thread_run(void *motor);

/* motor.c: how many failures there were, and the newest; copy the newest state into the actuator, with
** failures or without (see brio_motor_look). */
int brio_motor_failures(const brio_motor *motor, const brio_motor_state *state, const brio_error **newest);
bool brio_motor_take_over(brio_motor *motor, bool fresh, bool failures);

/* tape_before.c: read a record of an earlier format into motor->seen and `report`. False: it is invalid. */
bool brio_motor_read_before(brio_motor *motor, const unsigned char *bytes, size_t length,
                            brio_motor_report *report);

/* event.c */
void brio_motor_news(brio_motor *motor, brio_motor_event event);

#endif
