/* The mixer. Its inputs are the result of the combination and the sources that are not combined, each x = u
** + A (a + b u - u) with A its amplitude and u the result of the combination, so that a track that adds (b
** = 1) adds to that result. O(DOFs + voices that are on), and nothing where there is nothing to mix. */
#include "motion/mixer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "motion/player/player_internal.h"

brio_mixer brio_player_mixer(const brio_player *player) { return player->mixer; }

bool brio_player_set_mixer(brio_player *player, const brio_mixer *mixer, double fade, brio_error *err) {
  /* Written so that NaN is rejected, too. */
  if (!(mixer->gain >= 0 && mixer->gain <= 4))
    return brio_fail(err, BRIO_MISUSE, "a gain must be from 0 to 4, not %g", mixer->gain);
  if (!(fade >= 0 && fade <= 60))
    return brio_fail(err, BRIO_MISUSE, "a fade must be from 0 to 60 s, not %g", fade);
  /* Several changes in a tick count from the setting of the last tick. */
  if (!player->mixer_changed) player->mixer_before = player->mixer;
  player->mixer_changed = true;
  player->mixer_fade = fade;
  player->mixer = *mixer;
  return true;
}

/* Add an input to the sums of a DOF. */
static inline void add(brio_player *player, brio_pass *pass, int d, double gain, double x) {
  pass->mixed[d] += gain * x;
  player->gains[d] += gain;
  player->counts[d]++;
}

/* Add a source as it is now: the inner loop of the mixer. */
static void add_source(brio_player *player, brio_pass *pass, const brio_source *source) {
  const brio_take *take = &source->now;
  for (int i = 0; i < take->nterm; i++) {
    int d = take->terms[i].dof;
    /* Terms have the amplitude in them; gain and share are the weight. */
    add(player, pass, d, take->gain * source->share[d], take->terms[i].a + take->terms[i].b * pass->value[d]);
  }
}

/* Measure how far a source moves DOFs, relative to their range. Meters are read less often than DOFs
** move. */
static void meter(const brio_player *player, const brio_pass *pass, brio_source *source) {
  for (int i = 0; i < source->now.nterm; i++) {
    const brio_term *term = &source->now.terms[i];
    double u = pass->value[term->dof], way = fabs(term->a + term->b * u - u) * player->range[term->dof];
    if (way > source->level) source->level = way;
  }
}

/* As add_source, with rates. */
static void add_with_rates(brio_player *player, brio_pass *pass, const brio_source *source) {
  const brio_take *take = &source->now;
  for (int i = 0; i < take->nterm; i++) {
    const brio_term *term = &take->terms[i];
    const brio_term_rate *slope = &take->slopes[i];
    int d = term->dof;
    double u = pass->value[d], gain = take->gain * source->share[d];
    pass->mixed_rate[d] += gain * (slope->va + slope->vb * u + term->b * pass->rate[d]);
    add(player, pass, d, gain, term->a + term->b * u);
  }
}

/* Add a source as it was in the last tick, continued to this one. */
static void add_old(brio_player *player, brio_pass *pass, const brio_source *source) {
  const brio_take *take = source->changed ? &source->old : &source->now;
  for (int i = 0; i < take->count; i++) {
    const brio_voice *voice = &take->voices[i];
    if (!voice->was) continue;
    brio_sample s = voice->sample;
    /* A voice that changed or ended has no sample of this tick: its track is sampled further. */
    if (source->changed || !voice->on) brio_take_trail(take, voice, &s);
    int d = voice->dof;
    double u = pass->value[d], b = 1 + take->amplitude * (s.b - 1), gain = take->gain * source->share[d];
    pass->mixed_rate[d] += gain * (take->amplitude * (s.va + s.vb * u) + b * pass->rate[d]);
    add(player, pass, d, gain, take->amplitude * s.a + b * u);
  }
}

/* Divide sums by the gains (or, literally, by the number of inputs); a DOF without input keeps its last
** value. */
static void divide(brio_player *player, brio_pass *pass, bool literal) {
  for (int d = 0; d < player->ndof; d++) {
    /* Without an input that is on there is no mean. */
    double by = literal ? player->counts[d] : player->gains[d];
    if (by > 1e-12) {
      pass->mixed[d] /= by;
      pass->mixed_rate[d] /= by;
    } else {
      pass->mixed[d] = player->last[d];
      pass->mixed_rate[d] = 0;
    }
  }
}

