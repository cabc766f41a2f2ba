/* Creation of a sequence. Everything is checked here, so that players rely on it: rising times, valid kinds
** and curves, one track for each DOF. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/sequence.h"

/* Check the numbers of a key; handles may be NaN, which stands for none. Errors: misuse. */
static bool check_key(const brio_keyframe *key, const brio_keyframe *before, int track, int place,
                      brio_error *err) {
  /* Kind and curve are indices of their tables. */
  if (key->kind >= brio_keyframe_kind_count || key->curve >= brio_curve_count)
    return brio_fail(err, BRIO_MISUSE, "track %d, key %d: there is no such kind or curve", track + 1,
                     place + 1);
  if (!isfinite(key->value) || !isfinite(key->most) || !isfinite(key->time))
    return brio_fail(err, BRIO_MISUSE, "track %d, key %d: its time and value must be finite numbers",
                     track + 1, place + 1);
  /* Two keys at one time would have no slope between them. */
  if (before && !(key->time > before->time))
    return brio_fail(err, BRIO_MISUSE,
                     "track %d, key %d: at %g s, it must be after the key before it, at %g s", track + 1,
                     place + 1, key->time, before->time);
  /* NaN is a handle that is not there; an infinite one is a mistake. */
  bool handles = !isinf(key->into[0]) && !isinf(key->into[1]) && !isinf(key->out[0]) && !isinf(key->out[1]);
  if (!handles)
    return brio_fail(err, BRIO_MISUSE, "track %d, key %d: a handle has no end", track + 1, place + 1);
  return true;
}

/* Cues do not fall, and the loop has a beginning before its end; times 0 loops for ever. */
static bool check_cues(const brio_sequence_setup *setup, brio_error *err) {
  /* Cues at one time are allowed. */
  for (int i = 0; i < setup->ncue; i++)
    if (!isfinite(setup->cues[i]) || (i > 0 && setup->cues[i] < setup->cues[i - 1]))
      return brio_fail(err, BRIO_MISUSE, "cue %d: its time must be finite, and not before the one before it",
                       i + 1);
  /* The loop's times are finite, and it does not run backwards. */
  bool ends = isfinite(setup->length) && isfinite(setup->loop[0]) && setup->loop[0] >= 0 &&
              isfinite(setup->loop[1]);
  if (ends && setup->loop[1] >= setup->loop[0] && setup->times >= 0) return true;
  return brio_fail(
      err, BRIO_MISUSE,
      "a sequence's length and loop must be finite, and the loop's end not before its beginning");
}

/* Counts are checked before memory is taken. Errors: misuse, limit. */
static bool check_counts(const brio_sequence_setup *setup, brio_error *err) {
  if (setup->ntrack < 0 || setup->nkey < 0 || setup->ncue < 0)
    return brio_fail(err, BRIO_MISUSE, "a sequence cannot have fewer than no tracks, keys or cues");
  if (setup->nkey > BRIO_SEQUENCE_MOST_KEYS || setup->ncue > BRIO_SEQUENCE_MOST_KEYS)
    return brio_fail(err, BRIO_LIMIT, "a sequence may have up to %d keys and as many cues, not %d and %d",
                     BRIO_SEQUENCE_MOST_KEYS, setup->nkey, setup->ncue);
  if (setup->ntrack > BRIO_SEQUENCE_MOST_TRACKS)
    return brio_fail(err, BRIO_LIMIT, "a sequence may have up to %d tracks, not %d",
                     BRIO_SEQUENCE_MOST_TRACKS, setup->ntrack);
  return true;
}

