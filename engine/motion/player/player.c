/* Creation of a player, and the functions of a tick.
**
** A tick is O(voices that are on + DOFs). Only in ticks with a jump the sources are combined a second time,
** as they were before, and the difference fades out. */
#include "motion/player/player.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "motion/player/player_internal.h"

#define FOLLOW 500.0   /* the weight of tracks that give none */
#define SAME 1e-9      /* rad, m or 1: a smaller difference is no jump */

enum { MAX_DOFS = 4096, MAX_SOURCES = 1000, SOURCES = 128 };

/* Take the arrays of one pass. Return false when there is no memory. */
static bool take_pass(brio_player *player, brio_pass *pass) {
  double **arrays[] = {&pass->value, &pass->rate, &pass->mixed, &pass->mixed_rate};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    if (!(*arrays[i] = BRIO_TAKE(&player->arena, double, player->ndof))) return false;
  pass->claimed = BRIO_TAKE(&player->arena, bool, player->ndof);
  return pass->claimed != NULL;
}

/* Take everything that has one entry for each DOF. */
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

/* Take the sources. Each has room for a voice on every DOF, now and in the take before a change. */
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
    if (!source->now.voices || !source->old.voices || !source->now.terms || !source->now.slopes ||
        !source->masked || !source->share)
      return false;
  }
  return true;
}

/* Check the DOFs: mirroring is mutual, and limits are above 0 (NaN is not). Errors: misuse. */
static bool check_dofs(const brio_player_options *options, brio_error *err) {
  if (options->ndof < 0 || options->ndof > MAX_DOFS || options->tree < 0 || options->tree > options->ndof)
    return brio_fail(err, BRIO_MISUSE,
                     "a player is for up to %d DOFs, the first of them joints, not %d and %d", MAX_DOFS,
                     options->ndof, options->tree);
  if (options->sources < 0 || options->sources > MAX_SOURCES)
    return brio_fail(err, BRIO_MISUSE, "a player has up to %d sources, not %d", MAX_SOURCES,
                     options->sources);
  for (int i = 0; i < options->ndof; i++) {
    const brio_player_dof *dof = &options->dofs[i];
    /* A DOF without a counterpart mirrors itself. */
    bool other = dof->mirror >= 0 && dof->mirror < options->ndof && options->dofs[dof->mirror].mirror == i;
    if (!other || (dof->sign != 1 && dof->sign != -1))
      return brio_fail(err, BRIO_MISUSE,
                       "DOF %d: it must be mirrored by one that it mirrors, with a sign of 1 or -1", i);
    if (!(dof->velocity > 0) || !(dof->acceleration > 0) || isnan(dof->rest))
      return brio_fail(err, BRIO_MISUSE,
                       "DOF %d: its velocity and acceleration must be above 0, its rest a number", i);
  }
  return true;
}

/* The inverse of half the range, for meters; 1 where a DOF has no ends. */
static double share_of_range(const brio_player_dof *dof) {
  double half = 0.5 * (dof->upper - dof->lower);
  return isfinite(half) && half > 0 ? 1 / half : 1;
}

/* O(sources * DOFs) bytes: a tick allocates nothing. */
brio_player *brio_player_new(const brio_player_options *options, brio_error *err) {
  if (!check_dofs(options, err)) return NULL;
  brio_player *player = calloc(1, sizeof *player);
  if (!player) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a player");
    return NULL;
  }
  assert(options->tree <= options->ndof);
  player->ndof = options->ndof;
  player->tree = options->tree;
  /* Missing options get their defaults. */
  player->room = options->sources ? options->sources : SOURCES;
  player->follow = options->follow > 0 ? options->follow : FOLLOW;
  player->mixer = (brio_mixer){.gain = 1};
  /* Nothing is muted or solo at first. */
  player->now_audible = player->was_audible = true;
  /* All draws come from the run's seed. */
  brio_random stream = brio_random_stream(options->seed, "motion");
  player->seed = brio_random_bits(&stream);
  brio_arena_start(&player->arena, 1 << 20);
  bool taken = take_arrays(player) && take_sources(player) && take_pass(player, &player->now) &&
               take_pass(player, &player->old) && take_pass(player, &player->full);
  if (!taken) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a player of %d sources and %d DOFs", player->room,
              player->ndof);
    /* Filters are checked against the DOFs, hence last. */
  } else if (brio_filters_start(player, options->filters, options->nfilter, err)) {
    memcpy(player->dofs, options->dofs, (size_t)player->ndof * sizeof *player->dofs);
    for (int d = 0; d < player->ndof; d++) player->range[d] = share_of_range(&player->dofs[d]);
    brio_player_start_stages(player);
    return player;
  }
  brio_player_free(player);
  return NULL;
}

