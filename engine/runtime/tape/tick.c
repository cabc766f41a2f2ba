/* See tick.h.  Numbers are written as they lie in memory: a tape is replayed on the machine
** type that recorded it.  What a tape claims is validated here before it is used: damaged bytes are
** a difference, never a crash. */
#include "runtime/tape/tick.h"

#include <string.h>

int brio_tape_begin(brio_tape *tape, int64_t tick, double time, int periods) {
  const void *bytes;
  size_t length;
  /* Only unusual numbers of periods are recorded: silence means 1. */
  int32_t carries = periods;
  /* The tick begins on the tape first: all of its queries count from here. */
  brio_tape_tick(tape, tick, time);
  if (!brio_tape_replays(tape)) {
    if (periods != 1) brio_tape_note(tape, BRIO_CHANNEL_periods, &carries, sizeof carries);
    else brio_tape_pass(tape, BRIO_CHANNEL_periods);
    return periods;
  }
  bool came = brio_tape_ask(tape, BRIO_CHANNEL_periods, &bytes, &length);
  /* A loose tape may hold a duration on this channel instead (brio_tape_motion): that is no
  ** difference. */
  if (!came || (brio_tape_is_loose(tape) && length != sizeof carries)) return 1;
  if (length == sizeof carries) memcpy(&carries, bytes, length);
  if (length == sizeof carries && carries >= 1 && carries <= 1000) return carries;
  brio_tape_deny(tape, BRIO_CHANNEL_periods);
  return 1;
}

bool brio_tape_flag(brio_tape *tape, int channel, bool flag) {
  const void *bytes;
  size_t length;
  unsigned char byte = flag;
  if (brio_tape_is_loose(tape)) return false; /* loose: the motor side is stepped and simulated */
  if (!brio_tape_replays(tape)) brio_tape_note(tape, channel, &byte, 1);
  else if (brio_tape_must(tape, channel, &bytes, &length) && length == 1)
    return *(const unsigned char *)bytes != 0;
  else brio_tape_deny(tape, channel);
  return flag;
}

double brio_tape_motion(brio_tape *tape, double motion, double period) {
  const void *bytes;
  size_t length;
  /* Compared as bits: a duration that differs in the last place must be recorded. */
  bool usual = memcmp(&motion, &period, sizeof motion) == 0;
  if (!brio_tape_replays(tape)) {
    if (usual) brio_tape_pass(tape, BRIO_CHANNEL_periods);
    else brio_tape_note(tape, BRIO_CHANNEL_periods, &motion, sizeof motion);
    return motion;
  }
  if (!brio_tape_ask(tape, BRIO_CHANNEL_periods, &bytes, &length)) return period;
  if (length == sizeof motion) memcpy(&motion, bytes, length);
  /* The range is far beyond what the engine commands: outside it, the tape is damaged. */
  if (length == sizeof motion && motion >= 0 && motion <= 1000) return motion;
  brio_tape_deny(tape, BRIO_CHANNEL_periods);
  return period;
}

bool brio_tape_why(brio_tape *tape, const char **why) {
  /* Reasons are static strings for the whole run, so bytes of the tape are mapped to them. */
  static const char *const reasons[] = {"time", "signal", "operator", "script", "physics"};
  enum { REASONS = sizeof reasons / sizeof *reasons };
  const void *bytes;
  size_t length;
  if (!brio_tape_replays(tape)) {
    /* The reason is noted in the tick that finds it first. */
    if ((*why)[0]) brio_tape_note(tape, BRIO_CHANNEL_stop, *why, strlen(*why));
    return (*why)[0] != 0;
  }
  if (!brio_tape_ask(tape, BRIO_CHANNEL_stop, &bytes, &length)) return false;
  for (int i = 0; i < REASONS; i++)
    if (strlen(reasons[i]) == length && memcmp(reasons[i], bytes, length) == 0) {
      /* A run that stops for a reason of its own keeps that. */
      if (!(*why)[0]) *why = reasons[i];
      return true;
    }
  /* A reason that no version of the engine has. */
  brio_tape_deny(tape, BRIO_CHANNEL_stop);
  return true;
}

/* ---- detections ---- */

/* A detection as it stands on the tape.  It is cleared before it is filled, so padding is zero and
** equal detections are equal bytes. */
typedef struct taped_detection {
  char kind[BRIO_DETECTION_KIND], id[BRIO_DETECTION_ID];
  brio_pose pose;
  brio_vec3 size;
  double confidence, time;
  float color[3];
  uint8_t detector, oriented, none[2];
} taped_detection;

/* One record per detection, a query that failed for none. */
void brio_tape_detected(brio_tape *tape, const brio_detection *seen, int count) {
  if (count == 0) brio_tape_pass(tape, BRIO_CHANNEL_detections);
  for (int i = 0; i < count; i++) {
    /* Cleared, so that the padding is the same in every run. */
    taped_detection d;
    memset(&d, 0, sizeof d);
    strncpy(d.kind, seen[i].kind, sizeof d.kind - 1);
    strncpy(d.id, seen[i].id, sizeof d.id - 1);
    d.pose = seen[i].pose;
    d.size = seen[i].size;
    d.confidence = seen[i].confidence;
    d.time = seen[i].time;
    memcpy(d.color, seen[i].color, sizeof d.color);
    d.detector = seen[i].detector;
    d.oriented = seen[i].oriented;
    brio_tape_note(tape, BRIO_CHANNEL_detections, &d, sizeof d);
  }
}

int brio_tape_detections(brio_tape *tape, brio_detection *out, int most) {
  const void *bytes;
  size_t length;
  /* Records end with the first query that has no answer. */
  int count = 0;
  while (count < most && brio_tape_ask(tape, BRIO_CHANNEL_detections, &bytes, &length)) {
    taped_detection d;
    if (length != sizeof d) {
      brio_tape_deny(tape, BRIO_CHANNEL_detections);
      break;
    }
    /* Only the fields that were taped are set; the rest stays blank. */
    memcpy(&d, bytes, sizeof d);
    brio_detection *seen = &out[count++];
    *seen = BRIO_DETECTION_BLANK;
    memcpy(seen->kind, d.kind, sizeof seen->kind);
    memcpy(seen->id, d.id, sizeof seen->id);
    seen->pose = d.pose;
    seen->size = d.size;
    seen->confidence = d.confidence;
    seen->time = d.time;
    memcpy(seen->color, d.color, sizeof seen->color);
    seen->detector = d.detector;
    seen->oriented = d.oriented != 0;
  }
  return count;
}

void brio_tape_digest(brio_tape *tape, uint64_t digest) {
  const void *bytes;
  size_t length;
  /* With other behaviors the commands differ, so there is nothing to compare. */
  if (brio_tape_is_loose(tape)) return;
  /* The low 16 bits of the chain suffice: a difference stays in all later ticks. */
  uint16_t chain = (uint16_t)brio_tape_chain(tape, digest);
  if (!brio_tape_replays(tape)) {
    brio_tape_note(tape, BRIO_CHANNEL_hash, &chain, sizeof chain);
    return;
  }
  if (!brio_tape_must(tape, BRIO_CHANNEL_hash, &bytes, &length)) return;
  /* Earlier versions noted the tick's own digest, or half of it. */
  uint32_t half = (uint32_t)digest;
  bool same = (length == sizeof chain && memcmp(bytes, &chain, length) == 0) ||
              (length == sizeof half && memcmp(bytes, &half, length) == 0) ||
              (length == sizeof digest && memcmp(bytes, &digest, length) == 0);
  if (!same) brio_tape_deny(tape, BRIO_CHANNEL_hash);
}
