/* The player: kinds of keys over a moving base, priorities, loops, the mixer's means; nothing jumps, whatever
** starts, stops or changes at any time. */
#include "base/random.h"
#include "motion/combine.h"
#include "motion/mixer.h"
#include "schedule.h"
#include "tests/allocations.h"

#define DT 0.005

/* A player; with a filter of this many stages, above 0, on two DOFs. */
static brio_player *make_filtered(uint64_t seed, int stages) {
  brio_player_dof dofs[NDOF];
  for (int i = 0; i < NDOF; i++) dofs[i] = (brio_player_dof){-2, 2, 0, 8, 60, i, 1};
  dofs[1].mirror = 2, dofs[2].mirror = 1, dofs[1].sign = dofs[2].sign = -1;
  brio_player_options options = {.dofs = dofs, .ndof = NDOF, .tree = TREE, .seed = seed};
  brio_player_filter filters[] = {{1, stages, 0.05}, {4, stages, 0.02}};
  if (stages > 0) options.filters = filters, options.nfilter = 2;
  brio_error err;
  brio_player *player = brio_player_new(&options, &err);
  CHECK(player != NULL, "%s", err.message);
  return player;
}

static brio_player *make_player(uint64_t seed) { return make_filtered(seed, 0); }

/* A sequence with one track. */
static brio_sequence *one_track(int dof, const brio_keyframe *keys, int count, double from, double to,
                                int times) {
  brio_track track = {.dof = dof, .count = count, .follow = NAN};
  brio_sequence_setup setup = {
      .tracks = &track, .ntrack = 1, .keys = keys, .nkey = count, .loop = {from, to}, .times = times};
  brio_error err;
  brio_sequence *made = brio_sequence_new(&setup, NDOF, &err);
  CHECK(made != NULL, "%s", err.message);
  return made;
}

/* The position and speed of the base at a time. */
static double base(double t, double *rate) {
  *rate = 0.3 * 1.7 * cos(1.7 * t) + 0.1 * 5.1 * cos(5.1 * t + 1);
  return 0.3 * sin(1.7 * t) + 0.1 * sin(5.1 * t + 1);
}

static const double *tick(brio_player *player, double t) {
  double below[NDOF], rate[NDOF];
  brio_player_advance(player, DT);
  for (int i = 0; i < NDOF; i++) below[i] = base(t, &rate[i]);
  brio_player_begin(player, below, rate, DT, false);
  while (brio_player_combine(player) >= 0) continue;
  brio_player_finish(player);
  return brio_player_result_of(player).value;
}

/* Input, normal, input over a moving base: within 1e-9 of the exact value, from the
** first to the last tick. */
static void test_input_normal_input_is_exact_over_a_moving_base(void) {
  brio_player *player = make_player(1);
  brio_keyframe keys[] = {key(0, 0, "input", "minimum_jerk"), key(1, 0.8, "normal", "minimum_jerk"),
                          key(2, 0.8, "normal", "minimum_jerk"), key(3, 0, "input", "linear")};
  brio_sequence *sequence = one_track(0, keys, 4, 0, 0, 0);
  double rate;
  for (int i = 0; i < 40; i++)
    CHECK_NEAR(tick(player, i * DT)[0], base(i * DT, &rate), 1e-15, "before it plays");
  brio_play how = plainly(0);
  CHECK(brio_player_play(player, sequence, &how, NULL), "it plays");
  for (int i = 0; i < 700; i++) {
    double t = (40 + i) * DT, own = i * DT, u = base(t, &rate),
           x = own < 1   ? own
               : own < 2 ? 1
               : own < 3 ? 3 - own
                         : 0;
    double s = x * x * x * (10 + x * (6 * x - 15)), expected = u + s * (0.8 - u);
    CHECK_NEAR(tick(player, t)[0], expected, 1e-9, "at %g s of its own", own);
    CHECK_NEAR(brio_player_result_of(player).value[1], u, 1e-12, "another DOF");
  }
  CHECK(brio_player_next(player, 0) == 0, "it is over");
  brio_player_free(player);
  brio_sequence_free(sequence);
}

