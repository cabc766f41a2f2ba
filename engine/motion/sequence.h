/* A sequence for playback: flat arrays of tracks and keys, checked once, never changed.  Any number of
** sources may play it at once. */
#ifndef BRIO_MOTION_SEQUENCE_H
#define BRIO_MOTION_SEQUENCE_H

#include "base/error.h"
#include "motion/track.h"

enum { BRIO_SEQUENCE_MOST_KEYS = 1000000, BRIO_SEQUENCE_MOST_TRACKS = 4096 };

/* The definition of a sequence, which is copied.  Tracks list their keys one after the other. */
typedef struct brio_sequence_setup {
  const brio_track *tracks; /* ntrack: dof, count and follow are read; each DOF at most once */
  int ntrack;
  const brio_keyframe *keys; /* nkey: those of the first track, then of the second... */
  int nkey;
  const double *cues;      /* ncue: s, not falling: times of events (sounds, calls) */
  int ncue;
  double length;           /* s; less than its last key or cue: that one's time counts */
  double loop[2];          /* s: from, to; equal: it has none */
  int times;               /* how often the loop plays; 0: until it is released */
} brio_sequence_setup;

typedef struct brio_sequence {
  brio_track *tracks;
  int ntrack;
  brio_keyframe *keys;
  int nkey;
  double *cues;
  int ncue;
  double length, loop[2];  /* s */
  int times;
} brio_sequence;

/* Make a sequence for a robot with `ndof` DOFs.  Errors: misuse (numbers that are NaN, times that do not
** rise, no such DOF, a DOF with two tracks), limit (more than BRIO_SEQUENCE_MOST_KEYS keys), no_memory. */
brio_sequence *brio_sequence_new(const brio_sequence_setup *setup, int ndof, brio_error *err);

/* Free it.  NULL is allowed. */
void brio_sequence_free(brio_sequence *sequence);

/* Write the value of track `track` of the sequence at `time`: see brio_track_sample. */
void brio_sequence_sample(const brio_sequence *sequence, int track, int *cursor, double time, uint64_t pass,
                          brio_sample *out);

#endif
