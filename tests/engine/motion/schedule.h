/* Random schedules: sequences of smooth curves with any keys, and any action on what
** plays, between two ticks. */
#ifndef BRIO_TESTS_MOTION_SCHEDULE_H
#define BRIO_TESTS_MOTION_SCHEDULE_H

#include "base/random.h"
#include "motion/combine.h"
#include "motion/mixer.h"
#include "tests/check.h"

enum { NDOF = 6, TREE = 3 };

static inline brio_keyframe key(double time, double value, const char *kind, const char *curve) {
  return (brio_keyframe){.time = time,
                         .value = value,
                         .most = value,
                         .into = {NAN, NAN},
                         .out = {NAN, NAN},
                         .kind = (uint8_t)brio_keyframe_kind_find(kind),
                         .curve = (uint8_t)brio_curve_find(curve)};
}

static inline brio_play plainly(double priority) {
  return (brio_play){.name = "x",
                     .stage = 2,
                     .priority = priority,
                     .speed = 1,
                     .amplitude = 1,
                     .gain = 1,
                     .fade = {0.25, 0.25}};
}

/* An action between two ticks. */
static inline void do_something(brio_player *player, brio_random *stream, brio_sequence **sequences,
                                int count, int *sources) {
  int which = (int)brio_random_below(stream, 12), slot = (int)brio_random_below(stream, 8);
  const brio_sequence *sequence = sequences[brio_random_below(stream, (uint64_t)count)];
  brio_play how = plainly(floor(brio_random_uniform(stream, -2, 3)));
  how.stage = (int)brio_random_below(stream, 6);
  how.amplitude = brio_random_uniform(stream, 0, 1.2), how.speed = brio_random_uniform(stream, 0.2, 2);
  how.fade[0] = brio_random_uniform(stream, 0, 0.5), how.fade[1] = brio_random_uniform(stream, 0, 0.5);
  how.mirror = which == 1, how.hold = which == 2;
  brio_mixer mixer = {.gain = brio_random_uniform(stream, 0, 2), .literal = which == 3, .mute = slot == 0};
  switch (which) {
    case 0: case 1: case 2:
      if (!brio_player_look(player, sources[slot], &(brio_player_source){0}))
        sources[slot] = brio_player_play(player, sequence, &how, NULL);
      break;
    case 3: brio_player_set_mixer(player, &mixer, brio_random_uniform(stream, 0, 0.5), NULL); break;
    case 4: brio_player_stop(player, sources[slot], brio_random_uniform(stream, -0.2, 0.5)); break;
    case 5: brio_player_exchange(player, sources[slot], sequence); break;
    case 6:
      brio_player_set(player, sources[slot], BRIO_PLAYER_GAIN, brio_random_uniform(stream, 0, 2), NULL);
      break;
    case 7: brio_player_set(player, sources[slot], BRIO_PLAYER_MUTE, slot & 1, NULL); break;
    case 8:
      brio_player_set(player, sources[slot], BRIO_PLAYER_TIME, brio_random_uniform(stream, 0, 1), NULL);
      break;
    case 9: brio_player_mask(player, sources[slot], slot % NDOF, slot & 1); break;
    case 10: brio_player_release(player, sources[slot]); break;
    default: brio_player_set(player, sources[slot], BRIO_PLAYER_MIRROR, slot & 1, NULL); break;
  }
}

/* A sequence of smooth curves with any keys at all. */
static inline brio_sequence *some_sequence(brio_random *stream) {
  static const char *const curves[] = {"cubic", "catmull_rom", "minimum_jerk", "ease_in_out"};
  static const char *const kinds[] = {"normal", "input", "superposition", "random"};
  brio_keyframe keys[4 * 5];
  brio_track tracks[4];
  int ntrack = 1 + (int)brio_random_below(stream, 4), nkey = 0;
  for (int i = 0; i < ntrack; i++) {
    int count = 2 + (int)brio_random_below(stream, 4);
    double time = brio_random_uniform(stream, 0, 0.5);
    tracks[i] = (brio_track){.dof = i, .count = count, .follow = NAN};
    const char *curve = curves[brio_random_below(stream, 4)];
    for (int k = 0; k < count; k++) {
      keys[nkey] = key(time, brio_random_uniform(stream, -0.5, 0.5), kinds[brio_random_below(stream, 4)],
                       curve);
      keys[nkey].most = keys[nkey].value + 0.3;
      nkey++;
      time += brio_random_uniform(stream, 0.5, 1.5);
    }
  }
  double from = brio_random_uniform(stream, 0, 1);
  bool loops = brio_random_below(stream, 2);
  brio_sequence_setup setup = {.tracks = tracks, .ntrack = ntrack, .keys = keys, .nkey = nkey,
                               .loop = {from, loops ? from + brio_random_uniform(stream, 0.3, 1) : from},
                               .times = (int)brio_random_below(stream, 4)};
  brio_error err;
  brio_sequence *made = brio_sequence_new(&setup, NDOF, &err);
  CHECK(made != NULL, "%s", err.message);
  return made;
}

#endif
