/* Records of earlier formats, read into the state before: see tape.c.
**
** A record: a byte of flags, causes, `anew`; if poses continue from the path's end, the path's time and the
** ends that changed. Then, with PACKED, how many periods of the motor side passed, and in bits: which axes
** changed, by how much later than predicted they were measured, and of each axis which of its fields
** changed, and these: Golomb-Rice coded, with a parameter that follows their size (Rice, "Some practical
** universal noiseless coding techniques", 1979; as in LOCO-I: Weinberger, Seroussi and Sapiro, IEEE Trans.
** Image Processing 9(8), 2000). Without PACKED each axis that changed has the number of axes left out
** before it, which of its fields changed, and these as differences. Then inputs, and failures: code, count
** and sentence of the newest. A number of an input is twice the difference of its steps (zigzag), or 1 and
** its 8 bytes. */
#include <math.h>
#include <string.h>

#include "runtime/motor/motor_internal.h"
#include "runtime/tape/tape.h"

enum { ARMED = 1, SETTLED = 2, SILENT = 4, BEHIND = 8, ENDS = 16, FAILURES = 32, PACKED = 64 };
enum { LONGEST = 20 /* ones before a number that is written whole */, WIDEST = 24 };

/* The numbers of an axis, and the steps that they were rounded to. */
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
static const int order[FIELDS] = {V, X, POSITION, VELOCITY, 4, 5, 6, 7}; /* in which they stand */

#define INPUT_STEP 1e-6
#define MOST_STEPS 1e12
#define DELAY_STEP 5e-6 /* s */
#define MOST_SPEED 1e4  /* per s: faster, and it was not predicted from */

/* A number of an axis, by its row in `fields`. */
static double *field_of(brio_motor_axis_state *axis, int field) {
  return (double *)(void *)((char *)axis + fields[field].at);
}

/* ---- bytes ---- */

/* The bytes of a record. `good` stays false from the first read behind the end; reads are void then. */
typedef struct reader {
  const unsigned char *at, *end;
  bool good;
} reader;

/* Read a whole number, 7 bits a byte; 0 after an error. */
static uint64_t take_whole(reader *r) {
  uint64_t value = 0;
  const unsigned char *at = r->good ? brio_tape_take_whole(r->at, r->end, &value) : NULL;
  r->good = at != NULL;
  if (at) r->at = at;
  return r->good ? value : 0;
}

/* Read `length` bytes; after an error `out` stays as it was. */
static void take_bytes(reader *r, void *out, size_t length) {
  r->good = r->good && (size_t)(r->end - r->at) >= length;
  if (!r->good) return;
  memcpy(out, r->at, length);
  r->at += length;
}

/* Read a number: the difference of its steps from *value, or its 8 bytes. */
static void take_number(reader *r, double *value, double step) {
  uint64_t code = take_whole(r);
  if (code & 1)
    take_bytes(r, value, sizeof *value);
  else
    *value = (double)(llround(*value / step) + brio_tape_zagzig(code >> 1)) * step;
}

/* Read which of `count` items is the next one that changed, after `last`; -1: no further one, or an error. */
static int take_place(reader *r, int last, int count) {
  uint64_t gap = take_whole(r);
  if (gap == 0) return -1;
  r->good = r->good && gap <= (uint64_t)(count - 1 - last);
  return r->good ? last + (int)gap : -1;
}

/* ---- bits, lowest first ---- */

/* The bits of a record. */
typedef struct bit_reader {
  const unsigned char *from, *end;
  uint64_t bits;
  int count; /* of them */
  bool good; /* there were enough */
} bit_reader;

/* Read `count` bits, lowest first; behind the end they are 0. */
static uint64_t take_bits(bit_reader *r, int count) { /* up to 32 */
  for (; r->count < count; r->count += 8) {
    r->good = r->good && r->from < r->end;
    r->bits |= (uint64_t)(r->good ? *r->from++ : 0) << r->count;
  }
  uint64_t value = r->bits & (((uint64_t)1 << count) - 1);
  r->bits >>= count;
  r->count -= count;
  return value;
}

/* Read 64 bits. */
static uint64_t take_eight(bit_reader *r) {
  uint64_t low = take_bits(r, 32);
  return low | take_bits(r, 32) << 32;
}

