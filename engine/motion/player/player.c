/* Making a player, and its tick from outside. */
#include "motion/player/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "motion/player/player_internal.h"

#define FOLLOW 500.0   /* the weight of tracks that say none */
#define SAME 1e-9      /* rad, m or 1: less is no jump */

enum { MOST_DOFS = 4096, MOST_SOURCES = 1000, SOURCES = 128 };

static bool take_pass(brio_player *player, brio_pass *pass) {
  double **arrays[] = {&pass->value, &pass->rate, &pass->mixed, &pass->mixed_rate};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    if (!(*arrays[i] = BRIO_TAKE(&player->arena, double, player->ndof))) return false;
  pass->claimed = BRIO_TAKE(&player->arena, bool, player->ndof);
  return pass->claimed != NULL;
}

static bool take_arrays(brio_player *player) {
  double **arrays[] = {&player->gains, &player->below, &player->below_rate, &player->value,
                       &player->rate,  &player->wants, &player->alive, &player->last,       &player->range};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    if (!(*arrays[i] = BRIO_TAKE(&player->arena, double, player->ndof))) return false;
  player->counts = BRIO_TAKE(&player->arena, int, player->ndof);
  player->owner = BRIO_TAKE(&player->arena, int, player->ndof);
  player->marks = BRIO_TAKE(&player->arena, brio_mark, player->ndof);
  player->fades = BRIO_TAKE(&player->arena, brio_fade, player->ndof);
  player->dofs = BRIO_TAKE(&player->arena, brio_player_dof, player->ndof);
  return player->counts && player->owner && player->marks && player->fades && player->dofs;
}

static bool take_sources(brio_player *player) {
  player->sources = BRIO_TAKE(&player->arena, brio_source, player->room);
  player->order = BRIO_TAKE(&player->arena, brio_source *, player->room);
  if (!player->sources || !player->order) return false;
  for (int i = 0; i < player->room; i++) {
    brio_source *source = &player->sources[i];
    source->now.voices = BRIO_TAKE(&player->arena, brio_voice, player->ndof);
    source->old.voices = BRIO_TAKE(&player->arena, brio_voice, player->ndof);
    source->now.terms = BRIO_TAKE(&player->arena, brio_term, player->ndof);
    source->now.slopes = BRIO_TAKE(&player->arena, brio_term_rate, player->ndof);
    source->old.terms = source->now.terms; /* what it was has none of its own */
    source->old.slopes = source->now.slopes;
    source->masked = BRIO_TAKE(&player->arena, bool, player->ndof);
    source->share = BRIO_TAKE(&player->arena, double, player->ndof);
    if (!source->now.voices || !source->old.voices || !source->now.terms || !source->now.slopes || !source->masked || !source->share) return false;
  }
  return true;
}

static bool check_dofs(const brio_player_options *options, brio_error *err) {
  if (options->ndof < 0 || options->ndof > MOST_DOFS || options->tree < 0 || options->tree > options->ndof)
    return brio_fail(err, BRIO_MISUSE, "a player is for up to %d DOFs, the first of them joints, not %d and %d", MOST_DOFS,
                     options->ndof, options->tree);
  if (options->sources < 0 || options->sources > MOST_SOURCES)
    return brio_fail(err, BRIO_MISUSE, "a player has up to %d sources, not %d", MOST_SOURCES, options->sources);
  for (int i = 0; i < options->ndof; i++) {
    const brio_player_dof *dof = &options->dofs[i];
    bool other = dof->mirror >= 0 && dof->mirror < options->ndof && options->dofs[dof->mirror].mirror == i;
    if (!other || (dof->sign != 1 && dof->sign != -1))
      return brio_fail(err, BRIO_MISUSE, "DOF %d: it must be mirrored by one that it mirrors, with a sign of 1 or -1", i);
    if (!(dof->velocity > 0) || !(dof->acceleration > 0) || isnan(dof->rest))
      return brio_fail(err, BRIO_MISUSE, "DOF %d: its velocity and acceleration must be above 0, its rest a number", i);
  }
  return true;
}

/* 1 / half the range; 1 where there is no end. */
static double share_of_range(const brio_player_dof *dof) {
  double half = 0.5 * (dof->upper - dof->lower);
  return isfinite(half) && half > 0 ? 1 / half : 1;
}

