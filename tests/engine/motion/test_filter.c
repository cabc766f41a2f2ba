/* Filters on the player's output: compared with the cascade's formula and its delay, overshoot and gain;
** nothing jumps where filtered motion starts, ends, pauses or restarts. */
#include "math/lowpass.h"
#include "motion/mixer.h"
#include "tests/allocations.h"
#include "tests/check.h"

enum { NDOF = 4 };
#define DT 0.005

/* A player whose DOF 0 is filtered, and DOF 1 is not. */
static brio_player *make_player(int stages, double tau) {
  brio_player_dof dofs[NDOF];
  for (int i = 0; i < NDOF; i++) dofs[i] = (brio_player_dof){-4, 4, 0, 8, 60, i, 1};
  brio_player_filter filter = {.dof = 0, .stages = stages, .tau = tau};
  brio_player_options options = {.dofs = dofs, .ndof = NDOF, .tree = 2, .filters = &filter, .nfilter = 1};
  brio_error err;
  brio_player *player = brio_player_new(&options, &err);
  CHECK(player != NULL, "%s", err.message);
  return player;
}

/* A sequence that takes both DOFs through the same keys. */
static brio_sequence *both(const double (*keys)[2], int count, const char *curve, bool ends_below) {
  enum { MOST = 8 };
  brio_keyframe made[2 * MOST];
  brio_track tracks[2];
  for (int d = 0; d < 2; d++) {
    tracks[d] = (brio_track){.dof = d, .first = d * count, .count = count, .follow = NAN};
    for (int i = 0; i < count; i++) {
      bool below = ends_below && (i == 0 || i == count - 1);
      made[d * count + i] = (brio_keyframe){
          .time = keys[i][0], .value = keys[i][1], .most = keys[i][1], .into = {NAN, NAN}, .out = {NAN, NAN},
          .kind = (uint8_t)brio_keyframe_kind_find(below ? "input" : "normal"),
          .curve = (uint8_t)brio_curve_find(curve)};
    }
  }
  brio_sequence_setup setup = {.tracks = tracks, .ntrack = 2, .keys = made, .nkey = 2 * count};
  brio_error err;
  brio_sequence *sequence = brio_sequence_new(&setup, NDOF, &err);
  CHECK(sequence != NULL, "%s", err.message);
  return sequence;
}

static int play(brio_player *player, const brio_sequence *sequence, double fade) {
  brio_play how = {.name = "x", .stage = 2, .speed = 1, .amplitude = 1, .gain = 1, .fade = {fade, fade}};
  brio_error err;
  int source = brio_player_play(player, sequence, &how, &err);
  CHECK(source > 0, "%s", err.message);
  return source;
}

static brio_player_result tick_over(brio_player *player, double below, double rate, bool anew) {
  double values[NDOF], rates[NDOF];
  for (int i = 0; i < NDOF; i++) values[i] = below, rates[i] = rate;
  brio_player_advance(player, DT);
  brio_player_begin(player, values, rates, DT, anew);
  while (brio_player_combine(player) >= 0) continue;
  brio_player_finish(player);
  return brio_player_result_of(player);
}

/* In each tick the output is the cascade of the output of an unfiltered DOF, and its rate that of the value;
** at the end the player releases the DOF. */
static void test_what_comes_out_is_the_cascade(void) {
  static const double keys[][2] = {{0, 0}, {0.3, 1}, {0.5, -0.4}, {0.9, 0.7}, {1.2, 0}};
  for (int stages = 1; stages <= BRIO_LOWPASS_STAGES; stages++) {
    brio_player *player = make_player(stages, 0.04);
    brio_sequence *sequence = both(keys, 5, "minimum_jerk", true);
    brio_lowpass reference;
    brio_lowpass_start(&reference, stages, 0.04, 0);
    tick_over(player, 0, 0, false);
    play(player, sequence, 0.25);
    double before = 0;
    for (int i = 0; i < 300; i++) {
      brio_player_result result = tick_over(player, 0, 0, false);
      double expected = brio_lowpass_step(&reference, result.value[1], DT);
      CHECK_NEAR(result.value[0], expected, 1e-12, "%d stages, tick %d", stages, i);
      CHECK_NEAR(result.rate[0], (result.value[0] - before) / DT, 1e-9, "its rate");
      CHECK(result.follow[0] > 0, "%d stages: it is asked at tick %d, and until the filter is at rest",
            stages, i);
      before = result.value[0];
    }
    for (int i = 0; i < 400; i++) tick_over(player, 0, 0, false);
    brio_player_result result = tick_over(player, 0, 0, false);
    CHECK(result.follow[0] == 0 && result.value[0] == 0, "%d stages: nothing more is wanted of it", stages);
    CHECK(!brio_player_needs(player), "nor of the base");
    brio_player_free(player);
    brio_sequence_free(sequence);
  }
}

