/* Conditions that are monitored on every axis: a table of limits, times and reactions, which a robot's file
** may set. */
#ifndef BRIO_MOTOR_ALARM_H
#define BRIO_MOTOR_ALARM_H

#include "base/arena.h"
#include "base/error.h"

/* State of an axis.  NaN: unknown; no condition is evaluated on it. */
typedef struct brio_alarm_axis {
  /* tracking error (motor/follow.h), rad, m or 1; NaN: the axis has no command */
  double error;
  double temperature, current, voltage; /* degrees Celsius, A, V */
  double load;                         /* share of the greatest torque */
  double since;                        /* s between the report of `error` and the one before, in which it was
                                       ** there already: they count, too */
} brio_alarm_axis;

/* Nothing is known. */
extern const brio_alarm_axis brio_alarm_unknown;

/* The reaction to a condition that is wrong. */
typedef enum brio_reaction {
  BRIO_REACTION_REPORT,  /* report only */
  BRIO_REACTION_HOLD,    /* the robot stops within its limits and holds until a person releases it */
  BRIO_REACTION_RELAX,   /* the robot stops, then its motors get no more commands */
  BRIO_REACTION_PANIC,   /* panic stop */
  BRIO_REACTION_COUNT
} brio_reaction;

/* Return "report", "hold", "relax" or "panic"; and the reaction of that name, or -1 and an error (misuse). */
const char *brio_reaction_name(brio_reaction reaction);
int brio_reaction_find(const char *name, brio_error *err);

typedef struct brio_alarm_kind {
  const char *name, *unit, *doc;
  const char *sentence;                /* of a value and a limit: "%.3g ... %.3g" */
  double limit, after;                 /* default for all robots; INFINITY: not monitored */
  size_t field;                        /* offset in brio_alarm_axis of a double */
  bool absolute, below;                /* its magnitude counts; a value below the limit is wrong */
} brio_alarm_kind;

/* Return the value that a condition monitors on an axis. */
double brio_alarm_value(const brio_alarm_kind *kind, const brio_alarm_axis *axis);

enum { BRIO_ALARM_KINDS = 5 };

/* tracking_error, over_temperature, over_current, over_load, low_voltage. */
extern const brio_alarm_kind brio_alarm_kinds[BRIO_ALARM_KINDS];

/* Return the number of the condition of that name, or -1 and the nearest name (misuse). */
int brio_alarm_find(const char *name, brio_error *err);

typedef struct brio_alarm_setting {
  double limit, after;                 /* in the kind's unit; s */
  brio_reaction reaction;
} brio_alarm_setting;

typedef struct brio_alarm {
  int count;                           /* axes */
  brio_alarm_setting settings[BRIO_ALARM_KINDS];
  double *since;                       /* count x BRIO_ALARM_KINDS: s for which the condition has been
                                       ** wrong */
  /* count: the axis closes a hand, and an object may stop it: its tracking error is ignored */
  bool *grip;
  bool *told;                          /* count x BRIO_ALARM_KINDS */
  bool *runs;                          /* count: some condition was wrong in the last call */
} brio_alarm;

/* Watch `count` axes with the default settings, the reactions being `reaction`.  False: no memory. */
bool brio_alarm_start(brio_alarm *watch, brio_arena *arena, int count, brio_reaction reaction);

/* Check an axis after dt s.  Return the conditions, as bits, that became wrong in this call.  Each is
** reported once, until it was right again. */
unsigned brio_alarm_step(brio_alarm *watch, int axis, const brio_alarm_axis *state, double dt);

#endif
