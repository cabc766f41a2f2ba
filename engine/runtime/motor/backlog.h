/* Command queue of a device: the motor side's targets, one a period, wait in a ring between its thread and
** the device's.
**
** A device moves along the targets x(s) by its own time: from one command to the next, s grows by the time
** between them, whenever the threads woke; jitter of less than a quarter of a period does not count.  So it
** is a part of a period behind the newest target, or ahead of it at its speed, and late threads do not make
** its speed uneven.  If more targets wait, it is late: `rate` is its speed relative to the motor side's time.
** After a pause in which its arm came to rest, the rate begins at 0; a little above 1 it catches up.  The
** device's speed is x' s' and its acceleration x'' s'^2 + x' s''.  As x keeps the limits, s'' may be as large
** as (a - |x''| s'^2) / |x'| of the axis that allows least.  So no axis leaves the common path, and the
** commands of the device keep its limits of speed and acceleration after any delay. */
#ifndef BRIO_RUNTIME_MOTOR_BACKLOG_H
#define BRIO_RUNTIME_MOTOR_BACKLOG_H

#include "base/threads/ring.h"
#include "drivers/driver.h"

typedef struct brio_motor_backlog {
  brio_ring targets;      /* count numbers each */
  int count;              /* of the device's axes */
  double period;          /* s between two targets */
  double *newest;         /* count: the writer's last; an equal one is not put again */
  double *last, *next;    /* count: the targets before and after the device's position */
  double *slope, *bend;   /* count: per s and per s^2, between them */
  double at, length;      /* s since `last`, and from it to `next` */
  double rate;            /* 0 to 1 */
  double owed;            /* s: what steps counted too little */
  double ahead;           /* s since `last` where the next target is not known yet */
  bool open;              /* next is known */
  bool first;             /* the slope before is unknown */
  bool *void_until_nan;   /* count: targets up to the next NaN are ignored */
  bool unsent;            /* the newest command was not sent */
  bool follows;           /* it got a target since the last skip */
  bool late;              /* it moves along targets that it missed */
} brio_motor_backlog;

/* Allocate for `count` axes and a few seconds of targets, `period` s apart.  Return false without memory. */
bool brio_motor_backlog_start(brio_motor_backlog *backlog, int count, double period);
void brio_motor_backlog_end(brio_motor_backlog *backlog);

/* Writer (the motor thread): put the next target (count); NaN: no command for the axis.  Dropped when there
** is no room. */
void brio_motor_backlog_put(brio_motor_backlog *backlog, const double *target);

/* Reader (the device's thread): all functions below.  Drop the waiting targets: it is in time with the
** newest. */
void brio_motor_backlog_skip(brio_motor_backlog *backlog);

/* It had no commands for so long that it rests at `from` (count). */
void brio_motor_backlog_stand(brio_motor_backlog *backlog, const double *from);

/* Advance by h s, within the accelerations of `limits` (count); `place` (count) becomes the next command.
** `newest` (count), `speeds` (count, per s): the motor side's targets now, and their speeds, with which it
** goes on ahead of them.  Where `newest` is NaN the axis gets no command, and its waiting targets
** are ignored: it begins with the first target after that.  In time, where no target is known, `newest` is
** used. */
void brio_motor_backlog_step(brio_motor_backlog *backlog, const brio_axis *limits, double h,
                             const double *newest, const double *speeds, double *place);

/* The newest command was not sent after all: its target counts as missed. */
void brio_motor_backlog_undo(brio_motor_backlog *backlog);

/* The delay of the device, s; 0: in time. */
double brio_motor_backlog_lag(const brio_motor_backlog *backlog);

#endif
