/* What the files of the motor side share: motor.c (the scripts' side), period.c (what is done
** in a period), bus.c (the devices' threads), thread.c (the clock), event.c. */
#ifndef BRIO_RUNTIME_MOTOR_MOTOR_INTERNAL_H
#define BRIO_RUNTIME_MOTOR_MOTOR_INTERNAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "base/threads/ring.h"
#include "base/threads/triple.h"
#include "motor/follow.h"
#include "runtime/motor/backlog.h"
#include "runtime/motor/motor.h"
#include "runtime/motor/tape_code.h"
#include "runtime/motor/trail.h"

enum { BRIO_MOTOR_CALLS = 2, BRIO_MOTOR_POSES = 64, BRIO_MOTOR_ORDERS = 64, BRIO_MOTOR_NEWS = 256 };

/* What is asked of the motor side. */
typedef enum brio_motor_order_kind { BRIO_MOTOR_ORDER_HOLD, BRIO_MOTOR_ORDER_RELEASE, BRIO_MOTOR_ORDER_ARM,
                                     BRIO_MOTOR_ORDER_ON, BRIO_MOTOR_ORDER_LIMITS } brio_motor_order_kind;

typedef struct brio_motor_order {
  brio_motor_order_kind kind;
  unsigned causes;     /* hold, release */
  int axis;            /* on, limits */
  bool on;             /* on, arm */
  brio_axis_guard limits;
} brio_motor_order;

/* A pose in the ring: this, a value for every axis, and with what acceleration every joint may brake from
** there. */
typedef struct brio_motor_pose {
  double dt;
  int64_t number;      /* of the poses that were handed over: 1, 2, ... */
  int64_t made;        /* ns of the monotonic clock; 0: in lockstep */
  uint32_t anew;
  double numbers[];
} brio_motor_pose;

/* What a bus is told in a period, before `axes` values, as many speeds, and as many flags of power. */
typedef struct brio_motor_telling {
  int64_t made;        /* of the newest pose in it */
  int64_t at;          /* ns: when the period began in which it was worked out; 0: in lockstep */
  double numbers[];
} brio_motor_telling;

/* What a bus tells. */
enum { BRIO_MOTOR_COMPLAINT = 96 /* bytes by which two are told apart */ };

typedef struct brio_motor_answer {
  bool any, lost;      /* any: it is one */
  bool well;           /* it took what it was told, and answered */
  double lag;          /* s by which the device is behind what it is to be told */
  double patience;     /* s that may pass between two answers; after more it is late */
  int64_t at;          /* ns: when its reading began */
  int64_t called;      /* ns from a pose's making to the driver's call; 0: none since the last */
  int64_t woke;        /* ns of that, since it was left here */
  brio_device_stats stats;
  brio_error error;
  brio_axis_state states[]; /* and behind them a brio_input_state for each input */
} brio_motor_answer;

/* An input of a device, as the motor side knows it. */
typedef struct brio_motor_input {
  brio_input_state state;
  double unknown;      /* s since it was last known */
  bool was_known;
  bool raised;         /* it asks for the panic stop */
} brio_motor_input;

/* One device, and in a threaded run the thread that alone speaks with it. */
typedef struct brio_motor_bus {
  brio_motor *motor;
  brio_device *device;
  /* mappings: of its channels, as they are to be from when nothing is told */
  brio_triple told, answers, mappings;
  bool remaps;         /* there are such that are not in force yet */
  atomic_uint remap, remapped; /* how often they were handed over, and which of those are in force */
  sem_t wake, done;    /* done: the thread ends now */
  pthread_t thread;
  bool runs;
  atomic_bool ends;
  int64_t last;        /* ns: when time last passed for the device */
  int64_t made;        /* the newest pose that was handed to the driver */
  double power_again, power_wait; /* s: when it is told again to switch its motors */
  bool power_refused;
  double deaf, dumb;   /* s that every write has failed, and every read */
  double *frame;       /* axes: what the driver was last told; NaN: nothing */
  double *before;      /* axes: scratch: the frame before */
  double *speeds;      /* axes: scratch */
  int64_t told_at;     /* ns: when the driver's call returned */
  int64_t led_to;      /* ns: for when the newest frame was made; told_at where it left in time */
  double calls[BRIO_MOTOR_CALLS]; /* s: how long the newest of them took; a ring */
  unsigned ncall;
  bool stood;          /* the newest came after a pause: it finds the device at rest */
  double *target;      /* of the device's axes: scratch of the motor thread */
  double *newest, *place; /* of the device's axes: scratch of the bus */
  brio_motor_backlog backlog;
  double cycle;        /* s: how long an exchange takes, smoothed */
  bool *on;            /* axes: scratch */
  bool was_limp;
  double quiet;        /* s without a report, as the motor side sees it */
  double unheard;      /* s without an answer */
  double rhythm;       /* s between two reports, smoothed */
  bool lost;           /* as the motor side sees it */
  bool late;           /* it did not answer in time, or is behind what it is to be told */
  int64_t answered;    /* answers since it was not known where its axes are */
  int64_t failures;    /* of the device's, those that are told or belong to a loss */
  double complained;   /* s: when its newest complaint was told */
  char complaint[BRIO_MOTOR_COMPLAINT];
  char words[BRIO_DEVICE_WORDS]; /* what the driver said is there when the run began */
  int lock;            /* file descriptor that keeps other engines off; -1: none */
} brio_motor_bus;

