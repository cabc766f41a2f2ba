/* The offset of another program's clock to this machine's, estimated from its messages.
**
** A message with its sender's time s that comes in at r had a delay of at least 0, so r - s is at least
** the offset of the clocks, and the least r - s of the last half minute is the best estimate (the
** minimum-delay filter of NTP: D. Mills, RFC 5905, section 10).  Windows of some seconds let the estimate
** follow clocks that drift.
**
** A message that differs from the estimate by more than a second in either direction is ignored: it was
** delayed, or its time is wrong.  When five in a row agree with each other the sender's clock has jumped, and
** the estimate begins again. */
#ifndef BRIO_FEED_OFFSET_H
#define BRIO_FEED_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

enum { BRIO_FEED_WINDOWS = 8 };

typedef struct brio_feed_offset {
  double least[BRIO_FEED_WINDOWS]; /* s: the least r - s of each window; INFINITY: no message in it */
  int64_t newest;                  /* number of the newest window */
  bool known;
  double other;                    /* r - s of the messages that differ */
  int agree;                       /* how many of them in a row */
  int jumps;                       /* how often it began again */
} brio_feed_offset;

typedef enum brio_feed_belief {
  BRIO_FEED_BELIEVED,
  BRIO_FEED_LATE,
  BRIO_FEED_EARLY,
  BRIO_FEED_JUMPED
} brio_feed_belief;

/* Initialize: the offset is unknown. */
void brio_feed_offset_start(brio_feed_offset *offset);

/* Process the sender's time (s) of a message received at `received` (s).  JUMPED: accepted, from now on by
** the new estimate. A sender's time that is not finite or beyond 1e12 is EARLY. */
brio_feed_belief brio_feed_offset_take(brio_feed_offset *offset, double sender, double received);

/* Convert a time of the sender's to this machine's; NAN: the offset is unknown. */
double brio_feed_offset_local(const brio_feed_offset *offset, double sender);

#endif
