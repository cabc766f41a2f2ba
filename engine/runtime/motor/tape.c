/* What is seen of the motor side, as differences from what was seen before: see tape.h.
**
** A look that finds something new is a record, in this order:
**   flags     one byte (below); then causes and anew
**   ends      if poses continue from the path's end: the path's tick, and the ends that changed
**   axes      periods passed; in bits (motor_tape_code.h) which axes changed, by how much later
** than predicted they were measured, and of each which fields changed, and those
**   inputs    each as the number of inputs skipped, which of its numbers changed, and those
**   failures  if there are new ones: code, count and sentence of the newest
** A number of an input is twice its difference in steps (zigzag), or 1 and its 8 bytes where it
** is no whole number of steps. */
#include "runtime/motor/tape.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "runtime/motor/motor_internal.h"
#include "runtime/motor/panic.h"

/* Flags of a record. */
enum { ARMED = 1, SETTLED = 2, SILENT = 4, BEHIND = 8, ENDS = 16, FAILURES = 32, PACKED = 64 };
enum { MAX_BYTES = BRIO_TAPE_LONGEST, NUMBER_BYTES = 10 };

/* The numbers of an axis, and the steps they are rounded to. */
static const struct {
  size_t at;
  double step;
} fields[] = {
    {offsetof(brio_motor_axis_state, x), 1e-6},
    {offsetof(brio_motor_axis_state, v), 1e-5},
    {offsetof(brio_motor_axis_state, state.position), 1e-6},
    {offsetof(brio_motor_axis_state, state.velocity), 1e-4},
    {offsetof(brio_motor_axis_state, state.load), 1e-3},
    {offsetof(brio_motor_axis_state, state.current), 1e-3},
    {offsetof(brio_motor_axis_state, state.temperature), 1e-1},
    {offsetof(brio_motor_axis_state, state.voltage), 1e-2},
};
enum { X, V, POSITION, VELOCITY, FIELDS = sizeof fields / sizeof *fields };
_Static_assert((int)FIELDS == (int)BRIO_MOTOR_FIELDS, "the numbers of an axis");
static const int order[FIELDS] = {V, X, POSITION, VELOCITY, 4, 5, 6, 7}; /* written: X needs V, POSITION X */

#define INPUT_STEP 1e-6
#define MAX_STEPS 1e12
#define MAX_WAY 0.5     /* rad or m: a larger deviation says nothing about a delay */
#define MAX_DELAY 0.1   /* s */
#define DELAY_STEP 5e-6 /* s */
#define MAX_SPEED 1e4  /* per s: no prediction from greater speeds */

/* A field of an axis by its index in the table. */
static double *field_of(brio_motor_axis_state *axis, int field) { return (double *)(void *)((char *)axis + fields[field].at); }

/* Round to a whole number of steps.  Adding 0.0 turns -0 into 0; NaN and huge values stay as they
** are. */
static double rounded(double value, double step) {
  return fabs(value) < MAX_STEPS * step ? round(value / step) * step + 0.0 : value; /* 0 for -0; nothing of what is none */
}

/* Whether two numbers are the same bits: NaN equals NaN, and 0 differs from -0. */
static bool is_same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* ---- writing ---- */

static unsigned char *put_bytes(unsigned char *out, const void *bytes, size_t length) {
  memcpy(out, bytes, length);
  return out + length;
}

/* Write a number of an input as the difference from before, in steps if both are whole numbers of
** them. */
static unsigned char *put_number(unsigned char *out, double value, double before, double step) {
  bool whole = fabs(value) < MAX_STEPS * step && fabs(before) < MAX_STEPS * step;
  if (whole && is_same(round(value / step) * step, value) && is_same(round(before / step) * step, before))
    return brio_tape_put_whole(out, brio_tape_zigzag(llround(value / step) - llround(before / step)) << 1);
  return put_bytes(brio_tape_put_whole(out, 1), &value, sizeof value);
}

