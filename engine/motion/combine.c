/* The stages, and the combination of their sources with the values below.
**
** A track is a + b u, so a source with gain and amplitude g turns u into u + g (a + b u - u). Its rate
** follows by the product rule. With g = 1 and b = 0 that is the sequence's own value; with b = 1 and a = 0
** nothing happens. Each source costs one product and one sum for every voice that is on. */
#include "motion/combine.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "motion/player/player_internal.h"

/* Move each eyelid with its eye: openness is kept, while the room it is a share of grows or shrinks. */
static void apply_eyelids(const brio_player *player, double *value, double *rate) {
  for (int i = 0; i < player->neyelid; i++) {
    const brio_eyelid *lid = &player->eyelids[i];
    const brio_player_dof *eye = &player->dofs[lid->eye];
    /* The eye's share, from -1 to 1, of its range on the side that it has turned to. */
    double turn = value[lid->eye] - eye->rest,
           way = turn >= 0 ? eye->upper - eye->rest : eye->rest - eye->lower;
    /* 0 is closed, 1 open: a share of the room that the lid has now. */
    double openness = (value[lid->lid] - lid->closed) / (lid->open - lid->closed);
    double grown = rate[lid->lid] / (lid->open - lid->closed), speed = way > 0 ? rate[lid->eye] / way : 0;
    double room = lid->open + lid->gain * (way > 0 ? turn / way : 0) - lid->closed;
    /* The rate follows by the product rule. */
    value[lid->lid] = lid->closed + openness * room;
    rate[lid->lid] = grown * room + openness * lid->gain * speed;
  }
}

/* The stages of every player, from the bottom to the top. */
static const brio_stage first_stages[] = {
    {.name = "merge", .doc = "Live values of face, gaze and joystick, over the goals of behaviors."},
    {.name = "eyelids",
     .doc = "Eyelids go with the eyes, as the robot's file has it.",
     .apply = apply_eyelids},
    {.name = "sequences", .doc = "Sequences that are played, by priority.", .claims = true},
    {.name = "keys",
     .doc = "What is played as long as a key is held, the leftmost key on top.",
     .claims = true},
    {.name = "random",
     .doc = "Blinks and the like, on what neither sequences nor keys have.",
     .yields = true},
    {.name = "operator", .doc = "What a person has taken of the robot, over all of the above."},
    {.name = "mixer",
     .doc = "Sources that go straight to the mixer, beside all of the above.",
     .mixes = true},
};

/* Stages are numbered in their first order; numbers stay when stages are added. */
void brio_player_start_stages(brio_player *player) {
  player->nstage = (int)(sizeof first_stages / sizeof *first_stages);
  for (int i = 0; i < player->nstage; i++) {
    player->stages[i] = first_stages[i];
    player->stages[i].number = player->stage_order[i] = i;
  }
}

int brio_player_stage_count(const brio_player *player) { return player->nstage; }

/* A stage by its place in the order, from the bottom; NULL: there is none. */
const brio_stage *brio_player_stage_at(const brio_player *player, int place) {
  return place >= 0 && place < player->nstage ? &player->stages[player->stage_order[place]] : NULL;
}

/* Linear: there are a few stages. -1: there is none of that name. */
int brio_player_stage_find(const brio_player *player, const char *name) {
  for (int i = 0; i < player->nstage; i++)
    if (strcmp(player->stages[player->stage_order[i]].name, name) == 0) return player->stage_order[i];
  return -1;
}

/* The place of a stage in the order; -1: there is none. */
int brio_stage_place(const brio_player *player, int stage) {
  for (int i = 0; i < player->nstage; i++)
    if (player->stage_order[i] == stage) return i;
  return -1;
}

/* A total order: serials differ. */
bool brio_source_is_above(const brio_player *player, const brio_source *a, const brio_source *b) {
  int pa = brio_stage_place(player, a->stage), pb = brio_stage_place(player, b->stage);
  if (pa != pb) return pa > pb;
  if (a->priority != b->priority) return a->priority > b->priority;
  return a->serial > b->serial;
}

