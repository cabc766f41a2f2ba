/* How another program's clock stands to this machine's, learned from the messages alone.
**
** A message that says its sender's time s and comes in at r was under way for at least nothing, so r - s is
** at least the offset of the clocks, and the least r - s of the last half minute is the best guess at it (the
** filter of the least delay, as NTP has it, D. Mills, RFC 5905, section 10).  Windows of some seconds let the
** guess follow clocks that drift.
**
** A message that differs from the guess by more than a second is not believed, in either direction: it was
** delayed, or its number is wrong.  When five in a row agree with each other the sender's clock has jumped,
** and the guess begins anew. */
#ifndef BRIO_FEED_OFFSET_H
#define BRIO_FEED_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

enum { BRIO_FEED_WINDOWS = 8 };

typedef struct brio_feed_offset {
  double least[BRIO_FEED_WINDOWS]; /* s: the least r - s of each window; INFINITY: nothing came in it */
  int64_t newest;                  /* number of the newest window */
  bool known;
  double other;                    /* r - s of the messages that differ */
  int agree;                       /* how many of them in a row */
  int jumps;                       /* how often it began anew */
} brio_feed_offset;

typedef enum brio_feed_belief {
  BRIO_FEED_BELIEVED,
  BRIO_FEED_LATE,
  BRIO_FEED_EARLY,
  BRIO_FEED_JUMPED
} brio_feed_belief;

/* Begin: nothing is known. */
void brio_feed_offset_start(brio_feed_offset *offset);

/* Take the sender's time (s) of a message that came in at `received` (s).  JUMPED: believed, from now on by
** the new guess. A sender's time that is not finite or beyond 1e12 is EARLY. */
brio_feed_belief brio_feed_offset_take(brio_feed_offset *offset, double sender, double received);

/* Return this machine's time of a time of the sender's; NAN: nothing is known. */
double brio_feed_offset_local(const brio_feed_offset *offset, double sender);

#endif
