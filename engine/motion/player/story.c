/* The explanation of the value of a DOF: the state that the last tick left, in the order of its
** computation. */
#include "motion/player/player_internal.h"

int brio_player_why_of(brio_player *player, int dof, brio_player_why *out, int most) {
  /* Combine once more, noting each voice's effect; nothing else of the player changes. */
  int count = 0;
  brio_player_combine_story(player);
  for (int i = 0; i < player->nsource; i++) {
    const brio_source *source = player->order[i];
    /* From the bottom to the top, as sources are ordered. */
    for (int k = 0; k < source->now.count && count < most; k++) {
      const brio_voice *voice = &source->now.voices[k];
      if (voice->dof != dof) continue;
      out[count++] = (brio_player_why){source->id,      voice->said ? voice->said : "on",
                                       voice->before,   voice->after,
                                       voice->sample.a, voice->sample.b,
                                       voice->follow};
    }
  }
  return count;
}

/* O(1): the last tick left all of it. */
brio_player_story brio_player_story_of(const brio_player *player, int dof) {
  if (dof < 0 || dof >= player->ndof) return (brio_player_story){0};
  double offset, speed;
  /* What remains of a bridge, and the lag of the filter, explain the rest of the value. */
  brio_fade_at(&player->fades[dof], &offset, &speed);
  double mixed = player->now.mixed[dof], value = player->value[dof];
  return (brio_player_story){.below = player->below[dof], .combined = player->now.value[dof], .mixed = mixed,
                             .bridge = offset, .filter = player->lingers[dof] ? value - (mixed + offset) : 0,
                             .value = value, .rate = player->rate[dof], .follow = player->wants[dof],
                             .owner = player->owner[dof]};
}