/* O(stages). Errors: misuse (the name, or what it comes behind), limit. */
int brio_player_add_stage(brio_player *player, const char *name, int after, brio_error *err) {
  int place = brio_stage_place(player, after) + 1, free_one = -1;
  if (!name[0] || strlen(name) >= sizeof player->stages->name || brio_player_stage_find(player, name) >= 0)
    return brio_fail(err, BRIO_MISUSE, "a stage's name must be a new one of up to 31 bytes, not '%.40s'",
                     name),
           -1;
  /* The mixer stays the last one. */
  if (place <= 0 || player->stages[after].mixes)
    return brio_fail(err, BRIO_MISUSE, "stage '%s' must come behind one that is there and is not the mixer",
                     name),
           -1;
  /* The lowest free number, so that numbers stay small. */
  for (int i = BRIO_MOST_STAGES - 1; i >= 0; i--)
    if (!player->stages[i].name[0]) free_one = i;
  if (free_one < 0) return brio_fail(err, BRIO_LIMIT, "there are %d stages already", BRIO_MOST_STAGES), -1;
  assert(place <= player->nstage && player->nstage < BRIO_MOST_STAGES);
  /* Make room in the order, right above `after`. */
  memmove(player->stage_order + place + 1, player->stage_order + place,
          (size_t)(player->nstage - place) * sizeof *player->stage_order);
  player->stage_order[place] = free_one;
  player->nstage++;
  brio_stage *stage = &player->stages[free_one];
  *stage = (brio_stage){.number = free_one, .doc = "", .foreign = true};
  memcpy(stage->name, name, strlen(name) + 1);
  return free_one;
}

/* Only added stages can be removed. Their sources end first. */
bool brio_player_remove_stage(brio_player *player, int stage) {
  int place = brio_stage_place(player, stage);
  if (place < 0 || !player->stages[stage].foreign) return false;
  for (int i = 0; i < player->nsource; i++)
    if (player->order[i]->stage == stage) player->order[i]->ending = true;
  /* Its place in the order goes once its sources, which are bridged, are gone (brio_stages_sweep). */
  player->stages[stage].foreign = false;
  player->stages[stage].doc = NULL;
  return true;
}

/* Close the gaps in the order behind stages that are not used any more. */
void brio_stages_sweep(brio_player *player) {
  /* From the top down, so that a removal shifts only what was visited. */
  for (int place = player->nstage - 1; place >= 0; place--) {
    brio_stage *stage = &player->stages[player->stage_order[place]];
    /* A removed stage has no doc; it stays as long as it has sources. */
    bool used = stage->doc != NULL;
    for (int i = 0; i < player->nsource && !used; i++) used = player->order[i]->stage == stage->number;
    if (used) continue;
    stage->name[0] = 0;
    player->nstage--;
    memmove(player->stage_order + place, player->stage_order + place + 1,
            (size_t)(player->nstage - place) * sizeof *player->stage_order);
  }
}

/* Linear: a robot has a few eyelids. */
bool brio_player_is_eyelid(const brio_player *player, int dof) {
  for (int i = 0; i < player->neyelid; i++)
    if (player->eyelids[i].lid == dof) return true;
  return false;
}

/* Errors: limit, misuse; the eyelids are then as they were. */
bool brio_player_set_eyelids(brio_player *player, const brio_eyelid *eyelids, int count, brio_error *err) {
  if (count < 0 || count > BRIO_MOST_EYELIDS)
    return brio_fail(err, BRIO_LIMIT, "there may be up to %d eyelids, not %d", BRIO_MOST_EYELIDS, count);
  for (int i = 0; i < count; i++) {
    const brio_eyelid *lid = &eyelids[i];
    /* Open and closed must differ: openness is a share of the way between them. */
    bool there = lid->lid >= 0 && lid->lid < player->ndof && lid->eye >= 0 && lid->eye < player->ndof;
    if (!there || !isfinite(lid->gain) || !(fabs(lid->open - lid->closed) > 1e-9))
      return brio_fail(err, BRIO_MISUSE,
                       "eyelid %d: its DOFs must be there, and open must differ from closed", i + 1);
  }
  for (int i = 0; i < count; i++) player->eyelids[i] = eyelids[i];
  player->neyelid = count;
  return true;
}

/* What the stages so far have made of a DOF in this tick; NaN: there is no such DOF. */
double brio_player_value(const brio_player *player, int dof) {
  return dof >= 0 && dof < player->ndof ? player->now.value[dof] : NAN;
}

/* Silence a source of a stage that yields on the DOFs that others have claimed. */
static void yield(brio_player *player, brio_source *source) {
  brio_take *take = &source->now;
  int kept = 0;
  /* Terms and slopes stand in the order of the voices that are on: close the gaps. */
  for (int i = 0, term = 0; i < take->count; i++) {
    brio_voice *voice = &take->voices[i];
    if (!voice->on) continue;
    voice->on = !player->now.claimed[voice->dof];
    if (voice->on) take->slopes[kept] = take->slopes[term], take->terms[kept++] = take->terms[term];
    else voice->said = "taken by others";
    term++;
  }
  assert(kept <= take->nterm);
  take->nterm = kept;
  /* What went silent may be a change since the last tick. */
  source->edges = false;
  for (int i = 0; i < take->count; i++)
    source->edges = source->edges || take->voices[i].on != take->voices[i].was;
}

/* Put a source over what is below: the inner loop of a tick. */
static void put_source(brio_player *player, const brio_source *source) {
  const brio_term *terms = source->now.terms;
  double *value = player->now.value;
  for (int i = 0; i < source->now.nterm; i++) {
    double *at = &value[terms[i].dof];
    *at = terms[i].a + terms[i].b * *at;
  }
}

