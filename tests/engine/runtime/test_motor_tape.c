/* The motor side's readings on the tape: they read back to the bit, through holds, silence and
** disarming; tapes of older versions are read, too; the position on the path determines every joint;
** wrong bytes are reported. */
#include "motor/path.h"
#include "motor_tape_help.h"
#include "motor_tape_rows.h"

enum { TICKS = 500 };

/* The state after a reading, as numbers that are equal where the bits are. */
typedef struct seen {
  brio_motor_axis_state axes[RIG_AXES];
  brio_motor_report report;
  double input;
  bool anew;
} seen;

static seen look_of(rig *r, bool anew) {
  seen now = {.anew = anew};
  const brio_motor_state *state = brio_triple_front(&r->motor->state);
  memcpy(now.axes, state->axes, sizeof now.axes);
  now.report = state->report;
  now.input = brio_motor_input_states(r->motor, state)[0].values[0];
  return now;
}

static bool is_same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool is_same_axis(const brio_motor_axis_state *a, const brio_motor_axis_state *b) {
  return is_same(a->x, b->x) && is_same(a->v, b->v) && is_same(a->state.position, b->state.position) &&
         is_same(a->state.velocity, b->state.velocity) && is_same(a->state.load, b->state.load) &&
         a->state.valid == b->state.valid && a->state.knows == b->state.knows;
}

static void compare(const seen *a, const seen *b, int tick) {
  for (int i = 0; i < RIG_AXES; i++)
    CHECK(is_same_axis(&a->axes[i], &b->axes[i]), "axis %d in tick %d", i, tick);
  CHECK(a->anew == b->anew && a->report.causes == b->report.causes && a->report.anew == b->report.anew &&
            a->report.armed == b->report.armed && a->report.settled == b->report.settled &&
            a->report.silent == b->report.silent,
        "the report in tick %d", tick);
  CHECK(is_same(a->input, b->input), "the input in tick %d is %g, was %g", tick, b->input, a->input);
  for (int i = 0; i < RIG_AXES && a->anew; i++)
    CHECK(is_same(a->axes[i].end, b->axes[i].end) && is_same(a->axes[i].end_speed, b->axes[i].end_speed),
          "the end of axis %d in tick %d", i, tick);
}

/* Record a run and read it back; return the size of a reading in bytes, between two ticks that swing. */
static double note_and_read_back(double noise, double step, bool split) {
  static seen noted[TICKS];
  static tape_rows rows;
  char path[512];
  brio_error err = {0};
  rig r;
  snprintf(path, sizeof path, "%s", help_path("motor_tape.db"));
  brio_store *store = open_store(path, 0);
  brio_tape *tape = brio_tape_record(store, &err);
  rig_start_split(&r, noise, step, split);
  int64_t before = 0, bytes = 0;
  for (int n = 0; n < TICKS; n++) {
    noted[n] = look_of(&r, rig_tick(&r, tape));
    brio_tape_flush(tape);
    if (n == 399) before = brio_tape_count(tape).bytes;
    if (n == 499) bytes = brio_tape_count(tape).bytes - before;
  }
  rig_end(&r);
  brio_tape_free(tape);
  CHECK(brio_store_close(store, &err), "%s", err.message);
  read_rows(path, &rows);
  tape = replay_of(&rows, -1);
  rig_start(&r, noise, step);
  for (int n = 0; n < TICKS; n++) {
    seen read = look_of(&r, rig_tick(&r, tape));
    compare(&noted[n], &read, n);
  }
  CHECK(brio_tape_parted(tape)->fault == BRIO_TAPE_SAME && brio_tape_over(tape),
        "the tape is read to its end");
  rig_end(&r);
  brio_tape_free(tape);
  free_rows(&rows);
  return (double)bytes / 100 - 12; /* a row of its own: format, check code, and a head in full */
}

static void test_looks_come_back(void) {
  double quiet = note_and_read_back(0, 1e-6, false), noisy = note_and_read_back(1e-4, 1e-6, false);
  double coarse = note_and_read_back(1e-4, 1e-4, false);
  CHECK(quiet < 12, "six axes take %.1f bytes a look", quiet);
  CHECK(noisy < quiet + 8, "noise of 100 steps, 8.7 bits an axis, makes %.1f bytes of that", noisy);
  CHECK(coarse < noisy - 3, "and rounding to 100 steps %.1f", coarse);
}