static void test_superposition_keeps_the_mean(void) {
  brio_player *player = make_player(1);
  brio_keyframe keys[] = {
      key(0, 0, "superposition", "catmull_rom"), key(0.5, 0.3, "superposition", "catmull_rom"),
      key(1.5, -0.3, "superposition", "catmull_rom"), key(2, 0, "superposition", "catmull_rom")};
  brio_sequence *sequence = one_track(0, keys, 4, 0, 2, 0);
  brio_play how = plainly(0);
  brio_player_play(player, sequence, &how, NULL);
  double sum = 0, mean = 0, rate;
  for (int i = 0; i < 4000; i++) {
    sum += tick(player, i * DT)[0];
    mean += base(i * DT, &rate);
  }
  CHECK_NEAR(sum / 4000, mean / 4000, 1e-4, "means"); /* ten rounds of 2 s, bridged nowhere */
  brio_player_free(player);
  brio_sequence_free(sequence);
}

static void test_priority_decides_and_the_later_wins_ties(void) {
  brio_player *player = make_player(1);
  brio_keyframe high[] = {key(0, 1, "normal", "linear"), key(100, 1, "normal", "linear")};
  brio_keyframe low[] = {key(0, -1, "normal", "linear"), key(100, -1, "normal", "linear")};
  brio_sequence *a = one_track(0, high, 2, 0, 0, 0), *b = one_track(0, low, 2, 0, 0, 0);
  brio_play one = plainly(1), zero = plainly(0);
  int first = brio_player_play(player, a, &one, NULL);
  int second = brio_player_play(player, b, &zero, NULL);
  for (int i = 0; i < 300; i++) tick(player, i * DT);
  CHECK_NEAR(brio_player_result_of(player).value[0], 1, 1e-12, "the higher");
  CHECK(brio_player_result_of(player).owner[0] == first, "its owner");
  int third = brio_player_play(player, b, &one, NULL);
  for (int i = 300; i < 900; i++) tick(player, i * DT);
  CHECK_NEAR(brio_player_result_of(player).value[0], -1, 1e-12, "the later of equals");
  CHECK(brio_player_result_of(player).owner[0] == third, "its owner");
  brio_player_stop(player, third, -1);
  brio_player_stop(player, first, 0.1);
  for (int i = 900; i < 1500; i++) tick(player, i * DT);
  CHECK(brio_player_result_of(player).owner[0] == second, "what is left");
  brio_player_why why[4];
  CHECK(brio_player_why_of(player, 0, why, 4) == 1 && why[0].source == second, "who moved it");
  CHECK_NEAR(why[0].after, -1, 1e-12, "to where");
  brio_player_free(player);
  brio_sequence_free(a);
  brio_sequence_free(b);
}

/* Lead-in once, the body repeatedly, the lead-out at last; cues are reported each time they are passed. */
static void test_loops_lead_in_go_round_and_lead_out(void) {
  brio_player *player = make_player(1);
  brio_keyframe keys[] = {key(0, 0, "normal", "linear"), key(1, 1, "normal", "linear"),
                          key(2, 1, "normal", "linear"), key(3, 0, "normal", "linear")};
  const double cues[] = {0, 1.5, 2.5};
  brio_track track = {.dof = 4, .count = 4, .follow = NAN};
  brio_sequence_setup setup = {
      .tracks = &track, .ntrack = 1, .keys = keys, .nkey = 4, .loop = {1, 2}, .cues = cues, .ncue = 3};
  brio_sequence *sequence = brio_sequence_new(&setup, NDOF, NULL);
  brio_play how = plainly(0);
  how.fade[0] = how.fade[1] = 0;
  int source = brio_player_play(player, sequence, &how, NULL), told[3] = {0}, rounds = 0, ended = 0;
  for (int i = 0; i < 1400; i++) {
    tick(player, i * DT);
    if (i == 900) CHECK(brio_player_release(player, source), "it plays still");
    for (brio_player_event event; brio_player_poll(player, &event);) {
      if (event.what == BRIO_PLAYER_CUE) told[event.index]++;
      rounds += event.what == BRIO_PLAYER_LOOPED;
      ended += event.what == BRIO_PLAYER_ENDED;
    }
  }
  CHECK(rounds == 3 && told[0] == 1 && told[1] == 4 && told[2] == 1 && ended == 1,
        "%d rounds, cues %d %d %d, ended %d", rounds, told[0], told[1], told[2], ended);
  brio_player_free(player);
  brio_sequence_free(sequence);
}