/* The same, and measure how far it moves DOFs, relative to their range. Meters are read less often than
** DOFs move. */
static void put_and_meter(brio_player *player, brio_source *source) {
  const brio_term *terms = source->now.terms;
  double *value = player->now.value, level = source->level;
  for (int i = 0; i < source->now.nterm; i++) {
    int d = terms[i].dof;
    double before = value[d];
    value[d] = terms[i].a + terms[i].b * before;
    double way = fabs(value[d] - before) * player->range[d];
    if (way > level) level = way;
  }
  source->level = level;
}

/* Combine one source; `number` spreads the metering over ticks. */
static void combine_source(brio_player *player, brio_source *source, int number) {
  const brio_stage *stage = &player->stages[source->stage];
  /* A script's stage has received its values only now. */
  if (stage->foreign) brio_source_sample(player, source);
  if (stage->mixes) return;
  if (stage->yields) yield(player, source);
  if ((player->ticks + (uint64_t)number) % BRIO_METER_EVERY == 0) put_and_meter(player, source);
  else put_source(player, source);
  /* Claims are needed only while something yields. */
  for (int i = 0; player->yielding && stage->claims && i < source->now.nterm; i++)
    player->now.claimed[source->now.terms[i].dof] = true;
}

/* Put a sample with gain g over a DOF, with its rate: (1 + g (b - 1)) u + g a. */
static void put(const brio_sample *s, double g, double *value, double *rate) {
  double u = *value, v = *rate, b = 1 + g * (s->b - 1);
  *value = g * s->a + b * u;
  *rate = g * s->va + g * s->vb * u + b * v;
}

/* Put a source as it was in the last tick, continued to this one. */
static void put_old(brio_pass *pass, const brio_source *source) {
  /* After a change `old` has the voices of the last tick; else `now` has them still. */
  const brio_take *take = source->changed ? &source->old : &source->now;
  for (int i = 0; i < take->count; i++) {
    const brio_voice *voice = &take->voices[i];
    if (!voice->was) continue;
    double g = take->gain * take->amplitude * source->share[voice->dof];
    brio_sample sample = voice->sample;
    /* A voice that changed or ended has no sample of this tick: its track is sampled further. */
    if (source->changed || !voice->on) brio_take_trail(take, voice, &sample);
    put(&sample, g, &pass->value[voice->dof], &pass->rate[voice->dof]);
  }
}

/* Put a source as it is now, with rates. Rates first, as they depend on the value below. */
static void put_now(brio_pass *pass, const brio_source *source) {
  /* Gain, amplitude and share are in the terms already. */
  const brio_term *terms = source->now.terms;
  const brio_term_rate *slopes = source->now.slopes;
  for (int i = 0; i < source->now.nterm; i++) {
    double *value = &pass->value[terms[i].dof], *rate = &pass->rate[terms[i].dof];
    *rate = slopes[i].va + slopes[i].vb * *value + terms[i].b * *rate;
    *value = terms[i].a + terms[i].b * *value;
  }
}

/* The same in two passes at once, which share the terms. */
static void put_same(brio_pass *one, brio_pass *other, const brio_source *source) {
  const brio_term *terms = source->now.terms;
  const brio_term_rate *slopes = source->now.slopes;
  for (int i = 0; i < source->now.nterm; i++) {
    int d = terms[i].dof;
    double a = terms[i].a, b = terms[i].b, va = slopes[i].va, vb = slopes[i].vb;
    one->rate[d] = va + vb * one->value[d] + b * one->rate[d];
    other->rate[d] = va + vb * other->value[d] + b * other->rate[d];
    one->value[d] = a + b * one->value[d];
    other->value[d] = a + b * other->value[d];
  }
}

/* The effect of a source on a difference: only its linear part, b and vb. */
static void put_apart(brio_pass *apart, const brio_source *source) {
  const brio_term *terms = source->now.terms;
  const brio_term_rate *slopes = source->now.slopes;
  for (int i = 0; i < source->now.nterm; i++) {
    double *value = &apart->value[terms[i].dof], *rate = &apart->rate[terms[i].dof];
    *rate = slopes[i].vb * *value + terms[i].b * *rate;
    *value *= terms[i].b;
  }
}

/* Nothing was changed at a jump, and no voice came or went. */
bool brio_source_is_same(const brio_source *source) { return !source->changed && !source->edges; }

/* Copy values and rates of all DOFs. */
static void copy_pass(const brio_player *player, const double *value, const double *rate, brio_pass *to) {
  memcpy(to->value, value, (size_t)player->ndof * sizeof *value);
  memcpy(to->rate, rate, (size_t)player->ndof * sizeof *rate);
}