/* The state that goes out: this, and the axes. */
typedef struct brio_motor_axis_state {
  double x, v;
  double end, end_speed; /* where its path ends, which is where poses go on from */
  brio_axis_state state;
} brio_motor_axis_state;

typedef struct brio_motor_bus_state {
  bool lost;
  brio_device_stats stats;
  brio_error error;
} brio_motor_bus_state;

typedef struct brio_motor_state {
  brio_motor_report report;
  /* and behind them a brio_motor_bus_state for each bus, and a brio_input_state for each input */
  brio_motor_axis_state axes[];
} brio_motor_state;

enum { BRIO_MOTOR_FIELDS = 8 /* numbers of an axis on the tape */ };

/* How those of an axis stand there. */
typedef struct brio_motor_codes {
  brio_coded fields[BRIO_MOTOR_FIELDS];
  brio_coded smooth, late, bent_speed, late_speed; /* what is measured, predicted in other ways */
  double level;                /* of its measured positions, smoothed */
  double speeds[2];            /* that were measured before the newest, and before that */
  int still;                   /* writing: records since it changed, up to some */
  unsigned mask;               /* those that changed when it last did */
} brio_motor_codes;

/* When a device measures, as the tape has it. */
typedef struct brio_motor_lag {
  double since, before[2];     /* s: since the measurement before; the same of those before it */
  brio_coded code;             /* how that is coded */
  double delay, more;          /* s that it is behind the path: what is learned, and what is more this time */
  double ways, squares;        /* of least squares: sums that forget */
  double moved, speeds;        /* scratch: the same of this record */
  bool active;                 /* an axis of its is in this record */
  bool known;                  /* where the path was then */
  brio_view view;              /* of that */
} brio_motor_lag;

/* The kinds of numbers on the tape beside the fields of axes. */
enum { BRIO_SHAPE_SINCE = BRIO_MOTOR_FIELDS, BRIO_SHAPE_PERIODS, BRIO_SHAPE_CORNER, BRIO_SHAPE_ALONG,
       BRIO_SHAPE_INPUT, BRIO_SHAPES };

/* What the script thread has seen of the motor side, as the tape has it. */
typedef struct brio_motor_seen {
  brio_motor_axis_state *axes; /* count */
  brio_input_state *inputs;    /* ninput */
  brio_grid *grids;            /* count: to which positions that are measured are kept */
  brio_motor_codes *codes;     /* count */
  brio_coded *input_codes;     /* ninput x BRIO_INPUT_NUMBERS */
  brio_code_shape *shapes;          /* BRIO_SHAPES */
  int *leads;                  /* count: the first axis of the same device, as it was in the run */
  brio_motor_lag *lags;        /* count: of the device whose first axis it is */
  bool *changed;               /* count: those that are in the newest record */
  brio_trail trail;            /* the poses that were handed over */
  brio_path_spot spot;              /* of the path, at the newest record */
  brio_coded count_code, corner_code, along_code;
  brio_chance head, same_end, same_mask, input, axis[2], on_path;
  unsigned flags, causes;      /* of the newest record */
  uint32_t anew;
  double tick;                 /* of the path, at the newest record with ends */
  brio_coded delay;            /* in records of brios before */
  int64_t periods, passed;     /* of the motor side, at it; since the one before */
  int failures;
  bool any;                    /* something was noted, or read */
  bool before;                 /* reading: records are those of brios before */
  unsigned char *bytes;        /* scratch: the longest record that a look can make */
} brio_motor_seen;