/* The cascade's figures: K stages of tau lag behind a ramp by K tau to within a tick (a tick holds its value,
** which offsets half a tick a stage), and end at a step's value without overshoot. */
static void test_delay_overshoot_and_gain(void) {
  static const struct { int stages; double tau; } cases[] = {{2, 0.02}, {2, 0.03}, {2, 0.05}, {2, 0.08},
                                                             {2, 0.1},  {1, 0.1},  {2, 0.3}};
  static const double ramp[][2] = {{0, 0}, {4, 2}}, step[][2] = {{0, 1}, {4, 1}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    brio_player *player = make_player(cases[c].stages, cases[c].tau);
    brio_sequence *up = both(ramp, 2, "linear", false), *hold = both(step, 2, "hold", false);
    tick_over(player, 0, 0, false);
    play(player, up, 0);
    brio_player_result result = {0};
    for (int i = 0; i < 780; i++) result = tick_over(player, 0, 0, false);
    double delay = (result.value[1] - result.value[0]) / 0.5, formula = cases[c].stages * cases[c].tau;
    CHECK(fabs(delay - formula) <= DT + 0.02 * formula, "%d x %g s: %g s behind", cases[c].stages,
          cases[c].tau, delay);
    printf("# %d stages of %g s: %.4f s behind a ramp, K tau = %.4f s\n", cases[c].stages, cases[c].tau,
           delay, formula);
    brio_player_free(player);
    player = make_player(cases[c].stages, cases[c].tau);
    tick_over(player, 0, 0, false);
    play(player, hold, 0);
    double last = 0;
    for (int i = 0; i < 790; i++) {
      double now = tick_over(player, 0, 0, false).value[0];
      CHECK(now >= last - 1e-12 && now <= 1 + 1e-12, "tick %d: %g after %g", i, now, last);
      last = now;
    }
    CHECK_NEAR(last, 1, 1e-3, "it comes to its value");
    brio_player_free(player);
    brio_sequence_free(up);
    brio_sequence_free(hold);
  }
}

/* Over a moving base, values and rates stay continuous where a filter's lag starts and
** ends; nothing allocates. */
static void test_the_lag_comes_and_goes_without_a_jump(void) {
  static const double keys[][2] = {{0, 0}, {0.5, 1}, {1, 0}};
  for (int stages = 1; stages <= BRIO_LOWPASS_STAGES; stages++) {
    brio_player *player = make_player(stages, 0.06);
    brio_sequence *sequence = both(keys, 3, "minimum_jerk", true);
    double before = 0, pace = 0, hardest = 0, farthest = 0;
    int source = 0, began = 0;
    for (int i = 0; i < 2900; i++) {
      double t = i * DT, below = 0.4 * sin(2 * t), rate = 0.8 * cos(2 * t);
      if (i % 700 == 100) source = play(player, sequence, 0.3), began = i;
      if (i % 700 == 200 && i > 1000) brio_player_stop(player, source, 0.1);
#ifndef SANITIZED
      size_t taken = allocations;
#endif
      brio_player_result result = tick_over(player, below, rate, false);
#ifndef SANITIZED
      CHECK(allocations == taken, "a tick allocates");
#endif
      if (i > 1) hardest = fmax(hardest, fabs(result.rate[0] - pace) / DT);
      if (i > 0) CHECK_NEAR(result.value[0] - before, result.rate[0] * DT, 1e-12, "tick %d: its rate", i);
      if (i - began > 650 || began == 0) farthest = fmax(farthest, fabs(result.value[0] - below));
      bool free = result.follow[0] == 0 && result.value[0] == below;
      CHECK(i % 700 != 99 || free, "tick %d: it does not lag when it is let go", i);
      before = result.value[0], pace = result.rate[0];
    }
    CHECK(hardest < 60 + 4, "%d stages: its rate changes by %g per s^2", stages, hardest);
    CHECK(farthest < 1e-12, "%d stages: without tracks it is %g off", stages, farthest);
    printf("# %d stages: rates change by at most %.3g per s^2\n", stages, hardest);
    brio_player_free(player);
    brio_sequence_free(sequence);
  }
}

