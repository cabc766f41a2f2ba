/* The inside of a player, for the motion room's own files:
**   player.c      making, freeing; a tick from outside
**   source.c      sources come, change and go
**   take.c        one way in which a source is played: time goes on, tracks are sampled
**   ../combine.c  the stages, and what sources make of what is below
**   ../mixer.c    the mixer
**   ../filter.c   filters on what comes out of it
**   news.c        what happened
**   story.c       why a DOF is where it is
**
** A source has two takes: what it is now, and, in a tick in which it was changed at a jump, what it was
** before.  What is on now and what was on in the last tick tells where bridges are due. */
#ifndef BRIO_MOTION_PLAYER_PLAYER_INTERNAL_H
#define BRIO_MOTION_PLAYER_PLAYER_INTERNAL_H

#include "base/arena.h"
#include "math/lowpass.h"
#include "motion/combine.h"
#include "motion/fade.h"
#include "motion/mixer.h"
#include "motion/player/player.h"

/* One track of a take. */
typedef struct brio_voice {
  int dof, track, cursor;
  brio_sample sample;
  double sign;             /* of a: mirrored */
  double follow, alive;
  double before, after;    /* the DOF's value below it and with it */
  bool on, was;            /* now; in the last tick */
  const char *said;        /* why it is not on */
  /* of live ones */
  double aim, speed;
  bool held, over;
} brio_voice;

/* A voice that is on, as the tick needs it: it makes  a + b u  of what is below, gain and amplitude in it. */
typedef struct brio_term {
  double a, b;
  int dof;
} brio_term;

/* And how that changes: va + vb u, beside b times the rate of what is below. */
typedef struct brio_term_rate {
  double va, vb;
} brio_term_rate;

typedef struct brio_take {
  const brio_sequence *sequence; /* NULL: live */
  double time, speed, amplitude, gain, alive;
  uint64_t seed;
  int passes;
  bool mirror, staying;    /* staying: at its end, held */
  int count;
  brio_voice *voices;      /* ndof places */
  brio_term *terms;        /* nterm, room for ndof: voices that are on */
  brio_term_rate *slopes;      /* nterm: of the terms */
  int nterm;
} brio_take;

typedef struct brio_source {
  int id;                  /* 0: a free place */
  char name[64];
  int stage;
  double priority, fade[2], tau, follow;
  uint64_t serial;
  bool live, mute, solo, hold, released, fresh, ending;
  bool *masked;            /* ndof */
  double *share;           /* ndof: how much of it counts */
  double level;
  bool changed, hard;      /* in this tick; hard: rates are bridged too */
  bool edges;              /* some voice is on that was not, or the other way round */
  double change_fade;
  brio_take now, old;
} brio_source;

/* One pass over all sources: what DOFs are and how fast. */
typedef struct brio_pass {
  double *value, *rate;    /* ndof: combined */
  double *mixed, *mixed_rate; /* ndof */
  bool *claimed;           /* ndof */
} brio_pass;

typedef struct brio_mark {
  double fade;             /* s; below 0: nothing changed */
  bool hard;
} brio_mark;

/* The filter of a DOF. */
typedef struct brio_filter {
  int dof;
  brio_lowpass chain;
  bool on;                 /* what it makes is handed out */
  double left;             /* s: until it is not, when nothing is asked of the DOF */
  double raw, slow, out;   /* in the last tick: its input, what it made of it, what was handed out */
  brio_fade fade;          /* its lag, as it comes and goes */
} brio_filter;

enum { BRIO_PLAYER_NEWS = 16384, BRIO_METER_EVERY = 8 /* ticks: a source's meter is looked at */ };