struct brio_motor {
  brio_arena arena;
  brio_actuator *actuator;
  int count, tree;
  double rate, period, silence;  /* Hz, s, s */
  bool goes_on, threaded;
  brio_motion motion;
  brio_alarm alarm;
  brio_alarm_axis *known;        /* count: what is watched of each, as it was said last */
  brio_follow *follow;           /* count: what each was told of late */
  brio_motor_bus *buses;         /* nbus */
  int nbus;
  brio_axis_state *states;       /* count: newest reports */
  brio_motor_input *inputs;      /* ninput */
  int ninput;
  int *bus_of;                   /* count */
  double *values, *speeds;       /* count: what is told */
  const double *brakes;          /* of the next pose: the caller's, tree; NULL: as their limits have it */
  brio_motor_pose *pose;         /* scratch of the reader */
  brio_motor_pose *made;         /* scratch of the scripts' side */
  bool *wanted_on;               /* count: what the scripts want on, as the motor side knows it */
  bool *powered;                 /* count: whether its motor is to hold its place */
  /* count: where it is is not known, or its motor failed, so it is told nothing */
  bool *blind;
  bool *failed;                  /* count: its motor says that it takes no goal */
  double *unseen;                /* count: s since its last report */
  int64_t since;                 /* ns: reports from before that say nothing any more */
  bool *was_on;                  /* count: what the scripts' side last said */
  brio_axis_guard *was_limits;        /* count */
  brio_ring poses, orders, news;
  brio_triple state;
  int64_t newest_made;
  int64_t newest_pose;           /* its number */
  double time;                   /* s since it began */
  double owed;                   /* s, less than a period: in lockstep, what passed and is not done yet */
  bool silent;
  bool arms;                     /* it is to be armed as soon as its devices count as they should */
  bool was_armed;                /* as it was said */
  unsigned panics;               /* of brio_panic_count: those it has seen; released up to here */
  /* this period was due long ago: the devices are told with the last of them */
  bool makes_up;
  double waits;                  /* s since it was said that the robot waits for a device */
  int64_t refused;               /* poses that were none, as told */
  brio_histogram late, call;     /* us */
  brio_histogram wait, work, wake; /* us: what `call` is made of */
  int64_t taken_at;              /* ns: when the newest pose was taken; 0: its devices are told */
  brio_motor_report shares;      /* of which the percentiles are kept up now and then */
  int64_t periods, missed;
  int64_t woke;                  /* ns: when the motor thread woke last; 0: in lockstep */
  int64_t due;                   /* ns: when the period that is at work was due; 0: in lockstep */
  int64_t settled;               /* ns: when it did to come to rest */
  pthread_t thread;
  bool runs;
  atomic_bool ends;
  bool realtime, memory_locked;
  uint32_t seen_anew;            /* by the scripts' side */
  brio_motor_seen seen;
  bool counted;                  /* in lockstep: panic stops are told by the tick */
  unsigned panics_told;          /* by it, and by scripts */
  unsigned panics_known;         /* of brio_panic_count: those that are among them */
};

/* How long the motor thread did not run. */
typedef enum brio_motor_gap {
  BRIO_GAP_NONE,
  BRIO_GAP_SHORT, /* devices have come to their last target by now: they are led on from rest */
  BRIO_GAP_LONG,  /* who knows where the robot is by now: it is read first */
} brio_motor_gap;

/* period.c: one period of h s, after a gap. */
void brio_motor_period(brio_motor *motor, double h, brio_motor_gap gap);

/* period.c: let the state go out. */
void brio_motor_publish(brio_motor *motor);

/* A device that was told nothing for longer is not led on as if it had been, s: nobody leaps to where the
** robot would be by now. */
#define BRIO_MOTOR_MADE_UP 0.02

/* period.c: the buses' part of a state. */
static inline brio_motor_bus_state *brio_motor_bus_states(const brio_motor *motor,
                                                          const brio_motor_state *state) {
  return (brio_motor_bus_state *)(uintptr_t)(state->axes + motor->count);
}

/* input.c: the inputs' part of a state; watch those that mean the panic stop; whether one asks for it. */
brio_input_state *brio_motor_input_states(const brio_motor *motor, const brio_motor_state *state);
void brio_motor_watch_inputs(brio_motor *motor, double h);
bool brio_motor_panic_asked(const brio_motor *motor);

/* bus.c */
bool brio_motor_bus_start(brio_motor_bus *bus, brio_error *err);
void brio_motor_bus_stop(brio_motor_bus *bus);
bool brio_motor_bus_room(brio_motor_bus *bus, brio_motor *motor, brio_device *device, brio_error *err);
void brio_motor_bus_end(brio_motor_bus *bus);
void brio_motor_bus_tell(brio_motor_bus *bus, double h);
/* before it runs: its driver did not return; what is wrong is known */
void brio_motor_bus_leave(brio_motor_bus *bus);
bool brio_motor_bus_hear(brio_motor_bus *bus);

/* thread.c */
void *brio_motor_thread_run(void *motor);

/* motor.c: how many failures there were, and the newest; the newest state is taken over into the actuator,
** with failures or without (see brio_motor_look). */
int brio_motor_failures(const brio_motor *motor, const brio_motor_state *state, const brio_error **newest);
bool brio_motor_take_over(brio_motor *motor, bool fresh, bool failures);

/* tape_before.c: read a record of a look as brios before wrote it, into motor->seen and `report`.
** False: it is none. */
bool brio_motor_read_before(brio_motor *motor, const unsigned char *bytes, size_t length,
                            brio_motor_report *report);

/* event.c */
void brio_motor_news(brio_motor *motor, brio_motor_event event);

#endif