/* Write the ends of the path that changed, each as its distance from the last one; 0 ends the list. */
static unsigned char *put_ends(unsigned char *out, brio_motor *motor, const brio_motor_state *state) {
  int last = -1;
  brio_motor_seen *seen = &motor->seen;
  out = put_bytes(out, &state->report.tick, sizeof state->report.tick);
  for (int i = 0; i < motor->count; i++) {
    const brio_motor_axis_state *now = &state->axes[i];
    if (is_same(now->end, seen->axes[i].end) && is_same(now->end_speed, seen->axes[i].end_speed)) continue;
    out = brio_tape_put_whole(out, (uint64_t)(i - last));
    out = put_bytes(put_bytes(out, &now->end, sizeof now->end), &now->end_speed, sizeof now->end_speed);
    seen->axes[i].end = now->end;
    seen->axes[i].end_speed = now->end_speed;
    last = i;
  }
  return brio_tape_put_whole(out, 0);
}

/* The fields of an axis that changed, as bits; bit FIELDS: whether it reports, and what it knows. */
static unsigned changes_of(brio_motor_axis_state *now, brio_motor_axis_state *before) {
  unsigned mask = now->state.valid != before->state.valid || now->state.knows != before->state.knows ? 1u << FIELDS : 0;
  for (int k = 0; k < FIELDS; k++)
    if (!is_same(*field_of(now, k), *field_of(before, k))) mask |= 1u << k;
  return mask;
}

/* What all axes of a record share: the periods of the motor side since the record before; their
** ratio to those before that; and by how much later than predicted devices measured, s. */
typedef struct passed {
  int64_t periods;
  double ratio, delay;
} passed;

/* Begin a record: keep the number of periods for the next one's ratio. */
static passed pass(brio_motor *motor, int64_t periods) {
  int64_t before = motor->seen.passed;
  motor->seen.passed = periods;
  return (passed){periods, before > 0 ? (double)periods / (double)before : 1, 0};
}

/* The base that a field is predicted from; `now` has the fields written before it.  A path's
** position: from the position before and the speeds of its periods, which change evenly.  What is
** measured: from the path's position and speed. */
static brio_coded_from from_of(const brio_motor *motor, int field, const brio_motor_axis_state *now,
                               const brio_motor_axis_state *before, const passed *time) {
  brio_coded_from from = {0, time->ratio, 0};
  bool known = fabs(before->v) < MAX_SPEED && fabs(now->v) < MAX_SPEED;
  double n = (double)time->periods;
  if (field == POSITION) from.base = brio_code_steps(now->x, fields[X].step);
  if (field == POSITION && known) from.once = llround(now->v * time->delay / fields[POSITION].step);
  if (field == VELOCITY && known) from.base = llround(now->v / fields[VELOCITY].step);
  if (field != X || !known) return from;
  /* The sum of n speeds from v to v', one per period, without the first: h (n (v + v') + v' - v) /
  ** 2. */
  double way = motor->period * 0.5 * (n * (before->v + now->v) + now->v - before->v);
  from.base = brio_code_steps(before->x, fields[X].step) + llround(way / fields[X].step);
  return from;
}

/* Write which axes changed: a 1 if they are the same as in the record before, else a 0 and a bit
** for each. */
static void put_changed(brio_bits *bits, brio_motor *motor, const brio_motor_state *state) {
  bool same = true;
  for (int i = 0; i < motor->count; i++) {
    bool changed = changes_of((brio_motor_axis_state *)(uintptr_t)&state->axes[i], &motor->seen.axes[i]) != 0;
    same = same && changed == motor->seen.changed[i];
    motor->seen.changed[i] = changed;
  }
  brio_bits_put(bits, same, 1);
  for (int i = 0; i < motor->count && !same; i++) brio_bits_put(bits, motor->seen.changed[i], 1);
}

