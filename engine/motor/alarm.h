/* What is watched on every axis, and what is done when it is wrong for too long: a table of
** conditions, each with a limit, a time and a reaction that a robot's file may set. */
#ifndef BRIO_MOTOR_ALARM_H
#define BRIO_MOTOR_ALARM_H

#include "base/arena.h"
#include "base/error.h"

/* What an axis looks like; NaN: unknown, which nothing is concluded from. */
typedef struct brio_alarm_axis {
  /* from where it was told to be (motor/follow.h), rad, m or 1; NaN: it is told nothing */
  double error;
  double temperature, current, voltage; /* degrees Celsius, A, V */
  double load;                         /* share of the greatest torque */
} brio_alarm_axis;

/* Nothing is known. */
extern const brio_alarm_axis brio_alarm_unknown;

/* What is done. */
typedef enum brio_reaction {
  BRIO_REACTION_REPORT,  /* nothing but to say it */
  BRIO_REACTION_HOLD,    /* the robot stops within its limits, and holds until somebody lets it go on */
  BRIO_REACTION_RELAX,   /* the robot stops, then the motor is told nothing more */
  BRIO_REACTION_PANIC,   /* panic stop */
  BRIO_REACTION_COUNT
} brio_reaction;

/* Return "report", "hold", "relax" or "panic"; and the reaction of that name, or -1 and an error (misuse). */
const char *brio_reaction_name(brio_reaction reaction);
int brio_reaction_find(const char *name, brio_error *err);

typedef struct brio_alarm_kind {
  const char *name, *unit, *doc;
  const char *sentence;                /* of a value and a limit: "%.3g ... %.3g" */
  double limit, after;                 /* unless a robot's file says something else; INFINITY: not watched */
  size_t field;                        /* of brio_alarm_axis: a double */
  bool absolute, below;                /* its size counts; what is wrong is below the limit */
} brio_alarm_kind;

/* Return what a condition looks at of an axis. */
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
  double *since;                       /* count x BRIO_ALARM_KINDS: s that it has been wrong */
  /* count: what is in the hand that it shuts stops it: its error says nothing */
  bool *grip;
  bool *told;                          /* count x BRIO_ALARM_KINDS */
} brio_alarm;

/* Watch `count` axes with the default settings, the reactions being `reaction`.  False: no memory. */
bool brio_alarm_start(brio_alarm *watch, brio_arena *arena, int count, brio_reaction reaction);

/* Look at an axis for dt s.  Return the conditions, as bits, that are wrong from now on: each is told
** once, until it has been right again. */
unsigned brio_alarm_step(brio_alarm *watch, int axis, const brio_alarm_axis *state, double dt);

#endif
