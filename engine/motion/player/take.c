/* A clip instance of a source: its time, its voices (one for each track, on the DOF that it moves), and
** their samples. O(voices) per tick, and O(log cues) where cues are passed. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "motion/player/player_internal.h"

#define NEXT_PASS 0x9e3779b97f4a7c15u /* from the seed of a pass to that of the next */

/* One voice for each track; mirrored, a track moves the DOF on the other side, with its sign. */
void brio_take_list(const brio_player *player, brio_take *take) {
  const brio_sequence *sequence = take->sequence;
  take->count = sequence->ntrack;
  for (int i = 0; i < sequence->ntrack; i++) {
    const brio_track *track = &sequence->tracks[i];
    const brio_player_dof *dof = &player->dofs[track->dof];
    take->voices[i] = (brio_voice){.dof = take->mirror ? dof->mirror : track->dof,
                                   .track = i,
                                   .sign = take->mirror ? dof->sign : 1,
                                   .follow = isnan(track->follow) ? player->follow : track->follow,
                                   .alive = fmax(track->alive, take->alive)};
  }
}

/* The first change in a tick keeps the state before it; later changes only add to its fade. */
void brio_source_change(brio_player *player, brio_source *source, double fade, bool hard) {
  (void)player;
  if (source->changed) {
    source->hard = source->hard || hard;
    source->change_fade = fmax(source->change_fade, fade);
    return;
  }
  source->changed = true;
  source->hard = hard;
  source->change_fade = fade;
  /* The arrays of both takes stay their own; everything else is copied. */
  brio_voice *voices = source->old.voices;
  brio_term *terms = source->old.terms;
  brio_term_rate *slopes = source->old.slopes;
  source->old = source->now;
  source->old.voices = voices;
  source->old.terms = terms;
  source->old.slopes = slopes;
  memcpy(voices, source->now.voices, (size_t)source->now.count * sizeof *voices);
}

/* Whether the loop starts again at its end: not when it was released, nor after its last pass. */
static bool loops(const brio_source *source) {
  const brio_sequence *sequence = source->now.sequence;
  if (source->released || !(sequence->loop[1] > sequence->loop[0])) return false;
  return sequence->times == 0 || source->now.passes + 1 < sequence->times;
}

/* Report the cues after `from` up to `to`; with_from: also one at `from`, for a source that has just
** started. */
static void tell_cues(brio_player *player, const brio_source *source, double from, double to,
                      bool with_from) {
  const brio_sequence *sequence = source->now.sequence;
  /* Binary search for the first cue: cues do not fall. */
  int low = 0, high = sequence->ncue;
  while (low < high) {
    int middle = low + (high - low) / 2;
    bool behind = with_from ? sequence->cues[middle] >= from : sequence->cues[middle] > from;
    if (behind) high = middle;
    else low = middle + 1;
  }
  for (int i = low; i < sequence->ncue && sequence->cues[i] <= to; i++)
    brio_player_tell(player, BRIO_PLAYER_CUE, source, i);
}

/* Whether the end of the loop equals its beginning on all tracks, so that nothing jumps there. */
static bool meets_itself(const brio_take *take) {
  const brio_sequence *sequence = take->sequence;
  for (int i = 0; i < take->count; i++) {
    const brio_track *track = &sequence->tracks[take->voices[i].track];
    /* A track that is active at one end of the loop only starts or stops there. */
    bool last = track->begin <= sequence->loop[1] && sequence->loop[1] <= track->end;
    bool first = track->begin <= sequence->loop[0] && sequence->loop[0] <= track->end;
    if (last != first) return false;
    if (!last) continue;
    /* The end of this pass against the beginning of the next, whose draws are others. */
    brio_sample end, begin;
    int cursor = take->voices[i].cursor;
    brio_sequence_sample(sequence, take->voices[i].track, &cursor, sequence->loop[1], take->seed, &end);
    brio_sequence_sample(sequence, take->voices[i].track, &cursor, sequence->loop[0], take->seed + NEXT_PASS,
                         &begin);
    if (fabs(end.a - begin.a) > 1e-9 || end.b != begin.b) return false;
  }
  return true;
}

/* Start the next pass of the loop. */
static void wrap(brio_player *player, brio_source *source, double from) {
  brio_take *take = &source->now;
  double begin = take->sequence->loop[0], end = take->sequence->loop[1], width = end - begin;
  /* Cues up to the end are of this pass, those from the beginning on of the next. */
  tell_cues(player, source, from, end, source->fresh);
  if (!meets_itself(take)) brio_source_change(player, source, source->fade[0], false);
  /* What exceeds the end continues behind the beginning; fmod,
  ** as a pass may be shorter than a tick. */
  take->time = begin + fmod(take->time - end, width);
  take->passes++;
  take->seed += NEXT_PASS;
  brio_player_tell(player, BRIO_PLAYER_LOOPED, source, take->passes);
  tell_cues(player, source, begin, take->time, true);
}

/* At its end a sequence stays, if it holds, or ends. */
static void reach_end(brio_player *player, brio_source *source) {
  brio_take *take = &source->now;
  if (take->time < take->sequence->length) return;
  /* Held: the time stays at the end. */
  if (source->hold && !source->released) {
    take->time = take->sequence->length;
    take->staying = true;
    return;
  }
  /* A fresh source that begins at its end lives for one tick. */
  bool over = take->time > take->sequence->length || !source->fresh;
  if (over && !source->ending) source->ending = true;
  (void)player;
}

