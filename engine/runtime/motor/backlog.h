/* What a device is told, in time of its own: the targets that the motor side works out, one a period, wait
** in a ring between its thread and the device's.
**
** In time, a device is led on by as many targets as periods went by since it was told the last one.  Where
** more wait, it is late, and goes along the targets that it missed: `rate` is how fast it does beside the
** motor side's time.  After a pause so long that its arm stands where it was led to, the rate begins at 0;
** a little above 1 it catches up.  With s the time along the targets x(s), the device's speed is x' s' and
** its acceleration x'' s'^2 + x' s''.  As x keeps the limits, s'' may be as large as
** (a - |x''| s'^2) / |x'| of the axis that allows least.  So no axis leaves the path of all, and what
** reaches the device keeps its limits of speed and acceleration, whatever was late. */
#ifndef BRIO_RUNTIME_MOTOR_BACKLOG_H
#define BRIO_RUNTIME_MOTOR_BACKLOG_H

#include "base/threads/ring.h"
#include "drivers/driver.h"

typedef struct brio_motor_backlog {
  brio_ring targets;      /* count numbers each */
  int count;              /* of the device's axes */
  double period;          /* s between two targets */
  double *newest;         /* count: the writer's last; one that is the same is not put again */
  double *last, *next;    /* count: the targets before and after where it is */
  double *slope, *bend;   /* count: per s and per s^2, between them */
  double at, length;      /* s since `last`, and from it to `next` */
  double rate;            /* 0 to 1 */
  bool open;              /* next is known */
  bool first;             /* nothing is known of the slope before */
  bool *void_until_nan;   /* count: targets count no more up to the next NaN */
  bool late;              /* it goes through what it missed */
} brio_motor_backlog;

/* Make room for `count` axes and a few seconds of targets, `period` s apart.  Return false without memory. */
bool brio_motor_backlog_start(brio_motor_backlog *backlog, int count, double period);
void brio_motor_backlog_end(brio_motor_backlog *backlog);

/* Writer (the motor thread): the next target (count); NaN: the axis is told nothing.  Dropped when there is
** no room. */
void brio_motor_backlog_put(brio_motor_backlog *backlog, const double *target);

/* Reader (the device's thread), all that follows.  Forget what waits: it is in time with the newest. */
void brio_motor_backlog_skip(brio_motor_backlog *backlog);

/* It was told nothing for so long that it stands at `from` (count). */
void brio_motor_backlog_stand(brio_motor_backlog *backlog, const double *from);

/* Go on from `place` (count) by h s, within the accelerations of `limits` (count); `place` becomes where the
** device is to be then.  Where `newest` (count) is NaN the axis is told nothing, and what waits from before
** counts no more: the axis begins with the first target after that.  In time, where no target is known,
** `newest` is taken. */
void brio_motor_backlog_step(brio_motor_backlog *backlog, const brio_axis *limits, double h,
                             const double *newest, double *place);

/* By how much it is late, s; 0: it is not. */
double brio_motor_backlog_lag(const brio_motor_backlog *backlog);

#endif
