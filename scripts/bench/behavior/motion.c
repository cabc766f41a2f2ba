/* What 100 sources on 60 DOFs cost: combined and mixed; with all their tracks sampled, too; and finding a
** time among 100,000 keys.
**   motion
** Prints a line of JSON for each row, ns a call. */
#include "motion/combine.h"

#include <math.h>

#include "motion/mixer.h"
#include "scripts/bench/bench.h"

enum { DOFS = 60, SOURCES = 100, DIRECT = 20, KEYS = 8, LONG = 100000 };
#define DT 0.005

typedef struct bench {
  brio_player *player;
  brio_keyframe *keys; /* LONG */
  double below[DOFS], rate[DOFS];
  int middle;          /* a source that half of the others are above */
} bench;

/* Everything but sampling: what is below, the stages, the mixer, bridges, results. */
static double combine(void *context, int k) {
  bench *b = context;
  b->below[0] = 1e-3 * k;
  brio_player_begin(b->player, b->below, b->rate, DT, false);
  while (brio_player_combine(b->player) >= 0) continue;
  brio_player_finish(b->player);
  return brio_player_result_of(b->player).value[k % DOFS];
}

static double whole(void *context, int k) {
  bench *b = context;
  brio_player_advance(b->player, DT);
  return combine(context, k);
}

/* Combine in a tick in which a source jumps, so that every DOF is bridged. */
static double jump(void *context, int k) {
  bench *b = context;
  brio_player_set(b->player, b->middle, BRIO_PLAYER_GAIN, k % 2 ? 0.7 : 0.8, NULL);
  return combine(context, k);
}

/* The same right after all tracks were sampled, which leaves little of it in the caches: each call by
** itself. */
static void measure_cold_jumps(bench *b) {
  enum { TICKS = 1500 };
  static double times[TICKS];
  double folded = 0;
  for (int k = 0; k < TICKS; k++) {
    brio_player_advance(b->player, DT);
    double from = bench_clock();
    folded += jump(b, k);
    times[k] = bench_clock() - from;
  }
  bench_print("cold_jump", times, TICKS, 0, folded);
}

static double seek(void *context, int k) {
  bench *b = context;
  double sum = 0;
  for (int i = 0; i < 16; i++)
    sum += brio_track_seek(b->keys, LONG, 0, 0.5 * LONG * 0.01 * (1 + bench_uniform("seek", k * 16 + i)));
  return sum;
}

static brio_keyframe key(double time, double value, const char *kind, const char *curve) {
  return (brio_keyframe){.time = time,
                         .value = value,
                         .most = value,
                         .into = {NAN, NAN},
                         .out = {NAN, NAN},
                         .kind = (uint8_t)brio_keyframe_kind_find(kind),
                         .curve = (uint8_t)brio_curve_find(curve)};
}

/* A sequence with a track for every DOF, of all kinds and the curves that people use most. */
static brio_sequence *some_sequence(int number, brio_error *err) {
  static const char *const curves[] = {"linear", "cubic", "minimum_jerk", "catmull_rom"};
  static const char *const kinds[] = {"input", "normal", "superposition", "normal"};
  static brio_keyframe keys[DOFS * KEYS];
  static brio_track tracks[DOFS];
  for (int d = 0; d < DOFS; d++) {
    tracks[d] = (brio_track){.dof = d, .count = KEYS, .follow = NAN};
    for (int k = 0; k < KEYS; k++)
      keys[d * KEYS + k] = key(k * 2e4, 0.1 * (k + d % 3), kinds[(k + number) % 4], curves[(d + number) % 4]);
  }
  brio_sequence_setup setup = {.tracks = tracks, .ntrack = DOFS, .keys = keys, .nkey = DOFS * KEYS};
  return brio_sequence_new(&setup, DOFS, err);
}

static bool fill(bench *b, brio_error *err) {
  brio_player_dof dofs[DOFS];
  for (int d = 0; d < DOFS; d++) dofs[d] = (brio_player_dof){-1, 1, 0, 5, 50, d, 1};
  brio_player_options options = {.dofs = dofs, .ndof = DOFS, .tree = 30};
  b->player = brio_player_new(&options, err);
  for (int i = 0; i < SOURCES && b->player; i++) {
    brio_sequence *sequence = some_sequence(i, err);
    bool direct = i < DIRECT;
    brio_play how = {.name = "bench",
                     .stage = brio_player_stage_find(b->player, direct  ? "mixer"
                                                                : i % 2 ? "sequences"
                                                                        : "keys"),
                     .priority = i % 7,
                     .speed = 1,
                     .amplitude = 0.9,
                     .gain = 0.8,
                     .start = 100};
    if (!sequence || !brio_player_play(b->player, sequence, &how, err)) return false;
  }
  b->middle = brio_player_next(b->player, 0);
  for (int i = 0; i < SOURCES / 2; i++) b->middle = brio_player_next(b->player, b->middle);
  b->keys = calloc(LONG, sizeof *b->keys);
  for (int i = 0; b->keys && i < LONG; i++) b->keys[i] = key(i * 0.01, 0, "normal", "linear");
  return b->player && b->keys;
}

int main(void) {
  static bench b;
  brio_error err = {0};
  if (!fill(&b, &err)) {
    fprintf(stderr, "motion: %s\n", err.message);
    return 1;
  }
  double check = 0;
  for (int k = 0; k < 2000; k++) check += whole(&b, k); /* what starts is bridged: let that pass */
  bench_measure("combine", combine, &b, check);
  bench_measure("whole", whole, &b, check);
  bench_measure("jump", jump, &b, check);
  measure_cold_jumps(&b);
  bench_measure("seek", seek, &b, 0);
  return 0;
}
