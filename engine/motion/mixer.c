/* The mixer.  Its inputs: the combination's result, and sources that are not combined, each  x = u + A (a + b u - u)
** with A its amplitude and u the combination's result, so that a track that adds adds to that. */
#include "motion/mixer.h"

#include <math.h>
#include <string.h>

#include "motion/player_internal.h"

brio_mixer brio_player_mixer(const brio_player *player) { return player->mixer; }

bool brio_player_set_mixer(brio_player *player, const brio_mixer *mixer, double fade, brio_error *err) {
  if (!(mixer->gain >= 0 && mixer->gain <= 4))
    return brio_fail(err, BRIO_MISUSE, "a gain must be from 0 to 4, not %g", mixer->gain);
  if (!(fade >= 0 && fade <= 60)) return brio_fail(err, BRIO_MISUSE, "a fade must be from 0 to 60 s, not %g", fade);
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

/* A source as it is now. */
static void add_source(brio_player *player, brio_pass *pass, brio_source *source) {
  const brio_take *take = &source->now;
  for (int i = 0; i < take->nterm; i++) {
    int d = take->terms[i].dof;
    double u = pass->value[d], x = take->terms[i].a + take->terms[i].b * u;
    double way = fabs(x - u) * player->range[d];
    if (way > source->level) source->level = way;
    add(player, pass, d, take->gain * source->share[d], x);
  }
}

/* The same with rates: as it is now, or as it was in the last tick. */
static void add_with_rates(brio_player *player, brio_pass *pass, brio_source *source, bool old) {
  brio_take *take = old && source->changed ? &source->old : &source->now;
  for (int i = 0; i < take->count; i++) {
    brio_voice *voice = &take->voices[i];
    if (!(old ? voice->was : voice->on)) continue;
    brio_sample s = voice->sample;
    if (old && (source->changed || !voice->on)) brio_take_trail(take, voice, &s);
    int d = voice->dof;
    double u = pass->value[d], v = pass->rate[d], b = 1 + take->amplitude * (s.b - 1);
    double x = take->amplitude * s.a + b * u;
    if (!old) voice->before = u, voice->after = x;
    double gain = take->gain * source->share[d];
    pass->mixed_rate[d] += gain * (take->amplitude * (s.va + s.vb * u) + b * v);
    add(player, pass, d, gain, x);
  }
}

/* From sums to means. */
static void divide(brio_player *player, brio_pass *pass, bool literal) {
  for (int d = 0; d < player->ndof; d++) {
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

void brio_player_mix(brio_player *player, brio_pass *pass, bool old) {
  const brio_mixer *mixer = old && player->mixer_changed ? &player->mixer_before : &player->mixer;
  bool audible = old ? player->was_audible : player->now_audible, rates = pass != &player->now;
  size_t bytes = (size_t)player->ndof * sizeof(double);
  int first = player->nsource;
  while (first > 0 && player->stages[player->order[first - 1]->stage].mixes) first--;
  if (first == player->nsource && audible && mixer->gain > 0 && (!mixer->literal || mixer->gain == 1)) {
    memcpy(pass->mixed, pass->value, bytes); /* nothing to mix */
    memcpy(pass->mixed_rate, pass->rate, bytes);
    return;
  }
  for (int d = 0; d < player->ndof; d++) {
    pass->mixed[d] = pass->mixed_rate[d] = player->gains[d] = player->counts[d] = 0;
    if (!audible) continue;
    add(player, pass, d, mixer->gain, pass->value[d]);
    pass->mixed_rate[d] = mixer->gain * pass->rate[d];
  }
  for (int i = first; i < player->nsource; i++) {
    if (rates) add_with_rates(player, pass, player->order[i], old);
    else add_source(player, pass, player->order[i]);
  }
  divide(player, pass, mixer->literal);
}

bool brio_player_mixes_all(const brio_player *player) {
  const brio_mixer *mixer = &player->mixer;
  return !player->now_audible || mixer->gain == 0 || (mixer->literal && mixer->gain != 1);
}