/* Advance time, unless the take stays at its end; a fresh source starts without advancing. */
static void advance_sequence(brio_player *player, brio_source *source, double dt) {
  brio_take *take = &source->now;
  double from = take->time;
  if (take->staying) return;
  if (!source->fresh) take->time += dt * take->speed;
  /* A pass that is over starts again; cues of both passes are reported. */
  if (loops(source) && take->time >= take->sequence->loop[1]) wrap(player, source, from);
  else tell_cues(player, source, from, take->time, source->fresh);
  reach_end(player, source);
}

/* Move live values towards their aims, critically damped:  x'' = -2 p x' - p^2 (x - aim),  p = 2 / tau, so
** that a steady motion is followed tau late.  Exactly for the tick, with off = x - aim, drive = x' + p off:
**   x = aim + (off + drive dt) e^(-p dt),   x' = (x' - p drive dt) e^(-p dt). */
static void advance_live(brio_source *source, double dt) {
  brio_take *take = &source->now;
  double pace = 2 / source->tau, fade = source->tau > 0 ? exp(-pace * dt) : 0;
  for (int i = 0; i < take->count; i++) {
    brio_voice *voice = &take->voices[i];
    double off = voice->sample.a - voice->aim, drive = voice->speed + pace * off;
    /* Without smoothing the value is its aim. */
    if (!(source->tau > 0)) off = drive = pace = voice->speed = 0;
    voice->sample.a = voice->aim + (off + drive * dt) * fade;
    voice->speed = (voice->speed - pace * drive * dt) * fade;
    voice->sample.va = voice->speed;
    voice->sample.b = voice->over;
    voice->sample.vb = 0;
  }
}

void brio_source_advance(brio_player *player, brio_source *source, double dt) {
  /* What a change replaced moves on, so that the bridge starts where it would be. */
  if (source->changed && !source->live && !source->old.staying) source->old.time += dt * source->old.speed;
  if (source->live) advance_live(source, dt);
  else advance_sequence(player, source, dt);
  source->fresh = false;
  /* The meter falls with a time constant of 0.5 s. */
  source->level *= exp(-dt / 0.5);
}

/* Return the reason why a voice is silent, for people; NULL: it is on. */
static const char *why_silent(const brio_player *player, const brio_source *source, const brio_voice *voice) {
  const brio_take *take = &source->now;
  bool mixes = player->stages[source->stage].mixes;
  /* The first reason that holds is reported. */
  if (source->ending) return "ending";
  if (source->mute) return "muted";
  if (!source->solo && (mixes ? player->solo : player->solo_below)) return "not solo";
  if (source->masked[voice->dof]) return "masked";
  if (source->share[voice->dof] == 0) return "level 0";
  if (source->live) return voice->held ? NULL : "not active";
  /* A sequence's voice is on from its first key to its last, or as long as the take stays. */
  const brio_track *track = &take->sequence->tracks[voice->track];
  bool active = take->time >= track->begin && (take->staying || take->time <= track->end);
  return active ? NULL : "not active";
}

/* Sample a track with the sign and the speed of the take; a take that stays has no rate. */
static void sample_at(const brio_take *take, const brio_voice *voice, int *cursor, double time,
                      brio_sample *out) {
  assert(voice->track >= 0 && voice->track < take->sequence->ntrack);
  brio_sequence_sample(take->sequence, voice->track, cursor, time, take->seed, out);
  /* Mirroring turns the value; rates go by the speed of play. */
  out->a *= voice->sign;
  out->va *= voice->sign * take->speed;
  out->vb *= take->speed;
  if (take->staying) out->va = out->vb = 0;
}

/* O(voices). */
void brio_source_sample(brio_player *player, brio_source *source) {
  brio_take *take = &source->now;
  bool mixes = player->stages[source->stage].mixes; /* there gain and share are the weight of a mean */
  double g = take->amplitude * (mixes ? 1 : take->gain);
  take->nterm = 0;
  source->edges = false;
  /* Terms hold what combining needs, gain included, in the order of the voices that are on. */
  for (int i = 0; i < take->count; i++) {
    brio_voice *voice = &take->voices[i];
    voice->said = why_silent(player, source, voice);
    voice->on = voice->said == NULL;
    if (voice->on != voice->was) source->edges = true;
    if (!voice->on) continue;
    assert(take->nterm < take->count);
    if (!source->live) sample_at(take, voice, &voice->cursor, take->time, &voice->sample);
    double part = mixes ? g : g * source->share[voice->dof];
    /* u + g (a + b u - u) = g a + (1 + g (b - 1)) u. */
    take->slopes[take->nterm] = (brio_term_rate){part * voice->sample.va, part * voice->sample.vb};
    take->terms[take->nterm++] = (brio_term){part * voice->sample.a, 1 + part * (voice->sample.b - 1),
                                             voice->dof};
  }
}

/* Sample a voice that has no sample of this tick: its track at the current time. */
void brio_take_trail(const brio_take *take, const brio_voice *voice, brio_sample *out) {
  int cursor = voice->cursor;
  *out = voice->sample;
  /* A live voice stays at its last sample. */
  if (take->sequence) sample_at(take, voice, &cursor, take->time, out);
}
