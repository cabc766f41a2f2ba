/* The mixer: the combination's result is one input, each source of the stage that mixes another.  On each DOF
** with active inputs i, gains g and values x,
**   normalized  sum g x / sum g
**   literal     (1 / count) sum g x, as in Saldien et al., IJARS 2014: with unequal gains it pulls towards 0
** and where none is active the last value stays.  A source that is combined has gain, mute and solo as well:
** there they set how much it overrides the values below. */
#ifndef BRIO_MOTION_MIXER_H
#define BRIO_MOTION_MIXER_H

#include "motion/player/player.h"

typedef struct brio_mixer {
  bool literal;
  double gain;             /* of the combination's channel, from 0 to 4 */
  bool mute;
  bool solo;
} brio_mixer;

/* Read the settings, and change them: jumps are bridged in `fade` s.  Errors: misuse. */
brio_mixer brio_player_mixer(const brio_player *player);
bool brio_player_set_mixer(brio_player *player, const brio_mixer *mixer, double fade, brio_error *err);

#endif
