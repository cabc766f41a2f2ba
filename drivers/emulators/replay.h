/* A recorded trace in place of the device: it answers the host's requests with the recorded bytes, after
** the recorded times, so that a problem seen on one robot can be reproduced elsewhere, and becomes a test.
**
** Requests are compared by what they address, not by the values in them: a driver that writes another goal
** gets the recorded answer, and the difference is counted.  Requests that the host omits, repeats or adds
** are counted, too, and the first difference is kept in words. */
#ifndef BRIO_DRIVERS_EMULATORS_REPLAY_H
#define BRIO_DRIVERS_EMULATORS_REPLAY_H

#include "drivers/emulators/emulator.h"

typedef struct brio_replay brio_replay;

/* How a replay went so far. */
typedef struct brio_replay_report {
  int recorded;   /* requests in the trace */
  int asked;      /* those that the host has sent */
  int exact;      /* with the same bytes */
  int values;     /* with other values */
  int again;      /* repeated, but not in the recording */
  int left_out;   /* recorded requests that the host omitted */
  int unexpected; /* not in the recording: not answered */
  char first[512]; /* the first difference, a sentence; "": none */
} brio_replay_report;

/* Create an empty recording of a protocol.  Return NULL without memory (no_memory). */
brio_replay *brio_replay_new(const brio_protocol *protocol, brio_error *err);

/* Free the recording.  NULL is allowed. */
void brio_replay_free(brio_replay *replay);

/* Append a piece of the trace, which passed at `seconds`; `line`: its line in the file.  Errors:
** no_memory, limit. */
bool brio_replay_add(brio_replay *replay, double seconds, brio_direction direction, const uint8_t *bytes,
                     int count, int line, brio_error *err);

/* Create an emulator of it, at `baud`, which owns the recording from then on, also if this fails
** (no_memory, format: it has no requests). */
brio_emulator *brio_replay_emulator(brio_replay *replay, int baud, brio_error *err);

/* Get the report of a replay.  Return false if that emulator is no replay. */
bool brio_replay_look(brio_emulator *line, brio_replay_report *out);

#endif