static void test_mirroring_takes_the_other_side_with_its_sign(void) {
  brio_player *player = make_player(1);
  brio_keyframe keys[] = {key(0, 0.7, "normal", "linear"), key(10, 0.7, "normal", "linear")};
  brio_sequence *sequence = one_track(1, keys, 2, 0, 0, 0);
  brio_play how = plainly(0);
  how.mirror = true;
  brio_player_play(player, sequence, &how, NULL);
  for (int i = 0; i < 400; i++) tick(player, i * DT);
  CHECK_NEAR(brio_player_result_of(player).value[2], -0.7, 1e-12, "the other side");
  CHECK(brio_player_result_of(player).follow[1] == 0, "not its own");
  brio_player_free(player);
  brio_sequence_free(sequence);
}

/* Random idle motion yields its DOF to a sequence that plays, and moves it again after the sequence. */
static void test_what_yields_keeps_off_what_others_have(void) {
  brio_player *player = make_player(1);
  brio_keyframe keys[] = {key(0, 0.5, "normal", "linear"), key(100, 0.5, "normal", "linear")};
  brio_sequence *sequence = one_track(0, keys, 2, 0, 0, 0);
  brio_play how = plainly(0), life = plainly(5);
  life.stage = brio_player_stage_find(player, "random");
  brio_keyframe blink[] = {key(0, -1, "normal", "linear"), key(100, -1, "normal", "linear")};
  brio_sequence *lids = one_track(0, blink, 2, 0, 0, 0);
  int played = brio_player_play(player, sequence, &how, NULL);
  brio_player_play(player, lids, &life, NULL);
  for (int i = 0; i < 400; i++) tick(player, i * DT);
  CHECK_NEAR(brio_player_result_of(player).value[0], 0.5, 1e-12, "the sequence's");
  brio_player_why why[2];
  brio_player_why_of(player, 0, why, 2);
  CHECK(strcmp(why[1].said, "taken by others") == 0, "%s", why[1].said);
  brio_player_stop(player, played, 0.1);
  for (int i = 400; i < 900; i++) tick(player, i * DT);
  CHECK_NEAR(brio_player_result_of(player).value[0], -1, 1e-12, "free again");
  brio_player_free(player);
  brio_sequence_free(sequence);
  brio_sequence_free(lids);
}

/* y = sum g x / sum g, or (1 / n) sum g x; without an active channel the last value stays. */
static void test_the_mixer_is_the_papers_equation(void) {
  brio_player *player = make_player(1);
  brio_play direct = plainly(0);
  direct.stage = brio_player_stage_find(player, "mixer");
  direct.gain = 0.5;
  int a = brio_player_live(player, &direct, 0, NULL);
  direct.gain = 2;
  int b = brio_player_live(player, &direct, 0, NULL);
  brio_player_say(player, a, 0, 1, false, NULL);
  brio_player_say(player, b, 0, -0.5, false, NULL);
  double below[NDOF] = {0.2}, rate[NDOF] = {0};
  brio_mixer modes[] = {{.gain = 1}, {.gain = 1, .literal = true}, {.gain = 1, .mute = true}, {.gain = 0.25}};
  const double expected[] = {(0.2 + 0.5 - 1) / 3.5, (0.2 + 0.5 - 1) / 3, (0.5 - 1) / 2.5,
                             (0.05 + 0.5 - 1) / 2.75};
  for (int m = 0; m < 4; m++) {
    CHECK(brio_player_set_mixer(player, &modes[m], 0.1, NULL), "mode %d", m);
    for (int i = 0; i < 400; i++) {
      brio_player_advance(player, DT);
      brio_player_begin(player, below, rate, DT, false);
      while (brio_player_combine(player) >= 0) continue;
      brio_player_finish(player);
    }
    CHECK_NEAR(brio_player_result_of(player).value[0], expected[m], 1e-12, "mode %d", m);
    CHECK(m == 2 || fabs(brio_player_result_of(player).value[1]) < 1e-12, "a DOF without inputs");
  }
  brio_player_set(player, a, BRIO_PLAYER_SOLO, 1, NULL);
  for (int i = 0; i < 400; i++) tick(player, i * DT);
  CHECK_NEAR(brio_player_result_of(player).value[0], 1, 1e-12, "solo");
  brio_player_set(player, a, BRIO_PLAYER_MUTE, 1, NULL);
  for (int i = 0; i < 400; i++) tick(player, i * DT);
  CHECK_NEAR(brio_player_result_of(player).value[0], 1, 1e-12, "the last value stays");
  brio_player_free(player);
}

