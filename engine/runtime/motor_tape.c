/* What is seen of the motor side, as differences from what was seen before: see motor_tape.h.
**
** A look that finds something new is a record: a byte of flags (below), causes, anew; where poses go on from the path's end, the
** path's time and the ends that changed; then the axes that changed, each as how many were left out before it, which of its fields
** changed, and these; then inputs in the same way; then, if there are new ones, failures: code, count and sentence of the newest.
** A number is twice the difference of its steps (zigzag), or 1 and its 8 bytes where it is no whole number of them. */
#include "runtime/motor_tape.h"

#include <math.h>
#include <string.h>

#include "runtime/motor_internal.h"
#include "runtime/panic.h"

enum { ARMED = 1, SETTLED = 2, SILENT = 4, BEHIND = 8, ENDS = 16, FAILURES = 32 };
enum { MOST_BYTES = BRIO_TAPE_LONGEST, NUMBER_BYTES = 10 };

/* The numbers of an axis, and what they are rounded to. */
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
enum { FIELDS = sizeof fields / sizeof *fields };

#define INPUT_STEP 1e-6
#define MOST_STEPS 1e12

static double *field_of(brio_motor_axis_state *axis, int field) { return (double *)(void *)((char *)axis + fields[field].at); }

static double rounded(double value, double step) {
  return fabs(value) < MOST_STEPS * step ? round(value / step) * step : value; /* nothing of what is none */
}

/* Whether two are the same bits. */
static bool is_same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* ---- writing ---- */

static unsigned char *put_bytes(unsigned char *out, const void *bytes, size_t length) {
  memcpy(out, bytes, length);
  return out + length;
}

static unsigned char *put_number(unsigned char *out, double value, double before, double step) {
  bool whole = fabs(value) < MOST_STEPS * step && fabs(before) < MOST_STEPS * step;
  if (whole && is_same(round(value / step) * step, value) && is_same(round(before / step) * step, before))
    return brio_tape_put_whole(out, brio_tape_zigzag(llround(value / step) - llround(before / step)) << 1);
  return put_bytes(brio_tape_put_whole(out, 1), &value, sizeof value);
}

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

/* Which fields of an axis changed; the bit behind them: whether it reports, and what it knows. */
static unsigned changes_of(brio_motor_axis_state *now, brio_motor_axis_state *before) {
  unsigned mask = now->state.valid != before->state.valid || now->state.knows != before->state.knows ? 1u << FIELDS : 0;
  for (int k = 0; k < FIELDS; k++)
    if (!is_same(*field_of(now, k), *field_of(before, k))) mask |= 1u << k;
  return mask;
}

static unsigned char *put_axes(unsigned char *out, brio_motor *motor, brio_motor_state *state) {
  int last = -1;
  for (int i = 0; i < motor->count; i++) {
    brio_motor_axis_state *now = &state->axes[i], *before = &motor->seen.axes[i];
    for (int k = 0; k < FIELDS && motor->threaded; k++) *field_of(now, k) = rounded(*field_of(now, k), fields[k].step);
    unsigned mask = changes_of(now, before);
    if (!mask) continue;
    out = brio_tape_put_whole(out, (uint64_t)(i - last));
    out = brio_tape_put_whole(out, mask);
    for (int k = 0; k < FIELDS; k++) {
      if (!(mask >> k & 1)) continue;
      out = put_number(out, *field_of(now, k), *field_of(before, k), fields[k].step);
      *field_of(before, k) = *field_of(now, k);
    }
    if (mask >> FIELDS & 1) out = brio_tape_put_whole(out, (uint64_t)now->state.knows << 1 | now->state.valid);
    before->state.valid = now->state.valid;
    before->state.knows = now->state.knows;
    last = i;
  }
  return brio_tape_put_whole(out, 0);
}

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

static unsigned char *put_failures(unsigned char *out, const brio_error *error, int count) {
  size_t length = strlen(error->message);
  out = brio_tape_put_whole(brio_tape_put_whole(out, (uint64_t)error->code), (uint64_t)count);
  return put_bytes(brio_tape_put_whole(out, length), error->message, length);
}