/* The prediction of a number: its base in steps; how much longer its interval is than the last one, as a
** ratio; and a correction in steps, for this record only. */
typedef struct origin {
  int64_t base;
  double ratio;
  int64_t once;
} origin;

/* The Rice parameter: how many low bits of a remainder follow its unary part. */
static int width_of(const brio_coded *code) {
  int width = 0;
  while (width < WIDEST && (uint32_t)(16u << width) < code->size) width++;
  return width;
}

/* Read a number: the remainder (unary part, low bits; or 64 bits after LONGEST ones) plus its prediction.
** After LONGEST ones and another one, the 8 bytes of the value itself follow. */
static double take_coded(bit_reader *r, brio_coded *code, double step, origin from) {
  int ones = 0, width = width_of(code);
  double value;
  while (ones < LONGEST && take_bits(r, 1)) ones++;
  /* The value itself: it was off the grid. */
  if (ones == LONGEST && take_bits(r, 1)) {
    uint64_t eight = take_eight(r);
    memcpy(&value, &eight, sizeof value);
    return value;
  }
  uint64_t left = ones == LONGEST ? take_eight(r) : (uint64_t)ones << width | take_bits(r, width);
  /* In wrapping arithmetic, as damaged bytes may hold any number. */
  int64_t now = (int64_t)((uint64_t)brio_tape_zagzig(left) + (uint64_t)brio_code_foreseen(code, from.ratio) +
                          (uint64_t)from.once);
  brio_code_learn(code, now, left, from.ratio);
  return (double)(int64_t)((uint64_t)now + (uint64_t)from.base) * step;
}

/* ---- axes ---- */

/* The number of steps in a value; 0 if that is not a whole number. */
static int64_t steps_of(double value, double step) {
  if (!(fabs(value) < MOST_STEPS * step)) return 0;
  double back = (double)llround(value / step) * step;
  return memcmp(&back, &value, sizeof back) == 0 ? llround(value / step) : 0;
}

/* The periods since the record before, their ratio to those before that, and by how much later than
** predicted devices measured, s. */
typedef struct passed {
  int64_t periods;
  double ratio, delay;
} passed;

/* The prediction of a field; `now` has the fields that come before it in `order`. */
static origin origin_of(const brio_motor *motor, int field, const brio_motor_axis_state *now,
                        const brio_motor_axis_state *before, const passed *time) {
  origin from = {0, time->ratio, 0};
  bool known = fabs(before->v) < MOST_SPEED && fabs(now->v) < MOST_SPEED;
  double n = (double)time->periods,
         way = motor->period * 0.5 * (n * (before->v + now->v) + now->v - before->v);
  /* Measured values are near the commands; devices measured `delay` s later than predicted. */
  if (field == POSITION) from.base = steps_of(now->x, fields[X].step);
  if (field == POSITION && known) from.once = llround(now->v * time->delay / fields[POSITION].step);
  if (field == VELOCITY && known) from.base = llround(now->v / fields[VELOCITY].step);
  if (field == X && known) from.base = steps_of(before->x, fields[X].step) + llround(way / fields[X].step);
  return from;
}

/* Read an axis with PACKED: the mask (a bit if it is the same as before), its fields, whether it reports. */
static void take_axis(bit_reader *r, brio_motor *motor, int i, const passed *time) {
  brio_motor_axis_state *now = &motor->seen.axes[i], was = *now;
  brio_motor_codes *codes = &motor->seen.codes[i];
  if (!take_bits(r, 1)) codes->mask = (unsigned)take_bits(r, FIELDS + 1);
  /* In the order of coding, since predictions need earlier fields. */
  for (int n = 0; n < FIELDS; n++) {
    int k = order[n];
    if (!(codes->mask >> k & 1)) continue;
    *field_of(now, k) = take_coded(r, &codes->fields[k], fields[k].step,
                                   origin_of(motor, k, now, &was, time));
  }
  if (!(codes->mask >> FIELDS & 1)) return;
  /* Whether it reports is the lowest bit. */
  uint64_t knows = take_bits(r, 32);
  now->state.valid = knows & 1;
  now->state.knows = (unsigned)(knows >> 1);
}

