/* The combination: stages in their order, each a set of sources that go over what is below, from the lowest
** priority to the highest (Saldien et al., "A Motion System for Social and Animated Robots", IJARS 2014).
**
** The order is a list that may be read and added to.  At first:
**   merge      what others say of the face, the gaze, a joystick: sources of live values
**   eyelids    lids go with the eyes
**   sequences  what is played
**   keys       what is played as long as somebody holds a key
**   random     blinks and the like: only on DOFs that neither sequences nor keys have
**   operator   what a person has taken of the robot, over all of these
**   mixer      sources that go around the combination, straight to the mixer (mixer.h) */
#ifndef BRIO_MOTION_COMBINE_H
#define BRIO_MOTION_COMBINE_H

#include "motion/player/player.h"

enum { BRIO_MOST_STAGES = 32 };

typedef struct brio_stage {
  int number;              /* by which sources know it */
  char name[32];
  const char *doc;         /* one sentence; of somebody else's: "" */
  bool claims;             /* DOFs of its sources are not for stages that yield */
  bool yields;
  bool mixes;              /* its sources go to the mixer */
  bool foreign;            /* brio_player_combine stops at it: somebody else says its source's values */
  void (*apply)(const brio_player *player, double *value, double *rate); /* NULL: nothing but its sources */
} brio_stage;

/* How many stages there are, and the one at `place` in their order, from 0. */
int brio_player_stage_count(const brio_player *player);
const brio_stage *brio_player_stage_at(const brio_player *player, int place);

/* Return the number of a stage by its name, or -1. */
int brio_player_stage_find(const brio_player *player, const char *name);

/* Add a stage of somebody else behind stage `after`; sources keep their stages.  Return its number, or -1 and
** a sentence (misuse: a name in use, behind the mixer; limit). */
int brio_player_add_stage(brio_player *player, const char *name, int after, brio_error *err);

/* Take one of these away with its sources. */
bool brio_player_remove_stage(brio_player *player, int stage);

/* Where a DOF is at this place of the combination: for stages of somebody else. */
double brio_player_value(const brio_player *player, int dof);

/* An eyelid that goes with an eye:  lid = closed + openness (open + gain tilt - closed)  with openness the
** lid's share of the way from closed to open, and tilt the eye's share, from -1 to 1, of its range from its
** rest. */
typedef struct brio_eyelid {
  int lid, eye;            /* DOFs */
  double closed, open, gain;
} brio_eyelid;
enum { BRIO_MOST_EYELIDS = 8 };
/* Whether a DOF is an eyelid that goes with an eye, whatever plays. */
bool brio_player_is_eyelid(const brio_player *player, int dof);

/* Take a robot's eyelids, `count` of them.  Errors: limit (too many), misuse (no such DOF, open as
** closed). */
bool brio_player_set_eyelids(brio_player *player, const brio_eyelid *eyelids, int count, brio_error *err);

#endif