struct brio_player {
  int ndof, tree, room;    /* room: places for sources */
  uint64_t seed, serial, plays; /* plays: sequences so far */
  double follow;
  brio_arena arena;
  brio_player_dof *dofs;
  brio_source *sources;    /* room */
  brio_source **order;     /* nsource: from the bottom to the top */
  int nsource;
  brio_stage stages[BRIO_MOST_STAGES];
  int stage_order[BRIO_MOST_STAGES], nstage;
  int stage_place, stage_paused; /* of the combination that is under way */
  int source_place;
  brio_eyelid eyelids[BRIO_MOST_EYELIDS];
  int neyelid;
  brio_mixer mixer, mixer_before;
  bool mixer_changed;
  double mixer_fade;
  brio_pass now, old, full; /* full: what is now, with rates, in ticks with jumps */
  /* of the combination's channel; any solo; any among combined sources */
  bool now_audible, was_audible, solo, solo_below;
  double *gains;           /* ndof: scratch of the mixer */
  int *counts;             /* ndof: scratch of the mixer */
  double *below, *below_rate; /* ndof */
  double *range;           /* ndof: 1 / half the DOF's range, for meters */
  bool begun, given, yielding;    /* yielding: some source of a stage that yields is there */
  uint64_t ticks;
  brio_mark *marks;        /* ndof */
  bool marked, restless;   /* restless: who owns what, and bridges, may change in this tick */
  brio_fade *fades;        /* ndof */
  brio_filter *filters;    /* nfilter */
  int nfilter;
  bool *lingers;           /* ndof: its filter hands out something else than what comes in */
  bool lingering;          /* some filter does, or did a tick ago, though nothing else is asked of its DOF */
  double *value, *rate, *wants, *alive; /* ndof: results; wants: how hard to follow */
  double *last;            /* ndof: mixed, in the last tick */
  int *owner;              /* ndof */
  bool needs, anew, paused;
  double dt;
  brio_player_event news[BRIO_PLAYER_NEWS];
  int first_news, nnews;
  int64_t dropped;
};

/* source.c */
brio_source *brio_source_find(const brio_player *player, int id);
/* Give back the places of those that are over. */
void brio_sources_sweep(brio_player *player);

/* news.c */
/* Put something on the list of what happened. */
void brio_player_tell(brio_player *player, brio_player_news what, const brio_source *source, int index);

/* take.c */
/* Note that the source is about to change at a jump, and keep what it was. */
void brio_source_change(brio_player *player, brio_source *source, double fade, bool hard);
/* List the voices of a take's sequence. */
void brio_take_list(const brio_player *player, brio_take *take);
/* Let time go on for a source: cues, loops, its end. */
void brio_source_advance(brio_player *player, brio_source *source, double dt);
/* Sample the voices of a source as it is now: those that could be on. */
void brio_source_sample(brio_player *player, brio_source *source);
/* Sample a voice of a take that was on in the last tick, where it has come to since. */
void brio_take_trail(const brio_take *take, const brio_voice *voice, brio_sample *out);

/* combine.c */
void brio_player_start_stages(brio_player *player);
bool brio_source_is_above(const brio_player *player, const brio_source *a, const brio_source *b);
/* Combine all sources again with their rates, in a tick with jumps: as they are now into player->full, and
** as they were in the last tick, where they have come to since, into player->old.  `linear`: there how far
** these two are apart, for which each source is looked at once, and nothing of use in player->full. */
void brio_player_combine_jump(brio_player *player, bool linear);
/* Whether a source does what it did. */
bool brio_source_is_same(const brio_source *source);
/* Combine all sources once more as they are now, and note with each voice what it makes of what. */
void brio_player_combine_story(brio_player *player);
/* Take stages out of the order that were removed and have no sources any more. */
void brio_stages_sweep(brio_player *player);
/* The place of a stage in the order. */
int brio_stage_place(const brio_player *player, int stage);

/* mixer.c */
void brio_player_mix(brio_player *player, brio_pass *pass, bool old);
/* Whether the mixer does in this tick what it did in the last; and then, mix how far apart two passes are (in
** place of the values of `apart`), with the sums of the mix of player->now. */
bool brio_player_mixes_same(const brio_player *player);
void brio_player_mix_apart(brio_player *player, brio_pass *apart);
/* Whether what is mixed is something else than what is combined, on all DOFs. */
bool brio_player_mixes_all(const brio_player *player);

/* filter.c */
/* Take the filters that are asked for, all at rest.  Errors: misuse, no_memory. */
bool brio_filters_start(brio_player *player, const brio_player_filter *said, int count, brio_error *err);
/* Filter values and rates that are about to be handed out. */
void brio_filters_work(brio_player *player);

#endif