/* Of a robot of two devices, which its replay does not open. */
static void test_looks_at_several_devices_come_back(void) { note_and_read_back(1e-4, 1e-6, true); }

/* The path itself, compared with its reconstruction from the poses and the position on them. */
static void test_path_follows_from_where_it_is(void) {
  enum { JOINTS = 3 };
  brio_arena arena;
  brio_path path;
  brio_trail trail;
  brio_random dice = brio_random_stream(9, "trail");
  brio_axis_limits limits[JOINTS];
  double pose[JOINTS] = {0};
  brio_arena_start(&arena, 4096);
  for (int j = 0; j < JOINTS; j++) limits[j] = (brio_axis_limits){-10, 10, 5, 1000};
  CHECK(brio_path_start(&path, &arena, limits, JOINTS) && brio_trail_start(&trail, &arena, JOINTS),
        "there is memory");
  brio_path_place(&path, pose);
  int checked = 0;
  for (int n = 0; n < 300; n++) {
    double dt = n % 7 == 6 ? 0.01 : 0.005;
    for (int j = 0; j < JOINTS; j++) pose[j] += dt * (1 + j) * sin(0.05 * n);
    CHECK(brio_path_put(&path, pose, dt, NULL), "pose %d is taken", n);
    brio_trail_add(&trail, pose, dt);
    int periods = (int)lround(dt * 1000) + (int)brio_random_below(&dice, 3) - 1;
    for (int k = 0; k < periods && brio_path_ahead(&path) > 0.004; k++) brio_path_step(&path, 0.001, 1);
    brio_path_spot spot = {trail.count - (path.used - 2), path.at};
    if (!brio_trail_knows(&trail, spot)) continue;
    checked++;
    brio_view here = brio_trail_view(&trail, spot);
    brio_view back = brio_trail_view(&trail, brio_trail_move(&trail, spot, -0.001));
    brio_view ahead = brio_trail_view(&trail, brio_trail_move(&trail, spot, 1e-7));
    for (int j = 0; j < JOINTS; j++) {
      double x = brio_view_place(&here, j), v = brio_view_speed(&here, j);
      CHECK_NEAR(x, path.x[j], 1e-12, "joint %d after pose %d", j, n);
      CHECK_NEAR((x - brio_view_place(&back, j)) / 0.001, path.v[j], 1e-9, "its speed over the last period");
      if (path.used > 3) CHECK_NEAR((brio_view_place(&ahead, j) - x) / 1e-7, v, 1e-4, "its speed there");
    }
  }
  CHECK(checked > 200, "%d times", checked);
  brio_arena_end(&arena);
}

/* The reported position on the path agrees with the joints, while nothing holds it. */
static void test_motor_says_where_it_is(void) {
  brio_error err = {0};
  rig r;
  char path[512];
  int checked = 0;
  snprintf(path, sizeof path, "%s", help_path("place.db"));
  brio_store *store = open_store(path, 0);
  brio_tape *tape = brio_tape_record(store, &err);
  rig_start(&r, 0, 1e-6);
  for (int n = 0; n < TICKS; n++) {
    rig_tick(&r, tape);
    const brio_motor_state *state = brio_triple_front(&r.motor->state);
    const brio_trail *trail = &r.motor->seen.trail;
    brio_path_spot spot = {state->report.corner, state->report.along};
    bool even = (n >= 5 && n < 120) || n >= 400; /* in between it is held, disarmed, and gets no poses */
    if (!even || !brio_trail_knows(trail, spot)) continue;
    checked++;
    brio_view view = brio_trail_view(trail, spot);
    for (int i = 0; i < RIG_TREE; i++)
      CHECK_NEAR(brio_view_place(&view, i), state->axes[i].x, 1e-6, "joint %d in tick %d", i, n);
  }
  CHECK(checked > 200, "%d ticks", checked);
  rig_end(&r);
  brio_tape_free(tape);
  brio_store_close(store, &err);
}

