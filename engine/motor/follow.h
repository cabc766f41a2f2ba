/* How far an axis is from where it was told to be.  A motor comes after its command, so what counts is the
** distance from the nearest of the commands of the last fifth of a second: one that follows, however fast it
** is told to go, is at none, and one that stands still, or says something else than what is so, is off as
** soon as its commands have gone elsewhere for longer than a motor may be behind. */
#ifndef BRIO_MOTOR_FOLLOW_H
#define BRIO_MOTOR_FOLLOW_H

enum { BRIO_FOLLOW_PIECES = 8 };

#define BRIO_FOLLOW_PIECE 0.025 /* s */

/* The commands of an axis of the last 0.175 to 0.2 s: what each of some pieces of time spans. */
typedef struct brio_follow {
  double low[BRIO_FOLLOW_PIECES], high[BRIO_FOLLOW_PIECES]; /* rad, m or 1 */
  double lowest, highest;                                   /* of all pieces but the newest */
  double in_piece;                                          /* s of the newest piece */
  int newest;
  double off;                                               /* the last report's distance */
} brio_follow;

/* Nothing was told before; the axis is told to be at `command` from now on. */
void brio_follow_begin(brio_follow *follow, double command);

/* The axis was told to be at `command` for the last h s. */
void brio_follow_step(brio_follow *follow, double command, double h);

/* Take a report of where the axis is.  Return how far that is from where it was told to be, the lesser of
** this report's distance and the last one's: a single wrong report counts for nothing. */
double brio_follow_report(brio_follow *follow, double measured);

#endif