/* Return the place from which on everything is linear: after the last source that changed, and
** behind all stages that are no sources. */
static int find_linear(const brio_player *player) {
  /* After the last source that does something else than in the last tick. */
  int after = 0;
  for (int i = 0; i < player->nsource; i++) {
    const brio_source *source = player->order[i];
    if (!brio_source_is_same(source)) after = i + 1;
  }
  /* And after the last stage that has a function: it need not be linear. */
  for (int place = 0, next = 0; place < player->nstage; place++) {
    const brio_stage *stage = &player->stages[player->stage_order[place]];
    if (stage->apply && next > after) after = next;
    while (next < player->nsource && player->order[next]->stage == stage->number) next++;
  }
  return after;
}

/* Combine one source in a tick with jumps; both passes are equal until the first source that changed. */
static void combine_jump(brio_player *player, const brio_source *source, bool *apart) {
  brio_pass *full = &player->full, *old = &player->old;
  bool same = brio_source_is_same(source);
  /* The passes part at the first source that is not the same. */
  if (!same && !*apart) copy_pass(player, full->value, full->rate, old), *apart = true;
  if (!same) put_old(old, source);
  if (same && *apart) put_same(full, old, source);
  else put_now(full, source);
}

/* Replace the old pass by its difference from the new one. */
static void subtract(brio_player *player, bool apart) {
  brio_pass *full = &player->full, *old = &player->old;
  for (int d = 0; d < player->ndof; d++) {
    old->value[d] = apart ? old->value[d] - full->value[d] : 0;
    old->rate[d] = apart ? old->rate[d] - full->rate[d] : 0;
  }
}

/* Two passes, but only as far as they differ: before the first change they are equal, behind the
** last one their difference is carried on instead of a second value. */
void brio_player_combine_jump(brio_player *player, bool linear) {
  brio_pass *full = &player->full, *old = &player->old;
  bool apart = false, differs = false;
  int next = 0, from = linear ? find_linear(player) : player->nsource + 1;
  /* Both start from what is below. */
  copy_pass(player, player->below, player->below_rate, full);
  for (int place = 0; place < player->nstage; place++) {
    const brio_stage *stage = &player->stages[player->stage_order[place]];
    if (stage->apply) stage->apply(player, full->value, full->rate);
    if (stage->apply && apart) stage->apply(player, old->value, old->rate);
    for (; next < player->nsource && player->order[next]->stage == stage->number; next++) {
      if (stage->mixes) continue;
      /* From here on only the difference is carried. */
      if (next >= from && !differs) subtract(player, apart), differs = true;
      if (differs) put_apart(old, player->order[next]);
      else combine_jump(player, player->order[next], &apart);
    }
  }
  /* Nothing came behind the last change: the difference is that of the ends. */
  if (linear && !differs) subtract(player, apart);
  if (!linear && !apart) copy_pass(player, full->value, full->rate, old);
}

/* As brio_player_combine, but the value before and after each voice is stored. */
void brio_player_combine_story(brio_player *player) {
  double *value = player->full.value, *rate = player->full.rate;
  int next = 0;
  copy_pass(player, player->below, player->below_rate, &player->full);
  for (int place = 0; place < player->nstage; place++) {
    const brio_stage *stage = &player->stages[player->stage_order[place]];
    if (stage->apply) stage->apply(player, value, rate);
    for (; next < player->nsource && player->order[next]->stage == stage->number; next++) {
      brio_source *source = player->order[next];
      for (int i = 0; i < source->now.count; i++) {
        brio_voice *voice = &source->now.voices[i];
        /* In the mixer's stage gain and share are weights of a mean, and no part of the effect. */
        double g = source->now.amplitude * (stage->mixes ? 1 : source->now.gain * source->share[voice->dof]),
               v = 0;
        if (!voice->on) continue;
        voice->before = voice->after = value[voice->dof];
        put(&voice->sample, g, &voice->after, &v);
        if (!stage->mixes) value[voice->dof] = voice->after;
      }
    }
  }
}

/* Returns at each script's stage, and continues behind it at the next call. */
int brio_player_combine(brio_player *player) {
  assert(player->stage_place <= player->nstage);
  while (player->stage_place < player->nstage) {
    const brio_stage *stage = &player->stages[player->stage_order[player->stage_place]];
    /* Return once at a script's stage: the script sets its values now. */
    if (stage->foreign && player->stage_place != player->stage_paused) {
      player->stage_paused = player->stage_place;
      return stage->number;
    }
    if (stage->apply) stage->apply(player, player->now.value, player->now.rate);
    int *next = &player->source_place;
    for (; *next < player->nsource && player->order[*next]->stage == stage->number; ++*next)
      combine_source(player, player->order[*next], *next);
    player->stage_place++;
  }
  return -1;
}
