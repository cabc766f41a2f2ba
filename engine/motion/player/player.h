/* The player: combines all sources into values of the robot's DOFs, every tick.
**
** A source puts values on tracks: a sequence, or live values (a slider, a performer, a stage written in Lua).
** Sources are combined stage by stage (combine.h), each over the result below, then mixed (mixer.h).  All
** DOFs are treated alike, an ear as a joint; the result is a value, a rate and a weight.
**
** A tick:
**   brio_player_advance    advance time: sequences move on, end, repeat
**   brio_player_needs      whether the joints' values without the player are needed
**   brio_player_begin      the values below all sources
**   brio_player_combine    stage by stage; returns at a script's stage
**   brio_player_finish     the mixer, bridges over jumps, and the results
** None of these allocates; all memory is allocated by brio_player_new.  A jump (start, stop,
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
  double sign;                    /* 1 or -1: factor of its value there */
} brio_player_dof;

/* A filter on the result of a DOF: a cascade of low-pass filters (math/lowpass.h). */
typedef struct brio_player_filter {
  int dof, stages;                /* 0 stages: none */
  double tau;                     /* s, of each stage */
} brio_player_filter;

typedef struct brio_player_options {
  const brio_player_dof *dofs;    /* ndof, copied; the first `tree` are joints that a solver moves */
  int ndof, tree;
  int sources;                    /* at most at once; 0: 128 */
  uint64_t seed;
  double follow;                  /* the default weight of tracks; 0: 500 */
  const brio_player_filter *filters; /* nfilter, copied */
  int nfilter;
} brio_player_options;

/* Create a player without sources.  Errors: misuse, no_memory. */
brio_player *brio_player_new(const brio_player_options *options, brio_error *err);
void brio_player_free(brio_player *player);

/* Return the number of DOFs. */
int brio_player_dofs(const brio_player *player);

/* Sources ---------------------------------------------------------------------------------------- */

/* Options of playing a sequence. */
typedef struct brio_play {
  const char *name;       /* copied, up to 63 bytes */
  int stage;              /* see combine.h */
  double priority;        /* within its stage, the higher is on top; of equals, the later */
  double speed;           /* tempo: 1 as authored */
  double amplitude;       /* 1: the full motion */
  double gain;            /* of its channel of the mixer */
  double fade[2];         /* s: length of the fades at its start, and at its end */
  double start;           /* s of its own time */
  double follow;          /* weight of live values; 0: the player's default */
  /* share of the liveliness that stays on top, 0 to 1, unless tracks set their own */
  double alive;
  bool mirror;            /* left for right */
  bool hold;              /* hold the last values at its end, until it is stopped */
} brio_play;

/* Play a sequence, which must exist until it has ended (brio_player_look) and for one tick after.  Return its
** source, above 0, or 0 and a sentence (misuse: numbers out of range; limit: too many sources). */
int brio_player_play(brio_player *player, const brio_sequence *sequence, const brio_play *play,
                     brio_error *err);

/* Create a source of live values, smoothed with the time constant `tau` (s; 0: none).  Return it, or 0. */
int brio_player_live(brio_player *player, const brio_play *play, double tau, brio_error *err);

/* Set a value (with `over`: added to the value below), or release a DOF.  Errors: misuse. */
bool brio_player_say(brio_player *player, int source, int dof, double value, bool over, brio_error *err);
bool brio_player_let_go(brio_player *player, int source, int dof, brio_error *err);

/* End a source: it is bridged in `fade` s (below 0: its own).  False if there is no such source. */
bool brio_player_stop(brio_player *player, int source, double fade);

/* Let a looping or holding sequence play to its end. */
bool brio_player_release(brio_player *player, int source);

/* Continue with another version of its sequence, at the same time in it. */
bool brio_player_exchange(brio_player *player, int source, const brio_sequence *sequence);

/* Fields that may be changed during playback. */
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

/* Mask a DOF for a source, or unmask it. */
bool brio_player_mask(brio_player *player, int source, int dof, bool off);

/* Set the share of a source on a DOF, from 0 to 1, in addition to its gain: initially 1.  It is not bridged:
** a jump of it while the source is on makes the DOF jump.  False when there is no such source or DOF. */
bool brio_player_share(brio_player *player, int source, int dof, double share);

/* State of a source. */
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

/* While it is paused, time stands still. */
void brio_player_pause(brio_player *player, bool paused);
void brio_player_advance(brio_player *player, double dt);
bool brio_player_needs(const brio_player *player);

/* `below`: the value of each DOF without the player (ndof), dt s after the last time, and its rate (NaN: the
** difference to the last tick).  `anew`: history is cleared, as after the robot was moved: nothing is
** bridged. */
void brio_player_begin(brio_player *player, const double *below, const double *rate, double dt, bool anew);
int brio_player_combine(brio_player *player);
void brio_player_finish(brio_player *player);

/* Results, ndof each; valid until the next tick. */
typedef struct brio_player_result {
  const double *value, *rate; /* value of a DOF at the end of the tick; its rate there */
  const double *follow;       /* weight; 0: no source moves it */
  const double *alive;        /* share of the liveliness that stays on top, 0 to 1 */
  const int *owner;           /* the source on top of it; 0: none */
} brio_player_result;
brio_player_result brio_player_result_of(const brio_player *player);

/* Events, to be read after each tick. */
typedef enum brio_player_news {
  BRIO_PLAYER_CUE,        /* cue `index` of the sequence was passed */
  BRIO_PLAYER_LOOPED,
  BRIO_PLAYER_ENDED,      /* the source has ended and is gone */
  BRIO_PLAYER_ON,         /* it acquired DOF `index` */
  BRIO_PLAYER_OFF,        /* it released it */
} brio_player_news;
typedef struct brio_player_event {
  brio_player_news what;
  int source, index;
} brio_player_event;

/* Get the oldest event; false if there is none.  More than 16,384 unread ones are dropped, newest first, and
** counted. */
bool brio_player_poll(brio_player *player, brio_player_event *out);
int64_t brio_player_dropped(const brio_player *player);

/* Explanation of a DOF's value: the contribution of each source in the last tick, from the bottom to the
** top. */
typedef struct brio_player_why {
  int source;
  const char *said;       /* "on", "muted", "not solo", "masked", "taken by others", "level 0",
                          ** "not active", "ending" */
  double before, after;   /* the DOF's value below it, and with it */
  double a, b;            /* it computed a + b * before, before gain and amplitude */
  double follow;
} brio_player_why;
int brio_player_why_of(brio_player *player, int dof, brio_player_why *out, int most);

/* The rest of the explanation of a DOF: the value below, after the stages, after the mixer, the remaining
** bridges, the lag of its filter, and the result. */
typedef struct brio_player_story {
  double below, combined, mixed, bridge, filter, value, rate, follow;
  int owner;              /* the source on top of it; 0: none */
} brio_player_story;
brio_player_story brio_player_story_of(const brio_player *player, int dof);

#endif
