/* The player: what all sources make of the robot's DOFs together, every tick.
**
** A source puts values on tracks: a sequence that is played, or somebody who says values live (a slider, a
** performer, a stage written in Lua).  Sources are combined stage by stage (combine.h), each over what is
** below, then mixed (mixer.h).  Any DOF works alike, an ear as a joint; what the player makes of it leaves as
** a value, a rate and how hard it is to be followed.
**
** A tick:
**   brio_player_advance    time goes on: what is played moves on, ends, begins again
**   brio_player_needs      whether it matters where joints would be without the player
**   brio_player_begin      what is below all sources
**   brio_player_combine    stage by stage; returns where a stage of somebody else is due
**   brio_player_finish     the mixer, bridges over jumps, and the results
** None of these allocates; all memory is taken by brio_player_new.  What changes at a jump (start, stop,
** exchange, gain, mute, loop...) is bridged by fades (fade.h): in that tick, sources are combined a second
** time as they were before, and the difference goes to 0. */
#ifndef BRIO_MOTION_PLAYER_PLAYER_H
#define BRIO_MOTION_PLAYER_PLAYER_H

#include "base/error.h"
#include "motion/sequence.h"

typedef struct brio_player brio_player;

typedef struct brio_player_dof {
  double lower, upper, rest;      /* rad, m or 1 */
  double velocity, acceleration;  /* INFINITY: no limit */
  int mirror;                     /* the DOF on the robot's other side; itself, in the middle */
  double sign;                    /* 1 or -1: of its value there */
} brio_player_dof;

/* A filter on what is made of a DOF: a cascade of low-pass filters (math/lowpass.h). */
typedef struct brio_player_filter {
  int dof, stages;                /* 0 stages: none */
  double tau;                     /* s, of each stage */
} brio_player_filter;

typedef struct brio_player_options {
  const brio_player_dof *dofs;    /* ndof, copied; the first `tree` are joints that a solver moves */
  int ndof, tree;
  int sources;                    /* at most at once; 0: 128 */
  uint64_t seed;
  double follow;                  /* the weight of tracks that say none; 0: 500 */
  const brio_player_filter *filters; /* nfilter, copied */
  int nfilter;
} brio_player_options;

/* Make a player: nothing is played.  Errors: misuse, no_memory. */
brio_player *brio_player_new(const brio_player_options *options, brio_error *err);
void brio_player_free(brio_player *player);

/* How many DOFs it is for. */
int brio_player_dofs(const brio_player *player);

/* Sources ---------------------------------------------------------------------------------------- */

/* How a sequence is to be played. */
typedef struct brio_play {
  const char *name;       /* copied, up to 63 bytes */
  int stage;              /* see combine.h */
  double priority;        /* within its stage, the higher is on top; of equals, the later */
  double speed;           /* of its time: 1 as it was made */
  double amplitude;       /* how much of what it does to the DOFs: 1 all of it */
  double gain;            /* of its channel of the mixer */
  double fade[2];         /* s: of bridges where it comes, and where it goes */
  double start;           /* s of its own time */
  double follow;          /* how hard live values are followed; 0: as the player has it */
  /* how much of what lends life to joints stays on top, 0 to 1, where tracks do not say more */
  double alive;
  bool mirror;            /* left for right */
  bool hold;              /* at its end its last values stay, until it is stopped */
} brio_play;

/* Play a sequence, which must stay until it has ended (brio_player_look) and for one tick after.  Return its
** source, above 0, or 0 and a sentence (misuse: numbers out of range; limit: too many sources). */
int brio_player_play(brio_player *player, const brio_sequence *sequence, const brio_play *play,
                     brio_error *err);

/* Make a source of live values, smoothed with the time constant `tau` (s; 0: not).  Return it, or 0. */
int brio_player_live(brio_player *player, const brio_play *play, double tau, brio_error *err);

/* Say a value (with `over`: added to what is below), or let go of a DOF.  Errors: misuse. */
bool brio_player_say(brio_player *player, int source, int dof, double value, bool over, brio_error *err);
bool brio_player_let_go(brio_player *player, int source, int dof, brio_error *err);

/* End a source: it is bridged in `fade` s (below 0: its own).  False when there is no such source any
** more. */
bool brio_player_stop(brio_player *player, int source, double fade);

/* Let a sequence that loops or holds go on to its end. */
bool brio_player_release(brio_player *player, int source);