/* Write one axis: the mask of its fields, if it differs from the last one, and the fields in
** `order`. */
static void put_axis(brio_bits *bits, brio_motor *motor, int i, brio_motor_axis_state *now,
                     const passed *time) {
  brio_motor_axis_state *before = &motor->seen.axes[i], was = *before;
  brio_motor_codes *codes = &motor->seen.codes[i];
  unsigned mask = changes_of(now, before);
  brio_bits_put(bits, mask == codes->mask, 1);
  if (mask != codes->mask) brio_bits_put(bits, mask, FIELDS + 1);
  codes->mask = mask;
  for (int n = 0; n < FIELDS; n++) {
    int k = order[n];
    if (!(mask >> k & 1)) continue;
    /* The fields are predicted from the axis before, and from those of now that were written
    ** already. */
    brio_coded_from from = from_of(motor, k, now, &was, time);
    brio_code_put(bits, &codes->fields[k], *field_of(now, k), fields[k].step, from);
    *field_of(before, k) = *field_of(now, k);
  }
  if (mask >> FIELDS & 1) brio_bits_put(bits, (uint64_t)now->state.knows << 1 | now->state.valid, 32);
  before->state.valid = now->state.valid;
  before->state.knows = now->state.knows;
}

/* The common delay of all measurements, s, by least squares: the d that minimizes the sum over axes
** of (way - v d)^2, which is sum(way v) / sum(v^2).  Rounded, since it is written. */
static double delay_of(const brio_motor *motor, const brio_motor_state *state, double ratio) {
  double ways = 0, speeds = 0, step = fields[POSITION].step;
  for (int i = 0; i < motor->count; i++) {
    const brio_motor_axis_state *axis = &state->axes[i];
    const brio_coded *code = &motor->seen.codes[i].fields[POSITION];
    double way = axis->state.position - axis->x - (double)brio_code_foreseen(code, ratio) * step;
    if (!motor->seen.changed[i] || !(fabs(way) < MAX_WAY) || !(fabs(axis->v) < MAX_SPEED)) continue;
    ways += way * axis->v;
    speeds += axis->v * axis->v;
  }
  double delay = speeds > 0 ? ways / speeds : 0;
  return fabs(delay) < MAX_DELAY ? round(delay / DELAY_STEP) * DELAY_STEP : 0;
}

/* Write all axes that changed, as bits.  Replaying needs exactly what was used, so rounding comes
** first. */
static unsigned char *put_axes(unsigned char *out, brio_motor *motor, brio_motor_state *state) {
  int64_t periods = state->report.periods - motor->seen.periods;
  /* After a restart of the counter, or at first, no periods are known. */
  if (periods < 0 || !motor->seen.any) periods = 0;
  motor->seen.periods = state->report.periods;
  brio_bits bits = brio_bits_write(brio_tape_put_whole(out, (uint64_t)periods));
  /* Only a motor side with its own clock is rounded: in lockstep it is computed again, bit for bit. */
  for (int i = 0; i < motor->count; i++)
    for (int k = 0; k < FIELDS && motor->threaded; k++)
      *field_of(&state->axes[i], k) = rounded(*field_of(&state->axes[i], k), fields[k].step);
  put_changed(&bits, motor, state);
  passed time = pass(motor, periods);
  time.delay = delay_of(motor, state, time.ratio);
  brio_code_put(&bits, &motor->seen.delay, time.delay, DELAY_STEP, (brio_coded_from){0, 1, 0});
  for (int i = 0; i < motor->count; i++)
    if (motor->seen.changed[i]) put_axis(&bits, motor, i, &state->axes[i], &time);
  return brio_bits_end(&bits);
}