/* Return the place in the order from which on sources are mixed: their stage is the last one. */
static int first_mixed(const brio_player *player) {
  int first = player->nsource;
  while (first > 0 && player->stages[player->order[first - 1]->stage].mixes) first--;
  return first;
}

/* Whether the result of the combination is the only input, at full gain. */
static bool has_nothing_to_mix(const brio_player *player, const brio_mixer *mixer, bool audible) {
  return first_mixed(player) == player->nsource && audible && mixer->gain > 0 &&
         (!mixer->literal || mixer->gain == 1);
}

/* Whether the mixer does what it did in the last tick. */
bool brio_player_mixes_same(const brio_player *player) {
  bool same = !player->mixer_changed && player->now_audible == player->was_audible;
  for (int i = first_mixed(player); i < player->nsource && same; i++)
    same = brio_source_is_same(player->order[i]);
  return same;
}

/* The mixer is linear if its inputs are those of the last tick: the difference is mixed by itself. */
void brio_player_mix_apart(brio_player *player, brio_pass *apart) {
  const brio_mixer *mixer = &player->mixer;
  /* The combination by itself, or its channel with its gain, which may be mute. */
  double gain = has_nothing_to_mix(player, mixer, player->now_audible) ? 1
                : player->now_audible                                  ? mixer->gain
                                                                       : 0;
  for (int d = 0; d < player->ndof; d++)
    apart->mixed[d] = gain * apart->value[d], apart->mixed_rate[d] = gain * apart->rate[d];
  if (has_nothing_to_mix(player, mixer, player->now_audible)) return;
  /* Of each source only the linear part: what a and va add is in both passes. */
  for (int i = first_mixed(player); i < player->nsource; i++) {
    const brio_source *source = player->order[i];
    const brio_take *take = &source->now;
    for (int k = 0; k < take->nterm; k++) {
      int d = take->terms[k].dof;
      double g = take->gain * source->share[d], b = take->terms[k].b, u = apart->value[d];
      /* g b u is the effect of the source on the difference u. */
      apart->mixed[d] += g * b * u;
      apart->mixed_rate[d] += g * (take->slopes[k].vb * u + b * apart->rate[d]);
    }
  }
  /* Gains and counts are those of the mix of this tick, made just before. */
  for (int d = 0; d < player->ndof; d++) {
    double by = mixer->literal ? player->counts[d] : player->gains[d], share = by > 1e-12 ? 1 / by : 0;
    apart->mixed[d] *= share;
    apart->mixed_rate[d] *= share;
  }
}

/* `old`: as it was in the last tick. Rates are mixed only in ticks with jumps. */
void brio_player_mix(brio_player *player, brio_pass *pass, bool old) {
  const brio_mixer *mixer = old && player->mixer_changed ? &player->mixer_before : &player->mixer;
  bool audible = old ? player->was_audible : player->now_audible, rates = pass != &player->now;
  assert(pass->mixed != pass->value);
  size_t bytes = (size_t)player->ndof * sizeof(double);
  if (has_nothing_to_mix(player, mixer, audible)) {
    memcpy(pass->mixed, pass->value, bytes); /* nothing to mix */
    memcpy(pass->mixed_rate, pass->rate, bytes);
    return;
  }
  /* The combination is the first input, if its channel is audible. */
  for (int d = 0; d < player->ndof; d++) {
    pass->mixed[d] = pass->mixed_rate[d] = player->gains[d] = player->counts[d] = 0;
    if (!audible) continue;
    add(player, pass, d, mixer->gain, pass->value[d]);
    pass->mixed_rate[d] = mixer->gain * pass->rate[d];
  }
  for (int i = first_mixed(player); i < player->nsource; i++) {
    brio_source *source = player->order[i];
    /* Meters are read in the usual mix only, not in the passes of a jump. */
    if (!rates && (player->ticks + (uint64_t)i) % BRIO_METER_EVERY == 0) meter(player, pass, source);
    if (!rates) add_source(player, pass, source);
    else if (old && !brio_source_is_same(source)) add_old(player, pass, source);
    else add_with_rates(player, pass, source);
  }
  divide(player, pass, mixer->literal);
}

/* Whether the mixer moves DOFs that no source moves, too: where the combination is mute, or its gain is not
** the mean's. */
bool brio_player_mixes_all(const brio_player *player) {
  const brio_mixer *mixer = &player->mixer;
  return !player->now_audible || mixer->gain == 0 || (mixer->literal && mixer->gain != 1);
}
