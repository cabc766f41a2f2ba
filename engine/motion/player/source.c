/* Sources are added, changed and removed. A change at a jump is noted before it is made
** (brio_source_change): the former state of the source is kept for one tick, so that the jump can be
** bridged. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "motion/player/player_internal.h"

/* Upper limits of arguments: s, and factors. */
#define MAX_FADE 60.0
#define MAX_SPEED 100.0
#define MAX_AMPLITUDE 10.0
#define MAX_GAIN 4.0

enum { ID_SHIFT = 10 }; /* an id is a place, and a count above these bits, so that ids do not repeat soon */

/* O(1): the id contains the place, and the place knows its present id. */
brio_source *brio_source_find(const brio_player *player, int id) {
  int place = id & ((1 << ID_SHIFT) - 1);
  if (id <= 0 || place >= player->room || player->sources[place].id != id) return NULL;
  return &player->sources[place];
}

/* Check that all numbers of a play are within their ranges; NaN is not. Errors: misuse. */
static bool check_play(const brio_player *player, const brio_play *play, brio_error *err) {
  const struct {
    const char *name;
    double value, lower, upper;
  } rows[] = {{"priority", play->priority, -1000, 1000},
              {"speed", play->speed, 0, MAX_SPEED},
              {"amplitude", play->amplitude, 0, MAX_AMPLITUDE},
              {"gain", play->gain, 0, MAX_GAIN},
              {"fade", play->fade[0], 0, MAX_FADE},
              {"fade", play->fade[1], 0, MAX_FADE},
              {"start", play->start, 0, 1e6},
              {"follow", play->follow, 0, 1e9},
              {"alive", play->alive, 0, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!(rows[i].value >= rows[i].lower && rows[i].value <= rows[i].upper))
      return brio_fail(err, BRIO_MISUSE, "%s must be from %g to %g, not %g", rows[i].name, rows[i].lower,
                       rows[i].upper, rows[i].value);
  /* Stages may be added and removed, so their numbers are checked. */
  bool there = play->stage >= 0 && play->stage < BRIO_MOST_STAGES && player->stages[play->stage].name[0];
  return there || brio_fail(err, BRIO_MISUSE, "there is no stage %d", play->stage);
}

/* Insert a source into the order from the bottom to the top. O(sources). */
static void put_in_order(brio_player *player, brio_source *source) {
  assert(player->nsource < player->room);
  int at = player->nsource++;
  /* Sources above it move up by one. */
  while (at > 0 && brio_source_is_above(player, player->order[at - 1], source)) {
    player->order[at] = player->order[at - 1];
    at--;
  }
  assert(at + 1 == player->nsource || brio_source_is_above(player, player->order[at + 1], source));
  player->order[at] = source;
}

/* Take a free place for a source. Errors: misuse, limit. */
static brio_source *take_place(brio_player *player, const brio_play *play, brio_error *err) {
  if (!check_play(player, play, err)) return NULL;
  for (int i = 0; i < player->room; i++) {
    brio_source *source = &player->sources[i];
    /* A place with an id is taken. */
    if (source->id) continue;
    /* The arrays of a place are taken once, and pass from source to source. */
    brio_take now = source->now, old = source->old;
    bool *masked = source->masked;
    /* Everything else of the place starts from 0. */
    double *share = source->share;
    *source = (brio_source){.stage = play->stage,
                            .priority = play->priority,
                            .fade = {play->fade[0], play->fade[1]},
                            .serial = ++player->serial,
                            .hold = play->hold,
                            .fresh = true,
                            .masked = masked,
                            .share = share};
    /* 20 bits of count above 10 bits of place. */
    source->id = (int)((1 + player->serial % ((1u << 20) - 1)) << ID_SHIFT) + i; /* never 0 */
    strncpy(source->name, play->name ? play->name : "", sizeof source->name - 1);
    memset(masked, 0, (size_t)player->ndof * sizeof *masked);
    for (int d = 0; d < player->ndof; d++) share[d] = 1;
    /* The clip instances start with the arrays of the place. */
    source->now = (brio_take){.time = play->start,
                              .speed = play->speed,
                              .amplitude = play->amplitude,
                              .gain = play->gain,
                              .mirror = play->mirror,
                              .alive = play->alive,
                              .voices = now.voices,
                              .terms = now.terms,
                              .slopes = now.slopes};
    source->old = (brio_take){.voices = old.voices, .terms = old.terms, .slopes = old.slopes};
    /* A new source is above the others of its stage with its priority. */
    put_in_order(player, source);
    if (player->stages[play->stage].yields) player->yielding = true;
    return source;
  }
  brio_fail(err, BRIO_LIMIT, "%d sources move the robot already, which is the most there may be",
            player->room);
  return NULL;
}

/* The sequence may have been made for another robot: its DOFs are checked. */
int brio_player_play(brio_player *player, const brio_sequence *sequence, const brio_play *play,
                     brio_error *err) {
  /* DOFs of the sequence must exist in this robot. */
  for (int i = 0; i < sequence->ntrack; i++)
    if (sequence->tracks[i].dof >= player->ndof)
      return brio_fail(err, BRIO_MISUSE, "the sequence is of another robot, with more than %d DOFs",
                       player->ndof),
             0;
  brio_source *source = take_place(player, play, err);
  if (!source) return 0;
  source->now.sequence = sequence;
  /* The seed depends on the number of sequences played so far, not on live sources. */
  source->now.seed = player->seed + 0xd1342543de82ef95u * ++player->plays;
  brio_take_list(player, &source->now);
  return source->id;
}

/* A live source has no sequence: its voices come with their first values. */
int brio_player_live(brio_player *player, const brio_play *play, double tau, brio_error *err) {
  if (!(tau >= 0 && tau <= MAX_FADE))
    return brio_fail(err, BRIO_MISUSE, "tau must be from 0 to %g s, not %g", MAX_FADE, tau), 0;
  brio_source *source = take_place(player, play, err);
  if (!source) return 0;
  /* Without `follow` it is followed as hard as the player's default. */
  source->live = true;
  source->tau = tau;
  source->follow = play->follow > 0 ? play->follow : player->follow;
  return source->id;
}

/* Return the voice of a live source for a DOF, added if `make`;
** NULL: none, with a sentence if the source is wrong. */
static brio_voice *live_voice(brio_player *player, int id, int dof, bool make, brio_error *err) {
  brio_source *source = brio_source_find(player, id);
  if (!source || !source->live || dof < 0 || dof >= player->ndof) {
    brio_fail(err, BRIO_MISUSE, "there is no live source %d with a DOF %d", id, dof);
    return NULL;
  }
  /* A voice is found by its DOF; there are few. */
  brio_take *take = &source->now;
  for (int i = 0; i < take->count; i++)
    if (take->voices[i].dof == dof) return &take->voices[i];
  if (!make) return NULL;
  assert(take->count < player->ndof);
  take->voices[take->count] = (brio_voice){
      .dof = dof, .sign = 1, .follow = source->follow, .alive = take->alive};
  return &take->voices[take->count++];
}

/* The voice of a DOF is made by its first value. O(voices). */
bool brio_player_say(brio_player *player, int source, int dof, double value, bool over, brio_error *err) {
  if (!isfinite(value)) return brio_fail(err, BRIO_MISUSE, "a value must be a finite number");
  brio_voice *voice = live_voice(player, source, dof, true, err);
  if (!voice) return false;
  /* The first value of a DOF, or of another kind, is taken at once: there is nothing to be smoothed
  ** from. */
  if (!voice->held || over != voice->over) {
    voice->sample = (brio_sample){.a = value, .b = over};
    voice->speed = 0;
  }
  brio_source *which = brio_source_find(player, source);
  if (!(which->tau > 0)) voice->sample.a = value; /* also for a script's stage in this tick */
  voice->aim = value;
  voice->over = over;
  voice->held = true;
  return true;
}

/* A DOF that was never given a value is let go without error. */
bool brio_player_let_go(brio_player *player, int source, int dof, brio_error *err) {
  brio_error why = {0};
  brio_voice *voice = live_voice(player, source, dof, false, &why);
  if (voice) voice->held = false;
  if (err && why.code) *err = why;
  return why.code == BRIO_OK;
}

/* The source ends in the next tick; what it leaves is bridged. */
bool brio_player_stop(brio_player *player, int id, double fade) {
  brio_source *source = brio_source_find(player, id);
  if (!source || source->ending) return false;
  /* A negative fade keeps the source's own. */
  if (fade >= 0) source->fade[1] = fmin(fade, MAX_FADE);
  source->ending = true;
  return true;
}

bool brio_player_release(brio_player *player, int id) {
  brio_source *source = brio_source_find(player, id);
  /* A released source plays to its end instead of repeating or staying. */
  if (!source || source->ending) return false;
  source->released = true;
  source->now.staying = false;
  return true;
}

/* The time stays, as both versions have the same course. */
bool brio_player_exchange(brio_player *player, int id, const brio_sequence *sequence) {
  brio_source *source = brio_source_find(player, id);
  if (!source || source->live) return false;
  for (int i = 0; i < sequence->ntrack; i++)
    if (sequence->tracks[i].dof >= player->ndof) return false;
  /* The jump between the two versions is bridged. */
  brio_source_change(player, source, source->fade[0], true);
  source->now.sequence = sequence;
  /* A shorter version is entered at its end. */
  source->now.time = fmin(source->now.time, sequence->length);
  source->now.staying = false;
  brio_take_list(player, &source->now);
  return true;
}

/* Fields of a take that can be set: their offset, and their greatest value; for the time, that is the
** length. */
static const struct {
  size_t offset;
  double most;
} numbers[BRIO_PLAYER_NFIELD] = {
    [BRIO_PLAYER_SPEED] = {offsetof(brio_take, speed), MAX_SPEED},
    [BRIO_PLAYER_AMPLITUDE] = {offsetof(brio_take, amplitude), MAX_AMPLITUDE},
    [BRIO_PLAYER_GAIN] = {offsetof(brio_take, gain), MAX_GAIN},
    [BRIO_PLAYER_TIME] = {offsetof(brio_take, time), HUGE_VAL},
};

/* A mirrored sequence moves other DOFs: its voices are listed again. */
static void set_mirror(brio_player *player, brio_source *source, bool mirror) {
  source->now.mirror = mirror;
  if (!source->live) brio_take_list(player, &source->now);
}

bool brio_player_set(brio_player *player, int id, brio_player_field field, double value, brio_error *err) {
  brio_source *source = brio_source_find(player, id);
  if (!source) return brio_fail(err, BRIO_MISUSE, "there is no source %d", id);
  if ((unsigned)field >= BRIO_PLAYER_NFIELD) return brio_fail(err, BRIO_MISUSE, "a source has no such field");
  /* Flags have no row: they go up to 1. */
  double most = numbers[field].most > 0 ? numbers[field].most : 1;
  if (field == BRIO_PLAYER_TIME) most = source->now.sequence ? source->now.sequence->length : 0;
  /* Written so that NaN is rejected, too. */
  if (!(value >= 0 && value <= most))
    return brio_fail(err, BRIO_MISUSE, "the value must be from 0 to %g, not %g", most, value);
  /* Mute and solo change no take: voices that go silent are noticed by themselves. */
  if (field == BRIO_PLAYER_MUTE) return source->mute = value != 0, true; /* bridged by its voices */
  if (field == BRIO_PLAYER_SOLO) return source->solo = value != 0, true;
  /* The source as it is now is kept for the bridge, before it changes. */
  brio_source_change(player, source, source->fade[0], true);
  if (field == BRIO_PLAYER_MIRROR) set_mirror(player, source, value != 0);
  else *(double *)((char *)&source->now + numbers[field].offset) = value;
  /* A take that stayed at its end goes on from its new time. */
  if (field == BRIO_PLAYER_TIME) source->now.staying = false;
  return true;
}

/* A masked voice goes silent in the next tick, and is bridged. */
bool brio_player_mask(brio_player *player, int id, int dof, bool off) {
  brio_source *source = brio_source_find(player, id);
  if (!source || dof < 0 || dof >= player->ndof) return false;
  source->masked[dof] = off;
  return true;
}

/* A share of 0 silences the voice. Written so that NaN is rejected, too. */
bool brio_player_share(brio_player *player, int id, int dof, double share) {
  brio_source *source = brio_source_find(player, id);
  if (!source || dof < 0 || dof >= player->ndof || !(share >= 0 && share <= 1)) return false;
  source->share[dof] = share;
  return true;
}

/* Pointers in `out` are valid until the source has ended. */
bool brio_player_look(const brio_player *player, int id, brio_player_source *out) {
  const brio_source *source = brio_source_find(player, id);
  if (!source) return false;
  const brio_take *take = &source->now;
  /* A released loop plays to its end. */
  const brio_sequence *sequence = take->sequence;
  bool looping = sequence && sequence->loop[1] > sequence->loop[0] && !source->released;
  *out = (brio_player_source){source->name,  source->stage,   source->priority, take->time,
                              take->speed,   take->amplitude, take->gain,       source->level,
                              source->live,  take->mirror,    source->mute,     source->solo,
                              take->staying, looping,         take->passes,     sequence};
  return true;
}

/* Sources are walked in their order, by id, so that a removal between two calls does no harm. */
int brio_player_next(const brio_player *player, int id) {
  /* 0 stands for the beginning, and for the end. */
  if (id == 0) return player->nsource > 0 ? player->order[0]->id : 0;
  for (int i = 0; i + 1 < player->nsource; i++)
    if (player->order[i]->id == id) return player->order[i + 1]->id;
  return 0;
}

/* Remove what has ended, and find out again whether a stage yields. The order of the others stays. */
void brio_sources_sweep(brio_player *player) {
  int kept = 0;
  player->yielding = false;
  for (int i = 0; i < player->nsource; i++) {
    brio_source *source = player->order[i];
    source->changed = false;
    if (player->stages[source->stage].yields) player->yielding = true;
    if (!source->ending) {
      player->order[kept++] = source;
      continue;
    }
    /* Its place is free from now on. */
    brio_player_tell(player, BRIO_PLAYER_ENDED, source, 0);
    source->id = 0;
  }
  assert(kept <= player->nsource);
  player->nsource = kept;
}