/* Write the inputs that changed, each as its distance from the last one; 0 ends the list. */
static unsigned char *put_inputs(unsigned char *out, brio_motor *motor, const brio_motor_state *state) {
  int last = -1;
  brio_input_state *inputs = brio_motor_input_states(motor, state);
  for (int i = 0; i < motor->ninput; i++) {
    double *now = inputs[i].values, *before = motor->seen.inputs[i].values;
    unsigned mask = 0;
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++) {
      if (motor->threaded) now[k] = rounded(now[k], INPUT_STEP);
      if (!is_same(now[k], before[k])) mask |= 1u << k;
    }
    if (!mask) continue;
    out = brio_tape_put_whole(brio_tape_put_whole(out, (uint64_t)(i - last)), mask);
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++)
      if (mask >> k & 1) out = put_number(out, now[k], before[k], INPUT_STEP), before[k] = now[k];
    last = i;
  }
  return brio_tape_put_whole(out, 0);
}

/* Write the newest failure with its count. */
static unsigned char *put_failures(unsigned char *out, const brio_error *error, int count) {
  size_t length = strlen(error->message);
  assert(length < sizeof error->message);
  out = brio_tape_put_whole(brio_tape_put_whole(out, (uint64_t)error->code), (uint64_t)count);
  return put_bytes(brio_tape_put_whole(out, length), error->message, length);
}

/* Write one record of the newest state to the tape. */
static void note(brio_motor *motor, brio_tape *tape, brio_motor_state *state) {
  const brio_motor_report *r = &state->report;
  const brio_error *error;
  int failures = brio_motor_failures(motor, state, &error);
  /* Ends are needed where poses start again from them: a break, or rest. */
  bool anew = !motor->seen.any || r->settled || (r->anew != 0 && r->anew != motor->seen_anew), fails = failures != motor->seen.failures;
  unsigned char *out = motor->seen.bytes;
  *out++ = (unsigned char)((r->armed ? ARMED : 0) | (r->settled ? SETTLED : 0) | (r->silent ? SILENT : 0) |
                           PACKED | (r->behind ? BEHIND : 0) | (anew ? ENDS : 0) | (fails ? FAILURES : 0));
  out = brio_tape_put_whole(brio_tape_put_whole(out, r->causes), r->anew);
  if (anew) out = put_ends(out, motor, state);
  out = put_inputs(put_axes(out, motor, state), motor, state);
  if (fails) out = put_failures(out, error, failures);
  motor->seen.failures = failures;
  motor->seen.any = true;
  brio_tape_note(tape, BRIO_CHANNEL_motion, motor->seen.bytes, (size_t)(out - motor->seen.bytes));
}

/* ---- reading ---- */

/* A cursor in a record; `good` stays false after the first read beyond its end. */
typedef struct reader {
  const unsigned char *at, *end;
  bool good;
} reader;

static uint64_t take_whole(reader *r) {
  uint64_t value = 0;
  const unsigned char *at = r->good ? brio_tape_take_whole(r->at, r->end, &value) : NULL;
  r->good = at != NULL;
  if (at) r->at = at;
  return r->good ? value : 0;
}

static void take_bytes(reader *r, void *out, size_t length) {
  r->good = r->good && (size_t)(r->end - r->at) >= length;
  if (!r->good) return;
  memcpy(out, r->at, length);
  r->at += length;
}

static void take_number(reader *r, double *value, double step) {
  uint64_t code = take_whole(r);
  if (code & 1) take_bytes(r, value, sizeof *value);
  else *value = (double)(llround(*value / step) + brio_tape_zagzig(code >> 1)) * step;
}

/* Index of the next of `count` items that changed, after `last`; -1: none, or a damaged record. */
static int take_place(reader *r, int last, int count) {
  uint64_t gap = take_whole(r);
  if (gap == 0) return -1;
  r->good = r->good && gap <= (uint64_t)(count - 1 - last);
  return r->good ? last + (int)gap : -1;
}

/* The counterparts of put_ends, put_axis, put_axes, put_inputs and put_failures. */
static void take_ends(reader *r, brio_motor *motor, brio_motor_report *report) {
  take_bytes(r, &report->tick, sizeof report->tick);
  for (int i = take_place(r, -1, motor->count); i >= 0; i = take_place(r, i, motor->count)) {
    take_bytes(r, &motor->seen.axes[i].end, sizeof(double));
    take_bytes(r, &motor->seen.axes[i].end_speed, sizeof(double));
  }
}

