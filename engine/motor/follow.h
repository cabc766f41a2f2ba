/* Tracking error of an axis.  A motor lags behind its command, so the error is the distance from the nearest
** of the commands that its device got in the last 0.2 s, or in a longer time if the driver delays them.  An
** axis that follows its commands has no error, however fast they change.  An axis that does not move, or
** reports a wrong position, has an error once its commands have been elsewhere for longer than a motor may
** lag.  A single report proves nothing: the one before must have been off half of that time's commands, to
** the same side.  So the error of an axis that is off since t0 is known by the first report from
**   t0 + max(lag, lag / 2 + interval of two reports)
** on, which comes at most an interval later. */
#ifndef BRIO_MOTOR_FOLLOW_H
#define BRIO_MOTOR_FOLLOW_H

enum { BRIO_FOLLOW_PIECES = 8 };

#define BRIO_FOLLOW_LAG 0.2 /* s: how long a motor may lag */

/* A range of commands, rad, m or 1.  low > high: it is empty. */
typedef struct brio_follow_range {
  double low, high;
} brio_follow_range;

/* The commands of an axis in the time that it may lag, as the range of each of several intervals. */
typedef struct brio_follow {
  brio_follow_range pieces[BRIO_FOLLOW_PIECES];
  double lengths[BRIO_FOLLOW_PIECES];  /* s of each interval; of the newest: see in_piece */
  brio_follow_range all, half;         /* of all intervals but the newest, and of those in half the time */
  double in_piece;                     /* s of the newest interval */
  int newest;
  double doubt;                        /* the last report's distance from the commands of half the time, with
                                       ** its sign */
} brio_follow;

/* Clear the history; the axis is commanded to `command` from now on. */
void brio_follow_begin(brio_follow *follow, double command);

/* Begin an interval after a step of h s: the oldest one is forgotten. */
void brio_follow_next(brio_follow *follow, double command, double h, double lag);

/* After h s under the command before, the axis has got `command`; it may lag by `lag` s. */
static inline void brio_follow_step(brio_follow *follow, double command, double h, double lag) {
  brio_follow_range *piece = &follow->pieces[follow->newest];
  /* The interval is full after lag / BRIO_FOLLOW_PIECES s. */
  follow->in_piece += h;
  if (follow->in_piece * BRIO_FOLLOW_PIECES >= lag) brio_follow_next(follow, command, h, lag);
  else if (command < piece->low) piece->low = command;
  else if (command > piece->high) piece->high = command;
}

/* Process a report of the position, measured after the newest command was sent.  Return the tracking error,
** 0 unless the report before was off to the same side: a single wrong report is ignored. */
double brio_follow_report(brio_follow *follow, double measured);

/* The same. An axis within the range of its newest commands, as one at rest, has no error and no doubt. */
static inline double brio_follow_error(brio_follow *follow, double measured) {
  const brio_follow_range *newest = &follow->pieces[follow->newest];
  if (!(measured >= newest->low && measured <= newest->high)) return brio_follow_report(follow, measured);
  follow->doubt = 0;
  return 0;
}

#endif