/* Take the tracks, whose keys have been copied: each has the next `count` of them. O(tracks^2 + keys). */
static bool take_tracks(brio_sequence *made, const brio_sequence_setup *setup, int ndof, brio_error *err) {
  int first = 0;
  for (int i = 0; i < setup->ntrack; i++) {
    brio_track *track = &made->tracks[i];
    *track = setup->tracks[i];
    if (track->dof < 0 || track->dof >= ndof)
      return brio_fail(err, BRIO_MISUSE, "track %d: DOF %d is none of the %d there are", i + 1, track->dof,
                       ndof);
    /* One track for each DOF. At most BRIO_SEQUENCE_MOST_TRACKS are compared. */
    for (int k = 0; k < i; k++)
      if (made->tracks[k].dof == track->dof)
        return brio_fail(err, BRIO_MISUSE, "tracks %d and %d are both of DOF %d", k + 1, i + 1, track->dof);
    if (track->count < 1 || track->count > setup->nkey - first)
      return brio_fail(err, BRIO_MISUSE, "track %d: it has %d keys, of which there are %d", i + 1,
                       track->count, setup->nkey - first);
    /* A key is compared with the one before it in its own track. */
    for (int k = 0; k < track->count; k++)
      if (!check_key(&made->keys[first + k], k > 0 ? &made->keys[first + k - 1] : NULL, i, k, err))
        return false;
    track->first = first;
    first += track->count;
    /* Begin, end and length follow from the keys. */
    track->begin = made->keys[track->first].time;
    track->end = made->keys[first - 1].time;
    made->length = fmax(made->length, track->end);
  }
  if (first == setup->nkey) return true;
  return brio_fail(err, BRIO_MISUSE, "%d of the sequence's keys belong to no track", setup->nkey - first);
}

/* Copy the setup; on failure the sequence is filled in part, which brio_sequence_free allows. */
static bool fill(brio_sequence *made, const brio_sequence_setup *setup, int ndof, brio_error *err) {
  /* One element more than needed: calloc of 0 elements may return NULL. */
  made->tracks = calloc((size_t)setup->ntrack + 1, sizeof *made->tracks);
  made->keys = calloc((size_t)setup->nkey + 1, sizeof *made->keys);
  made->cues = calloc((size_t)setup->ncue + 1, sizeof *made->cues);
  if (!made->tracks || !made->keys || !made->cues)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a sequence");
  if (setup->nkey > 0) memcpy(made->keys, setup->keys, (size_t)setup->nkey * sizeof *made->keys);
  if (setup->ncue > 0) memcpy(made->cues, setup->cues, (size_t)setup->ncue * sizeof *made->cues);
  /* Counts, length and loop; tracks are checked as they are taken. */
  made->ntrack = setup->ntrack;
  made->nkey = setup->nkey;
  made->ncue = setup->ncue;
  made->length = setup->length;
  made->times = setup->times;
  memcpy(made->loop, setup->loop, sizeof made->loop);
  if (!take_tracks(made, setup, ndof, err)) return false;
  /* The last cue belongs to the sequence even if it comes after all keys. */
  if (made->ncue > 0) made->length = fmax(made->length, made->cues[made->ncue - 1]);
  /* The loop ends within the sequence. */
  made->loop[1] = fmin(made->loop[1], made->length);
  return true;
}

/* O(tracks^2 + keys + cues). All of the setup is copied. */
brio_sequence *brio_sequence_new(const brio_sequence_setup *setup, int ndof, brio_error *err) {
  if (!check_counts(setup, err) || !check_cues(setup, err)) return NULL;
  brio_sequence *made = calloc(1, sizeof *made);
  if (!made) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a sequence");
    return NULL;
  }
  if (fill(made, setup, ndof, err)) return made;
  brio_sequence_free(made);
  return NULL;
}

/* A sequence that was made in part can be freed, too. */
void brio_sequence_free(brio_sequence *sequence) {
  if (!sequence) return;
  free(sequence->tracks);
  free(sequence->keys);
  free(sequence->cues);
  free(sequence);
}

/* Each DOF draws from a stream of its own. */
void brio_sequence_sample(const brio_sequence *sequence, int track, int *cursor, double time, uint64_t pass,
                          brio_sample *out) {
  assert(track >= 0 && track < sequence->ntrack);
  const brio_track *which = &sequence->tracks[track];
  /* Draws depend on the DOF, not on the place of its track. */
  brio_track_sample(sequence->keys + which->first, which->count, cursor, time,
                    pass + 0x632be59bd9b4e019u * (uint64_t)(which->dof + 1), out);
}