brio_player *brio_player_new(const brio_player_options *options, brio_error *err) {
  if (!check_dofs(options, err)) return NULL;
  brio_player *player = calloc(1, sizeof *player);
  if (!player) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a player");
    return NULL;
  }
  player->ndof = options->ndof;
  player->tree = options->tree;
  player->room = options->sources ? options->sources : SOURCES;
  player->follow = options->follow > 0 ? options->follow : FOLLOW;
  player->mixer = (brio_mixer){.gain = 1};
  player->now_audible = player->was_audible = true;
  brio_random stream = brio_random_stream(options->seed, "motion");
  player->seed = brio_random_bits(&stream);
  brio_arena_start(&player->arena, 1 << 20);
  bool taken = take_arrays(player) && take_sources(player) && take_pass(player, &player->now) &&
               take_pass(player, &player->old) && take_pass(player, &player->full);
  if (!taken) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a player of %d sources and %d DOFs", player->room, player->ndof);
  } else if (brio_filters_start(player, options->filters, options->nfilter, err)) {
    memcpy(player->dofs, options->dofs, (size_t)player->ndof * sizeof *player->dofs);
    for (int d = 0; d < player->ndof; d++) player->range[d] = share_of_range(&player->dofs[d]);
    brio_player_start_stages(player);
    return player;
  }
  brio_player_free(player);
  return NULL;
}

void brio_player_free(brio_player *player) {
  if (!player) return;
  brio_arena_end(&player->arena);
  free(player);
}

int brio_player_dofs(const brio_player *player) { return player->ndof; }

/* Who is solo, and whether the combination's channel is heard. */
static void listen(brio_player *player) {
  player->solo = player->mixer.solo;
  player->solo_below = false;
  for (int i = 0; i < player->nsource; i++) {
    const brio_source *source = player->order[i];
    if (!source->solo) continue;
    player->solo = true;
    if (!player->stages[source->stage].mixes) player->solo_below = true;
  }
  player->now_audible = !player->mixer.mute && (!player->solo || player->mixer.solo || player->solo_below);
}

void brio_player_pause(brio_player *player, bool paused) { player->paused = paused; }

void brio_player_advance(brio_player *player, double dt) {
  if (player->paused) dt = 0;
  player->ticks++;
  listen(player);
  bool needs = brio_player_mixes_all(player) || player->mixer_changed || player->now_audible != player->was_audible;
  for (int i = 0; i < player->nsource; i++) {
    brio_source *source = player->order[i];
    brio_source_advance(player, source, dt);
    brio_source_sample(player, source);
    for (int k = 0; k < source->now.count && !needs; k++) {
      const brio_voice *voice = &source->now.voices[k];
      needs = (voice->on || voice->was) && voice->dof < player->tree;
    }
    needs = needs || player->stages[source->stage].foreign;
  }
  player->restless = false;
  for (int d = 0; d < player->ndof; d++) {
    if (!(player->fades[d].length > 0)) continue;
    player->restless = true;
    brio_fade_advance(&player->fades[d], dt);
    if (d < player->tree && player->fades[d].length > 0) needs = true;
  }
  if (player->lingering) player->restless = needs = true;
  player->needs = needs;
}

bool brio_player_needs(const brio_player *player) { return player->needs; }

void brio_player_begin(brio_player *player, const double *below, const double *rate, double dt, bool anew) {
  bool first = anew || !player->begun;
  for (int d = 0; d < player->ndof; d++) {
    player->below_rate[d] = first ? 0 : isnan(rate[d]) ? (below[d] - player->below[d]) / dt : rate[d];
    player->below[d] = below[d];
    player->marks[d] = (brio_mark){-1, false};
    if (anew) player->fades[d] = (brio_fade){0};
    if (first) player->last[d] = below[d];
    player->now.value[d] = below[d];
    player->now.rate[d] = player->below_rate[d];
    player->now.claimed[d] = false;
  }
  player->restless = player->restless || first;
  player->begun = true;
  player->anew = anew;
  player->dt = dt;
  player->stage_place = player->source_place = 0;
  player->stage_paused = -1;
}

static void mark(brio_player *player, int dof, double fade, bool hard) {
  brio_mark *at = &player->marks[dof];
  at->fade = fmax(at->fade, fade);
  at->hard = at->hard || hard;
  player->marked = true;
}

/* Mark the DOFs on which a source does not do what it did, and tell. */
static void mark_source(brio_player *player, const brio_source *source) {
  const brio_take *old = source->changed ? &source->old : NULL, *now = &source->now;
  for (int i = 0; old && i < old->count; i++)
    if (old->voices[i].was) mark(player, old->voices[i].dof, source->change_fade, source->hard);
  for (int i = 0; i < now->count; i++) {
    const brio_voice *voice = &now->voices[i];
    if (old && voice->on) mark(player, voice->dof, source->change_fade, source->hard);
    if (voice->on == voice->was) continue;
    bool stopped = source->ending && now->sequence && now->time < now->sequence->length;
    mark(player, voice->dof, source->fade[voice->on ? 0 : 1], stopped || (source->live && !voice->on));
  }
}

