/* A recorded trace that plays the device: it answers what the host asked when the trace was made with the
** bytes that came then, at the times they came, so that what was seen at one robot can be tried on another
** desk, and becomes a test.
**
** Requests are told apart by what they are about, not by the values in them: a driver that writes another
** goal gets the answer that was recorded, and it is counted.  Where the host leaves requests out, asks again
** or asks for what was not recorded, that is counted too, and the first difference is kept in words. */
#ifndef BRIO_DRIVERS_EMULATORS_REPLAY_H
#define BRIO_DRIVERS_EMULATORS_REPLAY_H

#include "drivers/emulators/emulator.h"

typedef struct brio_replay brio_replay;

/* How a replay went so far. */
typedef struct brio_replay_report {
  int recorded;   /* requests in the trace */
  int asked;      /* of them, that were asked for */
  int exact;      /* in the same bytes */
  int values;     /* with other values */
  int again;      /* asked again, without having been so when it was recorded */
  int left_out;   /* recorded requests that were passed over */
  int unexpected; /* came, and were not recorded: not answered */
  char first[512]; /* the first difference, a sentence; "": none */
} brio_replay_report;

/* Begin a recording of a protocol.  Return NULL without memory (no_memory). */
brio_replay *brio_replay_new(const brio_protocol *protocol, brio_error *err);

/* Give it back (NULL: nothing). */
void brio_replay_free(brio_replay *replay);

/* Add a piece of the trace, which passed at `seconds`, in its order; `line`: where it stands.  Errors:
** no_memory, limit. */
bool brio_replay_add(brio_replay *replay, double seconds, brio_direction direction, const uint8_t *bytes,
                     int count, int line, brio_error *err);

/* Make an emulator of it, at `baud`, which owns it from then on, also when this fails (no_memory, format:
** nothing was asked in it). */
brio_emulator *brio_replay_emulator(brio_replay *replay, int baud, brio_error *err);

/* Tell how it goes; false: that emulator is none. */
bool brio_replay_look(brio_emulator *line, brio_replay_report *out);

#endif