static void take_axis(brio_bits *bits, brio_motor *motor, int i, const passed *time) {
  brio_motor_axis_state *now = &motor->seen.axes[i], was = *now;
  brio_motor_codes *codes = &motor->seen.codes[i];
  if (!brio_bits_take(bits, 1)) codes->mask = (unsigned)brio_bits_take(bits, FIELDS + 1);
  for (int n = 0; n < FIELDS; n++) {
    int k = order[n];
    if (!(codes->mask >> k & 1)) continue;
    brio_coded_from from = from_of(motor, k, now, &was, time);
    *field_of(now, k) = brio_code_take(bits, &codes->fields[k], fields[k].step, from);
  }
  if (!(codes->mask >> FIELDS & 1)) return;
  uint64_t knows = brio_bits_take(bits, 32);
  now->state.valid = knows & 1;
  now->state.knows = (unsigned)(knows >> 1);
}

static void take_axes(reader *r, brio_motor *motor) {
  passed time = pass(motor, (int64_t)take_whole(r));
  brio_bits bits = brio_bits_read(r->at, r->end);
  bool same = brio_bits_take(&bits, 1);
  /* The mapping of bits must follow put_changed exactly. */
  for (int i = 0; i < motor->count && !same; i++) motor->seen.changed[i] = brio_bits_take(&bits, 1);
  time.delay = brio_code_take(&bits, &motor->seen.delay, DELAY_STEP, (brio_coded_from){0, 1, 0});
  for (int i = 0; i < motor->count; i++)
    if (motor->seen.changed[i] && bits.good) take_axis(&bits, motor, i, &time);
  r->good = r->good && bits.good;
  r->at = brio_bits_over(&bits);
}

/* Axes of a record without the flag PACKED, as earlier versions wrote them. */
static void take_plain_axes(reader *r, brio_motor *motor) {
  for (int i = take_place(r, -1, motor->count); i >= 0; i = take_place(r, i, motor->count)) {
    brio_motor_axis_state *axis = &motor->seen.axes[i];
    uint64_t mask = take_whole(r);
    for (int k = 0; k < FIELDS; k++)
      if (mask >> k & 1) take_number(r, field_of(axis, k), fields[k].step);
    if (!(mask >> FIELDS & 1)) continue;
    uint64_t knows = take_whole(r);
    axis->state.valid = knows & 1;
    axis->state.knows = (unsigned)(knows >> 1);
  }
}

static void take_inputs(reader *r, brio_motor *motor) {
  for (int i = take_place(r, -1, motor->ninput); i >= 0; i = take_place(r, i, motor->ninput)) {
    uint64_t mask = take_whole(r);
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++)
      if (mask >> k & 1) take_number(r, &motor->seen.inputs[i].values[k], INPUT_STEP);
  }
}

static void take_failures(reader *r, brio_motor *motor) {
  brio_error error = {.code = (brio_code)take_whole(r)};
  int count = (int)take_whole(r);
  uint64_t length = take_whole(r);
  r->good = r->good && length < sizeof error.message;
  if (r->good) take_bytes(r, error.message, (size_t)length);
  if (r->good) brio_actuator_note_failures(motor->actuator, &error, count);
}