static void find_marks(brio_player *player) {
  player->marked = false;
  for (int i = 0; i < player->nsource; i++)
    if (player->order[i]->changed || player->order[i]->edges) mark_source(player, player->order[i]);
  bool mixer = player->mixer_changed || player->now_audible != player->was_audible;
  for (int d = 0; mixer && d < player->ndof; d++)
    mark(player, d, player->mixer_changed ? player->mixer_fade : 0.25, true);
  for (int i = 0; i < player->neyelid; i++) { /* lids leap with their eyes */
    const brio_mark *eye = &player->marks[player->eyelids[i].eye];
    if (eye->fade >= 0) mark(player, player->eyelids[i].lid, eye->fade, eye->hard);
  }
  if (player->marked) player->restless = true;
}

/* Leave in player->old, mixed, how far apart what was and what is now are. */
static void look_at_jumps(brio_player *player) {
  brio_pass *old = &player->old, *full = &player->full;
  bool linear = brio_player_mixes_same(player);
  brio_player_combine_jump(player, linear);
  if (linear) {
    brio_player_mix_apart(player, old);
    return;
  }
  brio_player_mix(player, full, false);
  brio_player_mix(player, old, true);
  for (int d = 0; d < player->ndof; d++) {
    old->mixed[d] -= full->mixed[d];
    old->mixed_rate[d] -= full->mixed_rate[d];
  }
}

/* What jumped becomes an offset that goes to 0. */
static void bridge(brio_player *player) {
  for (int d = 0; d < player->ndof; d++) {
    const brio_mark *at = &player->marks[d];
    if (at->fade < 0) continue;
    double jump = player->old.mixed[d], turn = player->old.mixed_rate[d];
    if (fabs(jump) <= SAME && (!at->hard || fabs(turn) <= SAME)) continue;
    brio_fade_add(&player->fades[d], jump, turn, at->fade, player->dofs[d].velocity, player->dofs[d].acceleration);
  }
}

/* Who is on top of each DOF, and how hard it is to be followed: from the top down, until each DOF has somebody. */
static void find_owners(brio_player *player) {
  bool all = brio_player_mixes_all(player);
  int left = player->ndof;
  for (int d = 0; d < player->ndof; d++) {
    player->owner[d] = 0;
    player->alive[d] = 0;
    bool fading = player->fades[d].length > 0 || player->lingers[d];
    if (!fading || player->wants[d] == 0) player->wants[d] = fading || all ? player->follow : 0;
  }
  for (int i = player->nsource - 1; i >= 0 && left > 0; i--) {
    const brio_source *source = player->order[i];
    for (int k = 0; k < source->now.count; k++) {
      const brio_voice *voice = &source->now.voices[k];
      if (!voice->on || player->owner[voice->dof]) continue;
      player->owner[voice->dof] = source->id;
      player->wants[voice->dof] = voice->follow;
      player->alive[voice->dof] = voice->alive;
      left--;
    }
  }
}

/* What a source does now is what it did, from the next tick on. */
static void settle(brio_player *player, brio_source *source) {
  for (int i = 0; i < source->now.count; i++) {
    brio_voice *voice = &source->now.voices[i];
    if (voice->on != voice->was) brio_player_tell(player, voice->on ? BRIO_PLAYER_ON : BRIO_PLAYER_OFF, source, voice->dof);
    voice->was = voice->on;
  }
}

/* Add what is left of bridges, and filter. */
static void give_out(brio_player *player) {
  for (int d = 0; d < player->ndof; d++) {
    double value = player->now.mixed[d], offset, speed;
    if (player->fades[d].length > 0) {
      brio_fade_at(&player->fades[d], &offset, &speed);
      value += offset;
    }
    player->rate[d] = player->given ? (value - player->value[d]) / player->dt : 0;
    player->value[d] = value;
    player->last[d] = player->now.mixed[d];
  }
  brio_filters_work(player);
  player->given = true;
}

void brio_player_finish(brio_player *player) {
  brio_player_mix(player, &player->now, false);
  find_marks(player);
  if (player->marked && !player->anew) {
    look_at_jumps(player);
    bridge(player);
  }
  if (player->anew) player->given = false;
  if (player->restless) find_owners(player);
  give_out(player);
  for (int i = 0; i < player->nsource; i++)
    if (player->order[i]->changed || player->order[i]->edges) settle(player, player->order[i]);
  player->was_audible = player->now_audible;
  player->mixer_changed = false;
  brio_sources_sweep(player);
  brio_stages_sweep(player);
}

brio_player_result brio_player_result_of(const brio_player *player) {
  return (brio_player_result){player->value, player->rate, player->wants, player->alive, player->owner};
}