/* Sequences belong to the caller, and stay. */
void brio_player_free(brio_player *player) {
  if (!player) return;
  brio_arena_end(&player->arena);
  free(player);
}

int brio_player_dofs(const brio_player *player) { return player->ndof; }

/* Find out whether any source is solo, and whether the channel of the combination is audible. */
static void listen(brio_player *player) {
  player->solo = player->mixer.solo;
  player->solo_below = false;
  for (int i = 0; i < player->nsource; i++) {
    const brio_source *source = player->order[i];
    /* Solo among combined sources silences the others, but not their channel. */
    if (!source->solo) continue;
    player->solo = true;
    if (!player->stages[source->stage].mixes) player->solo_below = true;
  }
  /* The combination is heard unless it is mute, or something else is solo. */
  player->now_audible = !player->mixer.mute && (!player->solo || player->mixer.solo || player->solo_below);
}

void brio_player_pause(brio_player *player, bool paused) { player->paused = paused; }

/* O(voices + DOFs). */
void brio_player_advance(brio_player *player, double dt) {
  if (player->paused) dt = 0;
  player->ticks++;
  listen(player);
  /* The joints' values without the player are needed if it moves a joint now, did so a tick ago, or bridges
  ** one. */
  bool needs = brio_player_mixes_all(player) || player->mixer_changed ||
               player->now_audible != player->was_audible;
  /* Time first, then samples: a source that ends in this tick is silent in it. */
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
  /* Bridges advance, too. */
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

/* A robot that was put elsewhere has no history: no bridge, no rate. */
void brio_player_begin(brio_player *player, const double *below, const double *rate, double dt, bool anew) {
  bool first = anew || !player->begun;
  for (int d = 0; d < player->ndof; d++) {
    /* Without a rate given, that of the last tick's way. */
    player->below_rate[d] = first ? 0 : isnan(rate[d]) ? (below[d] - player->below[d]) / dt : rate[d];
    player->below[d] = below[d];
    /* Nothing is marked yet. */
    player->marks[d] = (brio_mark){-1, false};
    if (anew) player->fades[d] = (brio_fade){0};
    if (first) player->last[d] = below[d];
    player->now.value[d] = below[d];
    player->now.rate[d] = player->below_rate[d];
    player->now.claimed[d] = false;
  }
  player->restless = player->restless || first;
  /* Stages are combined one after the other from here, from the bottom. */
  player->begun = true;
  player->anew = anew;
  player->dt = dt;
  player->stage_place = player->source_place = 0;
  player->stage_paused = -1;
}

/* Mark a DOF for bridging; the longest fade wins. */
static void mark(brio_player *player, int dof, double fade, bool hard) {
  assert(dof >= 0 && dof < player->ndof);
  brio_mark *at = &player->marks[dof];
  at->fade = fmax(at->fade, fade);
  at->hard = at->hard || hard;
  player->marked = true;
}

/* Mark the DOFs on which a source does something else than in the last tick. */
static void mark_source(brio_player *player, const brio_source *source) {
  const brio_take *old = source->changed ? &source->old : NULL, *now = &source->now;
  /* A change at a jump: all that was on, and all that is on now. */
  for (int i = 0; old && i < old->count; i++)
    if (old->voices[i].was) mark(player, old->voices[i].dof, source->change_fade, source->hard);
  for (int i = 0; i < now->count; i++) {
    const brio_voice *voice = &now->voices[i];
    if (old && voice->on) mark(player, voice->dof, source->change_fade, source->hard);
    /* Voices that came or went. Stopped in its midst, a source was moving: then rates are bridged, too. */
    if (voice->on == voice->was) continue;
    bool stopped = source->ending && now->sequence && now->time < now->sequence->length;
    mark(player, voice->dof, source->fade[voice->on ? 0 : 1], stopped || (source->live && !voice->on));
  }
}

/* Collect the marks of all sources, of the mixer, and of eyelids, which follow their eyes. */
static void find_marks(brio_player *player) {
  player->marked = false;
  for (int i = 0; i < player->nsource; i++)
    if (player->order[i]->changed || player->order[i]->edges) mark_source(player, player->order[i]);
  /* A change of the mixer may move every DOF. */
  bool mixer = player->mixer_changed || player->now_audible != player->was_audible;
  for (int d = 0; mixer && d < player->ndof; d++)
    mark(player, d, player->mixer_changed ? player->mixer_fade : 0.25, true);
  for (int i = 0; i < player->neyelid; i++) { /* lids leap with their eyes */
    const brio_mark *eye = &player->marks[player->eyelids[i].eye];
    if (eye->fade >= 0) mark(player, player->eyelids[i].lid, eye->fade, eye->hard);
  }
  if (player->marked) player->restless = true;
}

/* Write the difference between what was and what is now, mixed, to player->old. */
static void look_at_jumps(brio_player *player) {
  brio_pass *old = &player->old, *full = &player->full;
  /* If only the combination changed, the difference itself can be mixed; else both are. */
  bool linear = brio_player_mixes_same(player);
  brio_player_combine_jump(player, linear);
  if (linear) {
    brio_player_mix_apart(player, old);
    return;
  }
  /* Else both are mixed, and the difference of the results is bridged. */
  brio_player_mix(player, full, false);
  brio_player_mix(player, old, true);
  for (int d = 0; d < player->ndof; d++) {
    old->mixed[d] -= full->mixed[d];
    old->mixed_rate[d] -= full->mixed_rate[d];
  }
}

/* Turn each jump into an offset that goes to 0 within the limits of the DOF. */
static void bridge(brio_player *player) {
  for (int d = 0; d < player->ndof; d++) {
    const brio_mark *at = &player->marks[d];
    if (at->fade < 0) continue;
    /* Marks without a jump in value need no bridge, unless the rate jumps, too. */
    double jump = player->old.mixed[d], turn = player->old.mixed_rate[d];
    if (fabs(jump) <= SAME && (!at->hard || fabs(turn) <= SAME)) continue;
    brio_fade_add(&player->fades[d], jump, turn, at->fade, player->dofs[d].velocity,
                  player->dofs[d].acceleration);
  }
}

/* Find the source on top of each DOF, and how hard it is followed: from the top down, until each DOF has
** one. */
static void find_owners(brio_player *player) {
  bool all = brio_player_mixes_all(player);
  /* A DOF without a source is still followed while a bridge or a filter moves it. */
  int left = player->ndof;
  for (int d = 0; d < player->ndof; d++) {
    player->owner[d] = 0;
    player->alive[d] = 0;
    bool fading = player->fades[d].length > 0 || player->lingers[d];
    /* While a bridge goes on, its DOF is followed as hard as before. */
    if (!fading || player->wants[d] == 0) player->wants[d] = fading || all ? player->follow : 0;
  }
  /* From the top: the first voice that is on owns its DOF. */
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

/* What a source does now is what it did, from the next tick on; report voices that came or went. */
static void settle(brio_player *player, brio_source *source) {
  /* Each change of a voice is reported once. */
  for (int i = 0; i < source->now.count; i++) {
    brio_voice *voice = &source->now.voices[i];
    if (voice->on != voice->was)
      brio_player_tell(player, voice->on ? BRIO_PLAYER_ON : BRIO_PLAYER_OFF, source, voice->dof);
    voice->was = voice->on;
  }
}

/* Add the offsets that remain, compute rates, and filter. */
static void give_out(brio_player *player) {
  for (int d = 0; d < player->ndof; d++) {
    /* A fade that has ended has length 0. */
    double value = player->now.mixed[d], offset, speed;
    if (player->fades[d].length > 0) {
      brio_fade_at(&player->fades[d], &offset, &speed);
      value += offset;
    }
    /* The rate of the result, bridges included; 0 in the first tick. */
    player->rate[d] = player->given ? (value - player->value[d]) / player->dt : 0;
    player->value[d] = value;
    player->last[d] = player->now.mixed[d];
  }
  brio_filters_work(player);
  player->given = true;
}

/* The order matters: marks need the new mix, bridges the marks, owners the bridges. */
void brio_player_finish(brio_player *player) {
  assert(player->begun && player->nsource <= player->room);
  brio_player_mix(player, &player->now, false);
  find_marks(player);
  if (player->marked && !player->anew) {
    look_at_jumps(player);
    bridge(player);
  }
  /* A robot that was put elsewhere has no last value. */
  if (player->anew) player->given = false;
  /* Where nothing changed, owners are those of the last tick. */
  if (player->restless) find_owners(player);
  give_out(player);
  for (int i = 0; i < player->nsource; i++)
    if (player->order[i]->changed || player->order[i]->edges) settle(player, player->order[i]);
  player->was_audible = player->now_audible;
  player->mixer_changed = false;
  /* Sources that ended leave now: they were needed for the bridge. */
  brio_sources_sweep(player);
  brio_stages_sweep(player);
}

/* The arrays are the player's: valid until the next tick. */
brio_player_result brio_player_result_of(const brio_player *player) {
  return (brio_player_result){player->value, player->rate, player->wants, player->alive, player->owner};
}