static void feed_old(brio_tape *tape, const old_row *rows) {
  brio_error err = {0};
  for (int i = 0; i < OLD_ROWS; i++) {
    static unsigned char bytes[4096];
    size_t length = strlen(rows[i].bytes) / 2;
    for (size_t k = 0; k < length; k++) {
      unsigned byte = 0;
      sscanf(rows[i].bytes + 2 * k, "%2x", &byte);
      bytes[k] = (unsigned char)byte;
    }
    CHECK(brio_tape_feed(tape, i + 1, rows[i].tick, bytes, length, &err), "%s", err.message);
  }
}

/* An older tape gives the same as the same motion does now. */
static void test_tapes_of_before_are_read(void) {
  const old_row *const both[] = {rows_of_differences, rows_of_codes};
  for (int k = 0; k < 2; k++) {
    brio_error err = {0};
    rig now, then;
    char path[512];
    snprintf(path, sizeof path, "%s", help_path("motor_tape.db"));
    brio_store *store = open_store(path, 0);
    brio_tape *notes = brio_tape_record(store, &err), *old = brio_tape_replay(&err);
    feed_old(old, both[k]);
    rig_start(&now, 0, 1e-6);
    rig_start(&then, 0, 1e-6);
    int n = 0;
    for (; !brio_tape_over(old); n++) {
      seen a = look_of(&now, rig_tick(&now, notes)), b = look_of(&then, rig_tick(&then, old));
      CHECK(a.anew == b.anew && a.report.armed == b.report.armed && is_same(a.input, b.input), "tick %d", n);
      for (int i = 0; i < RIG_AXES; i++) {
        CHECK_NEAR(b.axes[i].x, a.axes[i].x, 1e-12, "command of axis %d in tick %d", i, n);
        CHECK_NEAR(b.axes[i].v, a.axes[i].v, 1e-12, "its speed");
        CHECK_NEAR(b.axes[i].state.position, a.axes[i].state.position, 1e-12, "where it was measured");
        CHECK_NEAR(b.axes[i].state.velocity, a.axes[i].state.velocity, 1e-12, "how fast");
      }
    }
    CHECK(n >= 20 && brio_tape_parted(old)->fault == BRIO_TAPE_SAME, "%d ticks", n);
    rig_end(&now);
    rig_end(&then);
    brio_tape_free(notes);
    brio_tape_free(old);
    brio_store_close(store, &err);
  }
}

/* Corrupt records: reported, and the robot's numbers stay finite. */
static void test_wrong_records_are_told(void) {
  brio_random dice = brio_random_stream(4, "wrong");
  for (int round = 0; round < 8; round++) {
    static unsigned char bytes[400];
    static tape_rows rows;
    char path[512];
    brio_error err = {0};
    rig r;
    snprintf(path, sizeof path, "%s", help_path("wrong.db"));
    brio_store *store = open_store(path, 0);
    brio_tape *tape = brio_tape_record(store, &err);
    for (int n = 0; n < 5; n++) {
      size_t length = (size_t)brio_random_below(&dice, sizeof bytes);
      for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)brio_random_below(&dice, 256);
      if (n == 0 && round % 2) bytes[0] = 0xc0;
      brio_tape_tick(tape, n, 0.005 * n);
      brio_tape_note(tape, BRIO_CHANNEL_motion, bytes, length);
    }
    brio_tape_free(tape);
    brio_store_close(store, &err);
    read_rows(path, &rows);
    tape = replay_of(&rows, -1);
    rig_start(&r, 0, 1e-6);
    for (int n = 0; n < 5; n++) rig_tick(&r, tape);
    CHECK(brio_tape_parted(tape)->fault == BRIO_TAPE_CHANGED, "round %d: fault %d", round,
          brio_tape_parted(tape)->fault);
    rig_end(&r);
    brio_tape_free(tape);
    free_rows(&rows);
  }
}

CHECK_SUITE(CHECK_TEST(test_looks_come_back), CHECK_TEST(test_looks_at_several_devices_come_back),
            CHECK_TEST(test_path_follows_from_where_it_is),
            CHECK_TEST(test_motor_says_where_it_is), CHECK_TEST(test_tapes_of_before_are_read),
            CHECK_TEST(test_wrong_records_are_told))
