/* The combination: stages in their order, each a set of sources that go over what is below, from the lowest
** priority to the highest (Saldien et al., "A Motion System for Social and Animated Robots", IJARS 2014).
**
** The order is a list that may be read and extended.  Initially:
**   merge      sources of live values: face, gaze, joystick
**   eyelids    lids follow the eyes
**   sequences  sequences
**   keys       sequences that play while a key is held
**   random     blinks and the like: only on DOFs that neither sequences nor keys have
**   operator   the DOFs that a person controls, above all of these
**   mixer      sources that go around the combination, straight to the mixer (mixer.h) */
#ifndef BRIO_MOTION_COMBINE_H
#define BRIO_MOTION_COMBINE_H

#include "motion/player/player.h"

enum { BRIO_MOST_STAGES = 32 };

typedef struct brio_stage {
  int number;              /* its name for sources */
  char name[32];
  const char *doc;         /* one sentence; of a script's stage: "" */
  bool claims;             /* DOFs of its sources are not for stages that yield */
  bool yields;
  bool mixes;              /* its sources go to the mixer */
  bool foreign;            /* brio_player_combine returns at it: a script sets its source's values */
  void (*apply)(const brio_player *player, double *value, double *rate); /* NULL: only its sources */
} brio_stage;

/* Return the number of stages, and the one at `place` in their order, from 0. */
int brio_player_stage_count(const brio_player *player);
const brio_stage *brio_player_stage_at(const brio_player *player, int place);

/* Return the number of a stage by its name, or -1. */
int brio_player_stage_find(const brio_player *player, const char *name);

/* Add a script's stage after stage `after`; sources keep their stages.  Return its number, or -1 and an error
** (misuse: a name in use, after the mixer; limit). */
int brio_player_add_stage(brio_player *player, const char *name, int after, brio_error *err);

/* Remove a script's stage with its sources. */
bool brio_player_remove_stage(brio_player *player, int stage);

/* Return the value of a DOF at this place of the combination: for scripts' stages. */
double brio_player_value(const brio_player *player, int dof);

/* An eyelid that follows an eye:  lid = closed + openness (open + gain tilt - closed)  with openness the
** lid's share of the way from closed to open, and tilt the eye's share, from -1 to 1, of its range from its
** rest. */
typedef struct brio_eyelid {
  int lid, eye;            /* DOFs */
  double closed, open, gain;
} brio_eyelid;
enum { BRIO_MOST_EYELIDS = 8 };
/* Whether a DOF is an eyelid that follows an eye. */
bool brio_player_is_eyelid(const brio_player *player, int dof);

/* Set a robot's eyelids, `count` of them.  Errors: limit (too many), misuse (no such DOF, open as closed). */
bool brio_player_set_eyelids(brio_player *player, const brio_eyelid *eyelids, int count, brio_error *err);

#endif