/* A share multiplies a source's gain, DOF by DOF; a source with share 0 of a DOF does not own it. */
static void test_a_share_is_how_much_of_a_source_counts(void) {
  brio_player *player = make_player(1);
  brio_play how = plainly(0);
  how.stage = brio_player_stage_find(player, "operator");
  how.gain = 0.5;
  int a = brio_player_live(player, &how, 0, NULL);
  double below[NDOF] = {0.2, 0.2, 0.2}, rate[NDOF] = {0};
  for (int d = 0; d < 3; d++) CHECK(brio_player_say(player, a, d, 1, false, NULL), "said");
  CHECK(brio_player_share(player, a, 0, 0.5) && brio_player_share(player, a, 1, 0), "shares");
  CHECK(!brio_player_share(player, a, 0, -0.1) && !brio_player_share(player, a, 0, 1.1) &&
            !brio_player_share(player, a, 0, NAN) && !brio_player_share(player, a, NDOF, 1) &&
            !brio_player_share(player, 77, 0, 1),
        "what is none");
  for (int i = 0; i < 200; i++) {
    brio_player_advance(player, DT);
    brio_player_begin(player, below, rate, DT, false);
    while (brio_player_combine(player) >= 0) continue;
    brio_player_finish(player);
  }
  const double expected[] = {0.2 + 0.25 * 0.8, 0.2, 0.2 + 0.5 * 0.8};
  for (int d = 0; d < 3; d++) {
    CHECK_NEAR(brio_player_result_of(player).value[d], expected[d], 1e-12, "DOF %d", d);
    CHECK(brio_player_result_of(player).owner[d] == (d == 1 ? 0 : a), "whose DOF %d is", d);
  }
  brio_player_why why[4];
  CHECK(brio_player_why_of(player, 1, why, 4) == 1 && strcmp(why[0].said, "level 0") == 0, "why: %s",
        why[0].said);
  brio_player_free(player);
}

static void test_an_eyelid_goes_with_its_eye_and_stays_shut(void) {
  brio_player *player = make_player(1);
  brio_eyelid lid = {.lid = 3, .eye = 4, .closed = -1, .open = 0, .gain = 0.5};
  CHECK(brio_player_set_eyelids(player, &lid, 1, NULL), "set");
  const double cases[][3] = {{0, 0, 0}, {0, 2, 0.5}, {-1, 2, -1}, {-0.5, 2, -0.25}, {0, -2, -0.5}, {1, 0, 1}};
  for (int i = 0; i < 6; i++) {
    double below[NDOF] = {[3] = cases[i][0], [4] = cases[i][1]}, rate[NDOF] = {0};
    brio_player_advance(player, DT);
    brio_player_begin(player, below, rate, DT, true);
    while (brio_player_combine(player) >= 0) continue;
    brio_player_finish(player);
    CHECK_NEAR(brio_player_result_of(player).value[3], cases[i][2], 1e-12, "case %d", i);
  }
  brio_player_free(player);
}

/* Random schedules: whatever starts, stops or changes at any time, values change by their rates and rates by
** limited accelerations only: nothing jumps, filtered or not.  Events and the ends of sources are consistent,
** too, and nothing allocates. */
static void test_nothing_jumps_whatever_happens_when(void) {
  int runs = (int)(400 * check_scale());
  double hardest = 0;
  for (int run = 0; run < runs; run++) {
    brio_player *player = make_filtered((uint64_t)run, run % 5);
    brio_random stream = brio_random_stream((uint64_t)run, "schedule");
    brio_sequence *sequences[6];
    for (int i = 0; i < 6; i++) sequences[i] = some_sequence(&stream);
    int sources[8] = {0};
    double before[NDOF] = {0}, pace[NDOF] = {0};
    size_t taken = 0;
    for (int i = 0; i < 600; i++) {
      if (i > 1 && brio_random_below(&stream, 8) == 0) do_something(player, &stream, sequences, 6, sources);
#ifndef SANITIZED
      taken = allocations;
#endif
      const double *value = tick(player, i * DT);
#ifndef SANITIZED
      CHECK(allocations == taken, "a tick allocates");
#endif
      const double *rate = brio_player_result_of(player).rate;
      for (int d = 0; d < NDOF; d++) {
        CHECK(isfinite(value[d]) && isfinite(rate[d]), "run %d, tick %d, DOF %d: %g, %g", run, i, d, value[d],
              rate[d]);
        /* rates are what values do: their change tells of jumps of either */
        double pull = fabs(rate[d] - pace[d]) / DT;
        if (i > 1) hardest = fmax(hardest, pull);
        CHECK(i < 1 || fabs(value[d] - before[d] - rate[d] * DT) < 1e-12,
              "run %d, tick %d, DOF %d: its rate is another", run, i, d);
        CHECK(i < 2 || pull < 200, "run %d, tick %d, DOF %d: its rate changes by %g per s^2", run, i, d,
              pull);
        before[d] = value[d], pace[d] = rate[d];
      }
      for (brio_player_event event; brio_player_poll(player, &event);) continue;
    }
    (void)taken;
    brio_player_free(player);
    for (int i = 0; i < 6; i++) brio_sequence_free(sequences[i]);
  }
  printf("# %d schedules: rates change by at most %.3g per s^2\n", runs, hardest);
}