/* Go on with another version of its sequence, at the same time of it. */
bool brio_player_exchange(brio_player *player, int source, const brio_sequence *sequence);

/* What may be changed while it plays. */
typedef enum brio_player_field {
  BRIO_PLAYER_SPEED,
  BRIO_PLAYER_AMPLITUDE,
  BRIO_PLAYER_GAIN,
  BRIO_PLAYER_MIRROR,
  BRIO_PLAYER_TIME,
  BRIO_PLAYER_MUTE,
  BRIO_PLAYER_SOLO,
  BRIO_PLAYER_NFIELD
} brio_player_field;

/* Set a field (flags: 0 or 1).  Errors: misuse (out of range, no such source). */
bool brio_player_set(brio_player *player, int source, brio_player_field field, double value, brio_error *err);

/* Keep a source off a DOF, or let it. */
bool brio_player_mask(brio_player *player, int source, int dof, bool off);

/* How much of a source counts on a DOF, from 0 to 1, beside its gain: 1 at first.  It is not bridged: who
** lets it leap while the source is on lets the DOF leap.  False when there is no such source or DOF. */
bool brio_player_share(brio_player *player, int source, int dof, double share);

/* What is known of a source. */
typedef struct brio_player_source {
  const char *name;
  int stage;
  double priority, time, speed, amplitude, gain, level;
  bool live, mirror, mute, solo, holds, looping;
  int passes;             /* of its loop */
  const brio_sequence *sequence;
} brio_player_source;
bool brio_player_look(const brio_player *player, int source, brio_player_source *out);

/* Walk the sources from the bottom to the top: the next after `source` (0: the first), or 0. */
int brio_player_next(const brio_player *player, int source);

/* A tick ------------------------------------------------------------------------------------------ */

/* While it is paused, time does not go on. */
void brio_player_pause(brio_player *player, bool paused);
void brio_player_advance(brio_player *player, double dt);
bool brio_player_needs(const brio_player *player);

/* `below`: where each DOF is without the player (ndof), dt s after the last time, and how fast (NaN: as it
** went since the last tick).  `anew`: what went before does not count, as after a robot was put elsewhere:
** nothing is bridged. */
void brio_player_begin(brio_player *player, const double *below, const double *rate, double dt, bool anew);
int brio_player_combine(brio_player *player);
void brio_player_finish(brio_player *player);

/* What came of it, ndof each; they hold until the next tick. */
typedef struct brio_player_result {
  const double *value, *rate; /* where a DOF is to be at the end of the tick; how fast it goes there */
  const double *follow;       /* how hard: a weight; 0: the player wants nothing of it */
  const double *alive;        /* how much of what lends it life is to stay on top, 0 to 1 */
  const int *owner;           /* the source on top of it; 0: none */
} brio_player_result;
brio_player_result brio_player_result_of(const brio_player *player);

/* What happened, to be read after each tick. */
typedef enum brio_player_news {
  BRIO_PLAYER_CUE,        /* number `index` of the sequence was passed */
  BRIO_PLAYER_LOOPED,
  BRIO_PLAYER_ENDED,      /* the source has ended and is gone */
  BRIO_PLAYER_ON,         /* it has taken DOF `index` */
  BRIO_PLAYER_OFF,        /* it has let go of it */
} brio_player_news;
typedef struct brio_player_event {
  brio_player_news what;
  int source, index;
} brio_player_event;

/* Take the oldest event; false if there is none.  More than 16,384 unread ones are dropped, newest first,
** and counted. */
bool brio_player_poll(brio_player *player, brio_player_event *out);
int64_t brio_player_dropped(const brio_player *player);

/* Why a DOF is where it is: what each source made of it in the last tick, from the bottom to the top. */
typedef struct brio_player_why {
  int source;
  const char
      *said; /* "on", "muted", "not solo", "masked", "taken by others", "level 0", "not active", "ending" */
  double before, after;   /* the DOF's value below it, and with it */
  double a, b;            /* it made a + b * before of it, before gain and amplitude */
  double follow;
} brio_player_why;
int brio_player_why_of(brio_player *player, int dof, brio_player_why *out, int most);

/* The rest of the story of a DOF: what is below, what stages made of it, what the mixer did, what is left of
** bridges, by how much its filter is behind, and the result. */
typedef struct brio_player_story {
  double below, combined, mixed, bridge, filter, value, rate, follow;
  int owner;              /* the source on top of it; 0: none */
} brio_player_story;
brio_player_story brio_player_story_of(const brio_player *player, int dof);

#endif
