/* The inside of a player, for the motion room's own files:
**   player.c      creation, freeing; the functions of a tick
**   source.c      life and changes of sources
**   take.c        a clip instance of a source: time advances, tracks are sampled
**   ../combine.c  the stages, and the combination of sources
**   ../mixer.c    the mixer
**   ../filter.c   filters on its result
**   news.c        events
**   story.c       explanation of a DOF's value
**
** A source has two clip instances: the current one and, in a tick with a jump, the one before.  Bridges are
** due where voices of the current tick differ from those of the last. */
#ifndef BRIO_MOTION_PLAYER_PLAYER_INTERNAL_H
#define BRIO_MOTION_PLAYER_PLAYER_INTERNAL_H

#include "base/arena.h"
#include "math/lowpass.h"
#include "motion/combine.h"
#include "motion/fade.h"
#include "motion/mixer.h"
#include "motion/player/player.h"

/* One track of a clip instance. */
typedef struct brio_voice {
  int dof, track, cursor;
  brio_sample sample;
  double sign;             /* of a: mirrored */
  double follow, alive;
  double before, after;    /* the DOF's value below it and with it */
  bool on, was;            /* now; in the last tick */
  const char *said;        /* the reason why it is not on */
  /* of live ones */
  double aim, speed;
  bool held, over;
} brio_voice;

/* A voice that is on, for the tick: it computes a + b u from the value u below, with gain and amplitude. */
typedef struct brio_term {
  double a, b;
  int dof;
} brio_term;

/* Its rate: va + vb u, plus b times the rate of u. */
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
  int id;                  /* 0: a free slot */
  char name[64];
  int stage;
  double priority, fade[2], tau, follow;
  uint64_t serial;
  bool live, mute, solo, hold, released, fresh, ending;
  bool *masked;            /* ndof */
  double *share;           /* ndof: share per DOF */
  double level;
  bool changed, hard;      /* in this tick; hard: rates are bridged too */
  bool edges;              /* some voice was switched on or off */
  double change_fade;
  brio_take now, old;
} brio_source;

/* One pass over all sources: values and rates of DOFs. */
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
  bool on;                 /* its output is used */
  double left;             /* s: until it is not, when the DOF has no sources */
  double raw, slow, out;   /* in the last tick: its input, its output, the value used */
  brio_fade fade;          /* its lag, as it comes and goes */
} brio_filter;

enum { BRIO_PLAYER_NEWS = 16384, BRIO_METER_EVERY = 8 /* ticks between two updates of a source's meter */ };

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
  int stage_place, stage_paused; /* of the current combination */
  int source_place;
  brio_eyelid eyelids[BRIO_MOST_EYELIDS];
  int neyelid;
  brio_mixer mixer, mixer_before;
  bool mixer_changed;
  double mixer_fade;
  brio_pass now, old, full; /* full: the current state, with rates, in ticks with jumps */
  /* of the combination's channel; any solo; any among combined sources */
  bool now_audible, was_audible, solo, solo_below;
  double *gains;           /* ndof: scratch of the mixer */
  int *counts;             /* ndof: scratch of the mixer */
  double *below, *below_rate; /* ndof */
  double *range;           /* ndof: 1 / half the DOF's range, for meters */
  bool begun, given, yielding;    /* yielding: there is a source of a stage that yields */
  uint64_t ticks;
  brio_mark *marks;        /* ndof */
  bool marked, restless;   /* restless: owners and bridges may change in this tick */
  brio_fade *fades;        /* ndof */
  brio_filter *filters;    /* nfilter */
  int nfilter;
  bool *lingers;           /* ndof: the filter's output differs from its input */
  bool lingering;          /* some filter's does, or did a tick ago, though its DOF has no sources */
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
/* Free the slots of ended sources. */
void brio_sources_sweep(brio_player *player);

/* news.c */
/* Append an event. */
void brio_player_tell(brio_player *player, brio_player_news what, const brio_source *source, int index);

/* take.c */
/* A source is about to change at a jump: keep its state. */
void brio_source_change(brio_player *player, brio_source *source, double fade, bool hard);
/* List the voices of the sequence of a clip instance. */
void brio_take_list(const brio_player *player, brio_take *take);
/* Advance time for a source: cues, loops, its end. */
void brio_source_advance(brio_player *player, brio_source *source, double dt);
/* Sample the current voices of a source: those that could be on. */
void brio_source_sample(brio_player *player, brio_source *source);
/* Sample a voice of a clip instance that was on in the last tick, at the current time. */
void brio_take_trail(const brio_take *take, const brio_voice *voice, brio_sample *out);

/* combine.c */
void brio_player_start_stages(brio_player *player);
bool brio_source_is_above(const brio_player *player, const brio_source *a, const brio_source *b);
/* Combine all sources again with their rates, in a tick with jumps: the current ones into player->full, and
** those of the last tick, at the current time, into player->old.  `linear`: the difference of the two there,
** for which each source is sampled once; player->full is undefined then. */
void brio_player_combine_jump(brio_player *player, bool linear);
/* Whether a source is unchanged since the last tick. */
bool brio_source_is_same(const brio_source *source);
/* Combine all current sources once more, and store the contribution of each voice. */
void brio_player_combine_story(brio_player *player);
/* Remove stages from the order that were removed and have no sources any more. */
void brio_stages_sweep(brio_player *player);
/* The place of a stage in the order. */
int brio_stage_place(const brio_player *player, int stage);

/* mixer.c */
void brio_player_mix(brio_player *player, brio_pass *pass, bool old);
/* Whether the mixer is unchanged since the last tick; and then, mix the difference of two passes (in place of
** the values of `apart`), with the sums of the mix of player->now. */
bool brio_player_mixes_same(const brio_player *player);
void brio_player_mix_apart(brio_player *player, brio_pass *apart);
/* Whether the mixed result differs from the combined one, on all DOFs. */
bool brio_player_mixes_all(const brio_player *player);

/* filter.c */
/* Create the requested filters, all at rest.  Errors: misuse, no_memory. */
bool brio_filters_start(brio_player *player, const brio_player_filter *said, int count, brio_error *err);
/* Filter values and rates before output. */
void brio_filters_work(brio_player *player);

#endif