static void test_players_repeat_by_seed(void) {
  double sums[3] = {0};
  for (int run = 0; run < 3; run++) {
    brio_player *player = make_player(run == 2 ? 6 : 5);
    brio_random stream = brio_random_stream(5, "schedule");
    brio_sequence *sequences[6];
    for (int i = 0; i < 6; i++) sequences[i] = some_sequence(&stream);
    int sources[8] = {0};
    for (int i = 0; i < 1000; i++) {
      if (i > 1 && brio_random_below(&stream, 8) == 0) do_something(player, &stream, sequences, 6, sources);
      const double *value = tick(player, i * DT);
      for (int d = 0; d < NDOF; d++) sums[run] = sums[run] * 1.0001 + value[d];
    }
    brio_player_free(player);
    for (int i = 0; i < 6; i++) brio_sequence_free(sequences[i]);
  }
  CHECK(sums[0] == sums[1], "equal seeds: %.17g and %.17g", sums[0], sums[1]);
  CHECK(sums[0] != sums[2], "another seed draws otherwise");
}

static void test_wrong_use_is_refused(void) {
  brio_player *player = make_player(1);
  brio_error err;
  brio_play how = plainly(0);
  brio_keyframe keys[] = {key(0, 0, "normal", "linear"), key(1, 0, "normal", "linear")};
  brio_sequence *sequence = one_track(0, keys, 2, 0, 0, 0);
  how.speed = -1;
  CHECK(!brio_player_play(player, sequence, &how, &err), "a speed below 0");
  CHECK_HAS(err.message, "speed must be from 0");
  how = plainly(NAN);
  CHECK(!brio_player_play(player, sequence, &how, &err), "a priority that is none");
  how = plainly(0), how.stage = 20;
  CHECK(!brio_player_play(player, sequence, &how, &err), "no such stage");
  CHECK(!brio_player_stop(player, 77, 0) && !brio_player_release(player, -1) &&
            !brio_player_look(player, 0, &(brio_player_source){0}),
        "no such source");
  how = plainly(0);
  for (int i = 0; i < 128; i++)
    CHECK(brio_player_play(player, sequence, &how, &err), "%d: %s", i, err.message);
  CHECK(!brio_player_play(player, sequence, &how, &err) && err.code == BRIO_LIMIT, "one too many: %s",
        err.message);
  int live = brio_player_next(player, 0);
  CHECK(!brio_player_say(player, live, 0, 1, false, &err), "a sequence says nothing live");
  CHECK(brio_player_add_stage(player, "sway", brio_player_stage_find(player, "merge"), &err) >= 0,
        "a stage: %s", err.message);
  CHECK(brio_player_add_stage(player, "sway", 0, &err) < 0, "a name twice");
  CHECK(brio_player_add_stage(player, "late", brio_player_stage_find(player, "mixer"), &err) < 0,
        "behind the mixer");
  brio_player_free(player);
  brio_sequence_free(sequence);
}

CHECK_SUITE(CHECK_TEST(test_input_normal_input_is_exact_over_a_moving_base),
            CHECK_TEST(test_superposition_keeps_the_mean),
            CHECK_TEST(test_priority_decides_and_the_later_wins_ties),
            CHECK_TEST(test_loops_lead_in_go_round_and_lead_out),
            CHECK_TEST(test_mirroring_takes_the_other_side_with_its_sign),
            CHECK_TEST(test_what_yields_keeps_off_what_others_have),
            CHECK_TEST(test_the_mixer_is_the_papers_equation),
            CHECK_TEST(test_a_share_is_how_much_of_a_source_counts),
            CHECK_TEST(test_an_eyelid_goes_with_its_eye_and_stays_shut),
            CHECK_TEST(test_nothing_jumps_whatever_happens_when), CHECK_TEST(test_players_repeat_by_seed),
            CHECK_TEST(test_wrong_use_is_refused))
