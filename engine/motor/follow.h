/* Tracking error of an axis.  A motor lags behind its command, so the error is the distance from the nearest
** of the commands of the last 0.2 s, or of a longer time if its device transmits them slowly.  An axis that
** follows its commands has no error, however fast they change.  An axis that does not move, or reports a
** wrong position, has an error once its commands have been elsewhere for longer than a motor may lag. */
#ifndef BRIO_MOTOR_FOLLOW_H
#define BRIO_MOTOR_FOLLOW_H

enum { BRIO_FOLLOW_PIECES = 8 };

#define BRIO_FOLLOW_LAG 0.2 /* s: how long a motor may lag */

/* The commands of an axis in the time that it may lag, as the range of each of several intervals. */
typedef struct brio_follow {
  double low[BRIO_FOLLOW_PIECES], high[BRIO_FOLLOW_PIECES]; /* rad, m or 1 */
  double lowest, highest;                                   /* of all intervals but the newest */
  double in_piece;                                          /* s of the newest interval */
  int newest;
  double off;                                               /* the error of the last report */
} brio_follow;

/* Clear the history; the axis is commanded to `command` from now on. */
void brio_follow_begin(brio_follow *follow, double command);

/* Begin an interval: the oldest one is forgotten. */
void brio_follow_next(brio_follow *follow, double command);

/* The axis was commanded to `command` for the last h s; it may lag by `lag` s. */
static inline void brio_follow_step(brio_follow *follow, double command, double h, double lag) {
  double *low = &follow->low[follow->newest], *high = &follow->high[follow->newest];
  /* The interval is full after lag / BRIO_FOLLOW_PIECES s. */
  follow->in_piece += h;
  if (follow->in_piece * BRIO_FOLLOW_PIECES >= lag) brio_follow_next(follow, command);
  else if (command < *low) *low = command;
  else if (command > *high) *high = command;
}

/* Process a report of the position.  Return the tracking error: the smaller one of this report and the last,
** so that a single wrong report is ignored. */
double brio_follow_report(brio_follow *follow, double measured);

#endif