/* Make a record of the tape the newest state.  False: it is damaged, or belongs to another robot. */
static bool read_back(brio_motor *motor, const void *bytes, size_t length) {
  reader r = {bytes, (const unsigned char *)bytes + length, length > 0};
  if (!r.good) return false;
  brio_motor_state *state = brio_triple_back(&motor->state);
  const brio_motor_state *before = brio_triple_front(&motor->state);
  /* What is not on the tape keeps its last value. */
  state->report = before->report;
  brio_motor_report *report = &state->report;
  unsigned flags = *r.at++;
  report->armed = flags & ARMED, report->settled = flags & SETTLED, report->silent = flags & SILENT;
  report->behind = flags & BEHIND;
  report->causes = (unsigned)take_whole(&r);
  report->anew = (uint32_t)take_whole(&r);
  if (flags & ENDS) take_ends(&r, motor, report);
  if (flags & PACKED) take_axes(&r, motor);
  else take_plain_axes(&r, motor);
  take_inputs(&r, motor);
  if (flags & FAILURES) take_failures(&r, motor);
  memcpy(state->axes, motor->seen.axes, (size_t)motor->count * sizeof *state->axes);
  memcpy(brio_motor_bus_states(motor, state), brio_motor_bus_states(motor, before), (size_t)motor->nbus * sizeof(brio_motor_bus_state));
  if (motor->ninput) memcpy(brio_motor_input_states(motor, state), motor->seen.inputs, (size_t)motor->ninput * sizeof *motor->seen.inputs);
  brio_triple_publish(&motor->state);
  /* A record that is longer than what was read belongs to a robot with more axes or inputs. */
  return r.good && r.at == r.end;
}

bool brio_motor_look_taped(brio_motor *motor, brio_tape *tape) {
  const void *bytes;
  size_t length;
  bool fresh;
  if (brio_tape_replays(tape)) {
    /* Replaying: the tape says whether there was news at this look. */
    fresh = brio_tape_ask(tape, BRIO_CHANNEL_motion, &bytes, &length);
    if (fresh && !read_back(motor, bytes, length)) brio_tape_deny(tape, BRIO_CHANNEL_motion);
    if (fresh) brio_triple_fetch(&motor->state);
  } else {
    fresh = brio_triple_fetch(&motor->state) || !motor->seen.any; /* the first look is whole */
    if (fresh) note(motor, tape, (brio_motor_state *)(uintptr_t)brio_triple_front(&motor->state)); /* the reader's own */
    else brio_tape_pass(tape, BRIO_CHANNEL_motion);
  }
  return brio_motor_take_over(motor, fresh, !brio_tape_replays(tape));
}

void brio_motor_targets_taped(brio_motor *motor, brio_tape *tape) {
  const void *bytes;
  size_t length, wanted = (size_t)motor->count * sizeof(double);
  const brio_actuator_axis *axes = brio_actuator_axes(motor->actuator, &(int){0});
  if (!brio_tape_replays(tape)) {
    /* Recording: the targets are where the devices found the axes. */
    for (int i = 0; i < motor->count; i++) motor->values[i] = axes[i].target;
    brio_tape_note(tape, BRIO_CHANNEL_motion, motor->values, wanted);
    return;
  }
  if (!brio_tape_must(tape, BRIO_CHANNEL_motion, &bytes, &length)) return;
  /* Another number of axes: the tape is of another robot. */
  if (length != wanted) {
    brio_tape_deny(tape, BRIO_CHANNEL_motion);
    return;
  }
  memcpy(motor->values, bytes, length);
  for (int i = 0; i < motor->count; i++) brio_actuator_set_target(motor->actuator, i, motor->values[i], NULL);
}

void brio_motor_panics_taped(brio_motor *motor, brio_tape *tape) {
  const void *bytes;
  size_t length;
  unsigned now = brio_panic_count();
  motor->counted = true;
  if (brio_tape_replays(tape)) {
    if (brio_tape_ask(tape, BRIO_CHANNEL_panic, &bytes, &length)) motor->panics_told++;
  /* Recording: somebody raised a panic since the last tick. */
  } else if (now != motor->panics_known) {
    motor->panics_told++;
    brio_tape_note(tape, BRIO_CHANNEL_panic, NULL, 0);
  } else {
    brio_tape_pass(tape, BRIO_CHANNEL_panic);
  }
  motor->panics_known = now;
}