/* While time stops the filter stops; when the robot restarts, the filter starts at the robot's position. */
static void test_pause_keeps_it_and_anew_seeds_it(void) {
  static const double keys[][2] = {{0, 0}, {1, 1}, {9, 1}};
  brio_player *player = make_player(2, 0.1);
  brio_sequence *sequence = both(keys, 3, "linear", false);
  tick_over(player, 0, 0, false);
  play(player, sequence, 0);
  brio_player_result result = {0};
  for (int i = 0; i < 100; i++) result = tick_over(player, 0, 0, false);
  double at = result.value[0], speed = result.rate[0];
  brio_player_pause(player, true);
  for (int i = 0; i < 100; i++) result = tick_over(player, 0, 0, false);
  CHECK_NEAR(result.value[0], at, 1e-12, "it stands still");
  CHECK(result.follow[0] > 0, "and is still asked");
  brio_player_pause(player, false);
  result = tick_over(player, 0, 0, false);
  CHECK_NEAR(result.rate[0], speed, 0.02, "and goes on as it went");
  for (int i = 0; i < 400; i++) result = tick_over(player, 0, 0, false);
  CHECK_NEAR(result.value[0], 1, 1e-6, "it is there");
  result = tick_over(player, -2, 0, true);
  CHECK_NEAR(result.value[0], -2, 0.01, "anew: from where the robot is");
  CHECK_NEAR(result.value[1], 1, 1e-12, "without a filter it is as it was");
  for (int i = 0; i < 400; i++) result = tick_over(player, -2, 0, false);
  CHECK_NEAR(result.value[0], 1, 1e-6, "and back");
  CHECK_NEAR(brio_player_story_of(player, 0).filter, 0, 1e-6, "its filter is at rest");
  brio_player_free(player);
  brio_sequence_free(sequence);
}

static void test_what_is_none_is_refused(void) {
  brio_player_dof dof = {-2, 2, 0, 8, 60, 0, 1};
  static const brio_player_filter wrong[] = {{1, 2, 0.1}, {-1, 2, 0.1}, {0, 5, 0.1},
                                             {0, 2, 0},   {0, 2, NAN},  {0, -1, 1}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    brio_player_options options = {.dofs = &dof, .ndof = 1, .tree = 1, .filters = &wrong[i], .nfilter = 1};
    brio_error err;
    CHECK(brio_player_new(&options, &err) == NULL && err.code == BRIO_MISUSE, "case %zu: %s", i, err.message);
  }
  static const brio_player_filter twice[] = {{0, 2, 0.1}, {0, 1, 0.1}};
  brio_player_options options = {.dofs = &dof, .ndof = 1, .tree = 1, .filters = twice, .nfilter = 2};
  brio_error err;
  CHECK(brio_player_new(&options, &err) == NULL && err.code == BRIO_MISUSE, "two for one: %s", err.message);
}

CHECK_SUITE(CHECK_TEST(test_what_comes_out_is_the_cascade), CHECK_TEST(test_delay_overshoot_and_gain),
            CHECK_TEST(test_the_lag_comes_and_goes_without_a_jump),
            CHECK_TEST(test_pause_keeps_it_and_anew_seeds_it), CHECK_TEST(test_what_is_none_is_refused))