/* Note what is newest. */
static void note(brio_motor *motor, brio_tape *tape, brio_motor_state *state) {
  const brio_motor_report *r = &state->report;
  const brio_error *error;
  int failures = brio_motor_failures(motor, state, &error);
  bool anew = !motor->seen.any || r->settled || (r->anew != 0 && r->anew != motor->seen_anew), fails = failures != motor->seen.failures;
  unsigned char *out = motor->seen.bytes;
  *out++ = (unsigned char)((r->armed ? ARMED : 0) | (r->settled ? SETTLED : 0) | (r->silent ? SILENT : 0) |
                           (r->behind ? BEHIND : 0) | (anew ? ENDS : 0) | (fails ? FAILURES : 0));
  out = brio_tape_put_whole(brio_tape_put_whole(out, r->causes), r->anew);
  if (anew) out = put_ends(out, motor, state);
  out = put_inputs(put_axes(out, motor, state), motor, state);
  if (fails) out = put_failures(out, error, failures);
  motor->seen.failures = failures;
  motor->seen.any = true;
  brio_tape_note(tape, BRIO_CHANNEL_motion, motor->seen.bytes, (size_t)(out - motor->seen.bytes));
}

/* ---- reading ---- */

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

/* The next of `count` items that changed, after `last`; -1: none. */
static int take_place(reader *r, int last, int count) {
  uint64_t gap = take_whole(r);
  if (gap == 0) return -1;
  r->good = r->good && gap <= (uint64_t)(count - 1 - last);
  return r->good ? last + (int)gap : -1;
}

static void take_ends(reader *r, brio_motor *motor, brio_motor_report *report) {
  take_bytes(r, &report->tick, sizeof report->tick);
  for (int i = take_place(r, -1, motor->count); i >= 0; i = take_place(r, i, motor->count)) {
    take_bytes(r, &motor->seen.axes[i].end, sizeof(double));
    take_bytes(r, &motor->seen.axes[i].end_speed, sizeof(double));
  }
}

static void take_axes(reader *r, brio_motor *motor) {
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

/* Let what was noted be what is newest. */
static bool read_back(brio_motor *motor, const void *bytes, size_t length) {
  reader r = {bytes, (const unsigned char *)bytes + length, length > 0};
  if (!r.good) return false;
  brio_motor_state *state = brio_triple_back(&motor->state);
  const brio_motor_state *before = brio_triple_front(&motor->state);
  state->report = before->report;
  brio_motor_report *report = &state->report;
  unsigned flags = *r.at++;
  report->armed = flags & ARMED, report->settled = flags & SETTLED, report->silent = flags & SILENT;
  report->behind = flags & BEHIND;
  report->causes = (unsigned)take_whole(&r);
  report->anew = (uint32_t)take_whole(&r);
  if (flags & ENDS) take_ends(&r, motor, report);
  take_axes(&r, motor);
  take_inputs(&r, motor);
  if (flags & FAILURES) take_failures(&r, motor);
  memcpy(state->axes, motor->seen.axes, (size_t)motor->count * sizeof *state->axes);
  memcpy(brio_motor_bus_states(motor, state), brio_motor_bus_states(motor, before), (size_t)motor->nbus * sizeof(brio_motor_bus_state));
  if (motor->ninput) memcpy(brio_motor_input_states(motor, state), motor->seen.inputs, (size_t)motor->ninput * sizeof *motor->seen.inputs);
  brio_triple_publish(&motor->state);
  return r.good && r.at == r.end;
}

bool brio_motor_look_taped(brio_motor *motor, brio_tape *tape) {
  const void *bytes;
  size_t length;
  bool fresh;
  if (brio_tape_replays(tape)) {
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
    for (int i = 0; i < motor->count; i++) motor->values[i] = axes[i].target;
    brio_tape_note(tape, BRIO_CHANNEL_motion, motor->values, wanted);
    return;
  }
  if (!brio_tape_must(tape, BRIO_CHANNEL_motion, &bytes, &length)) return;
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
  } else if (now != motor->panics_known) {
    motor->panics_told++;
    brio_tape_note(tape, BRIO_CHANNEL_panic, NULL, 0);
  } else {
    brio_tape_pass(tape, BRIO_CHANNEL_panic);
  }
  motor->panics_known = now;
}