/* Read all axes with PACKED. */
static void take_packed_axes(reader *r, brio_motor *motor) {
  brio_motor_seen *seen = &motor->seen;
  int64_t periods = (int64_t)take_whole(r);
  passed time = {periods, seen->passed > 0 ? (double)periods / (double)seen->passed : 1, 0};
  bit_reader bits = {.from = r->at, .end = r->end, .good = true};
  /* A bit for the same axes as before, else one for each axis. */
  bool same = take_bits(&bits, 1);
  seen->passed = periods;
  for (int i = 0; i < motor->count && !same; i++) seen->changed[i] = take_bits(&bits, 1);
  time.delay = take_coded(&bits, &seen->delay, DELAY_STEP, (origin){0, 1, 0});
  /* No axis after an error: damaged bits would be learned. */
  for (int i = 0; i < motor->count; i++)
    if (seen->changed[i] && bits.good) take_axis(&bits, motor, i, &time);
  r->good = r->good && bits.good;
  r->at = bits.from;
}

/* Read all axes without PACKED. */
static void take_plain_axes(reader *r, brio_motor *motor) {
  for (int i = take_place(r, -1, motor->count); i >= 0; i = take_place(r, i, motor->count)) {
    brio_motor_axis_state *axis = &motor->seen.axes[i];
    uint64_t mask = take_whole(r);
    /* Differences from the last values. */
    for (int k = 0; k < FIELDS; k++)
      if (mask >> k & 1) take_number(r, field_of(axis, k), fields[k].step);
    if (!(mask >> FIELDS & 1)) continue;
    uint64_t knows = take_whole(r);
    axis->state.valid = knows & 1;
    axis->state.knows = (unsigned)(knows >> 1);
  }
}

/* ---- the rest ---- */

/* Read the path's time, and the ends that changed with their speeds. */
static void take_ends(reader *r, brio_motor *motor, brio_motor_report *report) {
  take_bytes(r, &report->tick, sizeof report->tick);
  for (int i = take_place(r, -1, motor->count); i >= 0; i = take_place(r, i, motor->count)) {
    take_bytes(r, &motor->seen.axes[i].end, sizeof(double));
    take_bytes(r, &motor->seen.axes[i].end_speed, sizeof(double));
  }
}

/* Read the inputs that changed. */
static void take_inputs(reader *r, brio_motor *motor) {
  for (int i = take_place(r, -1, motor->ninput); i >= 0; i = take_place(r, i, motor->ninput)) {
    uint64_t mask = take_whole(r);
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++)
      if (mask >> k & 1) take_number(r, &motor->seen.inputs[i].values[k], INPUT_STEP);
  }
}

/* Read the newest failure, and note it in the actuator. */
static void take_failures(reader *r, brio_motor *motor) {
  brio_error error = {.code = (brio_code)take_whole(r)};
  int count = (int)take_whole(r);
  uint64_t length = take_whole(r);
  /* The length is checked before anything is copied. */
  r->good = r->good && length < sizeof error.message;
  if (r->good) take_bytes(r, error.message, (size_t)length);
  if (r->good) brio_actuator_note_failures(motor->actuator, &error, count);
}

bool brio_motor_read_before(brio_motor *motor, const unsigned char *bytes, size_t length,
                            brio_motor_report *report) {
  /* The head, then the parts that its flags announce; every byte must be used. */
  reader r = {bytes, bytes + length, length > 0};
  if (!r.good) return false;
  unsigned flags = *r.at++;
  /* The state of the motor side. */
  report->armed = flags & ARMED, report->settled = flags & SETTLED;
  report->silent = flags & SILENT, report->behind = flags & BEHIND;
  report->causes = (unsigned)take_whole(&r);
  report->anew = (uint32_t)take_whole(&r);
  if (flags & ENDS) take_ends(&r, motor, report);
  if (flags & PACKED)
    take_packed_axes(&r, motor);
  else
    take_plain_axes(&r, motor);
  /* Inputs and failures are in both formats. */
  take_inputs(&r, motor);
  if (flags & FAILURES) take_failures(&r, motor);
  return r.good && r.at == r.end;
}
